// Idioms of memory: exchanges, atomic operations, messages, locks.

package racegen

import (
	"fmt"
	"strings"
)

// exchange writes a tile of shared memory that each thread stores to, and loads from at the place of another thread.
func (g *idioms) exchange() {
	at, other, r := g.tile(int(4*g.block)), g.r32(), g.r32()
	g.emit("st.shared.u32 %s, %%data", g.inTile(at, "%me"))
	g.unless("bar.sync 0")
	g.emit("add.u32 %s, %%me, %d", other, pick(g.generator, 1, 2, 32))
	g.emit("rem.u32 %s, %s, %d", other, other, g.block)
	g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, other))
	g.mix(r)
	if g.rounds {
		g.unless("bar.sync 0")
	}
}

// gathered writes an array of global memory that all threads store to, and load from behind a barrier of the grid.
func (g *idioms) gathered() {
	if g.rounds {
		return
	}
	first, other, r := g.array(g.grid*g.block), g.r32(), g.r32()
	g.emit("st.global.u32 %s, %%data", g.own(first, "%gid"))
	g.together()
	g.emit("sub.u32 %s, %d, %%gid", other, g.grid*g.block-1)
	g.emit("ld.global.u32 %s, %s", r, g.own(first, other))
	g.mix(r)
}

// together writes a barrier of the grid: a thread of each block counts the block, and waits for all.
func (g *idioms) together() {
	if g.grid == 1 {
		g.unless("bar.sync 0")
		return
	}
	flag, p, q, seen, again, join := g.flag(), g.pred(), g.pred(), g.r32(), g.label(), g.label()
	g.unless("bar.sync 0")
	g.emit("setp.ne.u32 %s, %%me, 0", p)
	g.emit("@%s bra %s", p, join)
	switch g.IntN(3) {
	case 0:
		g.emit("red%s.gpu.global.add.u32 %s, 1", g.release(), flag)
	case 1:
		g.emit("atom%s.gpu.global.add.u32 %s, %s, 1", g.release(), g.r32(), flag)
	default:
		g.unless("fence.acq_rel.gpu")
		g.emit("red.relaxed.gpu.global.add.u32 %s, 1", flag)
	}
	all := g.grid
	if g.flaw() {
		all--
	}
	g.place(again)
	g.emit("ld%s.gpu.global.u32 %s, %s", g.acquire(), seen, flag)
	g.emit("setp.%s.u32 %s, %s, %d", pick(g.generator, "lt", "lt", "ne"), q, seen, all)
	g.emit("@%s bra %s", q, again)
	g.place(join)
	g.unless("bar.sync 0")
}

// release returns the semantics of an operation that publishes.
func (g *idioms) release() string {
	if g.flaw() {
		return ".relaxed"
	}
	return ".release"
}

// acquire returns the semantics of an operation that observes.
func (g *idioms) acquire() string {
	if g.flaw() {
		return ".relaxed"
	}
	return ".acquire"
}

// input writes a load of an input, of which the value may choose another one.
func (g *idioms) input() {
	r, i := g.r32(), g.r32()
	g.emit("and.b32 %s, %s, %d", i, pick(g.generator, "%gid", "%gid", "%gid", "%data", g.value()), inputs-1)
	to := g.r64()
	g.emit("mul.wide.u32 %s, %s, 4", to, i)
	g.emit("add.u64 %s, %s, %%in", to, to)
	g.emit("ld.global%s.u32 %s, [%s]", pick(g.generator, "", "", ".nc"), r, to)
	g.mix(r)
}

// reductions are read-modify-writes that commute with themselves.
var reductions = []string{
	"add.u32", "and.b32", "or.b32", "xor.b32", "min.u32", "max.u32", "inc.u32", "dec.u32", "add.u64",
}

