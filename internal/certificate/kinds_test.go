// Certificates of proofs of each kind: tickets of counters, calls, and addresses that are chosen from several.

package certificate_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/certificate"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// kernelText returns a module with a kernel of pointers a and b in %rd1 and %rd2 and a number in %r1. Of a thread, %r2
// is its index in the grid, %rd3 the address of its element of a.
func kernelText(functions, body string) string {
	return ".version 8.3\n.target sm_80\n.address_size 64\n" + functions + `
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
	.reg .pred %p<5>;
	.reg .b32 %r<10>;
	.reg .b64 %rd<10>;
	.shared .align 4 .b8 tile[4096];
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mad.lo.u32 %r2, %r3, %r4, %r2;
	mul.wide.u32 %rd3, %r2, 4;
	add.s64 %rd3, %rd1, %rd3;
` + strings.ReplaceAll(body, ";", ";\n") + "\n\tret;\n}\n"
}

// functionText returns a function of an address in %rd1 and a number in %r1, of which %rd2 is the element.
func functionText(name, body string) string {
	return ".func " + name + `(.param .b64 at, .param .b32 i)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [at];
	ld.param.u32 %r1, [i];
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd2, %rd1, %rd2;
` + strings.ReplaceAll(body, ";", ";\n") + "\n\tret;\n}\n"
}

// kindOfProof is a kernel that is proved in one way, and the same with a race.
type kindOfProof struct {
	name, text, racy string
	needs            string // prefix of what the proof needs
}

// kindsOfProofs returns a kernel for each kind of proof.
func kindsOfProofs() []kindOfProof {
	const (
		element  = "mul.wide.u32 %rd4, %r5, 4; add.s64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r2;"
		own      = "st.global.u32 [%rd2], %r1;"
		first    = "st.global.u32 [%rd1], %r1;"
		indirect = "mov.u64 %rd5, f; mov.u64 %rd6, g; setp.eq.u32 %p1, %r1, 3; selp.b64 %rd9, %rd5, %rd6, %p1;" +
			"{ .param .b64 a0; .param .b32 a1; st.param.b64 [a0], %rd1; st.param.b32 [a1], %r2; proto: .callprototype _ (.param .b64 _, .param .b32 _); call %rd9, (a0, a1), proto; }"
		outside = "{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r2; call (r0), outside, (a0); ld.param.b32 %r5, [r0]; }"
		either  = "setp.lt.u32 %p1, %r2, 8; selp.b64 %rd9, %rd1, %rd2, %p1; mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd9, %rd4; st.global.u32 [%rd4], %r2;"
		through = "mov.u64 %rd9, %rd1; setp.eq.u32 %p1, %r1, 0; @%p1 bra A; mov.u64 %rd9, %rd2; A: mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd9, %rd4; st.global.u32 [%rd4], %r2;"
		back    = "ld.global.u32 %r6, [%rd3+-4];"
		told    = "mov.u32 %r6, %tid.x; L: bar.sync 0; setp.ne.u32 %p1, %r6, 0; @%p1 bra S; atom.global.add.u32 %r7, [%rd2], 1; st.shared.u32 [tile], %r7; S: bar.sync 1;" +
			"ld.shared.u32 %r8, [tile]; setp.ge.u32 %p2, %r8, %r1; @%p2 bra E; mad.lo.u32 %r5, %r8, %r4, %r6;" + element + "bra L; E:"
		flag  = "ld.global.u32 %r6, [%rd2]; setp.eq.u32 %p1, %r6, 0; @%p1 bra Z; st.global.u32 [%rd3], 1; bra E; Z: st.global.u32 [%rd3+4], 1; E:"
		pivot = "mov.u32 %r6, %tid.x; shl.b32 %r6, %r6, 2; mov.u32 %r7, tile; add.u32 %r7, %r7, %r6; st.shared.u32 [%r7], %r2; bar.sync 0;" +
			"ld.shared.u32 %r8, [%r7]; setp.ne.u32 %p1, %r8, 0; @%p1 bra E; ld.shared.u32 %r9, [tile+8]; setp.eq.u32 %p2, %r9, 0; @%p2 bra E; st.shared.u32 [%r7], 5; E:"
	)
	return []kindOfProof{
		{"a ticket", kernelText("", "atom.global.add.u32 %r5, [%rd2], 1;"+element), kernelText("", "atom.global.add.u32 %r5, [%rd2], 0;"+element), "tickets: "},
		{"tickets of four", kernelText("", "atom.global.add.u32 %r5, [%rd2], 4;"+element+"st.global.u32 [%rd4+12], 1;"), kernelText("", "atom.global.add.u32 %r5, [%rd2], 4;"+element+"st.global.u32 [%rd4+16], 1;"), "tickets: "},
		{"a call through a register", kernelText(functionText("f", own)+functionText("g", own), indirect), kernelText(functionText("f", own)+functionText("g", first), indirect), ""},
		{"a call outside", kernelText(".extern .func (.param .b32 r) outside(.param .b32 i);", outside+"st.global.u32 [%rd3], %r5;"), kernelText(".extern .func (.param .b32 r) outside(.param .b32 i);", outside+"st.global.u32 [%rd1], %r5;"), "calls: "},
		{"one of two addresses", kernelText("", either), kernelText("", either+back), "disjoint"},
		{"a ticket that is told", kernelText("", told), kernelText("", strings.Replace(told, "bar.sync 0;", "", 1)), "tickets: "},
		{"a flag of the launch", kernelText("", flag), kernelText("", strings.Replace(flag, "[%rd2]", "[%rd3]", 1)), "disjoint"},
		{"an own element", kernelText("", pivot), kernelText("", strings.Replace(pivot, "setp.eq", "setp.ne", 1)), ""},
		{"one of two addresses, by a branch", kernelText("", through), kernelText("", through+back), "disjoint"},
	}
}

