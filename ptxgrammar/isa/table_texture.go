package isa

// textureRows: PTX ISA 9.7.10 and 9.7.11. Textures and surfaces are reached
// through opaque references: these instructions have no Access.
var textureRows = []row{
	{name: "tex", since: 10, ref: "9.7.10.3", doc: "sample a texture", effects: ReadsMemory, forms: `
		.geom = 1d 2d 3d a1d a2d cube acube 2dms a2dms
		.ctype = s32 f32
		.dtype = u32 s32 f16 f32
		tex.geom.v4.dtype.ctype d<4>:dtype{|p:pred}, [a, c]{, e<*>:s32}{, f:f32}
		tex.geom.v2.f16x2.ctype d<2>:f16x2{|p:pred}, [a, c]{, e<*>:s32}{, f:f32} ; 4.2 sm_53
		tex.base.geom.v4.dtype.ctype d<4>:dtype{|p:pred}, [a, c]{, e<*>:s32}{, f:f32} ; 3.1 sm_20
		tex.level.geom.v4.dtype.ctype d<4>:dtype{|p:pred}, [a, c], lod:ctype{, e<*>:s32}{, f:f32} ; 3.1 sm_20
		tex.grad.geom.v4.dtype.ctype d<4>:dtype{|p:pred}, [a, c], dPdx<*>:f32, dPdy<*>:f32{, e<*>:s32}{, f:f32} ; 3.1 sm_20
		tex.base.geom.v2.f16x2.ctype d<2>:f16x2{|p:pred}, [a, c]{, e<*>:s32}{, f:f32} ; 4.2 sm_53
		tex.level.geom.v2.f16x2.ctype d<2>:f16x2{|p:pred}, [a, c], lod:ctype{, e<*>:s32}{, f:f32} ; 4.2 sm_53
		tex.grad.geom.v2.f16x2.ctype d<2>:f16x2{|p:pred}, [a, c], dPdx<*>:f32, dPdy<*>:f32{, e<*>:s32}{, f:f32} ; 4.2 sm_53`},
	{name: "tld4", since: 22, minSM: 20, ref: "9.7.10.4", doc: "fetch one component of four texels", effects: ReadsMemory, forms: `
		.comp = r g b a
		.geom = 2d a2d cube acube
		.dtype = u32 s32 f32
		tld4.comp.geom.v4.dtype.f32 d<4>:dtype{|p:pred}, [a, c]{, e<*>:s32}{, f:f32}`},
	{name: "txq", since: 15, ref: "9.7.10.5", doc: "query a texture or sampler attribute", forms: `
		.query = width height depth channel_data_type channel_order normalized_coords array_size num_mipmap_levels num_samples force_unnormalized_coords filter_mode addr_mode_0 addr_mode_1 addr_mode_2
		txq.query.b32 d, [a]
		.query = width height depth
		txq.level.query.b32 d, [a], lod ; 3.1 sm_20`},
	{name: "istypep", since: 40, minSM: 30, ref: "9.7.10.6", doc: "is a register an opaque reference of this kind", forms: `
		.type = texref samplerref surfref
		istypep.type p:pred, a:none`},
	{name: "suld", since: 15, minSM: 20, ref: "9.7.11.1", doc: "load from a surface", effects: ReadsMemory, forms: `
		.geom = 1d 2d 3d a1d a2d
		.cop = ca cg cs cv
		.vec = v2 v4
		.dtype = b8 b16 b32 b64
		.mode = trap clamp zero
		suld.b.geom{.cop}{.vec}.dtype{.mode} d, [a, b]`},
	{name: "sust", since: 15, minSM: 20, ref: "9.7.11.2", doc: "store to a surface", effects: WritesMemory, forms: `
		.geom = 1d 2d 3d a1d a2d
		.cop = wb cg cs wt
		.vec = v2 v4
		.ctype = b8 b16 b32 b64
		.mode = trap clamp zero
		sust.b.geom{.cop}{.vec}.ctype{.mode} [a, b], c
		.ctype = b8 b16 b32
		sust.p.geom{.vec}.ctype{.mode} [a, b], c`},
	{name: "sured", since: 30, minSM: 20, ref: "9.7.11.3", doc: "reduce into a surface", effects: ReadsMemory | WritesMemory, forms: `
		.op = add min max and or
		.geom = 1d 2d 3d
		.mode = trap clamp zero
		.ctype = u32 u64 s32 b32 s64
		sured.b.op.geom.ctype.mode [a, b], c
		.ctype = b32 b64
		sured.p.op.geom.ctype.mode [a, b], c`},
	{name: "suq", since: 15, minSM: 20, ref: "9.7.11.4", doc: "query a surface attribute", forms: `
		.query = width height depth channel_data_type channel_order array_size memory_layout
		suq.query.b32 d, [a]`},
}
