// The table: data movement and conversions.

package isa

// moveRows: the register-to-register part of PTX ISA 9.7.9.
var moveRows = []row{
	{name: "mov", calc: CalcCopy, since: 10, ref: "9.7.9.3, 9.7.9.4", doc: "copy a register, immediate or address; pack or unpack a vector", forms: `
		.type = pred u16 u32 u64 s16 s32 s64 f32 f64@/13
		mov.type d, a
		.type = b16 b32 b64
		mov.type d<+>, a<+>
		mov.b128 d<+>, a<+> ; 8.3 sm_70
		.type = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64
		.vec = v2 v4
		! v4 with b64 u64 s64 f64
		# Not in the manual any more; the compilers of PTX ISA 1.x wrote it.
		mov.vec.type d, a`},
	{name: "prmt", calc: CalcNumber, since: 20, minSM: 20, ref: "9.7.9.7", doc: "permute the bytes of a register pair", forms: `
		.mode = f4e b4e rc8 ecl ecr rc16
		prmt.b32{.mode} d, a, b, c`},
	{name: "isspacep", calc: CalcNumber, since: 20, minSM: 20, ref: "9.7.9.19", doc: "is a generic address within a state space", forms: `
		.space = const@31 global local param@77/70 param::entry@83/70 shared shared::cta@78/30 shared::cluster@78/90
		isspacep.space p:pred, a:none`},
	{name: "cvta", calc: CalcConvertAddress, since: 20, minSM: 20, ref: "9.7.9.20", doc: "convert between generic and state-space addresses", forms: `
		.space = const@31 global local param@77/70 param::entry@83/70 shared shared::cta@78/30 shared::cluster@78/90
		.size = u32 u64
		cvta.space.size p:size, a:size
		cvta.to.space.size p:size, a:size`},
	{name: "cvt", calc: CalcConvert, since: 10, ref: "9.7.9.21, 9.7.9.22", doc: "convert between types", forms: plainConversions + bfloatConversions + narrowConversions + packConversions},
	{name: "spcompress", calc: CalcNumber, since: 94, only: "sm_107a", ref: "9.7.10.30", doc: "keep the two greatest or smallest of every four elements", forms: `
		~ 9.3
		.elemsize = b8 b16
		.idxsize = b2 b4
		.spfactor = sp::2:4
		.num = x1 x2 x4 x8 x16 x32 x64
		spcompress.elemsize.idxsize.spfactor.num =mdata<frag>, =cdata<frag>, data<frag>, spdesc:b32`},
	{name: "spdecompress", calc: CalcNumber, since: 94, only: "sm_107a", ref: "9.7.10.31", doc: "make a vector of its elements that are not zero", made: decompressForms},
	{name: "mapa", calc: CalcPeerAddress, since: 78, minSM: 90, ref: "9.7.9.23", doc: "map a shared address to another block of the cluster", forms: `
		.type = u32 u64
		mapa{.shared::cluster}.type d, a, b:u32`},
	{name: "getctarank", calc: CalcNumber, since: 78, minSM: 90, ref: "9.7.9.24", doc: "rank of the block that owns a shared address", forms: `
		.type = u32 u64
		getctarank{.shared::cluster}.type d:u32, a`},
}
