// The table: textures and surfaces.

package isa

import "strings"

// textureRows: PTX ISA 9.7.10 and 9.7.11. Textures and surfaces are reached
// through opaque references, so that their accesses are indirect. The offset e is a
// vector of .s32; it has no type here since f, a .f32, may stand alone in its place and
// only the operand tells which it is.
var textureRows = []row{
	{name: "tex", since: 10, ref: "9.7.10.3", doc: "sample a texture", access: "texload", made: texForms},
	{name: "tld4", since: 22, minSM: 20, ref: "9.7.10.4", doc: "fetch one component of four texels", access: "texload", forms: `
		.comp = r g b a
		.geom = 2d a2d
		.cube = cube acube
		.dtype = u32 s32 f32
		tld4.comp.geom.v4.dtype.f32 d<4>:dtype{|p:pred}, [a, c]{, e<*>:none}{, f:f32}
		tld4.comp.cube.v4.dtype.f32 d<4>:dtype{|p:pred}, [a, c]{, f:f32}`},
	{name: "txq", since: 15, ref: "9.7.10.5", doc: "query a texture or sampler attribute", forms: `
		.query = width height depth channel_data_type@21 channel_order@21 normalized_coords array_size@41/30 num_mipmap_levels@41/30 num_samples@41/30 force_unnormalized_coords@40 filter_mode addr_mode_0 addr_mode_1 addr_mode_2
		txq.query.b32 d, [a]
		.query = width height depth
		txq.level.query.b32 d, [a], lod ; 3.1 sm_20`},
	{name: "istypep", since: 40, minSM: 30, ref: "9.7.10.6", doc: "is a register an opaque reference of this kind", forms: `
		.type = texref samplerref surfref
		istypep.type p:pred, a:none`},
	{name: "suld", since: 15, minSM: 20, ref: "9.7.11.1", doc: "load from a surface", access: "texload", forms: `
		.geom = 1d 2d 3d a1d@30 a2d@30
		.cop = ca cg cs cv
		.vec = v2 v4
		.dtype = b8 b16 b32 b64
		.mode = trap clamp zero
		! v4 with b64
		suld.b.geom{.cop}{.vec}.dtype.mode d, [a, b]`},
	{name: "sust", since: 15, minSM: 20, ref: "9.7.11.2", doc: "store to a surface", access: "texstore", forms: `
		.geom = 1d 2d 3d a1d@30 a2d@30
		.cop = wb cg cs wt
		.vec = v2 v4
		.ctype = b8 b16 b32 b64
		.mode = trap clamp zero
		! v4 with b64
		sust.b.geom{.cop}{.vec}.ctype.mode [a, b], c
		# LLVM also has .b8 and .b16; the manual and ptxas do not.
		sust.p.geom{.vec}.b32.mode [a, b], c`},
	{name: "sured", since: 20, minSM: 20, ref: "9.7.11.3", doc: "reduce into a surface", access: "texreduce", forms: `
		.geom = 1d 2d 3d
		.mode = trap clamp zero
		.op = add
		.ctype = u32 s32 u64
		sured.b.op.geom.ctype.mode [a, b], c:ctype
		.op = min max
		.ctype = u32 s32 u64 s64
		sured.b.op.geom.ctype.mode [a, b], c:ctype
		.op = and or
		sured.b.op.geom.b32.mode [a, b], c:b32
		.op = add and or
		sured.p.op.geom.b32.mode [a, b], c:b32
		.op = min max
		.ctype = b32 b64
		sured.p.op.geom.ctype.mode [a, b], c:ctype`},
	{name: "suq", since: 15, minSM: 20, ref: "9.7.11.4", doc: "query a surface attribute", forms: `
		.query = width height depth channel_data_type@21 channel_order@21 array_size@41/30 memory_layout@42/30
		suq.query.b32 d, [a]`},
}

// texForms: cubes want floating-point coordinates, and multi-sample textures, which have no mipmaps, integer ones. Only
// textures with floating-point coordinates compare depth, those of three dimensions not.
func texForms() string {
	var b strings.Builder
	b.WriteString(`
		.dtype = u32 s32 f16@42/53 f32`)
	for _, m := range []struct{ mip, operands, needs string }{
		{"", "", ""},
		{".base", "", " ; 3.1 sm_20"},
		{".level", ", lod:CTYPE", " ; 3.1 sm_20"},
		{".grad", ", dPdx<*>:f32, dPdy<*>:f32", " ; 3.1 sm_20"},
	} {
		for _, g := range texGeometries {
			set, _, _ := strings.Cut(g.geom, " ")
			if set == ".samples" && m.mip != "" {
				continue
			}
			b.WriteString("\n" + g.geom)
			operands := "{|p:pred}, [a, c]" + strings.ReplaceAll(m.operands, "CTYPE", g.ctype) + g.operands
			b.WriteString("\ntex" + m.mip + set + ".v4.dtype." + g.ctype + " d<4>:dtype" + operands + m.needs)
			b.WriteString("\ntex" + m.mip + set + ".v2.f16x2." + g.ctype + " d<2>:f16x2" + operands + " ; 4.2 sm_53")
		}
	}
	return b.String()
}

// texGeometries are the geometries with their type of coordinates, and with the optional offset e and depth f that go
// with them.
var texGeometries = []struct{ geom, ctype, operands string }{
	{".geom = 1d 2d 3d a1d@30/20 a2d@30/20", "s32", "{, e<*>:none}"},
	{".geom = 1d 2d a1d@30/20 a2d@30/20", "f32", "{, e<*>:none}{, f:f32}"},
	{".geom = 3d", "f32", "{, e<*>:none}"},
	{".cube = cube@30/20 acube@30/20", "f32", "{, f:f32}"},
	{".samples = 2dms@32/30 a2dms@32/30", "s32", "{, e<*>:none}"},
}
