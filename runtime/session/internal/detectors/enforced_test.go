package detectors

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestEnforced: what programs depend on in schedules other than that of the run, by lines of the body: races, pairs
// that decide what is in memory, waits that may end in another way, and accesses whose values depend on the order.
// Threads write data at a, and synchronise at f. Each program runs under several schedules, with the same result.
func TestEnforced(t *testing.T) {
	const first, second = `
	setp.ne.u32 %p1, %b, 0; @%p1 bra SECOND;`, `
	bra.uni END;
SECOND:`
	const chain = `
	setp.eq.u32 %p1, %b, 1; @%p1 bra ONE; setp.eq.u32 %p1, %b, 2; @%p1 bra TWO;
	st.global.u32 [%a], 1;
	st.release.gpu.global.u32 [%f], 1;
	bra.uni END;
ONE:
M:	ld.relaxed.gpu.global.u32 %r1, [%f]; setp.ne.s32 %p2, %r1, 1; @%p2 bra M;
	atom.relaxed.gpu.global.add.u32 %r1, [%f], 1;`
	const spin = `
L:	ld.acquire.gpu.global.u32 %r1, [%f]; setp.eq.s32 %p2, %r1, 0; @%p2 bra L;`
	for _, c := range []struct {
		name, body  string
		grid, block uint32
		want        string
	}{
		{"a flag", first + `
	st.global.u32 [%a], 1;
	st.release.gpu.global.u32 [%f], 1;` + second + spin + `
	ld.global.u32 %r2, [%a];`, 2, 1, ""},
		{"a flag with fences", first + `
	st.global.u32 [%a], 1;
	membar.gl;
	atom.global.exch.b32 %r1, [%f], 1;` + second + `
L:	atom.global.or.b32 %r1, [%f], 0; setp.eq.s32 %p2, %r1, 0; @%p2 bra L;
	membar.gl;
	ld.global.u32 %r2, [%a];`, 2, 1, ""},
		{"a flag without release", first + `
	st.global.u32 [%a], 1;
	st.relaxed.gpu.global.u32 [%f], 1;` + second + spin + `
	ld.global.u32 %r2, [%a];`, 2, 1, "race 2/7"},
		{"a flag of shared memory", `
	setp.ne.u32 %p1, %me, 0; @%p1 bra W;
	st.volatile.shared.u32 [s], 0;
W:	bar.sync 0;
	setp.lt.u32 %p1, %me, 32; @%p1 bra SECOND;
	setp.ne.u32 %p1, %me, 32; @%p1 bra END;
	st.global.u32 [%a], 1;
	membar.cta;
	st.volatile.shared.u32 [s], 1;
	bra.uni END;
SECOND:
L:	ld.volatile.shared.u32 %r1, [s]; setp.eq.s32 %p2, %r1, 0; @%p2 bra L;
	membar.cta;
	ld.global.u32 %r2, [%a];`, 1, 64, ""},
		{"a flag after a weak store", first + `
	st.global.u32 [%f], 2;
	st.release.gpu.global.u32 [%f], 1;` + second + `
L:	ld.acquire.gpu.global.u32 %r1, [%f]; setp.ne.s32 %p2, %r1, 1; @%p2 bra L;`, 2, 1, "race 2/6"},
		{"a flag that two set", `
	setp.eq.u32 %p1, %b, 2; @%p1 bra SECOND;
	mul.wide.u32 %d, %b, 4; add.s64 %d, %d, %a;
	st.global.u32 [%d], 1;
	st.release.gpu.global.u32 [%f], 1;` + second + spin + ``, 3, 1, "wait 7, value 7"},
		{"a flag that is reset too early", first + `
	st.global.u32 [%a], 1;
	st.release.gpu.global.u32 [%f], 1;
	st.relaxed.gpu.global.u32 [%f], 2;
	st.relaxed.gpu.global.u32 [%f], 0;` + second + `
L:	ld.acquire.gpu.global.u32 %r1, [%f]; setp.eq.s32 %p2, %r1, 0; @%p2 bra L;
	ld.global.u32 %r2, [%a];`, 2, 1, "wait 8, value 8"},
		{"a flag that another one answers", first + `
	st.global.u32 [%a], 1;
	st.release.gpu.global.u32 [%f], 1;
M:	ld.acquire.gpu.global.u32 %r1, [%f+4]; setp.eq.s32 %p2, %r1, 0; @%p2 bra M;
	st.relaxed.gpu.global.u32 [%f], 0;
	st.global.u32 [%a], 2;` + second + spin + `
	ld.global.u32 %r2, [%a];
	st.release.gpu.global.u32 [%f+4], 1;`, 2, 1, ""},
		{"a sequence of which any number will do", first + `
	st.global.u32 [%a], 1;
	st.release.gpu.global.u32 [%f], 1;
	st.release.gpu.global.u32 [%f], 2;` + second + `
L:	ld.acquire.gpu.global.u32 %r1, [%f]; setp.lt.u32 %p2, %r1, 2; @%p2 bra L;
	ld.global.u32 %r2, [%a];`, 2, 1, ""},
		{"a long sequence of which the first number will do", first + `
	st.global.u32 [%a], 1; mov.u32 %r1, 0;
M:	add.u32 %r1, %r1, 1;
	st.release.gpu.global.u32 [%f], %r1;
	setp.lt.u32 %p2, %r1, 300; @%p2 bra M;` + second + `
	mov.u32 %r2, 0;
N:	add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9000; @%p2 bra N;` + spin + `
	ld.global.u32 %r2, [%a];`, 2, 1, ""},
		{"a chain of a release and an addition", chain + `
	bra.uni END;
TWO:
L:	ld.acquire.gpu.global.u32 %r1, [%f]; setp.lt.u32 %p2, %r1, 2; @%p2 bra L;
	ld.global.u32 %r2, [%a];`, 3, 1, ""},
		{"a chain that a store breaks", chain + `
	st.relaxed.gpu.global.u32 [%f], 3;
	bra.uni END;
TWO:
L:	ld.acquire.gpu.global.u32 %r1, [%f]; setp.lt.u32 %p2, %r1, 2; @%p2 bra L;
	ld.global.u32 %r2, [%a];`, 3, 1, "wait 11, value 11"},
		{"a barrier of the grid", `
	mul.wide.u32 %d, %b, 4; add.s64 %d, %d, %a;
	st.global.u32 [%d], 1;
	membar.gl;
	atom.global.add.u32 %r1, [%f], 1;
L:	ld.volatile.global.u32 %r2, [%f]; setp.lt.u32 %p1, %r2, %n; @%p1 bra L;
	membar.gl;
	ld.global.u32 %r3, [%a];
	ld.global.u32 %r4, [%a+8];`, 3, 1, ""},
		{"a barrier of the grid that waits for too few", `
	mul.wide.u32 %d, %b, 4; add.s64 %d, %d, %a;
	st.global.u32 [%d], 1;
	membar.gl;
	sub.u32 %n, %n, 1;
	atom.global.add.u32 %r1, [%f], 1;
L:	ld.volatile.global.u32 %r2, [%f]; setp.lt.u32 %p1, %r2, %n; @%p1 bra L;
	membar.gl;`, 3, 1, "wait 6, value 6"},
		{"the barrier of cooperative groups, twice", `
	mul.wide.u32 %d, %b, 4; add.s64 %d, %d, %a;
	setp.eq.u32 %p3, %b, 0;
	sub.u32 %r4, 0x80000001, %n;
	selp.b32 %r4, %r4, 1, %p3;
	st.global.u32 [%d], 1;
	atom.add.release.gpu.u32 %r1, [%f], %r4;
L:	ld.acquire.gpu.u32 %r2, [%f]; xor.b32 %r3, %r2, %r1; setp.gt.s32 %p1, %r3, -1; @%p1 bra L;
	ld.global.u32 %r5, [%a];
	ld.global.u32 %r5, [%a+8];
	atom.add.release.gpu.u32 %r1, [%f], %r4;
M:	ld.acquire.gpu.u32 %r2, [%f]; xor.b32 %r3, %r2, %r1; setp.gt.s32 %p1, %r3, -1; @%p1 bra M;
	st.global.u32 [%d], 2;`, 3, 1, ""},
		{
			"a spin lock", `
L:	atom.acquire.gpu.global.cas.b32 %r1, [%f], 0, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;
	ld.global.u32 %r2, [%a]; add.u32 %r2, %r2, 1;
	st.global.u32 [%a], %r2;
	st.release.gpu.global.u32 [%f], 0;`, 2, 1,
			"race 2/3, race 3/3, memory 1/1, memory 1/4, value 1, value 4",
		},
		{"a ticket", `
	atom.global.add.u32 %r1, [%f+4], 1;
L:	ld.acquire.gpu.global.u32 %r2, [%f]; setp.ne.u32 %p1, %r1, %r2; @%p1 bra L;
	st.global.u32 [%a], 1;
	add.u32 %r3, %r1, 1;
	st.release.gpu.global.u32 [%f], %r3;`, 2, 1, "value 1"},
		{"a message through two additions", first + `
	st.global.u32 [%a], 1;
	atom.add.acq_rel.gpu.global.u32 %r1, [%f], 1;` + second + `
	atom.add.acq_rel.gpu.global.u32 %r1, [%f], 1;
	ld.global.u32 %r2, [%a];`, 2, 1, "race 2/7"},
		{"sums of floating-point numbers", `
	setp.eq.u32 %p1, %me, 0; selp.f32 %x, 0f4b800000, 0f3f800000, %p1;
	red.global.add.f32 [%a], %x;
	bar.sync 0;
	ld.global.f32 %x, [%a];`, 1, 64, "value 2"},
		{"a histogram", `
	red.global.add.u32 [%a], %me;
	bar.sync 0;
	ld.global.u32 %r1, [%a];`, 1, 64, ""},
		{"a histogram that others read", `
	red.global.add.u32 [%a], %me;
	ld.volatile.global.u32 %r1, [%a];
	mul.wide.u32 %d, %me, 4; add.s64 %d, %d, %a; st.global.u32 [%d+4], %r1;`, 1, 64, "value 2"},
		{"addition and maximum", `
	setp.lt.u32 %p1, %me, 32;
	@%p1 red.global.add.u32 [%a], 1;
	@!%p1 red.global.max.u32 [%a], 7;`, 1, 64, "memory 2/3, value 2, value 3"},
		{"exchanges of several values", `
	atom.global.exch.b32 %r1, [%a], %me;`, 1, 2, "memory 1/1, value 1"},
		{"exchanges of one value", `
	atom.global.exch.b32 %r1, [%a], 7;`, 1, 2, ""},
		{"volatile stores of several values", `
	st.volatile.global.u32 [%a], %me;`, 1, 2, "memory 1/1, value 1"},
		{"increments with two bounds", `
	setp.lt.u32 %p1, %me, 32;
	@%p1 red.global.inc.u32 [%a], 5;
	@!%p1 red.global.inc.u32 [%a], 7;`, 1, 64, "memory 2/3, value 2, value 3"},
		{"a counter whose results are used", `
	atom.global.add.u32 %r1, [%f], 1;
	mul.wide.u32 %d, %r1, 4; add.s64 %d, %d, %a;
	st.global.u32 [%d], 1;`, 1, 64, "value 1"},
		{"a counter of one thread", `
	setp.ne.u32 %p1, %me, 0; @%p1 bra END;
	atom.global.add.u32 %r1, [%f], 1;
	mul.wide.u32 %d, %r1, 4; add.s64 %d, %d, %a;
	st.global.u32 [%d], 1;`, 1, 64, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, p := range []emu.Config{
				{}, {Policy: emu.Random, Seed: 1}, {Policy: emu.Random, Seed: 2}, {Policy: emu.PCT, Seed: 3, Length: 100},
			} {
				if got := dependencesOf(t, c.body, c.grid, c.block, p); got != c.want && got != "livelock" {
					t.Errorf("%v %d: %q, want %q", p.Policy, p.Seed, got, c.want)
				}
			}
		})
	}
}

