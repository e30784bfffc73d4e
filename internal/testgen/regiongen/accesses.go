// Statements of random kernels that access shared arrays.

package regiongen

// access writes accesses of all lanes, and a warp barrier after them.
func (g *generator) access() {
	g.site++
	g.touch()
	g.meet()
}

// touch writes an access of an array, with or without regard to its layout.
func (g *generator) touch() {
	i := g.rnd.IntN(len(g.arrays))
	l := g.layouts[i]
	if g.racy != 0 && g.rnd.IntN(g.racy) == 0 {
		g.stray(i)
		return
	}
	if l.readOnly {
		g.anywhere(i)
		return
	}
	at := g.element(l)
	switch g.rnd.IntN(3) {
	case 0:
		g.load(i, at, l.width)
	default:
		g.store(i, at, l.width)
	}
}

// stray accesses elements of other threads.
func (g *generator) stray(i int) {
	l := g.layouts[i]
	switch g.rnd.IntN(4) {
	case 0:
		g.anywhere(i)
		return
	case 1: // lanes of all warps access the same elements
		at := g.r32()
		g.emit("mul.lo.u32 %s, %%lane, %d", at, l.width)
		g.store(i, at, l.width)
		return
	case 2:
		l = g.layoutOf(i)
	case 3:
		l.shift = (l.shift + 1 + g.rnd.IntN(2)*31) % g.threads
	}
	if at := g.element(l); g.rnd.IntN(2) == 0 {
		g.load(i, at, l.width)
	} else {
		g.store(i, at, l.width)
	}
}

// element returns the offset of a thread's element.
func (g *generator) element(l layout) string {
	at := g.r32()
	if l.shift == 0 {
		g.emit("mul.lo.u32 %s, %%t, %d", at, l.stride)
		return at
	}
	p, wrapped := g.pred(), g.r32()
	g.emit("add.u32 %s, %%t, %d", at, l.shift)
	g.emit("sub.u32 %s, %s, %d", wrapped, at, g.threads)
	g.emit("setp.ge.u32 %s, %s, %d", p, at, g.threads)
	g.emit("selp.u32 %s, %s, %s, %s", at, wrapped, at, p)
	g.emit("mul.lo.u32 %s, %s, %d", at, at, l.stride)
	return at
}

// anywhere reads arbitrary elements of an array; values read before may determine which.
func (g *generator) anywhere(i int) {
	width := 1 << g.rnd.IntN(4)
	elements := 1
	for 2*elements*width <= g.arrays[i].bytes {
		elements *= 2
	}
	at := g.r32()
	g.emit("mad.lo.u32 %s, %s, %d, %d", at, g.pick("%t", "%lane", "%warp", "%sum"), 1+2*g.rnd.IntN(8),
		g.rnd.IntN(elements))
	g.emit("and.b32 %s, %s, %d", at, at, elements-1)
	g.emit("mul.lo.u32 %s, %s, %d", at, at, width)
	g.load(i, at, width)
}

// scalar accesses one element: one thread writes it, or all read it.
func (g *generator) scalar() {
	i := g.rnd.IntN(len(g.arrays))
	l := g.layouts[i]
	g.site++
	thread := g.rnd.IntN(g.threads)
	offset := (thread + l.shift) % g.threads * l.stride
	if l.readOnly || g.racy != 0 && g.rnd.IntN(g.racy) == 0 {
		at := g.r32()
		g.emit("mov.u32 %s, %d", at, offset)
		g.load(i, at, l.width)
		g.meet()
		return
	}
	p, v := g.pred(), g.value()
	g.emit("setp.eq.u32 %s, %%t, %d", p, thread)
	if l.width < 4 {
		g.emit("@%s st.shared.u8 [%s+%d], %s", p, g.arrays[i].name, offset, v)
	} else {
		g.emit("@%s st.shared.u32 [%s+%d], %s", p, g.arrays[i].name, offset, v)
	}
	g.meet()
}

// value returns a value for the thread to write here: the tag and arbitrary bits.
func (g *generator) value() string {
	v := g.r32()
	g.emit("mad.lo.u32 %s, %%t, 0x2545f491, %d", v, g.site*0x9e3779)
	if g.rnd.IntN(3) == 0 {
		g.emit("add.u32 %s, %s, %%sum", v, v)
	}
	g.emit("and.b32 %s, %s, 0x0f0f0f0f", v, v)
	g.emit("or.b32 %s, %s, %%tag", v, v)
	return v
}

// types gives accesses by width.
var types = map[int][]string{
	1: {"u8"}, 2: {"u16", "b16"}, 4: {"u32", "b32", "s32"}, 8: {"u64", "v2.u32"},
	16: {"v4.u32", "v2.u64"},
}

// where returns an address of an element, and the state space that the access names.
func (g *generator) where(i int, at string) (address, space string) {
	name := g.arrays[i].name
	switch g.rnd.IntN(5) {
	case 0, 1: // the shared window
		a := g.r32()
		g.emit("mov.u32 %s, %s", a, name)
		g.emit("add.u32 %s, %s, %s", a, a, at)
		return a, ".shared"
	case 2: // the same in 64 bits
		a, offset := g.r64(), g.r64()
		g.emit("mov.u64 %s, %s", a, name)
		g.emit("cvt.u64.u32 %s, %s", offset, at)
		g.emit("add.s64 %s, %s, %s", a, a, offset)
		return a, ".shared"
	case 3:
		return g.generic(i, at), ""
	default: // to generic and back
		a := g.r64()
		g.emit("cvta.to.shared.u64 %s, %s", a, g.generic(i, at))
		return a, ".shared"
	}
}

