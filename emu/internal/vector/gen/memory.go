// Handlers of loads, and the check that addresses are in bounds.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Memory operations use registers as follows: R13 is the offset to add to an address to get the offset in the site, RCX
// the site's limit, R15 its memory; RBX the lanes of the half warp, R12 their addresses, RDX the half of the data
// register; RAX an offset; R14 collects bits that stores change.

// access is the shape of a memory operation.
type access struct {
	size   int  // bytes in memory
	wide   bool // the register has 64 bits
	signed bool // loads: sign-extended
	local  bool // the memory of lane i is Site.Stride bytes after that of lane i-1
}

// memory returns loads, stores and atomic operations. B, C, D and E are the parts of vectors, in this order for stores
// and starting with D for loads. Atomic operations have D for the old value and B and C for the operands.
func memory() []operation {
	var ops []operation
	add := func(name string, body func()) { ops = append(ops, operation{name, body, false}) }
	for _, l := range []struct {
		name string
		a    access
	}{
		{"32", access{size: 4}},
		{"64", access{size: 8, wide: true}},
		{"U8", access{size: 1}},
		{"S8", access{size: 1, signed: true}},
		{"U16", access{size: 2}},
		{"S16", access{size: 2, signed: true}},
		{"U32To64", access{size: 4, wide: true}},
		{"S32To64", access{size: 4, wide: true, signed: true}},
		{"U8To64", access{size: 1, wide: true}},
		{"U16To64", access{size: 2, wide: true}},
		{"S8To64", access{size: 1, wide: true, signed: true}},
		{"S16To64", access{size: 2, wide: true, signed: true}},
	} {
		local := l.a
		local.local = true
		add("Load"+l.name, func() { load(l.a) })
		add("LoadLocal"+l.name, func() { load(local) })
	}
	for _, s := range []struct {
		name string
		a    access
	}{
		{"32", access{size: 4}},
		{"64", access{size: 8, wide: true}},
		{"8", access{size: 1}},
		{"16", access{size: 2}},
		{"8From64", access{size: 1, wide: true}},
		{"16From64", access{size: 2, wide: true}},
		{"32From64", access{size: 4, wide: true}},
	} {
		local := s.a
		local.local = true
		add("Store"+s.name, func() { store(s.a) })
		add("StoreLocal"+s.name, func() { store(local) })
	}
	for _, size := range []int{1, 2, 4, 8} {
		a := access{size: size, wide: size == 8}
		for _, n := range []int{2, 4} {
			if n*size <= 16 {
				add(fmt.Sprintf("LoadV%dx%d", n, 8*size), func() { loadVector(a, n) })
				add(fmt.Sprintf("StoreV%dx%d", n, 8*size), func() { storeVector(a, n) })
			}
		}
	}
	add("LoadUniform32", func() { loadUniform(access{size: 4}, 1) })
	add("LoadUniform64", func() { loadUniform(access{size: 8, wide: true}, 1) })
	add("LoadUniformV4x32", func() { loadUniform(access{size: 4}, 4) })
	add("LoadParam32", func() { loadParam(access{size: 4}) })
	add("LoadParam64", func() { loadParam(access{size: 8, wide: true}) })
	return scalars(append(ops, atomics()...))
}

// begin decrements the counter and loads the site.
func begin() {
	decrement()
	MOVL(in(inSite), ECX)
	ADDQ(RSI, RCX)
	MOVQ(in(inImm), R13)
	SUBQ(Mem{Base: RCX, Disp: siteBase}, R13)
	MOVQ(Mem{Base: RCX, Disp: sitePtr}, R15)
	MOVQ(Mem{Base: RCX, Disp: siteLimit}, RCX)
}