// TestOver: a detector needs no more events of a long launch from the time when no claim can be made about it.
func TestOver(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"a load": {`ld.relaxed.gpu.global.u32 %r1, [%f];`, false},
		"a result that decides a branch": {`
	atom.relaxed.gpu.global.add.u32 %r1, [%f], 1;
	setp.eq.u32 %p3, %r1, 7; @%p3 bra END;`, true},
		"results that the order does not decide": {`
	mad.lo.u32 %r2, %b, 1024, %me; mul.wide.u32 %d, %r2, 4; add.s64 %d, %d, %a;
	atom.relaxed.gpu.global.add.u32 %r1, [%d], 1;
	setp.eq.u32 %p3, %r1, 7; @%p3 bra END;`, false},
		"a count for which a thread waits": {`
	atom.relaxed.gpu.global.add.u32 %r1, [%f], 1;
	add.u32 %b, %b, %me; setp.ne.u32 %p1, %b, 0; @%p1 bra END;
M:	ld.acquire.gpu.global.u32 %r3, [%f]; setp.lt.u32 %p2, %r3, 25600; @%p2 bra M;`, false},
		"a phase that no loop waits for": {`
	.shared .b64 bar;
	ld.relaxed.gpu.global.u32 %r1, [%f];
	setp.ne.u32 %p1, %me, 0; @%p1 bra END;
	mbarrier.init.shared.b64 [bar], 1;
	mbarrier.try_wait.parity.shared.b64 %p1, [bar], 1;`, true},
	} {
		d, _, fault := enforcedRun(t, c.body, 25, 1024, emu.Config{MaxSteps: 10_000_000})
		if _, undecided := d.Dependences(); fault != "" || d.Over() != c.want || undecided != "" != c.want {
			t.Errorf("%s: over %t, %q %s", name, d.Over(), undecided, fault)
		}
	}
}