// assuming is what the proofs of kindsOfProofs take.
var assuming = analysis.Options{Disjoint: true, NoWrap: true}

// TestKinds makes and verifies certificates of proofs of each kind, and finds that they do not hold without their
// derivations. The changed kernel of each kind has a race, so that no certificate may claim it.
func TestKinds(t *testing.T) {
	for _, x := range kindsOfProofs() {
		t.Run(x.name, func(t *testing.T) {
			p := parsed(t, x.text)
			c := made(t, p, assuming)
			if clean, open := c.Proved(); len(clean) != 1 || open > 0 {
				t.Fatalf("%d kernels are proved, %d are open", len(clean), open)
			}
			if err := c.Verify(context.Background(), p, nil, nil); err != nil {
				t.Error(err)
			}
			if !slices.ContainsFunc(c.Kernels[0].Needed, func(n string) bool { return strings.HasPrefix(n, x.needs) }) {
				t.Errorf("needs %q", c.Kernels[0].Needed)
			}
			if slices.ContainsFunc(c.Kernels[0].Pairs, func(q certificate.Pair) bool { return len(q.Rules) == 0 }) {
				t.Errorf("a pair is proved by no rule: %+v", c.Kernels[0].Pairs)
			}
			if len(c.Proofs) == 0 {
				t.Error("no derivations")
			}
			c.Proofs = nil
			refused(t, c, p, nil, "does not show")
			if clean, _ := made(t, parsed(t, x.racy), assuming).Proved(); len(clean) > 0 {
				t.Error("the kernel with a race is proved")
			}
		})
	}
}

// TestContradiction: a certificate about launches that do not exist does not hold, though it has no derivation which
// shows that there are none: the proof that a single thread does not race does not use the facts that contradict each
// other.
func TestContradiction(t *testing.T) {
	const launch = "launches:\n  - kernel: k\n    grid: [1, 1, 1]\n    block: [1, 1, 1]\n    variables: {n: s32}\n    args: [unknown, unknown, n]\n    requires: [{that: n > 5}, {that: n < 30}]\n"
	p := parsed(t, kernelText("", "st.global.u32 [%rd1], %r2;"))
	certify := func(text string) (*certificate.Certificate, []*facts.File) {
		f, err := factfile.Parse("facts.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		given := []*facts.File{f}
		return made(t, p, analysis.Options{Facts: given}), given
	}
	c, given := certify(launch)
	if clean, open := c.Proved(); len(clean) != 1 || open > 0 {
		t.Fatalf("%d kernels are proved, %d are open", len(clean), open)
	}
	if err := c.Verify(context.Background(), p, given, nil); err != nil {
		t.Error(err)
	}
	empty, given := certify(strings.ReplaceAll(launch, "n < 30", "n < 3"))
	if clean, open := empty.Proved(); len(clean) > 0 || open != 1 {
		t.Errorf("%d kernels are proved, %d are open", len(clean), open)
	}
	if err := empty.Verify(context.Background(), p, given, nil); err != nil {
		t.Error(err)
	}
	empty.Kernels, empty.Proofs = c.Kernels, c.Proofs
	refused(t, empty, p, given, "no launch for which its facts hold")
	empty.Launches = c.Launches
	refused(t, empty, p, given, "no launch for which its facts hold")
}

// TestOutside: a proof that rests on accesses that stay in their allocations holds if they can: some launch is recorded
// in which they do.
func TestOutside(t *testing.T) {
	const launch = "launches:\n  - kernel: k\n    grid: [2, 1, 1]\n    block: [64, 1, 1]\n    args: [{buffer: a}, {buffer: b}, unknown]\n    buffers: {a: {size: 512}, b: {size: 512}}\n"
	p := parsed(t, kernelText("", "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd2, %rd4; ld.global.u32 %r5, [%rd5]; st.global.u32 [%rd3], %r5;"))
	f, err := factfile.Parse("facts.yaml", []byte(launch))
	if err != nil {
		t.Fatal(err)
	}
	given := []*facts.File{f}
	c := made(t, p, analysis.Options{Facts: given})
	if clean, open := c.Proved(); len(clean) != 1 || open > 0 || len(c.Launches) < 2 {
		t.Fatalf("%d kernels are proved, %d are open, %d launches", len(clean), open, len(c.Launches))
	}
	c.Launches = c.Launches[:1]
	refused(t, c, p, given, "does not show")
	if f, err = factfile.Parse("facts.yaml", []byte(strings.ReplaceAll(launch, "b: {size: 512}", "b: {size: 0}"))); err != nil {
		t.Fatal(err)
	}
	given = []*facts.File{f}
	if clean, _ := made(t, p, analysis.Options{Facts: given}).Proved(); len(clean) > 0 {
		t.Error("accesses outside of their allocation are proved")
	}
}

func parsed(t *testing.T, text string) *session.Program {
	t.Helper()
	p, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
