// What steers kernels, by the instruction that decides it.

package steer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// head declares what the kernels of the tests use. %r1 is the index of the thread, %rd1 a buffer, %rs shared memory.
const head = `
.visible .entry k(.param .u64 buf, .param .u32 n)
{
	.reg .pred %p<4>; .reg .b16 %h<2>; .reg .b32 %r<10>; .reg .b32 %rs; .reg .b64 %rd<10>; .reg .f32 %f<4>; .reg .b128 %q;
	.local .align 8 .b8 own[64];
	.shared .align 128 .b8 tile[1024];
	ld.param.u64 %rd1, [buf]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x; mov.u32 %rs, tile;
`

func load(t *testing.T, text string) *rewrite.Module {
	t.Helper()
	tree, err := ptxgrammar.Parse("k.ptx", []byte(".version 8.7\n.target sm_100a\n.address_size 64\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// spelled returns the opcodes of sources, or what differs there.
func spelled(list []Source) string {
	var words []string
	for _, s := range list {
		word := s.Order
		if word == "" {
			word = s.Inst.Opcode()
		}
		if s.Undefined {
			word += " undefined"
		}
		if s.Offset {
			word += " plus"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// sinks returns the sinks of a kernel as text.
func sinks(w *Flow) string {
	var lines []string
	for _, s := range w.Sinks() {
		lines = append(lines, fmt.Sprintf("%s %s: %s", s.Inst.Instr.Name, s.Steers, spelled(s.Sources)))
	}
	return strings.Join(lines, "; ")
}

// TestSinks: values from memory are followed to what they decide.
func TestSinks(t *testing.T) {
	for name, c := range map[string]struct{ functions, body, want string }{
		"a bounds check by a parameter": {body: `setp.ge.u32 %p1, %r1, %r0; @%p1 bra D; mad.wide.u32 %rd2, %r1, 4, %rd1;
			ld.global.f32 %f1, [%rd2]; add.f32 %f1, %f1, %f1; st.global.f32 [%rd2], %f1; D:`},
		"an index from memory": {
			body: `ld.global.u32 %r2, [%rd1]; mad.wide.u32 %rd2, %r2, 4, %rd1; st.global.u32 [%rd2], %r1;`,
			want: "st an address: ld.global.u32",
		},
		"a branch": {
			body: `ld.shared.u32 %r2, [%rs]; setp.gt.u32 %p1, %r2, 7; @%p1 bra D; st.global.u32 [%rd1], %r1; D:`,
			want: "bra a branch: ld.shared.u32",
		},
		"a guard of a store": {
			body: `ld.global.u32 %r2, [%rd1]; setp.gt.u32 %p1, %r2, 7; @%p1 st.global.u32 [%rd1], %r1;`,
			want: "st whether an instruction is executed: ld.global.u32",
		},
		"a register that nothing has written": {
			body: `add.u32 %r3, %r2, %rs; ld.shared.u32 %r4, [%r3];`,
			want: "ld an address: register %r2, which may not have been written,",
		},
		"a register that is written on one way": {
			body: `setp.eq.u32 %p1, %r1, 0; @%p1 bra D; mov.u32 %r2, 1; D: setp.eq.u32 %p2, %r2, 1; @%p2 bra E; E:`,
			want: "bra a branch: register %r2, which may not have been written,",
		},
		"a register that is written and read behind branches by one predicate": {
			body: `setp.eq.u32 %p1, %r1, 0; @%p1 bra D; mov.u32 %r2, 1; D: bar.sync 0; @%p1 bra E; add.u32 %r3, %r2, %rs;
				ld.shared.u32 %r4, [%r3]; E:`,
		},
		"a register that is written and read behind opposite branches": {
			body: `setp.eq.u32 %p1, %r1, 0; @%p1 bra D; mov.u32 %r2, 1; D: bar.sync 0; @!%p1 bra E; add.u32 %r3, %r2, %rs;
				ld.shared.u32 %r4, [%r3]; E:`,
			want: "ld an address: register %r2, which may not have been written,",
		},
		"a register that is read by a predicate that is computed again": {
			body: `setp.eq.u32 %p1, %r1, 0; @%p1 bra D; mov.u32 %r2, 1; D: setp.eq.u32 %p1, %r1, 1; @%p1 bra E; add.u32 %r3, %r2, %rs;
				ld.shared.u32 %r4, [%r3]; E:`,
			want: "ld an address: register %r2, which may not have been written,",
		},
		"a register that is written in a loop by a predicate of the round before": {
			body: `mov.u32 %r5, 0; setp.eq.u32 %p1, %r1, 0; L: @%p1 bra D; mov.u32 %r2, 1; D: setp.eq.u32 %p1, %r5, %r1; @%p1 bra E; add.u32 %r3, %r2, %rs;
				ld.shared.u32 %r4, [%r3]; E: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 9; @%p2 bra L;`,
			want: "ld an address: register %r2, which may not have been written,",
		},
		"a register of a function": {
			functions: `.func (.reg .b32 %r) f(.reg .b32 %a) { .reg .b32 %b; add.u32 %r, %a, %b; ret; }`,
			body:      `call (%r3), f, (%r1); add.u32 %r3, %r3, %rs; ld.shared.u32 %r4, [%r3];`,
			want:      "ld an address: register %b, which may not have been written,",
		},
		"an argument in a register": {
			functions: `.func (.reg .b32 %r) f(.reg .b32 %a) { add.u32 %r, %a, 1; ret; }`,
			body:      `call (%r3), f, (%r1); add.u32 %r3, %r3, %rs; ld.shared.u32 %r4, [%r3];`,
		},
		"a guard of arithmetic": {
			body: `ld.global.u32 %r2, [%rd1]; setp.gt.u32 %p1, %r2, 7; mov.u32 %r3, 0; @%p1 mov.u32 %r3, 1;
				st.global.u32 [%rd1], %r3;`,
		},
		"what a guard has chosen": {
			body: `ld.global.u32 %r2, [%rd1]; setp.gt.u32 %p1, %r2, 7; mov.u32 %r3, 0; @%p1 mov.u32 %r3, 1;
				add.u32 %r3, %r3, %rs; st.shared.u32 [%r3], 1;`,
			want: "st an address: ld.global.u32",
		},
		"selp": {
			body: `ld.global.u32 %r2, [%rd1]; setp.gt.u32 %p1, %r2, 7; selp.u32 %r3, 4, 8, %p1; add.u32 %r3, %r3, %rs;
				st.shared.u32 [%r3], 1;`,
			want: "st an address: ld.global.u32",
		},
		"an element of a vector": {
			body: `ld.global.v2.u32 {%r2, %r3}, [%rd1]; mov.b64 %rd2, {%r3, %r1}; add.u64 %rd2, %rd1, %rd2; ld.global.u32 %r4, [%rd2];`,
			want: "ld an address: ld.global.v2.u32",
		},
		"around a loop": {
			body: `mov.u32 %r2, 0; L: ld.global.u32 %r3, [%rd1]; add.u32 %r2, %r2, %r3; setp.lt.u32 %p1, %r2, 9; @%p1 bra L;`,
			want: "bra a branch: ld.global.u32",
		},
		"a carry flag that tells how a thread has left a wait": {
			body: `add.cc.u32 %r3, %r1, 0; L: mbarrier.test_wait.parity.shared.b64 %p1, [%rs], 0; @%p1 bra D;
				add.cc.u32 %r3, %r1, -1; bra L; D: addc.u32 %r4, 0, 0; add.u32 %r4, %r4, %rs; ld.shared.u32 %r5, [%r4];`,
			want: "ld an address: the number of rounds of a wait loop",
		},
		"the size of an allocation": {
			body: `ld.global.u64 %rd2, [%rd1]; alloca.u64 %rd3, %rd2;`,
			want: "alloca the size of a copy: ld.global.u64",
		},
		"the carry flag": {
			body: `ld.global.u32 %r2, [%rd1]; add.cc.u32 %r3, %r2, %r2; addc.u32 %r4, 0, 0; add.u32 %r4, %r4, %rs; ld.shared.u32 %r5, [%r4];`,
			want: "ld an address: ld.global.u32",
		},
		"a carry flag that nothing has written": {
			body: `addc.u32 %r4, 0, 0; add.u32 %r4, %r4, %rs; ld.shared.u32 %r5, [%r4];`,
			want: "ld an address: the carry flag, which may not have been written,",
		},
		"a carry flag that is written on one way": {
			body: `setp.eq.u32 %p1, %r1, 0; @%p1 bra D; add.cc.u32 %r3, %r1, 0; D: addc.u32 %r4, 0, 0; add.u32 %r4, %r4, %rs; ld.shared.u32 %r5, [%r4];`,
			want: "ld an address: the carry flag, which may not have been written,",
		},
		"a carry flag that is written in front of a branch": {
			body: `add.cc.u32 %r3, %r1, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra D; mov.u32 %r3, 0; D: addc.u32 %r4, 0, 0; add.u32 %r4, %r4, %rs; ld.shared.u32 %r5, [%r4];`,
		},
		"shuffles and votes": {
			body: `ld.global.u32 %r2, [%rd1]; shfl.sync.idx.b32 %r3, %r2, 0, 31, -1; setp.eq.u32 %p1, %r3, 1;
				vote.sync.ballot.b32 %r4, %p1, -1; add.u32 %r4, %r4, %rs; st.shared.u32 [%r4], 1;`,
			want: "st an address: ld.global.u32, shfl.sync.idx.b32 undefined",
		},
		"a reduction at a barrier": {
			body: `ld.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 1; bar.red.or.pred %p2, 0, %p1; @%p2 bra D; D:`,
			want: "bra a branch: ld.global.u32",
		},
		"a vote without .sync": {
			body: `activemask.b32 %r2; setp.eq.u32 %p1, %r2, -1; @%p1 bra D; D:`,
			want: "bra a branch: activemask",
		},
		"a clock": {
			body: `mov.u32 %r2, %clock; and.b32 %r2, %r2, 4; add.u32 %r2, %r2, %rs; st.shared.u32 [%r2], 1;`,
			want: "st an address: %clock",
		},
		"a clock that is stored": {body: `mov.u32 %r2, %clock; st.global.u32 [%rd1], %r2;`},
		"an atomic's result": {
			body: `atom.global.add.u32 %r2, [%rd1], 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra D; D:`,
			want: "bra a branch: atom.global.add.u32",
		},
		"a reduction": {body: `ld.global.u32 %r2, [%rd1]; red.global.add.u32 [%rd1], %r2;`},
		"a compare-and-swap": {
			body: `ld.global.u32 %r2, [%rd1]; atom.global.cas.b32 %r3, [%rd1+4], %r2, 1;`,
			want: "atom an operand of a compare-and-swap: ld.global.u32, atom.global.cas.b32",
		},
		"a mask": {
			body: `ld.global.u32 %r2, [%rd1]; bar.warp.sync %r2;`,
			want: "bar a mask of lanes: ld.global.u32",
		},
		"a barrier": {
			body: `ld.global.u32 %r2, [%rd1]; bar.sync %r2, 64;`,
			want: "bar a barrier: ld.global.u32",
		},
		"transactions": {
			body: `ld.global.u32 %r2, [%rd1]; mbarrier.expect_tx.relaxed.cta.shared.b64 [%rs], %r2;`,
			want: "mbarrier a barrier: ld.global.u32",
		},
		"the size of a copy": {
			body: `ld.global.u32 %r2, [%rd1]; cp.async.ca.shared.global [%rs], [%rd1], 4, %r2;`,
			want: "cp the size of a copy: ld.global.u32",
		},
		"a copy": {body: `cp.async.ca.shared.global [%rs], [%rd1], 4; ld.shared.u32 %r2, [%rs]; st.global.u32 [%rd1], %r2;`},
		"a descriptor": {
			body: `ld.global.u64 %rd2, [%rd1]; setp.eq.u32 %p1, 0, 0;
				tcgen05.mma.cta_group::1.kind::f16 [%rs], %rd2, %rd2, %r0, %p1;`,
			want: "tcgen05 a descriptor: ld.global.u64",
		},
		"a trap": {
			body: `ld.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 1; @%p1 trap;`,
			want: "trap a trap or an assertion: ld.global.u32",
		},
		"local memory": {
			body: `ld.global.u32 %r2, [%rd1]; st.local.u32 [own+4], %r2; ld.local.u32 %r3, [own+4]; add.u32 %r3, %r3, %rs; st.shared.u32 [%r3], 1;`,
			want: "st an address: ld.global.u32, ld.local.u32 undefined",
		},
		"local memory at an unknown place": {
			body: `ld.global.u32 %r2, [%rd1]; mov.u64 %rd3, own; st.local.u32 [own], %r2; cvta.local.u64 %rd3, %rd3;
				st.local.u64 [own+8], %rd3; ld.local.u64 %rd4, [own+8]; ld.u32 %r3, [%rd4]; add.u32 %r3, %r3, %rs; st.shared.u32 [%r3], 1;`,
			want: "ld an address: ld.global.u32, ld.local.u64 undefined; st an address: ld.global.u32, ld.u32, ld.u32 undefined",
		},
		"a call": {
			functions: `.func (.param .b32 r) same(.param .b32 a) { .reg .b32 %r; ld.param.u32 %r, [a]; st.param.u32 [r], %r; ret; }`,
			body: `ld.global.u32 %r2, [%rd1];
				{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r2; call (r), same, (a); ld.param.b32 %r3, [r]; }
				setp.eq.u32 %p1, %r3, 1; @%p1 bra D; D:`,
			want: "bra a branch: ld.global.u32",
		},
		"a call by registers": {
			functions: `.func (.reg .b32 r) same(.reg .b32 a) { mov.u32 r, a; ret; }`,
			body:      `ld.global.u32 %r2, [%rd1]; call (%r3), same, (%r2); setp.eq.u32 %p1, %r3, 1; @%p1 bra D; D:`,
			want:      "bra a branch: ld.global.u32",
		},
		"memory from the heap": {
			functions: `.extern .func (.param .b64 r) malloc(.param .b64 n);`,
			body: `{ .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call (r), malloc, (n); ld.param.b64 %rd2, [r]; }
				st.global.u32 [%rd2], 1;`,
			want: "st an address: the result of malloc",
		},
		"the size of memory from the heap": {
			functions: `.extern .func (.param .b64 r) malloc(.param .b64 n);`,
			body: `ld.global.u64 %rd3, [%rd1]; { .param .b64 n; .param .b64 r; st.param.b64 [n], %rd3; call (r), malloc, (n);
				ld.param.b64 %rd2, [r]; }`,
			want: "call the target of a call: ld.global.u64",
		},
		"what is printed": {
			functions: `.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);`,
			body: `ld.global.u64 %rd3, [%rd1]; st.local.u64 [own], %rd3; mov.u64 %rd4, own; cvta.local.u64 %rd4, %rd4;
				{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd1; st.param.b64 [a], %rd4;
				call (r), vprintf, (f, a); ld.param.b32 %r3, [r]; }`,
		},
		"a format from memory": {
			functions: `.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);`,
			body: `ld.global.u64 %rd3, [%rd1]; { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd3; st.param.b64 [a], %rd1;
				call (r), vprintf, (f, a); ld.param.b32 %r3, [r]; }`,
			want: "call the target of a call: ld.global.u64",
		},
		"a call through a pointer": {
			functions: `.func (.reg .b32 r) one(.reg .b32 a) { mov.u32 r, a; ret; } .func (.reg .b32 r) two(.reg .b32 a) { mov.u32 r, 2; ret; }`,
			body: `mov.u64 %rd2, one; ld.global.u32 %r2, [%rd1]; P: .callprototype (.reg .b32 _) _ (.reg .b32 _); call (%r3), %rd2, (%r2), P;
				setp.eq.u32 %p1, %r3, 1; @%p1 bra D; D:`,
			want: "bra a branch: ld.global.u32",
		},
		"what a called function decides": {
			functions: `.func test(.reg .b32 a) { .reg .pred %p; setp.eq.u32 %p, a, 1; @%p bra D; D: ret; }`,
			body:      `ld.global.u32 %r2, [%rd1]; call test, (%r2);`,
			want:      "bra a branch: ld.global.u32",
		},
		"the target of a call": {
			functions: `.func one() { ret; }`,
			body:      `ld.global.u64 %rd2, [%rd1]; P: .callprototype _ (); call %rd2, P;`,
			want:      "call the target of a call: ld.global.u64",
		},
		"a wait loop": {body: `W: mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; @!%p1 bra W;`},
		"a wait loop with a flag": {
			body: `W: mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; selp.u32 %r2, 1, 0, %p1; setp.eq.u32 %p2, %r2, 0; @%p2 bra W;`,
		},
		"a loop that reads volatile memory": {
			body: `mov.u32 %r2, %rs; mov.u32 %r3, 0; W: ld.volatile.shared.u32 %r4, [%r2]; add.u32 %r3, %r3, %r4; add.u32 %r2, %r2, 4;
				setp.lt.u32 %p1, %r2, 64; @%p1 bra W; st.global.u32 [%rd1], %r3;`,
		},
		"a first round in front of a spin loop": {
			body: `mov.u32 %r2, %rs; ld.acquire.gpu.global.u32 %r3, [%rd1]; setp.ne.u32 %p1, %r3, 0; @%p1 bra D; add.u32 %r2, %r2, 4;
				W: ld.acquire.gpu.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra W; D: st.shared.u32 [%r2], 1;`,
			want: "bra a branch: ld.acquire.gpu.global.u32; bra a branch: ld.acquire.gpu.global.u32; st an address: the number of rounds of a wait loop",
		},
		"a test in front of a wait loop": {
			body: `mbarrier.arrive.shared.b64 %rd2, [%rs]; mbarrier.test_wait.shared.b64 %p1, [%rs], %rd2; @%p1 bra D;
				mov.u32 %r3, %rs; W: nanosleep.u32 9; mbarrier.test_wait.shared.b64 %p2, [%r3], %rd2; @!%p2 bra W; D: st.global.u32 [%rd1], 1;`,
		},
		"a test in front of a loop for another phase": {
			body: `mbarrier.test_wait.parity.shared.b64 %p1, [%rs], 0; @%p1 bra D;
				W: mbarrier.test_wait.parity.shared.b64 %p2, [%rs], 1; @!%p2 bra W; D: st.global.u32 [%rd1], 1;`,
			want: "bra a branch: the result of mbarrier.test_wait.parity.shared.b64",
		},
		"a test in front of a loop for another object": {
			body: `mbarrier.test_wait.parity.shared.b64 %p1, [%rs], 0; @%p1 bra D;
				W: mbarrier.test_wait.parity.shared.b64 %p2, [%rs+8], 0; @!%p2 bra W; D: st.global.u32 [%rd1], 1;`,
			want: "bra a branch: the result of mbarrier.test_wait.parity.shared.b64",
		},
		"a test in front of a loop and work": {
			body: `mbarrier.test_wait.parity.shared.b64 %p1, [%rs], 0; @%p1 bra D;
				W: mbarrier.test_wait.parity.shared.b64 %p2, [%rs], 0; @!%p2 bra W; st.global.u32 [%rd1], 2; D: st.global.u32 [%rd1], 1;`,
			want: "bra a branch: the result of mbarrier.test_wait.parity.shared.b64",
		},
		"a test in front of a loop, and which way was taken": {
			body: `mov.u32 %r2, %rs; mbarrier.test_wait.parity.shared.b64 %p1, [%rs], 0; @%p1 bra D; add.u32 %r2, %r2, 4;
				W: mbarrier.test_wait.parity.shared.b64 %p2, [%rs], 0; @!%p2 bra W; D: st.shared.u32 [%r2], 1;`,
			want: "st an address: the number of rounds of a wait loop",
		},
		"a test without a loop": {
			body: `mbarrier.test_wait.parity.shared.b64 %p1, [%rs], 0; @!%p1 bra D; D:`,
			want: "bra a branch: the result of mbarrier.test_wait.parity.shared.b64",
		},
		"a wait loop that counts": {
			body: `mov.u32 %r2, 0; W: add.u32 %r2, %r2, 1; mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; @!%p1 bra W;
				add.u32 %r2, %r2, %rs; st.shared.u32 [%r2], 1;`,
			want: "st an address: the number of rounds of a wait loop",
		},
		"a wait loop that waits longer each time": {
			body: `mov.u32 %r2, 8; W: nanosleep.u32 %r2; shl.b32 %r2, %r2, 1; mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; @!%p1 bra W;`,
		},
		"a wait loop that sleeps after some time": {
			body: `mov.u64 %rd2, %globaltimer; W: mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; @%p1 bra D; mov.u64 %rd3, %globaltimer;
				sub.u64 %rd3, %rd3, %rd2; setp.lt.u64 %p2, %rd3, 999; @%p2 bra W; nanosleep.u32 9; bra W; D:`,
		},
		"a wait loop that goes two ways": {
			body: `W: mov.u32 %r2, %clock; setp.lt.u32 %p2, %r2, 9; mov.u32 %r3, %rs; @%p2 bra N; add.u32 %r3, %r3, 4;
				N: mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; @!%p1 bra W; st.shared.u32 [%r3], 1;`,
			want: "st an address: the number of rounds of a wait loop",
		},
		"a wait loop with an end": {
			body: `mov.u32 %r2, 0; W: mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; @%p1 bra D; add.u32 %r2, %r2, 1;
				setp.lt.u32 %p2, %r2, 9; @%p2 bra W; trap; D:`,
			want: "bra a branch: the number of rounds of a wait loop",
		},
		"a spin loop that counts": {
			body: `mov.u32 %r2, 0; W: add.u32 %r2, %r2, 1; ld.acquire.gpu.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra W;
				add.u32 %r2, %r2, %rs; st.shared.u32 [%r2], 1;`,
			want: "bra a branch: ld.acquire.gpu.global.u32; st an address: the number of rounds of a wait loop",
		},
		"a wait loop that works": {
			body: `W: st.global.u32 [%rd1], 1; mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; @!%p1 bra W;`,
			want: "bra a branch: the result of mbarrier.try_wait.parity.shared.b64",
		},
		"a state": {body: `mbarrier.arrive.shared.b64 %rd2, [%rs]; W: mbarrier.try_wait.shared.b64 %p1, [%rs], %rd2; @!%p1 bra W;`},
		"a count of arrivals": {
			body: `mbarrier.arrive.shared.b64 %rd2, [%rs]; mbarrier.pending_count.b64 %r2, %rd2; setp.eq.u32 %p1, %r2, 1; @%p1 bra D; D:`,
			want: "bra a branch: the count of pending arrivals",
		},
		"an address in tensor memory": {
			body: `tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rs], 32; ld.shared.u32 %r2, [%rs]; add.u32 %r2, %r2, 8;
				tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2];`,
			want: "tcgen05 an address: ld.shared.u32 plus",
		},
		"an address of a lane in tensor memory": {
			body: `ld.shared.u32 %r2, [%rs]; shl.b32 %r4, %r1, 21; or.b32 %r2, %r2, %r4; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2];`,
			want: "tcgen05 an address: ld.shared.u32 plus",
		},
		"an address of a column in tensor memory": {
			body: `ld.shared.u32 %r2, [%rs]; or.b32 %r2, %r2, %r1; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2];`,
			want: "tcgen05 an address: ld.shared.u32",
		},
		"an address in tensor memory, computed with": {
			body: `ld.shared.u32 %r2, [%rs]; shl.b32 %r2, %r2, 1; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2];`,
			want: "tcgen05 an address: ld.shared.u32",
		},
		"a tensor map in memory": {
			body: `cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%rs], [%rd1, {%r0}], [%rs+512];`,
			want: "cp a descriptor: cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := Of(load(t, c.functions+head+c.body+"\n ret;\n}").Func("k"))
			if got := sinks(w); got != c.want || w.Steering() != (c.want != "") {
				t.Errorf("steering %t: got\n%s\nwant\n%s", w.Steering(), got, c.want)
			}
		})
	}
}

// TestUndefined: instructions whose values count only where PTX leaves them undefined are sources, but alone they are no
// reason to follow values.
func TestUndefined(t *testing.T) {
	for body, want := range map[string]string{
		`alloca.u64 %rd3, 16; ld.local.u32 %r2, [%rd3];`:                    "ld.local.u32",
		`ld.local.u32 %r2, [own+4];`:                                        "ld.local.u32",
		`mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3; ld.u32 %r2, [%rd3];`: "ld.u32",
		`shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;`:                            "shfl.sync.idx.b32",
	} {
		w := Of(load(t, head+body+"add.u32 %r2, %r2, %rs; st.shared.u32 [%r2], 1;\n ret;\n}").Func("k"))
		if got := sinks(w); got != "st an address: "+want+" undefined" || w.Steering() {
			t.Errorf("%s: %s, steering %t", body, got, w.Steering())
		}
	}
}

// TestPeeks: tests of phases in loops that wait for them are none, others are.
func TestPeeks(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"a wait":                {`L: mbarrier.try_wait.parity.shared.b64 %p1, [%rs], 0; @!%p1 bra L;`, 0},
		"a test":                {`mbarrier.test_wait.parity.shared.b64 %p1, [%rs], 0;`, 1},
		"a loop with an effect": {`L: mbarrier.test_wait.parity.shared.b64 %p1, [%rs], 0; st.shared.u32 [%rs+8], 1; @!%p1 bra L;`, 1},
	} {
		if n := len(Of(load(t, head+c.body+"\n ret;\n}").Func("k")).Peeks()); n != c.want {
			t.Errorf("%s: %d tests that are not repeated, expected %d", name, n, c.want)
		}
	}
}

// TestStores: what instructions store comes from memory, or from what differs between schedules.
func TestStores(t *testing.T) {
	for body, want := range map[string]string{
		"ld.global.f32 %f1, [%rd1]; add.f32 %f1, %f1, %f1; st.global.f32 [%rd1], %f1;":       "st: ld.global.f32",
		"ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r1, %r2; st.global.u32 [%rd1], %r2;":       "st: ld.global.u32 plus",
		"ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd1], %r2;":                              "st: ld.global.u32 plus",
		"ld.global.u32 %r2, [%rd1]; mad.lo.u32 %r2, %r2, 4, %r1; st.global.u32 [%rd1], %r2;": "st: ld.global.u32",
		"ld.global.u32 %r2, [%rd1]; mad.lo.u32 %r2, %r0, 4, %r2; st.global.u32 [%rd1], %r2;": "st: ld.global.u32 plus",
		"ld.global.u32 %r2, [%rd1]; mad.lo.u32 %r2, %r2, 4, %r2; st.global.u32 [%rd1], %r2;": "st: ld.global.u32",
		"st.global.u32 [%rd1], %r1;":                                                                        "",
		"ld.global.u32 %r2, [%rd1]; atom.global.cas.b32 %r3, [%rd1], 0, %r2;":                               "atom: ld.global.u32 plus",
		"mov.u32 %r2, %smid; st.global.u32 [%rd1], %r2;":                                                    "st: %smid",
		"atom.global.add.u32 %r2, [%rd1], 1; st.shared.u32 [%rs], %r2;":                                     "st: atom.global.add.u32 plus",
		"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rs], 32;":                                "tcgen05: " + Allocated + " plus",
		"tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r0]; st.shared.u32 [%rs], %r3;":                     "st: tcgen05.ld.sync.aligned.32x32b.x1.b32 plus",
		"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%rs], [%rs];": "clusterlaunchcontrol: the answer of clusterlaunchcontrol.try_cancel",
	} {
		w := Of(load(t, head+body+"\n ret;\n}").Func("k"))
		var lines []string
		for in, from := range w.Stores() {
			lines = append(lines, in.Instr.Name+": "+spelled(from))
		}
		slices.Sort(lines)
		if got := strings.Join(lines, "; "); got != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
}

// TestPrintedStrings: the addresses of strings that a thread prints steer, numbers that it prints do not.
func TestPrintedStrings(t *testing.T) {
	const text = `
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[5] = {37, FLAG, 10, 0};
.visible .entry k(.param .u64 buf)
{
	.reg .b64 %rd<4>; .local .align 8 .b8 own[8];
	ld.param.u64 %rd1, [buf]; ld.global.u64 %rd2, [%rd1]; st.local.u64 [own], %rd2;
	mov.u64 %rd2, text; cvta.global.u64 %rd2, %rd2; mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3;
	{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd2; st.param.b64 [a], %rd3; call (r), vprintf, (f, a); }
	ret;
}`
	for conversion, want := range map[string]string{"115": "call the target of a call: ld.global.u64", "100": ""} {
		if got := sinks(Of(load(t, strings.Replace(text, "FLAG", conversion, 1)).Func("k"))); got != want {
			t.Errorf("%s: %q, want %q", conversion, got, want)
		}
	}
}