// TestNeedsEnforced: enforced order is kept where threads access memory strongly, other than mbarriers.
func TestNeedsEnforced(t *testing.T) {
	for body, want := range map[string]bool{
		"st.global.u32 [%a], 1; fence.acq_rel.gpu; bar.sync 0;":                        false,
		"st.relaxed.gpu.global.u32 [%a], 1;":                                           true,
		"red.global.add.u32 [%a], 1;":                                                  true,
		"mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.shared.b64 %d, [s];":         false,
		"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [s];":   false,
		"cp.async.mbarrier.arrive.shared.b64 [s]; ld.acquire.gpu.global.u32 %r, [%a];": true,
	} {
		ast, err := ptxgrammar.Parse("k.ptx", []byte(".version 8.7\n.target sm_100a\n.address_size 64\n.visible .entry k() {\n"+
			".reg .b32 %r; .reg .b64 %a, %d; .shared .b64 s;\n"+body+"\nret;\n}"))
		if err != nil {
			t.Fatal(err)
		}
		user, err := rewrite.Check(ast)
		if err != nil {
			t.Fatal(err)
		}
		if got := NeedsEnforced(user.Funcs[0]); got != want {
			t.Errorf("%s: %t", body, got)
		}
	}
}

// dependencesOf returns what a kernel with a body depends on.
func dependencesOf(t *testing.T, body string, grid, block uint32, cfg emu.Config) string {
	t.Helper()
	d, user, fault := enforcedRun(t, body, grid, block, cfg)
	if fault != "" {
		return fault
	}
	return dependences(d, user)
}