// counted writes reductions of all threads to a word, and a load behind a barrier.
func (g *idioms) counted() {
	if g.rounds {
		return
	}
	word, op, r, guard := fmt.Sprintf("[%%mem+%d]", 8*((g.array(4)+1)/2)), pick(g.generator, reductions...), g.r32(), ""
	mixed := op != "add.u64" && g.one(8)
	if g.one(3) {
		guard = "@" + g.predicate() + " "
	}
	g.reduce(guard, op, word)
	if mixed {
		g.reduce("", pick(g.generator, reductions[:8]...), word)
	}
	if op != "add.u64" && g.one(6) { // the result is in use
		g.emit("atom.global.add.u32 %s, %s, 1", r, word)
		g.loosen(r)
		mixed = mixed || !strings.HasPrefix(op, "add")
	}
	g.together()
	g.emit("ld.global.u32 %s, %s", r, word)
	if mixed {
		g.loose = true // the word itself may differ
		g.loosen(r)
		return
	}
	g.mix(r)
}

// reduce writes a reduction, seldom as an atomic operation whose result nobody uses.
func (g *idioms) reduce(guard, op, word string) {
	value := pick(g.generator, "%gid", "1", "%data")
	switch op {
	case "inc.u32", "dec.u32":
		value = pick(g.generator, "7", "1000000")
	case "add.u64":
		value = "5"
	}
	if g.one(4) && op != "add.u64" {
		g.emit("%satom.global.%s %s, %s, %s", guard, op, g.r32(), word, value)
		return
	}
	g.emit("%sred%s.global.%s %s, %s", guard, pick(g.generator, "", ".relaxed.gpu"), op, word, value)
}

// floats writes a sum of floating-point numbers, whose order decides the result.
func (g *idioms) floats() {
	at, r := fmt.Sprintf("[%%sums+%d]", 4*g.IntN(64)), g.r32()
	if g.rounds {
		return
	}
	g.emit("cvt.rn.f32.u32 %%f0, %%gid")
	g.emit("mul.f32 %%f0, %%f0, %s", pick(g.generator, "0f3DCCCCCD", "0f4B800001"))
	g.emit("red.global.add.f32 %s, %%f0", at)
	g.together()
	g.emit("ld.global.u32 %s, %s", r, at)
	g.loosen(r)
	if g.one(4) {
		g.together() // before the next sum of the same word
	}
}

