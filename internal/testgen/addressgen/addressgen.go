// Package addressgen generates random kernels whose addresses are computed in ways that proofs
// about accesses must understand: distances of buffers, pointers that travel as integers through
// arithmetic, memory, calls and earlier launches, numbers as bases, packed and saturating indices,
// words that are exchanged at a distance. Tests compare what is proved of the kernels with what
// they do. The package must not know the proofs.
package addressgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Buffers of a program, each of BufferBytes.
const (
	Buffers     = 4 // the last one is for the program's own stores and loads
	BufferBytes = 1 << 18
)

// Program is a module and its launches.
type Program struct {
	PTX      string
	Launches []Launch
}

// Launch is a launch of a kernel with parameters (.u64 p0 to p3, .u64 zero, .u32 n).
type Launch struct {
	Kernel      string
	Grid, Block uint32
	Buffers     [Buffers]int // buffer of each pointer
	Zero        uint64
	N           uint32
	AnyN        bool // other launches may have a different N
}

// scratch is the parameter that points to the buffer for the program's own use.
const scratch = Buffers - 1

// header declares variables, and functions that pass values through.
const header = `.version 9.0
.target sm_120a
.address_size 64
.global .align 256 .b8 var0[65536];
.global .align 256 .b8 var1[65536];
.global .align 8 .u64 table[2] = {var0, var1};
.func (.param .b64 out) same64(.param .b64 in)
{
	.reg .b64 %v;
	ld.param.b64 %v, [in];
	st.param.b64 [out], %v;
	ret;
}
.func (.param .b32 out) same32(.param .b32 in)
{
	.reg .b32 %v;
	ld.param.b32 %v, [in];
	st.param.b32 [out], %v;
	ret;
}
`

const parameters = "(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u64 zero, .param .u32 n)"

// Make makes the program of a seed, which determines it entirely.
func Make(seed uint64) Program {
	rnd := rand.New(rand.NewPCG(seed, 0x70726f6f66))
	var text strings.Builder
	text.WriteString(header)
	var p Program
	grid, block := uint32(2+rnd.IntN(3)), uint32(1+rnd.IntN(4))
	launch := Launch{Kernel: "k", Grid: grid, Block: block, Buffers: [Buffers]int{0, 1, 2, 3}, N: uint32(rnd.IntN(5))}
	launch.AnyN = seed%32 == 31
	rnd.Shuffle(Buffers, func(i, j int) { launch.Buffers[i], launch.Buffers[j] = launch.Buffers[j], launch.Buffers[i] })
	if rnd.IntN(8) == 0 {
		launch.Buffers[1] = launch.Buffers[0]
	}
	g := &generator{rnd: rnd, threads: grid * block}
	if rnd.IntN(3) == 0 {
		early := launch
		early.Kernel, early.Grid, early.Block = "early", 1, 1
		p.Launches = append(p.Launches, early)
		g.kernel("early", g.leave)
		text.WriteString(g.text())
	}
	p.Launches = append(p.Launches, launch)
	g.kernel("k", func() {
		if seed%16 == 15 {
			g.exchanges()
			return
		}
		accesses := 2 + rnd.IntN(3)
		tricky := rnd.IntN(accesses + 1)
		for i := range accesses {
			g.access(i < tricky)
		}
	})
	text.WriteString(g.text())
	p.PTX = text.String()
	return p
}

// generator writes a kernel.
type generator struct {
	rnd     *rand.Rand
	body    strings.Builder
	name    string
	regs    [3]int // so far: 32 bits, 64 bits, predicates
	labels  int
	threads uint32
	left    []kept // stored by the early kernel
}

