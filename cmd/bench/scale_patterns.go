// Patterns of memory accesses. Their cost under detectors must not grow faster than the work.

package main

import (
	"fmt"
	"slices"
	"strings"
)

// pattern is a kernel in which each of n threads makes some memory accesses, or few threads make n accesses in total,
// in rounds.
type pattern struct {
	name, operation, space string
	body                   string
	rounds                 bool
}

const (
	scaleBlock = 256 // threads of a block
	scaleWords = 4   // 32-bit words of data for each thread
)

// Sizes of patterns in rounds. What a detector stores about the words and the threads has an upper limit, which it
// reaches after about as many accesses as there are pairs of a thread and a word, 2^16, or of two threads. Growth
// beyond that has no limit.
const (
	roundThreads = 128
	roundBlock   = 64  // threads of a block
	roundWords   = 512 // of a moving word
)

// size returns the number of blocks for n accesses, and the number of threads of a block.
func (p *pattern) size(n int) (grid, block uint32) {
	if p.rounds {
		return roundThreads / roundBlock, roundBlock
	}
	return uint32(n / scaleBlock), scaleBlock
}

// text returns the module: a kernel k(data, flags, n), n a power of two.
func (p *pattern) text() string {
	return `.version 7.5
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flags, .param .u32 n)
{
	.reg .pred %p<8>;
	.reg .b32 %r<32>, %v<8>;
	.reg .b16 %h<2>;
	.reg .b64 %rd<16>;
	.shared .align 16 .b8 local[4096];
	ld.param.u64 %rd1, [data];
	ld.param.u64 %rd2, [flags];
	ld.param.u32 %r2, [n];
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, %ctaid.x;
	mov.u32 %r5, %nctaid.x;
	mov.u32 %r7, %ntid.x;
	mad.lo.u32 %r1, %r4, %r7, %r3;
	sub.u32 %r6, %r2, 1;
` + p.body + "\tret;\n}\n"
}

// places are ways to choose an element: they compute %r10 from register %r1 and the mask %r6.
var places = []struct{ name, code string }{
	{"hot word", "mov.u32 %r10, 0;"},
	{"hot word after a barrier", "bar.sync 0; mov.u32 %r10, 0;"},
	{"row", "mov.u32 %r10, %r1;"},
	{"stride", "shl.b32 %r10, %r1, 2; and.b32 %r10, %r10, %r6;"},
	{"permutation", "mul.lo.u32 %r10, %r1, 0x9E3779B1; and.b32 %r10, %r10, %r6;"},
	{"scatter", "mul.hi.u32 %r10, %r1, 0x9E3779B1; xor.b32 %r10, %r10, %r1; mul.lo.u32 %r10, %r10, 0x85EBCA6B; shr.u32 %r10, %r10, 4; and.b32 %r10, %r10, %r6;"},
}

// operation is the access of a thread to the address in %rd10; SP is replaced by the space.
type operation struct {
	name, code string
	bytes      int
}

var operations = []operation{
	{"store", "st.SP.u32 [%rd10], %r1;", 4},
	{"load, store", "ld.SP.u32 %r11, [%rd10]; st.SP.u32 [%rd10], %r11;", 4},
	{"store of a byte", "cvt.u16.u32 %h1, %r1; st.SP.u8 [%rd10], %h1;", 1},
	{"store of 16 bytes", "st.SP.v4.u32 [%rd10], {%r1, %r1, %r1, %r1};", 16},
	{"volatile load, store", "ld.volatile.SP.u32 %r11, [%rd10]; st.volatile.SP.u32 [%rd10], %r11;", 4},
	{"relaxed load, store", "ld.relaxed.gpu.SP.u32 %r11, [%rd10]; st.relaxed.gpu.SP.u32 [%rd10], %r11;", 4},
	{"acquire, release", "ld.acquire.gpu.SP.u32 %r11, [%rd10]; st.release.gpu.SP.u32 [%rd10], %r11;", 4},
	{"atomic", "atom.SP.add.u32 %r11, [%rd10], 1;", 4},
	{"atomic of a block", "atom.relaxed.cta.SP.add.u32 %r11, [%rd10], 1;", 4},
	{"acq_rel atomic", "atom.acq_rel.gpu.SP.add.u32 %r11, [%rd10], 1;", 4},
	{"fence, atomic", "membar.gl; atom.SP.add.u32 %r11, [%rd10], 1;", 4},
	{"atomic, load", "atom.SP.add.u32 %r11, [%rd10], 1; ld.SP.u32 %r12, [%rd10];", 4},
	{"load, atomic", "ld.SP.u32 %r12, [%rd10]; atom.SP.add.u32 %r11, [%rd10], 1;", 4},
}