// scattered writes stores of which an input says where, or which thread makes them: other inputs than the given ones make
// it a race.
func (g *idioms) scattered() {
	if g.rounds {
		return
	}
	n, i, p, join, from := g.grid*g.block, g.r32(), g.pred(), g.label(), g.r64()
	first := g.array(n)
	g.emit("mul.wide.u32 %s, %%gid, 4", from)
	g.emit("add.u64 %s, %s, %%in", from, from)
	g.emit("ld.global.u32 %s, [%s]", i, from)
	switch g.IntN(3) {
	case 0:
		g.emit("rem.u32 %s, %s, %d", i, i, n)
		g.emit("st.global.u32 %s, %%gid", g.own(first, i))
		return
	case 1:
		g.emit("setp.eq.u32 %s, %s, %d", p, i, g.IntN(2))
		g.emit("@%s st.global.u32 [%%mem+%d], %%gid", p, 4*first)
		return
	}
	g.emit("and.b32 %s, %s, 255", i, i)
	g.emit("setp.ne.u32 %s, %s, %d", p, i, g.IntN(2))
	g.emit("@%s bra %s", p, join)
	g.emit("st.global.u32 [%%mem+%d], %%gid", 4*first)
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// guarded writes an access of a thread to a word of its own, under a condition, or at a place that a value chooses.
func (g *idioms) guarded() {
	first := g.array(g.grid * g.block)
	if g.rounds {
		first = wordsMost - int(g.grid*g.block)
	}
	if g.one(2) {
		g.emit("@%s st.global.u32 %s, %%data", g.predicate(), g.own(first, "%gid"))
		return
	}
	p, join := g.predicate(), g.label()
	g.emit("@%s bra %s", p, join)
	g.emit("st.global.u32 %s, %%gid", g.own(first, "%gid"))
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// message writes data and a flag of one thread, for which others wait.
func (g *idioms) message() {
	if g.rounds {
		return
	}
	flag, data, p, q, seen, r := g.flag(), g.word(), g.pred(), g.pred(), g.r32(), g.r32()
	reads, again, join := g.label(), g.label(), g.label()
	g.emit("setp.ne.u32 %s, %%gid, 0", p)
	g.emit("@%s bra %s", p, reads)
	g.emit("st.global.u32 %s, %%data", data)
	g.emit("st%s.%s.global.u32 %s, 1", g.release(), g.wide(), flag)
	g.emit("bra %s", join)
	g.place(reads)
	if g.flaw() { // a second thread sets the flag, too
		g.emit("setp.eq.u32 %s, %%gid, 1", q)
		g.emit("@%s st.release.gpu.global.u32 %s, 1", q, flag)
	}
	g.place(again)
	g.emit("ld%s.%s.global.u32 %s, %s", g.acquire(), g.wide(), seen, flag)
	g.emit("setp.eq.u32 %s, %s, 0", q, seen)
	if once := g.flaw(); once {
		g.loose = true
		g.emit("@%s bra %s", q, join)
	} else {
		g.emit("@%s bra %s", q, again)
	}
	g.emit("ld.global.u32 %s, %s", r, data)
	g.mix(r)
	if g.flaw() { // the flag is taken back, perhaps before others have seen it
		g.emit("st.relaxed.gpu.global.u32 %s, 0", flag)
	}
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// wide returns a scope that has all threads.
func (g *idioms) wide() string {
	if g.flaw() {
		return "cta"
	}
	return pick(g.generator, "gpu", "gpu", "sys")
}

// unused writes data and a message by two atomic operations whose results nobody uses: in some schedules it arrives.
func (g *idioms) unused() {
	if g.rounds {
		return
	}
	flag, data, p, reads, join, r := g.flag(), g.word(), g.pred(), g.label(), g.label(), g.r32()
	g.emit("setp.ne.u32 %s, %%gid, 0", p)
	g.emit("@%s bra %s", p, reads)
	g.emit("st.global.u32 %s, 7", data)
	g.emit("atom.acq_rel.gpu.global.add.u32 %s, %s, 1", g.r32(), flag)
	g.emit("bra %s", join)
	g.place(reads)
	g.emit("setp.ne.u32 %s, %%gid, %d", p, g.grid*g.block-1)
	g.emit("@%s bra %s", p, join)
	g.emit("atom.acq_rel.gpu.global.add.u32 %s, %s, 1", g.r32(), flag)
	g.emit("ld.global.u32 %s, %s", r, data)
	g.emit("xor.b32 %%loose, %%loose, %s", r)
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// sums writes a floating-point sum of 2^24, 1 and -2^24, which decides whether a thread stores to a shared word.
func (g *idioms) sums() {
	if g.rounds || g.block < 4 {
		return
	}
	at, word, p, join := fmt.Sprintf("[%%sums+%d]", 4*(32+g.IntN(32))), g.word(), g.pred(), g.label()
	for i, number := range []string{"0f4B800000", "0f3F800000", "0fCB800000"} {
		g.emit("setp.eq.u32 %s, %%gid, %d", p, i)
		g.emit("@%s red.global.add.f32 %s, %s", p, at, number)
	}
	g.together()
	g.emit("ld.global.f32 %%f1, %s", at)
	g.emit("setp.eq.f32 %s, %%f1, 0f00000000", p)
	g.emit("@%s bra %s", p, join)
	g.emit("st.global.u32 %s, %%gid", word)
	g.place(join)
	g.emit("bar.warp.sync -1")
	g.loose = true
}

// lucky writes an atomic operation whose result, in most runs, is the number of the thread, and decides which thread
// stores to a word, or where each of them does. Another result makes it a race.
func (g *idioms) lucky() {
	if g.rounds {
		return
	}
	flag, n, r, p := g.flag(), g.grid*g.block, g.r32(), g.pred()
	first := g.array(n)
	g.loose = true
	g.emit("st.global.u32 %s, %%gid", g.own(first, "%gid"))
	g.emit("atom.global.add.u32 %s, %s, 1", r, flag)
	switch g.IntN(4) {
	case 0: // an address
		g.emit("rem.u32 %s, %s, %d", r, r, n)
		g.emit("st.global.u32 %s, 7", g.own(first, r))
	case 1: // a guard
		g.emit("setp.eq.u32 %s, %s, 0", p, r)
		g.emit("@%s st.global.u32 [%%mem+%d], 7", p, 4*first)
	case 2: // a branch
		join := g.label()
		g.emit("setp.ne.u32 %s, %s, 0", p, r)
		g.emit("@%s bra %s", p, join)
		g.emit("st.global.u32 [%%mem+%d], 7", 4*first)
		g.place(join)
		g.emit("bar.warp.sync -1")
	default: // the operand of a compare-and-swap, of which one finds its value, and writes
		swap := g.r32()
		flag = g.flag()
		g.emit("atom.global.cas.b32 %s, %s, %s, 1000", swap, flag, r)
		g.emit("setp.eq.u32 %s, %%gid, 0", p)
		g.emit("@%s ld.global.u32 %s, %s", p, swap, flag)
		g.emit("xor.b32 %%loose, %%loose, %s", swap)
	}
}

// ticket writes an atomic operation whose result chooses a place, or the thread that comes last and reads the others'
// data.
func (g *idioms) ticket() {
	if g.rounds {
		return
	}
	flag, first, r := g.flag(), g.array(g.grid*g.block), g.r32()
	g.loose = true
	if g.one(2) {
		g.emit("atom.global.add.u32 %s, %s, 1", r, flag)
		g.emit("rem.u32 %s, %s, %d", r, r, g.grid*g.block)
		g.emit("st.global.u32 %s, %%data", g.own(first, r))
		return
	}
	p, join, other := g.pred(), g.label(), g.r32()
	g.emit("st.global.u32 %s, %%data", g.own(first, "%gid"))
	g.unless("fence.acq_rel.gpu")
	g.emit("atom%s.gpu.global.add.u32 %s, %s, 1", pick(g.generator, ".relaxed", ".acq_rel"), r, flag)
	g.emit("setp.ne.u32 %s, %s, %d", p, r, g.grid*g.block-1)
	g.emit("@%s bra %s", p, join)
	g.unless("fence.acq_rel.gpu")
	g.emit("ld.global.u32 %s, %s", other, g.own(first, "%me"))
	g.loosen(other)
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// lock writes a critical section for a thread of each block, which waits for the lock.
func (g *idioms) lock() {
	if g.rounds {
		return
	}
	g.moved = true
	lock, word, p, got, r := g.flag(), g.word(), g.pred(), g.r32(), g.r32()
	again, join := g.label(), g.label()
	g.emit("setp.ne.u32 %s, %%me, 0", p)
	g.emit("@%s bra %s", p, join)
	g.place(again)
	g.emit("atom%s.gpu.global.cas.b32 %s, %s, 0, 1", g.acquire(), got, lock)
	g.emit("setp.ne.u32 %s, %s, 0", p, got)
	g.emit("@%s bra %s", p, again)
	g.emit("ld.global.u32 %s, %s", r, word)
	g.emit("add.u32 %s, %s, %%cta", r, r)
	g.emit("st.global.u32 %s, %s", word, r)
	g.emit("st%s.gpu.global.u32 %s, 0", g.release(), lock)
	g.loosen(r)
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// marks writes stores of one value by all threads of a warp.
func (g *idioms) marks() {
	g.moved = true
	word, p := g.word(), g.pred()
	value := pick(g.generator, "5", "5", "%warp")
	if g.one(3) {
		value = g.r32()
		g.emit("ld.global.u32 %s, [%%in+%d]", value, 4*g.IntN(8))
	}
	g.emit("setp.lt.u32 %s, %%gid, %d", p, min(g.block, 32))
	g.emit("@%s st.global.u32 %s, %s", p, word, value)
}

// stray writes an instruction whose result depends on when it is executed.
func (g *idioms) stray() {
	r := g.r32()
	g.emit("%s", pick(g.generator, "activemask.b32 "+r, "mov.u32 "+r+", %clock", "mov.u32 "+r+", %smid"))
	g.loosen(r)
}
