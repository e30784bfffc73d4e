// Kernels made of idioms: ways in which programs order their threads, most of them complete.

package racegen

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// idioms writes a kernel that executes one idiom after the other. Each has words of its own, in global and in shared
// memory, and one value of the thread leads from one to the next: %data, and %loose for what may differ between
// schedules.
type idioms struct {
	*generator
	flawed bool // idioms may lack a part
	loose  bool // %data may differ between schedules
	moved  bool // what threads execute may differ between schedules, or two lanes store one value
	rounds bool // in a loop
	words  int  // of global memory that are in use
	flags  int  // words of flags that are in use
	shared int  // bytes of shared memory that are in use
	bars   int  // mbarriers that are in use
	named  int  // named barriers that are in use
}

// Sizes of the objects of a kernel.
const (
	inputs    = 256
	wordsMost = 4096
	flagsMost = 64
	tileBytes = 16384
	barsMost  = 32
)

// Idioms makes a small program of idioms: barriers, mbarriers, rings, flags, locks, tickets, atomic operations, floating
// point, copies, shuffles. In half of the programs, idioms may lack a part. What may differ between schedules, although
// the program is right, is in the buffers sums and strays only, unless the program is Loose.
func Idioms(seed uint64) Program {
	g := &idioms{generator: &generator{Rand: rand.New(rand.NewPCG(seed, 0x6964696f)), uniform: true}}
	g.block = pick[uint32](g.generator, 2, 3, 4, 4, 32, 33, 64, 64, 96)
	g.grid = pick[uint32](g.generator, 1, 1, 2, 2, 3, 4)
	if g.block*g.grid > 192 {
		g.grid = 2
	}
	g.cluster = g.grid%2 == 0 && g.one(4)
	g.full, g.flawed = g.block%32 == 0, g.one(2)
	for range 1 + g.IntN(5) {
		g.idiom()
	}
	if !g.cluster && g.one(8) {
		g.leave()
	}
	g.meet()
	g.emit("mad.lo.u32 %%own, %%gid, 4, 0")
	g.emit("cvt.u64.u32 %%to, %%own")
	g.emit("add.u64 %%from, %%out, %%to")
	g.emit("st.global.u32 [%%from], %%data")
	g.emit("add.u64 %%from, %%strays, %%to")
	g.emit("st.global.u32 [%%from], %%loose")
	p := Program{
		PTX: g.module(), Launches: g.plan(), Threads: g.grid * g.block, Flawed: g.flawed, Loose: g.loose,
	}
	p.Steady = !g.flawed && !g.loose && !g.moved && strings.Count(p.Launches, "kernel: k") == 1
	return p
}

// refillable matches the line of a buffer in a launch file.
var refillable = regexp.MustCompile(`(?m)^  (\w+): \{type: (\w+), count: (\d+).*\}$`)

// Refilled returns the launch file with random contents of some buffers.
func (p *Program) Refilled(buffers []string, seed uint64) string {
	return refillable.ReplaceAllStringFunc(p.Launches, func(line string) string {
		m := refillable.FindStringSubmatch(line)
		if i := slices.Index(buffers, m[1]); i >= 0 {
			return fmt.Sprintf("  %s: {type: %s, count: %s, init: random, seed: %d}", m[1], m[2], m[3], seed+uint64(i))
		}
		return line
	})
}

// flaw reports whether a part is to be left out.
func (g *idioms) flaw() bool { return g.flawed && g.one(5) }

// unless emits an instruction, or leaves it out as a flaw.
func (g *idioms) unless(format string, args ...any) {
	if !g.flaw() {
		g.emit(format, args...)
	}
}

// idiom writes one idiom.
func (g *idioms) idiom() {
	list := []func(){
		g.exchange, g.exchange, g.input, g.counted, g.counted, g.floats, g.guarded, g.message, g.message, g.gathered,
		g.ticket, g.lock, g.arrivals, g.ring, g.bulk, g.copied, g.lanes, g.pair, g.marks, g.stray, g.neighbours,
		g.scattered, g.dropped, g.early, g.again, g.remote, g.turns, g.tally,
	}
	if g.flawed {
		list = append(list, g.unused, g.sums, g.lucky, g.lucky)
	}
	if !g.rounds && g.one(6) {
		g.loop()
		return
	}
	list[g.IntN(len(list))]()
}

// loop writes a loop of some rounds of two idioms that need no new words.
func (g *idioms) loop() {
	top, p, round := g.label(), g.pred(), g.r32()
	g.rounds = true
	g.emit("mov.u32 %s, 0", round)
	g.place(top)
	for range 1 + g.IntN(2) {
		pick(g.generator, g.exchange, g.exchange, g.input, g.guarded, g.lanes, g.copied)()
		g.unless("bar.sync 0")
	}
	g.emit("add.u32 %s, %s, 1", round, round)
	g.emit("setp.lt.u32 %s, %s, %d", p, round, 2+g.IntN(2))
	g.emit("@%s bra %s", p, top)
	g.rounds = false
}

// mix makes the value of the thread depend on a register.
func (g *idioms) mix(r string) { g.emit("xor.b32 %%data, %%data, %s", r) }

