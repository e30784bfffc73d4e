// The functions that random kernels call.

package regiongen

// header has the functions through which kernels access shared memory, and functions that store to global and local
// memory. What copy32 and keep8 read has no other effect.
const header = `.version 7.8
.target sm_70
.address_size 64
.func (.param .b32 out) load32(.param .b64 at)
{
	.reg .b32 %v;
	.reg .b64 %a;
	ld.param.b64 %a, [at];
	ld.u32 %v, [%a];
	st.param.b32 [out], %v;
	ret;
}
.func store32(.param .b64 at, .param .b32 value)
{
	.reg .b32 %v;
	.reg .b64 %a;
	ld.param.b64 %a, [at];
	ld.param.b32 %v, [value];
	st.u32 [%a], %v;
	ret;
}
.func (.param .b32 out) exchange8(.param .b32 at, .param .b32 value)
{
	.reg .b32 %v, %w, %a;
	ld.param.b32 %a, [at];
	ld.param.b32 %w, [value];
	ld.shared.u8 %v, [%a];
	st.shared.u8 [%a], %w;
	st.param.b32 [out], %v;
	ret;
}
.func update(.param .b64 at, .param .b32 value)
{
	.reg .b32 %v, %w;
	.reg .b64 %a;
	ld.param.b64 %a, [at];
	ld.param.b32 %w, [value];
	ld.global.u32 %v, [%a];
	mad.lo.u32 %v, %v, 0x85ebca6b, %w;
	st.global.u32 [%a], %v;
	ret;
}
.func copy32(.param .b64 from, .param .b64 to)
{
	.reg .b32 %v;
	.reg .b64 %a, %b;
	ld.param.b64 %a, [from];
	ld.param.b64 %b, [to];
	ld.u32 %v, [%a];
	st.u32 [%b], %v;
	ret;
}
.func keep8(.param .b32 at)
{
	.local .align 8 .b8 kept[8];
	.reg .pred %even;
	.reg .b32 %v, %a;
	ld.param.b32 %a, [at];
	and.b32 %v, %a, 1;
	setp.eq.u32 %even, %v, 0;
	ld.shared.u8 %v, [%a];
	@%even st.local.u8 [kept+3], %v;
	@!%even st.local.u8 [kept+5], %v;
	ret;
}
.func (.param .b64 out) same(.param .b64 in)
{
	.reg .b64 %v;
	ld.param.b64 %v, [in];
	st.param.b64 [out], %v;
	ret;
}
`

// symbolFunction loads from an array that it knows by name.
const symbolFunction = `.func (.param .b32 out) load_%[1]s(.param .b32 offset)
{
	.reg .b32 %%v, %%a;
	ld.param.b32 %%a, [offset];
	mov.u32 %%v, %[1]s;
	add.u32 %%a, %%a, %%v;
	ld.shared.u8 %%v, [%%a];
	st.param.b32 [out], %%v;
	ret;
}
`
