// The table: video instructions.

package isa

import "strings"

// videoRows: PTX ISA 9.7.18. Byte and half-word selectors (a.b0, d.h1) are part
// of the operands, not of the opcode.
func videoRows() []row {
	scalar := func(name, doc string) row {
		return row{name: name, since: 20, minSM: 20, ref: "9.7.18.1", doc: doc, forms: videoScalar}
	}
	shift := func(name, doc string) row {
		return row{name: name, since: 20, minSM: 20, ref: "9.7.18.1", doc: doc, forms: videoShift}
	}
	simd := func(name, doc string) row {
		return row{name: name, since: 30, minSM: 30, ref: "9.7.18.2", doc: doc, forms: videoSIMD}
	}
	rows := []row{
		scalar("vadd", "add bytes, half-words or words"),
		scalar("vsub", "subtract bytes, half-words or words"),
		scalar("vabsdiff", "absolute difference of bytes, half-words or words"),
		scalar("vmin", "smaller of bytes, half-words or words"),
		scalar("vmax", "greater of bytes, half-words or words"),
		shift("vshl", "shift bytes, half-words or words left"),
		shift("vshr", "shift bytes, half-words or words right"),
		{name: "vmad", since: 20, minSM: 20, ref: "9.7.18.1", doc: "multiply bytes or half-words and add", forms: `
			.dtype = u32 s32
			.atype = u32 s32
			.btype = u32 s32
			.scale = shr7 shr15
			vmad.dtype.atype.btype{.po}{.sat}{.scale} d:dtype, a:atype, b:btype, c:dtype`},
		{name: "vset", since: 20, minSM: 20, ref: "9.7.18.1", doc: "compare bytes, half-words or words", forms: `
			.atype = u32 s32
			.btype = u32 s32
			.cmp = eq ne lt le gt ge
			.op2 = add min max
			vset.atype.btype.cmp d:u32, a:atype, b:btype{, c:u32}
			vset.atype.btype.cmp.op2 d:u32, a:atype, b:btype, c:u32`},
	}
	for _, lanes := range []string{"2", "4"} {
		parts := strings.NewReplacer("2", "two half-words", "4", "four bytes").Replace(lanes)
		rows = append(rows,
			simd("vadd"+lanes, "add "+parts),
			simd("vsub"+lanes, "subtract "+parts),
			simd("vavrg"+lanes, "average "+parts),
			simd("vabsdiff"+lanes, "absolute difference of "+parts),
			simd("vmin"+lanes, "smaller of "+parts),
			simd("vmax"+lanes, "greater of "+parts),
			row{name: "vset" + lanes, since: 30, minSM: 30, ref: "9.7.18.2", doc: "compare " + parts, forms: `
				.atype = u32 s32
				.btype = u32 s32
				.cmp = eq ne lt le gt ge
				OP.atype.btype.cmp{.add} d:u32, a:atype, b:btype, c:u32`})
	}
	return rows
}

const (
	videoScalar = `
		.dtype = u32 s32
		.atype = u32 s32
		.btype = u32 s32
		.op2 = add min max
		OP.dtype.atype.btype{.sat} d:dtype, a:atype, b:btype{, c:dtype}
		OP.dtype.atype.btype{.sat}.op2 d:dtype, a:atype, b:btype, c:dtype`
	videoShift = `
		.dtype = u32 s32
		.atype = u32 s32
		.mode = clamp wrap
		.op2 = add min max
		OP.dtype.atype.u32{.sat}.mode d:dtype, a:atype, b:u32{, c:dtype}
		OP.dtype.atype.u32{.sat}.mode.op2 d:dtype, a:atype, b:u32, c:dtype`
	videoSIMD = `
		.dtype = u32 s32
		.atype = u32 s32
		.btype = u32 s32
		OP.dtype.atype.btype{.sat} d:dtype, a:atype, b:btype, c:dtype
		OP.dtype.atype.btype.add d:dtype, a:atype, b:btype, c:dtype`
)