// enforcedRun executes a kernel with a body under a detector of enforced order.
func enforcedRun(t *testing.T, body string, grid, block uint32, cfg emu.Config) (
	d *Enforced, user *rewrite.Module, fault string,
) {
	t.Helper()
	text := `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
	.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b32 %me; .reg .b32 %b; .reg .b32 %n; .reg .f32 %x;
	.reg .b64 %a; .reg .b64 %f; .reg .b64 %d; .shared .u32 s;
	ld.param.u64 %a, [p]; add.s64 %f, %a, 2048; mov.b64 %d, %a;
	mov.u32 %me, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %n, %nctaid.x; // line 1 of the body
` + strings.TrimPrefix(body, "\n") + "\nEND:	ret;\n}\n"
	ast, err := ptxgrammar.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if user, err = rewrite.Check(ast); err != nil {
		t.Fatal(err)
	}
	d, _, err = NewEnforced(&PreciseOptions{Options: precise.DefaultOptions()}, user)
	if err != nil {
		t.Fatal(err)
	}
	events := observe.NewEvents(user, d.Needs(), d)
	events.Steps(d.NeedsStep, d.Step)
	events.Unless(d.Over)
	cfg.Listener = events
	m, err := emu.New(user, cfg)
	if err != nil {
		t.Fatal(err)
	}
	buf, err := m.Alloc("a", 1<<17)
	if err == nil {
		err = m.Write(buf, make([]byte, 1<<17))
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Prepare(user.Funcs[0])
	d.Begin(detect.Launch{Kernel: "k", LaunchShape: detect.LaunchShape{
		Grid: [3]uint32{grid, 1, 1}, Block: [3]uint32{block, 1, 1},
	}})
	r, err := m.Launch(context.Background(), emu.LaunchConfig{
		Kernel: "k", Grid: emu.Dim3{X: grid, Y: 1, Z: 1}, Block: emu.Dim3{X: block, Y: 1, Z: 1},
		Params: binary.LittleEndian.AppendUint64(nil, buf),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Faults) > 0 {
		return d, user, r.Faults[0].Class
	}
	return d, user, ""
}

// dependences returns what a detector has found, in order.
func dependences(d *Enforced, user *rewrite.Module) string {
	line := func(site uint32) int { return sites.At(user, site).Line - 8 }
	var races, pairs, waits, values []string
	for _, r := range d.End() {
		races = append(races, between("race", line(r.First.Site), line(r.Second.Site)))
	}
	list, undecided := d.Dependences()
	for _, x := range list {
		if x.Sink == 0 {
			waits = append(waits, fmt.Sprint("wait ", line(x.Seed)))
		} else {
			pairs = append(pairs, between("memory", line(x.Seed), line(x.Sink)))
		}
	}
	for _, in := range user.Funcs[0].Insts {
		if d.OrderDependent()[sites.Number(in)] {
			values = append(values, fmt.Sprint("value ", in.Line-8))
		}
	}
	slices.Sort(races)
	slices.Sort(pairs)
	races, pairs = slices.Compact(races), slices.Compact(pairs)
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	all := slices.Concat(races, pairs, waits, values)
	if undecided != "" {
		all = append(all, "undecided: "+undecided)
	}
	return strings.Join(all, ", ")
}

// between returns a word and two lines.
func between(what string, a, b int) string {
	return fmt.Sprintf("%s %d/%d", what, min(a, b), max(a, b))
}
