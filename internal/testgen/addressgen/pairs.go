// Random kernels that access, in each thread, the words at an index and at the index xor a distance, as bitonic sorts
// and butterflies do.

package addressgen

import "fmt"

// exchange holds the registers for such accesses.
type exchange struct {
	base           string // pointer to the buffer
	index, partner string // registers of 32 or 64 bits
	number         string // exclusive or of index and partner
	bits           int
	spread         int // bytes between words
}

// exchanges accesses words at an index and at its partner, under guards that may decide which of two threads does.
func (g *generator) exchanges() {
	x := g.exchange()
	guard := g.guard(x)
	round, again := "", ""
	if g.rnd.IntN(8) == 0 { // the partner differs in each iteration
		round, again = g.r32(), g.label()
		g.emit("mov.u32 %s, 0", round)
		g.body.WriteString(again + ":\n")
	}
	for range 2 + g.rnd.IntN(2) {
		switch g.rnd.IntN(8) {
		case 0:
			guard = g.guard(x)
		case 1:
			g.exchanged(x, "")
			continue
		}
		g.exchanged(x, guard)
	}
	if round != "" {
		p := g.pred()
		g.emit("xor.b%[1]d %[2]s, %[3]s, %[4]d", x.bits, x.partner, x.partner, 1+g.rnd.IntN(7))
		g.emit("add.u32 %s, %s, 1", round, round)
		g.emit("setp.lt.u32 %s, %s, 2", p, round)
		g.emit("@%s bra %s", p, again)
	}
}

// exchange computes an index and its partner.
func (g *generator) exchange() exchange {
	x := exchange{base: g.any(), index: g.r32(), partner: g.r32(), bits: 32, spread: g.rnd.IntN(2)*4 + 4}
	g.emit("mad.lo.u32 %s, %s, %d, %d", x.index, g.pick(thread, thread, thread, thread, tid, ctaid), 1+g.rnd.IntN(2),
		g.rnd.IntN(3))
	x.number = g.number()
	if g.rnd.IntN(3) == 0 {
		index, wide := g.r64(), g.r64()
		g.emit("cvt.u64.u32 %s, %s", index, x.index)
		g.emit("cvt.u64.u32 %s, %s", wide, x.number)
		x.index, x.number, x.partner, x.bits = index, wide, g.r64(), 64
	}
	g.emit("xor.b%d %s, %s, %s", x.bits, x.partner, x.index, x.number)
	return x
}

// number returns a small number, usually the same in all threads.
func (g *generator) number() string {
	v := g.r32()
	switch g.rnd.IntN(10) {
	case 0:
		g.emit("mov.u32 %s, %d", v, g.rnd.IntN(8))
	case 1:
		g.emit("mov.u32 %s, %s", v, g.pick("%tid.x", "%ctaid.x", "%ntid.x"))
	case 2, 3: // from memory, where each thread has stored one
		g.emit("st.global.u32 [%s], %s", own, g.pick(tid, ctaid, thread))
		g.emit("ld.global.u32 %s, [%s]", v, own)
	default:
		g.emit("ld.param.u32 %s, [n]", v)
		g.emit("%s", fmt.Sprintf(g.pick("shl.b32 %[1]s, 1, %[1]s", "shr.u32 %[1]s, %[1]s, 1", "add.u32 %[1]s, %[1]s, 1",
			"mov.b32 %[1]s, %[1]s"), v))
	}
	return v
}

// guard returns a predicate that compares an index with its partner.
func (g *generator) guard(x exchange) string {
	p, a, b := g.pred(), x.partner, x.index
	if g.rnd.IntN(8) == 0 {
		a, b = b, a
	}
	if x.bits == 32 && g.rnd.IntN(4) == 0 {
		least := g.r32()
		g.emit("min.u32 %s, %s, 64", least, a)
		a = least
	}
	switch g.rnd.IntN(8) {
	case 0:
		both := g.wide(x.bits)
		g.emit("and.b%d %s, %s, %s", x.bits, both, x.index, x.number)
		g.emit("setp.eq.s%d %s, %s, 0", x.bits, p, both)
		return "@" + p + " "
	case 1:
		q, both := g.pred(), g.pred()
		g.emit("setp.lt.u32 %s, %s, 64", q, thread)
		g.emit("setp.ge.u%d %s, %s, %s", x.bits, p, a, b)
		g.emit("%s.pred %s, %s, %s", g.pick("and", "and", "or"), both, p, q)
		return "@" + both + " "
	case 2:
		g.emit("setp.%s.u%d %s, %s, %s", g.pick("lt", "le"), x.bits, p, a, b)
		return "@!" + p + " "
	case 3:
		g.emit("setp.ne.u32 %s, %s, %d", p, thread, g.rnd.IntN(3))
		return "@" + p + " "
	}
	g.emit("setp.%s.%s%d %s, %s, %s", g.pick("ge", "gt", "gt", "ne"), g.pick("u", "u", "s"), x.bits, p, a, b)
	return "@" + p + " "
}

// wide returns a new register of that many bits.
func (g *generator) wide(bits int) string {
	if bits == 64 {
		return g.r64()
	}
	return g.r32()
}

// exchanged accesses one of the two words, under a guard or behind a branch on it.
func (g *generator) exchanged(x exchange, guard string) {
	at, which := g.r64(), g.pick(x.index, x.partner)
	switch x.bits {
	case 64:
		g.emit("mad.lo.s64 %s, %s, %d, %s", at, which, x.spread, x.base)
	default:
		g.emit("mad.wide.%s %s, %s, %d, %s", g.pick("u32", "u32", "s32"), at, which, x.spread, x.base)
	}
	skip := ""
	if guard != "" && g.rnd.IntN(2) == 0 {
		skip = g.label()
		around := "@!" + guard[1:]
		if guard[1] == '!' {
			around = "@" + guard[2:]
		}
		g.emit("%sbra %s", around, skip)
		guard = ""
	}
	off := 0
	if g.rnd.IntN(12) == 0 {
		off = 4
	}
	switch g.rnd.IntN(5) {
	case 0, 1:
		g.emit("%sld.global.u32 %s, [%s+%d]", guard, g.r32(), at, off)
	case 2, 3:
		g.emit("%sst.global.u32 [%s+%d], %s", guard, at, off, thread)
	case 4:
		g.emit("%satom.global.add.u32 %s, [%s+%d], 1", guard, g.r32(), at, off)
	}
	if skip != "" {
		g.body.WriteString(skip + ":\n")
	}
}
