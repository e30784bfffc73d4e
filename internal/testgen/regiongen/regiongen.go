// Package regiongen generates random kernels whose warps share memory between barriers, for tests
// of detectors that check one region between barriers at a time. The shared arrays are static and
// dynamic, reached by symbols, in shared and in generic addresses, and in called functions;
// barriers are in loops and in uniform branches; threads exit early. In some kernels warps race.
//
// A kernel has no atomic operations, and its lanes do not race within their warp: a barrier of the
// warp separates two accesses. Each byte that it writes differs from those present before the last
// barrier, because its upper half is the number of barriers so far. Values that it reads enter a
// sum that each thread stores at the end, or that a function stores. So every race has an effect.
//
// The package must not know what detectors find in its kernels.
package regiongen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Kernel is a kernel (.u64 out, .u32 n, .u32 flags) and its launch. out has a word for each
// thread of the grid.
type Kernel struct {
	Name        string
	Text        string // PTX of the kernel and of everything that only it needs
	Grid, Block uint32
	Shared      uint32 // dynamic shared memory, in bytes
	N, Flags    uint32
}

// barriers is the limit of barriers that a thread may execute: half a byte counts them.
const barriers = 14

// array is shared memory of a kernel. Functions can access the module's arrays.
type array struct {
	name  string
	bytes int
	scope scope
}

type scope int

const (
	scopeKernel scope = iota
	scopeModule
	scopeDynamic
)

// layout is how threads share an array between two barriers: each thread has its own element, or all only read.
type layout struct {
	readOnly      bool
	width, stride int // in bytes
	shift         int // element of thread t is t + shift, modulo the number of threads
}

// generator writes a kernel.
type generator struct {
	name    string
	rnd     *rand.Rand
	body    strings.Builder
	regs    [3]int // number so far: 32 bits, 64 bits, predicates
	labels  int
	threads int
	arrays  []array
	layouts []layout
	left    int // remaining barriers
	times   int // number of times that the current place is executed
	depth   int
	racy    int // one of so many accesses ignores the layout; 0: none does
	site    int
	alone   bool // lanes that others shuffle with may have exited
}

// Make makes the kernel of a seed, which determines it entirely.
func Make(seed uint64) Kernel {
	rnd := rand.New(rand.NewPCG(seed, 0x726567696f6e73))
	k := Kernel{
		Name: fmt.Sprint("k", seed), Grid: uint32(1 + rnd.IntN(2)), Block: uint32(33 + rnd.IntN(96)),
		N: uint32(1 + rnd.IntN(3)), Flags: rnd.Uint32(),
	}
	switch rnd.IntN(8) {
	case 0:
		k.Block = uint32(1 + rnd.IntN(64))
	case 1, 2:
		k.Block = uint32(32 * (1 + rnd.IntN(4)))
	}
	g := &generator{name: k.Name, rnd: rnd, threads: int(k.Block), left: barriers, times: 1}
	if rnd.IntN(2) == 0 {
		g.racy = 2 + rnd.IntN(8)
	}
	g.declare(&k)
	g.relayout()
	g.enter()
	g.block(6 + rnd.IntN(10))
	g.leave()
	k.Text = g.text()
	return k
}

// declare chooses the arrays.
func (g *generator) declare(k *Kernel) {
	for i := range 1 + g.rnd.IntN(3) {
		a := array{
			name: fmt.Sprint(g.name, "_", i), bytes: (g.threads*(4<<g.rnd.IntN(3)) + 15) / 16 * 16,
			scope: scope(g.rnd.IntN(2)),
		}
		if i == 0 && g.rnd.IntN(3) == 0 {
			a.scope = scopeDynamic
			k.Shared = uint32(a.bytes)
		}
		g.arrays = append(g.arrays, a)
	}
	g.layouts = make([]layout, len(g.arrays))
}

// relayout chooses the owners of elements up to the next barrier.
func (g *generator) relayout() {
	for i := range g.layouts {
		g.layouts[i] = g.layoutOf(i)
		g.layouts[i].readOnly = g.rnd.IntN(3) == 0
	}
}

// layoutOf returns a layout in which each thread has an element of an array.
func (g *generator) layoutOf(i int) layout {
	l := layout{width: 1 << g.rnd.IntN(5), shift: g.rnd.IntN(g.threads)}
	for l.width*g.threads > g.arrays[i].bytes {
		l.width /= 2
	}
	l.stride = l.width
	if g.rnd.IntN(3) == 0 && 2*l.width*g.threads <= g.arrays[i].bytes {
		l.stride *= 2
	}
	switch g.rnd.IntN(3) {
	case 0:
		l.shift = 0
	case 1:
		l.shift = l.shift / 32 * 32
	}
	return l
}

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

func (g *generator) pick(words ...string) string { return words[g.rnd.IntN(len(words))] }

// Module returns the module of some kernels.
func Module(kernels ...Kernel) string {
	var b strings.Builder
	b.WriteString(header)
	for _, k := range kernels {
		b.WriteString(k.Text)
	}
	return b.String()
}

// text returns the kernel with its arrays.
func (g *generator) text() string {
	var module, kernel strings.Builder
	for _, a := range g.arrays {
		switch a.scope {
		case scopeDynamic:
			fmt.Fprintf(&module, ".extern .shared .align 16 .b8 %s[];\n", a.name)
		case scopeModule:
			fmt.Fprintf(&module, ".shared .align 16 .b8 %s[%d];\n", a.name, a.bytes)
			fmt.Fprintf(&module, symbolFunction, a.name)
		default:
			fmt.Fprintf(&kernel, "\t.shared .align 16 .b8 %s[%d];\n", a.name, a.bytes)
		}
	}
	return fmt.Sprintf(`%s.visible .entry %s(.param .u64 out, .param .u32 n, .param .u32 flags)
{
%s	.local .align 8 .b8 slot[16];
	.param .b64 a64; .param .b64 b64; .param .b32 a32; .param .b32 b32; .param .b32 o32; .param .b64 o64;
	.reg .pred %%p<%d>;
	.reg .b32 %%r<%d>, %%t, %%lane, %%warp, %%n, %%flags, %%tag, %%sum;
	.reg .b64 %%rd<%d>, %%own;
%s}
`, module.String(), g.name, kernel.String(), g.regs[2]+1, g.regs[0]+1, g.regs[1]+1, g.body.String())
}

// enter begins the kernel: registers for the thread, its word of the result, the sum of the values read, and the tag of
// the values written.
func (g *generator) enter() {
	g.emit("mov.u32 %%t, %%tid.x")
	g.emit("and.b32 %%lane, %%t, 31")
	g.emit("shr.u32 %%warp, %%t, 5")
	block, threads, index := g.r32(), g.r32(), g.r32()
	g.emit("mov.u32 %s, %%ctaid.x", block)
	g.emit("mov.u32 %s, %%ntid.x", threads)
	g.emit("mad.lo.u32 %s, %s, %s, %%t", index, block, threads)
	g.emit("ld.param.u64 %%own, [out]")
	offset := g.r64()
	g.emit("mul.wide.u32 %s, %s, 4", offset, index)
	g.emit("add.s64 %%own, %%own, %s", offset)
	g.emit("ld.param.u32 %%n, [n]")
	g.emit("ld.param.u32 %%flags, [flags]")
	g.emit("mov.u32 %%tag, 0x10101010")
	g.emit("mul.lo.u32 %%sum, %s, 0x9e3779b1", index)
}

// leave ends the kernel.
func (g *generator) leave() {
	g.emit("st.global.u32 [%%own], %%sum")
	g.emit("ret")
}