// halves emits f for the two halves of the warp, which are skipped if they have no lanes. The scalar code of f jumps to
// slow if a lane's offset is not in the site, with the remaining lanes in RBX.
func halves(data int, bytes int, f func(h int, slow string), leaving func()) {
	for h := range 2 {
		done, slow := label("done"), label("slow")
		lanesOfHalf(h)
		if masked {
			JEQ(LabelRef(done))
		}
		if h > 0 {
			MOVQ(ctx(ctxRegs), R8)
		}
		MOVL(in(inA), R12L)
		LEAQ(at(R12, 128*h), R12)
		if bytes > 0 {
			MOVL(in(data), EDX)
			LEAQ(at(RDX, 16*bytes*h), RDX)
		}
		f(h, slow)
		JMP(LabelRef(done))
		Label(slow)
		leaving()
		if h == 0 {
			MOVL(R11L, EAX)
			ANDL(U32(0xffff0000), EAX)
			ORL(EAX, EBX)
		} else {
			SHLL(U8(16), EBX)
		}
		MOVL(EBX, ctx(ctxRest))
		leave(exitRest)
		Label(done)
	}
}

// lanesOfHalf sets RBX, and the zero flag when masked.
func lanesOfHalf(h int) {
	switch {
	case !masked:
		MOVL(U32(0xffff), EBX)
	case h == 0:
		MOVWLZX(R11W, EBX)
		TESTL(EBX, EBX)
	default:
		MOVL(R11L, EBX)
		SHRL(U8(16), EBX)
	}
}

// laneOffset sets R10 to the lowest lane in RBX and RAX to its offset in the site.
func laneOffset(align int, slow string) {
	TZCNTL(EBX, R10L)
	MOVQ(Mem{Base: R12, Index: R10, Scale: 8}, RAX)
	ADDQ(R13, RAX)
	CMPQ(RAX, RCX)
	JCC(LabelRef(slow))
	if align > 1 {
		TESTB(U8(align-1), AL)
		JNE(LabelRef(slow))
	}
}

// addStride adds to RAX the offset of the lane's local memory; it uses RSI and R8. In the second half, lanes count from
// 16.
func addStride(a access, h int) {
	if !a.local {
		return
	}
	MOVL(in(inSite), R8L)
	MOVQ(ctx(ctxSites), RSI)
	MOVQ(Mem{Base: RSI, Index: R8, Scale: 1, Disp: siteStride}, RSI)
	LEAQ(Mem{Base: R10, Disp: 16 * h}, R8)
	IMULQ(R8, RSI)
	ADDQ(RSI, RAX)
}

// restore reloads R8 and RSI.
func restore() {
	MOVQ(ctx(ctxRegs), R8)
	MOVQ(ctx(ctxSites), RSI)
}

// hostAt returns the memory at offset RAX.
func hostAt(disp int) Mem { return Mem{Base: R15, Index: RAX, Scale: 1, Disp: disp} }

// regBytes returns the size in bytes of a value in its register.
func (a access) regBytes() int {
	if a.wide {
		return 8
	}
	return 4
}

// lane returns the value of lane R10 in the data register.
func (a access) lane(base Register) Mem {
	return Mem{Base: base, Index: R10, Scale: uint8(a.regBytes())}
}

// load emits a load of one value.
func load(a access) {
	if one {
		loadOne(a, 1)
		return
	}
	begin()
	halves(inD, a.regBytes(), func(h int, slow string) {
		done, loop := label("loaded"), label("lane")
		onlyOne(a, loop)
		switch {
		case a.local:
		case a.size == a.regBytes():
			loadRow(a, h, done)
		case !masked:
			loadNarrowRow(a, h, done)
		}
		if !a.local && !masked {
			loadScattered(a, done)
		}
		Label(loop)
		laneOffset(a.size, slow)
		addStride(a, h)
		extended(a, hostAt(0))
		if a.wide {
			MOVQ(RAX, a.lane(RDX))
		} else {
			MOVL(EAX, a.lane(RDX))
		}
		BLSRL(EBX, EBX)
		JNE(LabelRef(loop))
		Label(done)
	}, nothing)
	if a.local {
		restore()
	}
}

