// Computations of an address that analyses must see through, or give up on.

package addressgen

// disguise returns, in another register, the value of a register of 64 bits, a pointer or a distance of buffers, after
// n computations that do not change it.
func (g *generator) disguise(v string, n int) string {
	for range n {
		v = disguises[g.rnd.IntN(len(disguises))](g, v)
	}
	return v
}

// split returns the halves of a value.
func (g *generator) split(v string) (lo, hi string) {
	lo, hi = g.r32(), g.r32()
	g.emit("mov.b64 {%s, %s}, %s", lo, hi, v)
	return lo, hi
}

func (g *generator) join(lo, hi string) string {
	v := g.r64()
	g.emit("mov.b64 %s, {%s, %s}", v, lo, hi)
	return v
}

// via returns the result of op applied to a value.
func (g *generator) via(v, op, more string) string {
	w := g.r64()
	g.emit("%s %s, %s%s", op, w, v, more)
	return w
}

// halves applies op to both halves of a value.
func (g *generator) halves(v, op, more string) string {
	lo, hi := g.split(v)
	a, b := g.r32(), g.r32()
	g.emit("%s %s, %s%s", op, a, lo, more)
	g.emit("%s %s, %s%s", op, b, hi, more)
	return g.join(a, b)
}

// through stores a value and loads it again.
func (g *generator) through(v, space, at string) string {
	lo, hi := g.split(v)
	a, b, w := g.r32(), g.r32(), g.r64()
	switch g.rnd.IntN(3) {
	case 0:
		g.emit("st%s.u64 [%s], %s", space, at, v)
		g.emit("ld%s.u64 %s, [%s]", space, w, at)
		return w
	case 1:
		g.emit("st%s.u64 [%s], %s", space, at, v)
		g.emit("ld%s.u32 %s, [%s]", space, a, at)
		g.emit("ld%s.u32 %s, [%s+4]", space, b, at)
	case 2:
		g.emit("st%s.v2.u32 [%s], {%s, %s}", space, at, lo, hi)
		g.emit("ld%s.v2.u32 {%s, %s}, [%s]", space, a, b, at)
	}
	return g.join(a, b)
}

// call passes a value through a function.
func (g *generator) call(v string, bits int) string {
	w := g.r64()
	if bits == 32 {
		w = g.r32()
	}
	g.emit("{\n\t.param .b%[1]d a; .param .b%[1]d b;\n\tst.param.b%[1]d [a], %[2]s;\n\tcall (b), same%[1]d, (a);\n\tld.param.b%[1]d %[3]s, [b]", bits, v, w)
	g.body.WriteString("\t}\n")
	return w
}

// disguises lists ways to compute a value from itself. Buffers are at least 256 bytes apart.
var disguises = []func(g *generator, v string) string{
	func(g *generator, v string) string { return g.via(g.via(v, "shr.s64", ", 8"), "shl.b64", ", 8") },
	func(g *generator, v string) string { return g.via(g.via(v, "shr.s64", ", 6"), "mul.lo.s64", ", 64") },
	func(g *generator, v string) string { return g.via(g.via(v, "div.s64", ", 4"), "mad.lo.s64", ", 4, 0") },
	func(g *generator, v string) string { return g.via(g.via(v, "xor.b64", ", 85"), "xor.b64", ", 85") },
	func(g *generator, v string) string { return g.via(g.via(v, "not.b64", ""), "not.b64", "") },
	func(g *generator, v string) string { return g.via(g.via(v, "neg.s64", ""), "neg.s64", "") },
	func(g *generator, v string) string { return g.via(v, "and.b64", ", -64") },
	func(g *generator, v string) string { return g.via(v, "or.b64", ", 0") },
	func(g *generator, v string) string { return g.via(v, "min.s64", ", 0x7fffffffffffffff") },
	func(g *generator, v string) string { return g.via(v, "max.s64", ", -0x7fffffffffffffff") },
	func(g *generator, v string) string { return g.join(g.split(v)) },
	func(g *generator, v string) string { return g.halves(v, "add.u16x2", ", 0") },
	func(g *generator, v string) string { return g.halves(v, "lop3.b32", ", 0, 0, 0xf0") },
	func(g *generator, v string) string { return g.halves(v, "prmt.b32", ", 0, 0x3210") },
	func(g *generator, v string) string { return g.halves(v, "bfe.u32", ", 0, 32") },
	func(g *generator, v string) string { return g.halves(v, "shf.l.wrap.b32", ", 0, 0") },
	func(g *generator, v string) string {
		return g.halves(g.halves(v, "brev.b32", ""), "brev.b32", "")
	},
	func(g *generator, v string) string { return g.through(v, ".local", "slot") },
	func(g *generator, v string) string { return g.through(v, ".global", own) },
	func(g *generator, v string) string { return g.through(v, "", own) },
	func(g *generator, v string) string {
		at := g.r32()
		box := g.r32()
		g.emit("mov.u32 %s, box", box)
		g.emit("mad.lo.u32 %s, %s, 16, %s", at, tid, box)
		return g.through(v, ".shared", at)
	},
	func(g *generator, v string) string { return g.call(v, 64) },
	func(g *generator, v string) string {
		lo, hi := g.split(v)
		return g.join(g.call(lo, 32), g.call(hi, 32))
	},
	func(g *generator, v string) string { // carries
		lo, hi := g.split(v)
		a, b := g.r32(), g.r32()
		g.emit("add.cc.u32 %s, %s, -1", a, lo)
		g.emit("addc.u32 %s, %s, -1", b, hi)
		lo, hi = g.r32(), g.r32()
		g.emit("add.cc.u32 %s, %s, 1", lo, a)
		g.emit("addc.u32 %s, %s, 0", hi, b)
		return g.join(lo, hi)
	},
	func(g *generator, v string) string { // the upper half alone: buffers begin at multiples of 2^32, or nearly so
		narrow, wide, low := g.r32(), g.r64(), g.via(v, "and.b64", ", 0xffffffff")
		g.emit("cvt.u32.u64 %s, %s", narrow, g.via(v, "shr.u64", ", 32"))
		g.emit("cvt.u64.u32 %s, %s", wide, narrow)
		return g.via(g.via(wide, "shl.b64", ", 32"), g.pick("or.b64", "add.s64"), ", "+low)
	},
	func(g *generator, v string) string { // as a floating-point number: distances have few significant digits
		w, rest, head := g.r64(), g.via(v, "and.b64", ", 255"), g.via(v, "shr.s64", ", 8")
		g.emit("cvt.rn.f64.s64 %%fd, %s", head)
		g.emit("cvt.rzi.s64.f64 %s, %%fd", w)
		return g.via(g.via(w, "shl.b64", ", 8"), "add.s64", ", "+rest)
	},
	func(g *generator, v string) string { // in iterations of a loop
		sum, round, p, l := g.r64(), g.r32(), g.pred(), g.label()
		quarter, rest := g.via(v, "shr.s64", ", 2"), g.via(v, "and.b64", ", 3")
		g.emit("mov.u64 %s, %s", sum, rest)
		g.emit("mov.u32 %s, 0", round)
		g.body.WriteString(l + ":\n")
		g.emit("add.s64 %s, %s, %s", sum, sum, quarter)
		g.emit("add.u32 %s, %s, 1", round, round)
		g.emit("setp.lt.u32 %s, %s, 4", p, round)
		g.emit("@%s bra %s", p, l)
		return sum
	},
	func(g *generator, v string) string { // by a select
		p, w := g.pred(), g.r64()
		g.emit("setp.le.u32 %s, %s, %d", p, tid, 64)
		g.emit("selp.b64 %s, %s, %s, %s", w, v, g.pick("0", pointer(0), own), p)
		return w
	},
	func(g *generator, v string) string { // by an exchange
		w := g.r64()
		g.emit("atom.global.exch.b64 %s, [%s], %s", w, own, v)
		g.emit("atom.global.exch.b64 %s, [%s], 0", w, own)
		return w
	},
	func(g *generator, v string) string { // under a guard
		p, w := g.pred(), g.r64()
		g.emit("setp.le.u32 %s, %s, %d", p, tid, 64)
		g.emit("mov.u64 %s, 0", w)
		g.emit("@%s mov.u64 %s, %s", p, w, v)
		return w
	},
}