// exchanges are patterns in which threads wait for each other.
var exchanges = []pattern{
	{name: "poll", operation: "acquire", space: "global", body: `
	or.b32 %r10, %r3, %r4;
	setp.ne.u32 %p1, %r10, 0;
	@%p1 bra WAIT;
	st.global.u32 [%rd1], 7;
	st.release.gpu.global.u32 [%rd2], 1;
	ret;
WAIT:
	ld.acquire.gpu.global.u32 %r11, [%rd2];
	setp.eq.u32 %p2, %r11, 0;
	@%p2 bra WAIT;
	ld.global.u32 %r12, [%rd1];
`},
	{name: "pipeline", operation: "acquire, release", space: "global", body: `
	setp.ne.u32 %p1, %r3, 0;
	@%p1 ret;
	mul.wide.u32 %rd3, %r4, 4;
	add.u64 %rd4, %rd2, %rd3;
	add.u64 %rd5, %rd1, %rd3;
	setp.eq.u32 %p2, %r4, 0;
	@%p2 bra GO;
WAIT:
	ld.acquire.gpu.global.u32 %r11, [%rd4];
	setp.eq.u32 %p3, %r11, 0;
	@%p3 bra WAIT;
	ld.global.u32 %r12, [%rd5];
GO:
	st.global.u32 [%rd5+4], %r4;
	st.release.gpu.global.u32 [%rd4+4], 1;
`},
	{name: "ping-pong", operation: "acquire, release", space: "global", body: `
	setp.gt.u32 %p1, %r4, 1;
	setp.ne.u32 %p2, %r3, 0;
	or.pred %p1, %p1, %p2;
	@%p1 ret;
	shr.u32 %r10, %r2, 4;
	mov.u32 %r13, %r4;
WAIT:
	ld.acquire.gpu.global.u32 %r11, [%rd2];
	setp.ne.u32 %p3, %r11, %r13;
	@%p3 bra WAIT;
	ld.global.u32 %r12, [%rd1];
	st.global.u32 [%rd1], %r13;
	add.u32 %r11, %r11, 1;
	st.release.gpu.global.u32 [%rd2], %r11;
	add.u32 %r13, %r13, 2;
	setp.lt.u32 %p4, %r13, %r10;
	@%p4 bra WAIT;
`},
	{name: "tree", operation: "barriers, atomic", space: "shared", body: `
	mul.wide.u32 %rd3, %r3, 4;
	mov.u64 %rd4, local;
	add.u64 %rd5, %rd4, %rd3;
	st.shared.u32 [%rd5], %r1;
	mov.u32 %r10, 128;
STEP:
	bar.sync 0;
	setp.ge.u32 %p1, %r3, %r10;
	@%p1 bra NEXT;
	mul.wide.u32 %rd6, %r10, 4;
	add.u64 %rd6, %rd5, %rd6;
	ld.shared.u32 %r11, [%rd6];
	ld.shared.u32 %r12, [%rd5];
	add.u32 %r11, %r11, %r12;
	st.shared.u32 [%rd5], %r11;
NEXT:
	shr.u32 %r10, %r10, 1;
	setp.ne.u32 %p2, %r10, 0;
	@%p2 bra STEP;
	setp.ne.u32 %p3, %r3, 0;
	@%p3 ret;
	ld.shared.u32 %r12, [local];
	atom.global.add.u32 %r13, [%rd1], %r12;
`},
	{name: "lock", operation: "compare-and-swap", space: "global", body: `
	and.b32 %r10, %r3, 31;
	setp.ne.u32 %p1, %r10, 0;
	@%p1 ret;
WAIT:
	atom.global.cas.b32 %r11, [%rd2], 0, 1;
	setp.ne.u32 %p2, %r11, 0;
	@%p2 bra WAIT;
	membar.gl;
	ld.global.u32 %r12, [%rd1];
	add.u32 %r12, %r12, 1;
	st.global.u32 [%rd1], %r12;
	membar.gl;
	atom.global.exch.b32 %r13, [%rd2], 0;
`},
	{name: "publish", operation: "fence, counter", space: "global", body: `
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd5, %rd1, %rd3;
	st.global.u32 [%rd5], %r1;
	membar.gl;
	atom.global.add.u32 %r11, [%rd2], 1;
	setp.ne.u32 %p1, %r11, %r6;
	@%p1 ret;
	ld.global.u32 %r12, [%rd1];
`},
}