// kept is a value in the scratch buffer: a pointer, or a distance shifted to the right.
type kept struct {
	from, to int // the pointer to minus the pointer from; the pointer to itself if from < 0
	size     int
	shift    int
	at       int
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

// Registers that each kernel begins with: pointers, the thread, what is its own in scratch.
const (
	tid    = "%lane"
	ctaid  = "%cta"
	thread = "%thread"
	own    = "%own"
)

func pointer(i int) string { return fmt.Sprintf("%%ptr%d", i) }

func (g *generator) kernel(name string, body func()) {
	g.body.Reset()
	g.name, g.regs = name, [3]int{}
	for i := range Buffers {
		g.emit("ld.param.u64 %s, [p%d]", pointer(i), i)
		if g.rnd.IntN(2) == 0 {
			g.emit("cvta.to.global.u64 %s, %s", pointer(i), pointer(i))
		}
	}
	g.emit("mov.u32 %s, %%tid.x", tid)
	g.emit("mov.u32 %s, %%ctaid.x", ctaid)
	g.emit("mov.u32 %%size, %%ntid.x")
	g.emit("mad.lo.u32 %s, %s, %%size, %s", thread, ctaid, tid)
	g.emit("mul.wide.u32 %s, %s, 16", own, thread)
	g.emit("add.s64 %s, %s, %s", own, own, pointer(scratch))
	body()
	g.emit("ret")
}

// text returns the kernel.
func (g *generator) text() string {
	return fmt.Sprintf(`.visible .entry %s%s
{
	.local .align 16 .b8 slot[16];
	.shared .align 16 .b8 box[512];
	.reg .pred %%p<%d>;
	.reg .b32 %%r<%d>, %%lane, %%cta, %%thread, %%size;
	.reg .b64 %%rd<%d>, %%own, %%ptr<4>;
	.reg .f64 %%fd;
%s}
`, g.name, parameters, g.regs[2]+1, g.regs[0]+1, g.regs[1]+1, g.body.String())
}

// leave stores pointers and distances for the later kernel.
func (g *generator) leave() {
	for i := range 3 {
		k := kept{from: g.rnd.IntN(4) - 1, to: g.rnd.IntN(3), size: 8, at: 4096 + 16*i}
		v := pointer(k.to)
		if k.from >= 0 {
			if k.from == scratch {
				k.from = 0
			}
			v = g.distance(k.from, k.to)
			if g.rnd.IntN(2) == 0 {
				k.size, k.shift = 4, 8
			}
		}
		v = g.disguise(v, 2)
		if k.size == 4 {
			s, narrow := g.r64(), g.r32()
			g.emit("shr.s64 %s, %s, %d", s, v, k.shift)
			g.emit("cvt.u32.u64 %s, %s", narrow, s)
			g.emit("st.global.u32 [%s+%d], %s", pointer(scratch), k.at, narrow)
		} else {
			g.emit("st.global.u64 [%s+%d], %s", pointer(scratch), k.at, v)
		}
		g.left = append(g.left, k)
	}
}

// recall loads what the early kernel has stored.
func (g *generator) recall(k kept) string {
	v := g.r64()
	if k.size == 4 {
		narrow := g.r32()
		g.emit("ld.global.u32 %s, [%s+%d]", narrow, pointer(scratch), k.at)
		g.emit("cvt.s64.s32 %s, %s", v, narrow)
		g.emit("shl.b64 %s, %s, %d", v, v, k.shift)
		return v
	}
	if g.rnd.IntN(2) == 0 {
		lo, hi := g.r32(), g.r32()
		g.emit("ld.global.v2.u32 {%s, %s}, [%s+%d]", lo, hi, pointer(scratch), k.at)
		g.emit("mov.b64 %s, {%s, %s}", v, lo, hi)
		return v
	}
	g.emit("ld.global.u64 %s, [%s+%d]", v, pointer(scratch), k.at)
	return v
}

// distance returns the distance of two pointers.
func (g *generator) distance(from, to int) string {
	d := g.r64()
	g.emit("sub.s64 %s, %s, %s", d, pointer(to), pointer(from))
	return d
}

// access accesses memory, either at an address like that of an array's element in CUDA C++ or, if tricky, at another
// one.
func (g *generator) access(tricky bool) {
	var base string
	switch {
	case tricky:
		base = g.base()
	case g.rnd.IntN(5) == 0:
		base = g.variable()
	default:
		base = pointer(g.rnd.IntN(3))
	}
	offset := g.r64()
	g.emit("mul.wide.u32 %s, %s, 4", offset, g.index())
	at := g.r64()
	g.emit("%s %s, %s, %s", g.pick("add.s64", "add.s64", "add.u64", "or.b64"), at, base, offset)
	guard := ""
	if g.rnd.IntN(2) == 0 {
		p := g.pred()
		g.emit("setp.%s.u32 %s, %s, %d", g.pick("eq", "ne", "lt"), p, g.pick(ctaid, thread), g.rnd.IntN(2)+1)
		guard = "@" + p + " "
	}
	space := g.pick(".global", ".global", "")
	switch g.rnd.IntN(6) {
	case 0, 1:
		g.emit("%sst%s.u32 [%s], %s", guard, space, at, thread)
	case 2, 3:
		g.emit("%sld%s.u32 %s, [%s]", guard, space, g.r32(), at)
	case 4:
		g.emit("%satom%s.add.u32 %s, [%s], 1", guard, space, g.r32(), at)
	case 5:
		g.emit("%sred%s.%s.add.u32 [%s], 1", guard, space, g.pick("relaxed.gpu", "relaxed.cta"), at)
	}
}

func (g *generator) pick(words ...string) string { return words[g.rnd.IntN(len(words))] }

// base returns a pointer into one of the buffers, obtained in a random way.
func (g *generator) base() string {
	if g.rnd.IntN(3) == 0 && len(g.left) > 0 {
		return g.recalled()
	}
	return bases[g.rnd.IntN(len(bases))](g)
}

// recalled returns a pointer stored by the early kernel, or a pointer plus such a distance.
func (g *generator) recalled() string {
	left := g.left[g.rnd.IntN(len(g.left))]
	v := g.recall(left)
	if left.from < 0 {
		return v
	}
	return g.sum(pointer(left.from), v)
}

// sum returns the sum of two values.
func (g *generator) sum(a, b string) string {
	v := g.r64()
	g.emit("add.s64 %s, %s, %s", v, a, b)
	return v
}

// variable returns the address of a variable.
func (g *generator) variable() string {
	v := g.r64()
	g.emit("mov.u64 %s, var%d", v, g.rnd.IntN(2))
	return v
}

// any returns one of the pointers to buffers.
func (g *generator) any() string { return pointer(g.rnd.IntN(scratch)) }

// firstVariable is the address of the first variable on an emulated device.
const firstVariable = "0x1000000000"

// bases lists ways to obtain a pointer.
var bases = []func(g *generator) string{
	(*generator).any,
	func(g *generator) string { return g.disguise(g.any(), 1+g.rnd.IntN(3)) },
	func(g *generator) string { // from one buffer to another
		from := g.rnd.IntN(scratch)
		return g.sum(pointer(from), g.disguise(g.distance(from, g.rnd.IntN(scratch)), 1+g.rnd.IntN(3)))
	},
	func(g *generator) string { // the same with a number that is 0
		v := g.r64()
		g.emit("ld.param.u64 %s, [zero]", v)
		return g.sum(v, g.disguise(g.any(), 1+g.rnd.IntN(2)))
	},
	func(g *generator) string { // a constant
		v := g.r64()
		g.emit("mov.u64 %s, %s", v, firstVariable)
		return v
	},
	func(g *generator) string { // a constant, or an addition to a pointer or null
		v, p := g.r64(), g.pred()
		g.emit("setp.gt.u32 %s, %s, 64", p, thread)
		g.emit("selp.b64 %s, %s, 0, %s", v, g.any(), p)
		return g.sum(v, firstVariable)
	},
	func(g *generator) string { // a pointer that is rounded down, perhaps to another object
		return g.via(g.any(), "and.b64", ", -"+firstVariable)
	},
	func(g *generator) string { // a parameter at an offset that looks like 0
		v, at, n := g.r64(), g.r64(), g.r64()
		g.emit("mov.u64 %s, p0", at)
		g.emit("mul.hi.u64 %s, %d, 0x8000000000000000", n, 16*g.rnd.IntN(3))
		g.emit("ld.param.u64 %s, [%s]", v, g.sum(at, n))
		return v
	},
	func(g *generator) string { // from one variable to another
		a, b := g.r64(), g.r64()
		g.emit("ld.global.u64 %s, [table]", a)
		g.emit("ld.global.u64 %s, [table+8]", b)
		v, d := g.r64(), g.r64()
		g.emit("sub.s64 %s, %s, %s", d, a, b)
		g.emit("mov.u64 %s, var1", v)
		return g.sum(v, d)
	},
}