// index returns a small number in a register of 32 bits, below 2^16.
func (g *generator) index() string {
	x := g.r32()
	seed := g.pick(tid, ctaid, thread, thread, thread)
	switch g.rnd.IntN(16) {
	case 0:
		g.emit("mov.u32 %s, %d", x, g.rnd.IntN(4))
	case 1:
		g.emit("shl.b32 %s, %s, %d", x, seed, g.rnd.IntN(3))
	case 2: // without a carry between halves
		y := g.r32()
		g.emit("shl.b32 %s, %s, 14", y, ctaid)
		g.emit("add.%s %s, %s, %s", g.pick("u16x2", "s16x2"), x, y, g.pick(y, thread))
		g.emit("and.b32 %s, %s, 0xffff", x, x)
	case 3:
		y := g.r32()
		g.emit("shl.b32 %s, %s, 14", y, ctaid)
		g.emit("add.u16x2 %s, %s, %s", x, y, y)
	case 4:
		y := g.r32()
		g.emit("add.s32 %s, %s, 0x7ffffffc", y, seed)
		g.emit("add.sat.s32 %s, %s, %d", x, y, g.rnd.IntN(4))
		g.emit("sub.s32 %s, %s, 0x7ffffffc", x, x)
	case 5:
		g.emit("mul.hi.u32 %s, %s, 0x80000000", x, seed)
	case 6:
		y := g.r32()
		g.emit("add.cc.u32 %s, %s, -2", y, seed)
		g.emit("addc.u32 %s, %s, 0", x, g.pick(seed, "0"))
	case 7:
		g.emit("and.b32 %s, %s, %d", x, seed, g.rnd.IntN(8))
	case 8:
		g.emit("shr.u32 %s, %s, 1", x, seed)
	case 9:
		y := g.r32()
		g.emit("mul.lo.u32 %s, %s, 64", y, seed)
		g.emit("cvt.sat.s8.s32 %s, %s", x, y)
	case 10:
		g.emit("ld.global.u32 %s, [%s+8192]", x, pointer(scratch))
	case 11:
		g.emit("ld.param.u32 %s, [n]", x)
		g.emit("mad.lo.u32 %s, %s, %s, %s", x, x, seed, seed)
	case 12:
		y := g.r32()
		g.emit("ld.param.u32 %s, [p%d]", y, g.rnd.IntN(3)) // half of a pointer
		g.emit("and.b32 %s, %s, 7", y, y)
		g.emit("add.u32 %s, %s, %s", x, y, seed)
	case 13:
		p := g.pred()
		g.emit("setp.%s.u64 %s, %s, %s", g.pick("lt", "gt", "ne"), p, pointer(g.rnd.IntN(3)), pointer(g.rnd.IntN(3)))
		g.emit("mov.u32 %s, %s", x, seed)
		l := g.label()
		g.emit("@%s bra %s", p, l)
		g.emit("mov.u32 %s, %d", x, g.rnd.IntN(2))
		g.body.WriteString(l + ":\n")
	default:
		g.emit("mad.lo.u32 %s, %s, 1, %d", x, seed, g.rnd.IntN(3))
	}
	return x
}