// loosen makes a register that may differ between schedules part of %loose, and seldom of %data.
func (g *idioms) loosen(r string) {
	g.emit("xor.b32 %%loose, %%loose, %s", r)
	if g.one(6) {
		g.emit("xor.b32 %%data, %%data, %s", r)
		g.loose = true
	}
}

// value returns a register: the value of the thread, its number, or what may differ between schedules.
func (g *idioms) value() string {
	if g.one(10) {
		g.loose = true // what it decides may differ
		return "%loose"
	}
	return pick(g.generator, "%data", "%gid", "%gid", "%me", "%me")
}

// predicate returns a predicate that differs between threads.
func (g *idioms) predicate() string {
	p, r := g.pred(), g.r32()
	g.emit("and.b32 %s, %s, %d", r, g.value(), pick(g.generator, 1, 3, 7))
	g.emit("setp.%s.u32 %s, %s, %d", pick(g.generator, "eq", "ne", "gt"), p, r, g.IntN(2))
	return p
}

// own returns the address of a thread's element of an array in global memory of one word for each thread.
func (g *idioms) own(first int, index string) string {
	to := g.r64()
	g.emit("mul.wide.u32 %s, %s, 4", to, index)
	g.emit("add.u64 %s, %s, %%mem", to, to)
	return fmt.Sprintf("[%s+%d]", to, 4*first)
}

// inTile returns the address of an element in shared memory, by its number and the offset of the array.
func (g *idioms) inTile(offset int, index string) string {
	to := g.r32()
	g.emit("mad.lo.u32 %s, %s, 4, %%s", to, index)
	return fmt.Sprintf("[%s+%d]", to, offset)
}

// array returns the number of the first of n unused words in global memory.
func (g *idioms) array(n uint32) int {
	if g.words+int(n) > wordsMost {
		g.words = 0
	}
	first := g.words
	g.words += int(n)
	return first
}

// word returns an operand for an unused word in global memory.
func (g *idioms) word() string { return fmt.Sprintf("[%%mem+%d]", 4*g.array(1)) }

// flag returns an operand for an unused flag, which is 0 when the first launch begins.
func (g *idioms) flag() string {
	g.flags = (g.flags + 1) % flagsMost
	return fmt.Sprintf("[%%flags+%d]", 4*g.flags)
}

// tile returns the offset of unused shared memory. Seldom it is in use, and a barrier stands before.
func (g *idioms) tile(bytes int) int {
	bytes = (bytes + 127) / 128 * 128
	if g.one(6) || g.shared+bytes > tileBytes {
		g.unless("bar.sync 0")
		g.shared = 0
	}
	offset := g.shared
	g.shared += bytes
	return offset
}

// module returns the text of the module.
func (g *idioms) module() string {
	shape := ""
	if g.cluster {
		shape = ".explicitcluster .reqnctapercluster 2, 1, 1\n"
	}
	return fmt.Sprintf(`.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 mem, .param .u64 flags, .param .u64 sums, .param .u64 out,
	.param .u64 strays)
%s{
	.shared .align 128 .b8 s[%d];
	.shared .align 8 .b8 bars[%d];
	.reg .pred %%p<%d>;
	.reg .b32 %%r<%d>, %%me, %%cta, %%gid, %%lane, %%warp, %%data, %%loose, %%s, %%bars, %%own;
	.reg .f32 %%f<8>;
	.reg .b64 %%rd<%d>, %%in, %%mem, %%flags, %%sums, %%out, %%strays, %%to, %%from;
	ld.param.u64 %%in, [in];
	ld.param.u64 %%mem, [mem];
	ld.param.u64 %%flags, [flags];
	ld.param.u64 %%sums, [sums];
	ld.param.u64 %%out, [out];
	ld.param.u64 %%strays, [strays];
	mov.u32 %%s, s;
	mov.u32 %%bars, bars;
	mov.u32 %%me, %%tid.x;
	mov.u32 %%cta, %%ctaid.x;
	mad.lo.u32 %%gid, %%cta, %d, %%me;
	and.b32 %%lane, %%me, 31;
	shr.u32 %%warp, %%me, 5;
	mov.u32 %%data, %%gid;
	mov.u32 %%loose, 0;
%s	ret;
}
`, shape, tileBytes, 8*barsMost, g.regs[2]+1, g.regs[0]+1, g.regs[1]+1, g.block, g.body.String())
}

// plan returns the launch file: one launch, seldom two, the second of which finds what the first one left.
func (g *idioms) plan() string {
	var y strings.Builder
	buffer := func(name, kind string, count int, more string) {
		fmt.Fprintf(&y, "  %s: {type: %s, count: %d%s}\n", name, kind, count, more)
	}
	y.WriteString("buffers:\n")
	buffer("in", "u32", inputs, ", init: iota")
	buffer("mem", "u32", wordsMost, "")
	buffer("flags", "u32", flagsMost+1, "")
	buffer("sums", "f32", 64, "")
	buffer("out", "u32", 256, "")
	buffer("strays", "u32", 256, "")
	y.WriteString("launches:\n")
	for range pick(g.generator, 1, 1, 1, 1, 1, 1, 1, 2) {
		fmt.Fprintf(&y, "- {kernel: k, grid: %d, block: %d, args: [in, mem, flags, sums, out, strays]}\n", g.grid,
			g.block)
	}
	return y.String()
}