// loadRow loads consecutive values, or one for all lanes.
func loadRow(a access, h int, done string) {
	notRow, no := label("notRow"), label("noRow")
	rows(a, h, notRow)
	for j := range a.parts() {
		if masked {
			a.lanesTo(h, j, Y1)
			a.maskedMove(hostAt(32*j), Y1, Y0)
			VPBLENDVB(Y1, Y0, a.old(j, Y2), Y0)
		} else {
			VMOVDQU(hostAt(32*j), Y0)
		}
		VMOVDQU(Y0, Mem{Base: RDX, Disp: 32 * j})
	}
	JMP(LabelRef(done))
	Label(notRow)
	same(a, h, no)
	broadcastTo(a, h, hostAt(0))
	JMP(LabelRef(done))
	Label(no)
}

// broadcastTo loads a value to all lanes of the half of the data register.
func broadcastTo(a access, h int, value Mem) {
	if a.wide {
		VPBROADCASTQ(value, Y0)
	} else {
		VPBROADCASTD(value, Y0)
	}
	for j := range 16 * a.regBytes() / 32 {
		v := Y0
		if masked {
			a.lanesTo(h, j, Y1)
			VPBLENDVB(Y1, Y0, a.old(j, Y2), Y2)
			v = Y2
		}
		VMOVDQU(v, Mem{Base: RDX, Disp: 32 * j})
	}
}

// loadNarrowRow is loadRow for values that are extended, for all lanes.
func loadNarrowRow(a access, h int, done string) {
	notRow, no := label("notRow"), label("noRow")
	rows(a, h, notRow)
	n := 32 / a.regBytes() // values in a vector
	for j := range 16 / n {
		a.extend()(hostAt(j*n*a.size), Y0)
		VMOVDQU(Y0, Mem{Base: RDX, Disp: 32 * j})
	}
	JMP(LabelRef(done))
	Label(notRow)
	same(a, h, no)
	extended(a, hostAt(0))
	VMOVQ(RAX, X0)
	if a.wide {
		VPBROADCASTQ(X0, Y0)
	} else {
		VPBROADCASTD(X0, Y0)
	}
	for j := range 16 / n {
		VMOVDQU(Y0, Mem{Base: RDX, Disp: 32 * j})
	}
	JMP(LabelRef(done))
	Label(no)
}

// extend returns the instruction that loads and extends as many values as a vector holds.
func (a access) extend() func(m, v Op) {
	key := access{size: a.size, wide: a.wide, signed: a.signed}
	return map[access]func(m, v Op){
		{size: 1}:                           func(m, v Op) { VPMOVZXBD(m, v) },
		{size: 1, signed: true}:             func(m, v Op) { VPMOVSXBD(m, v) },
		{size: 2}:                           func(m, v Op) { VPMOVZXWD(m, v) },
		{size: 2, signed: true}:             func(m, v Op) { VPMOVSXWD(m, v) },
		{size: 1, wide: true}:               func(m, v Op) { VPMOVZXBQ(m, v) },
		{size: 1, wide: true, signed: true}: func(m, v Op) { VPMOVSXBQ(m, v) },
		{size: 2, wide: true}:               func(m, v Op) { VPMOVZXWQ(m, v) },
		{size: 2, wide: true, signed: true}: func(m, v Op) { VPMOVSXWQ(m, v) },
		{size: 4, wide: true}:               func(m, v Op) { VPMOVZXDQ(m, v) },
		{size: 4, wide: true, signed: true}: func(m, v Op) { VPMOVSXDQ(m, v) },
	}[key]
}

// extended loads a value to RAX, extended.
func extended(a access, m Mem) {
	switch {
	case a.size == 8:
		MOVQ(m, RAX)
	case a.size == 4 && a.signed:
		MOVLQSX(m, RAX)
	case a.size == 4:
		MOVL(m, EAX)
	case a.size == 2 && a.signed && a.wide:
		MOVWQSX(m, RAX)
	case a.size == 2 && a.signed:
		MOVWLSX(m, EAX)
	case a.size == 2:
		MOVWLZX(m, EAX)
	case a.signed && a.wide:
		MOVBQSX(m, RAX)
	case a.signed:
		MOVBLSX(m, EAX)
	default:
		MOVBLZX(m, EAX)
	}
}