// generic returns a generic address of an element.
func (g *generator) generic(i int, at string) string {
	a, offset := g.r64(), g.r64()
	g.emit("mov.u64 %s, %s", a, g.arrays[i].name)
	g.emit("cvta.shared.u64 %s, %s", a, a)
	if g.rnd.IntN(4) == 0 {
		b := g.r64()
		g.emit("st.param.b64 [a64], %s", a)
		g.emit("call (o64), same, (a64)")
		g.emit("ld.param.b64 %s, [o64]", b)
		a = b
	}
	g.emit("cvt.u64.u32 %s, %s", offset, at)
	g.emit("add.s64 %s, %s, %s", offset, a, offset)
	return offset
}

// load reads an element.
func (g *generator) load(i int, at string, width int) {
	v := g.r32()
	switch n := g.rnd.IntN(6); {
	case n == 0 && width == 4:
		g.emit("st.param.b64 [a64], %s", g.generic(i, at))
		g.emit("call (o32), load32, (a64)")
		g.emit("ld.param.b32 %s, [o32]", v)
		g.read(v)
		return
	case n == 1 && width == 4:
		g.emit("st.param.b64 [a64], %s", g.generic(i, at))
		g.emit("st.param.b64 [b64], %%own")
		g.emit("call copy32, (a64, b64)")
		return
	case n == 1 && width == 1:
		g.emit("mov.u32 %s, %s", v, g.arrays[i].name)
		g.emit("add.u32 %s, %s, %s", v, v, at)
		g.emit("st.param.b32 [a32], %s", v)
		g.emit("call keep8, (a32)")
		return
	case n == 0 && width == 1 && g.arrays[i].scope == scopeModule:
		g.emit("st.param.b32 [a32], %s", at)
		g.emit("call (o32), load_%s, (a32)", g.arrays[i].name)
		g.emit("ld.param.b32 %s, [o32]", v)
		g.read(v)
		return
	}
	a, space := g.where(i, at)
	guard := g.guard()
	g.emit("mov.u32 %s, 0", v)
	switch kind := g.pick(types[width]...); kind {
	case "u64":
		wide, high := g.r64(), g.r32()
		g.emit("mov.u64 %s, 0", wide)
		g.emit("%sld%s.u64 %s, [%s]", guard, space, wide, a)
		g.emit("mov.b64 {%s, %s}, %s", v, high, wide)
		g.read(high)
	case "v2.u32":
		high := g.r32()
		g.emit("mov.u32 %s, 0", high)
		g.emit("%sld%s.v2.u32 {%s, %s}, [%s]", guard, space, v, high, a)
		g.read(high)
	case "v4.u32", "v2.u64":
		more := []string{g.r32(), g.r32(), g.r32()}
		for _, r := range more {
			g.emit("mov.u32 %s, 0", r)
		}
		g.emit("%sld%s.v4.u32 {%s, %s, %s, %s}, [%s]", guard, space, v, more[0], more[1], more[2], a)
		for _, r := range more {
			g.read(r)
		}
	default:
		g.emit("%sld%s.%s %s, [%s]", guard, space, kind, v, a)
	}
	g.read(v)
}

// store writes an element.
func (g *generator) store(i int, at string, width int) {
	v := g.value()
	switch n := g.rnd.IntN(6); {
	case n == 0 && width == 4:
		g.emit("st.param.b64 [a64], %s", g.generic(i, at))
		g.emit("st.param.b32 [b32], %s", v)
		g.emit("call store32, (a64, b32)")
		return
	case n == 0 && width == 1:
		a, old := g.r32(), g.r32()
		g.emit("mov.u32 %s, %s", a, g.arrays[i].name)
		g.emit("add.u32 %s, %s, %s", a, a, at)
		g.emit("st.param.b32 [a32], %s", a)
		g.emit("st.param.b32 [b32], %s", v)
		g.emit("call (o32), exchange8, (a32, b32)")
		g.emit("ld.param.b32 %s, [o32]", old)
		g.read(old)
		return
	}
	a, space := g.where(i, at)
	guard := g.guard()
	switch kind := g.pick(types[width]...); kind {
	case "u64":
		wide := g.r64()
		g.emit("mov.b64 %s, {%s, %s}", wide, v, v)
		g.emit("%sst%s.u64 [%s], %s", guard, space, a, wide)
	case "v2.u32":
		g.emit("%sst%s.v2.u32 [%s], {%s, %s}", guard, space, a, v, v)
	case "v4.u32":
		g.emit("%sst%s.v4.u32 [%s], {%s, %s, %s, %s}", guard, space, a, v, v, v, v)
	case "v2.u64":
		wide := g.r64()
		g.emit("mov.b64 %s, {%s, %s}", wide, v, v)
		g.emit("%sst%s.v2.u64 [%s], {%s, %s}", guard, space, a, wide, wide)
	default:
		g.emit("%sst%s.%s [%s], %s", guard, space, kind, a, v)
	}
}

// guard returns a predicate of some lanes, or none.
func (g *generator) guard() string {
	if g.rnd.IntN(4) != 0 {
		return ""
	}
	p := g.pred()
	g.emit("setp.%s.u32 %s, %s, %d", g.pick("lt", "ge", "ne"), p, g.pick("%t", "%lane", "%warp"), g.rnd.IntN(40))
	return "@" + p + " "
}