// patterns returns all patterns.
func patterns() (list []*pattern) {
	for _, space := range []string{"global", "shared"} {
		for _, at := range places {
			for _, op := range operations {
				list = append(list, &pattern{
					name: at.name, operation: op.name, space: space,
					body: placed(at.code, op.code, space, op.bytes) + unproved,
				})
			}
		}
	}
	for i := range exchanges {
		list = append(list, &exchanges[i])
	}
	return append(list, inRounds()...)
}

// inRounds returns patterns in which the detector's data about a word grow with time and not with the number of
// threads: the same threads access it repeatedly, with barriers between the rounds or without.
func inRounds() (list []*pattern) {
	for _, step := range []struct{ name, code string }{
		{"rounds, hot word", "mov.u32 %r10, 0;"},
		{"rounds, moving word", "mad.lo.u32 %r10, %r20, 37, %r1; and.b32 %r10, %r10, %r6;"},
	} {
		for _, name := range []string{
			"store", "volatile load, store", "acquire, release", "atomic",
			"atomic of a block", "fence, atomic",
		} {
			op := operations[slices.IndexFunc(operations, func(op operation) bool { return op.name == name })]
			for _, sync := range []struct{ name, code string }{{"", ""}, {", barrier", "bar.sync 0;"}} {
				body := fmt.Sprintf(`	mov.u32 %%r6, %d;
	div.u32 %%r22, %%r2, %d;
	mov.u32 %%r20, 0;
ROUND:
%s	%s
	add.u32 %%r20, %%r20, 1;
	setp.lt.u32 %%p6, %%r20, %%r22;
	@%%p6 bra ROUND;
`, roundWords-1, roundThreads, placed(step.code, op.code, "global", op.bytes), sync.code) + unproved
				list = append(list, &pattern{
					name: step.name, operation: name + sync.name, space: "global", body: body,
					rounds: true,
				})
			}
		}
	}
	return list
}

// unproved is a store that no thread executes, which no proof can exclude. Without it, precise would not check kernels
// that only make atomic operations.
const unproved = `	mov.u64 %rd15, %clock64;
	setp.eq.u64 %p7, %rd15, -1;
	@%p7 st.global.u32 [%rd2], %r1;
`

// placed returns the code of an operation at a place. In shared memory, the place is computed from the thread's number
// in the block.
func placed(at, op, space string, bytes int) string {
	base := "%rd1"
	if space == "shared" {
		at = "mov.u32 %r1, %r3; mov.u32 %r6, 255; " + at
		base = "%rd3"
	}
	code := fmt.Sprintf("mov.u64 %%rd3, local; %s mul.wide.u32 %%rd9, %%r10, %d; add.u64 %%rd10, %s, %%rd9; %s", at,
		bytes, base, op)
	return "\t" + strings.ReplaceAll(code, "SP", space) + "\n"
}
