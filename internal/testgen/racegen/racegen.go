// Package racegen generates random kernels whose threads access the same memory, for tests of detectors and of what
// detectors leave out. Accesses have all sizes, orders and scopes; they go to global memory, constants, shared memory
// of the block and of other blocks of a cluster, by several pointers to one buffer, by generic addresses and from
// called functions. Between them are fences, barriers of blocks, parts of blocks, warps, parts of warps and clusters,
// mbarriers, asynchronous copies, flags, locks and counters, from which parts may be missing; some programs end with
// many fence.sc before and after strong accesses of one word. Warps are not always full, and threads exit early.
//
// Other programs (Idioms) execute one way to order threads after the other, most of them complete, so that many of them
// do the same under every schedule.
//
// Every access is aligned and inside its object, and every thread comes to its end if none waits for one that has
// exited.
//
// The package must not know what detectors find in its kernels.
package racegen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is a module with the kernel k, and its launches as a launch file.
type Program struct {
	PTX, Launches string
	Threads       uint32 // of a launch
	// Of Idioms: parts may be missing; results in other buffers than sums and strays may differ between schedules; every
	// schedule executes the same instructions on the same addresses, and has no finding.
	Flawed, Loose, Steady bool
}

// generator writes a kernel.
type generator struct {
	*rand.Rand
	body   strings.Builder
	regs   [3]int // number so far: 32 bits, 64 bits, predicates
	labels int

	grid, block uint32
	cluster     bool // two blocks form a cluster
	large       bool
	elements    uint32 // of each object; a power of two
	budget      int    // statements that may still be written
	depth       int
	uniform     bool   // all threads of a block are here, unless they have exited
	full        bool   // no lane of a warp is missing
	exits       bool   // threads may have exited
	round       string // number of the round in a loop, "" outside
	weak        bool   // most accesses are weak
	waits       bool   // an mbarrier is in use
}

// fencesEvery: of so many programs, one ends with fences of many threads at one location.
const fencesEvery = 4

// Make makes the program of a seed, which determines it entirely. A large one has at least 65,536 threads.
func Make(seed uint64, large bool) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x72616365)), uniform: true, elements: 64}
	g.block, g.grid = pick[uint32](g, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64), pick[uint32](g, 1, 2, 2, 3, 4)
	g.budget = 3 + g.IntN(10)
	if g.large = large; large {
		g.block, g.elements, g.budget = pick[uint32](g, 33, 64, 128, 256, 1024), 1<<17, 2+g.IntN(6)
		g.grid = (1<<16 + g.block - 1) / g.block
	}
	g.cluster = g.grid%2 == 0 && g.IntN(4) == 0
	g.full, g.weak = g.block%32 == 0, g.IntN(2) == 0
	g.meet()
	g.statements(g.budget)
	if !large && seed%fencesEvery == 0 { // thousands of threads at one address take long
		g.fences()
	}
	g.meet()
	return Program{PTX: g.text(), Launches: g.launches(), Threads: g.grid * g.block}
}

// meet writes a barrier of the cluster, if there is one: before it the shared memory of another block may not be there
// yet, and after the last it may be gone.
func (g *generator) meet() {
	if g.cluster {
		g.emit("barrier.cluster.arrive")
		g.emit("barrier.cluster.wait")
	}
}

// pick returns one of the values.
func pick[T any](g *generator, values ...T) T { return values[g.IntN(len(values))] }

// one reports true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func (g *generator) emit(format string, args ...any) {
	fmt.Fprintf(&g.body, "\t"+format+";\n", args...)
}

func (g *generator) r32() string  { g.regs[0]++; return fmt.Sprintf("%%r%d", g.regs[0]) }
func (g *generator) r64() string  { g.regs[1]++; return fmt.Sprintf("%%rd%d", g.regs[1]) }
func (g *generator) pred() string { g.regs[2]++; return fmt.Sprintf("%%p%d", g.regs[2]) }
func (g *generator) label() string {
	g.labels++
	return fmt.Sprintf("L%d", g.labels)
}

// place emits a label.
func (g *generator) place(label string) { g.body.WriteString(label + ":\n") }

// offsets is the space behind the last element of an object, for constant offsets.
const offsets = 64

// constants is the most elements of constant memory.
const constants = 1 << 11

// bytes returns the size of an object.
func (g *generator) bytes() uint32 { return 16*g.elements + offsets }

// launches returns the launch file. Two pointers often lead to one buffer.
func (g *generator) launches() string {
	count := g.bytes()/4 + 64
	var y strings.Builder
	fmt.Fprintf(&y, "buffers:\n  a: {type: u32, count: %d}\n  b: {type: u32, count: %d, init: iota}\n  flags: {type: u32, count: 64}\nlaunches:\n", count, count)
	for range pick(g, 1, 1, 1, 2) {
		second := pick(g, "b", "b", "a", "{buffer: a, offset: 64}", "{buffer: b, offset: 32}")
		fmt.Fprintf(&y, "- {kernel: k, grid: %d, block: %d, args: [a, %s, flags, %d]}\n", g.grid, g.block, second,
			g.IntN(4))
	}
	return y.String()
}

// text returns the module.
func (g *generator) text() string {
	shape, shared := "", min(g.bytes(), 4096)
	if g.cluster {
		shape = ".explicitcluster .reqnctapercluster 2, 1, 1\n"
	}
	return fmt.Sprintf(`.version 8.3
.target sm_90
.address_size 64
.visible .global .align 16 .b8 g[%[1]d];
.const .align 16 .b8 c[%[9]d];
.func touch(.param .b64 where)
{
	.reg .b32 %%x; .reg .b64 %%to;
	ld.param.b64 %%to, [where];
	ld.u32 %%x, [%%to];
	add.u32 %%x, %%x, 1;
	st.u32 [%%to], %%x;
	ret;
}
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 flags, .param .u32 n)
%[2]s{
	.shared .align 16 .b8 s[%[3]d];
	.shared .align 16 .b8 t[%[3]d];
	.shared .align 8 .b64 bar;
	.param .b64 to;
	.reg .pred %%p<%[4]d>;
	.reg .b32 %%r<%[5]d>, %%me, %%cta, %%gid, %%lane, %%warp, %%n, %%data, %%s, %%t, %%bar;
	.reg .b64 %%rd<%[6]d>, %%a, %%b, %%flags, %%g, %%c, %%wide;
	ld.param.u64 %%a, [a];
	ld.param.u64 %%b, [b];
	ld.param.u64 %%flags, [flags];
	ld.param.u32 %%n, [n];
	mov.u64 %%g, g;
	cvta.global.u64 %%g, %%g;
	mov.u64 %%c, c;
	cvta.const.u64 %%c, %%c;
	mov.u32 %%s, s;
	mov.u32 %%t, t;
	mov.u32 %%bar, bar;
	mov.u32 %%me, %%tid.x;
	mov.u32 %%cta, %%ctaid.x;
	mad.lo.u32 %%gid, %%cta, %[7]d, %%me;
	and.b32 %%lane, %%me, 31;
	shr.u32 %%warp, %%me, 5;
	mov.u32 %%data, %%gid;
	mov.u64 %%wide, 7;
%[8]s	ret;
}
`, g.bytes(), shape, shared, g.regs[2]+1, g.regs[0]+1, g.regs[1]+1, g.block, g.body.String(), 16*min(g.elements, constants)+offsets)
}
