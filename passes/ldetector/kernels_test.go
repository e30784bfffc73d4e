// The kernels that TestKernels executes, with their races.

package ldetector_test

// program is a kernel around a body: %t is the thread, %at the address of its word in tile, %other
// that of the thread of the next warp, %out that of its word in the buffer.
func program(before, body string) string {
	return `.version 7.8
.target sm_80
.address_size 64
.extern .shared .align 4 .b8 dyn[];
` + before + `
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<9>;
	.reg .b16 %h<9>;
	.reg .b32 %t, %n, %w, %l, %at, %other, %r<20>;
	.reg .f32 %f<9>;
	.reg .b64 %out, %rd<9>;
	.reg .f64 %fd<9>;
	.reg .v4 .b32 %v;
	.shared .align 16 .b8 tile[1024];
	.local .align 8 .b8 stack[64];
	ld.param.u64 %out, [out];
	mov.u32 %t, %tid.x;
	mov.u32 %n, %ntid.x;
	shr.u32 %w, %t, 5;
	and.b32 %l, %t, 31;
	mov.u32 %r3, %ctaid.x;
	mad.lo.u32 %r3, %r3, %n, %t;
	mad.wide.u32 %out, %r3, 4, %out;
	mov.u32 %r0, tile;
	shl.b32 %r1, %t, 2;
	add.u32 %at, %r0, %r1;
	add.u32 %r2, %t, 32;
	rem.u32 %r2, %r2, %n;
	shl.b32 %r2, %r2, 2;
	add.u32 %other, %r0, %r2;
	st.shared.u32 [%at], 0;
	bar.sync 0;
` + body + `
}
`
}

// updateBy is a call of a function that stores a register to the thread's word of the buffer.
func updateBy(function, register string) string {
	return `	{ .param .b64 p; .param .b32 v;
	st.param.b64 [p], %out;
	st.param.b32 [v], ` + register + `;
	call ` + function + `, (p, v); }
`
}

// kernels are bodies and the races that they have, as the report words them.
var kernels = []struct {
	name, before, body string
	dynamic            uint64
	want               []string
	its                bool // lanes of a warp wait at different barriers
}{
	{name: "barrier between", body: `
	st.shared.u32 [%at], %t;
	bar.sync 0;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], %r3;
	ret;`},
	{name: "write-write", body: `
	mul.lo.u32 %r4, %l, 4;
	add.u32 %r4, %r4, %r0;
	add.u32 %r5, %t, 1;
	st.shared.u32 [%r4], %r5;
	ret;`, want: []string{"write st.shared.u32 by 0, write st.shared.u32 by 1: bytes 0x0 to 0x0"}},
	{name: "equal values cannot be seen", body: `
	st.shared.u32 [tile+8], 0;
	ret;`},
	{name: "read-write, left by a store", body: `
	add.u32 %r5, %t, 1;
	st.shared.u32 [%at], %r5;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "read-write, left in a register", body: `
	add.u32 %r5, %t, 1;
	st.shared.u32 [%at], %r5;
	ld.shared.u32 %r3, [%other];
	bar.sync 0;
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "read-write, left in shared memory", body: `
	add.u32 %r5, %t, 1;
	st.shared.u32 [%at], %r5;
	ld.shared.u32 %r3, [%other];
	st.shared.u32 [%at+512], %r3;
	bar.sync 0;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "a predicate and a vector leave", body: `
	st.shared.u32 [%at], %t;
	ld.shared.v4.u32 {%v.x, %v.y, %v.z, %v.w}, [tile+128];
	setp.eq.u32 %p1, %v.y, 33;
	bar.sync 0;
	selp.u32 %r3, 1, 2, %p1;
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.v4.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "rounds, registers of all sorts", body: `
	mov.u32 %r6, 0;
	mov.f32 %f1, 0f3F800000;
	mov.f64 %fd1, 0d3FF0000000000000;
	mov.b16 %h1, 1;
	setp.eq.u32 %p2, %t, 3;
	mov.u32 %v.x, %t;
$ROUND:
	cvt.u32.u16 %r7, %h1;
	add.u32 %r7, %r7, %v.x;
	add.u32 %r7, %r7, %r6;
	st.shared.u32 [%at], %r7;
	add.rn.f32 %f1, %f1, %f1;
	add.rn.f64 %fd1, %fd1, %fd1;
	add.u16 %h1, %h1, 3;
	not.pred %p2, %p2;
	bar.sync 0;
	ld.shared.u32 %r8, [%other];
	add.u32 %v.x, %v.x, %r8;
	add.u32 %r6, %r6, 1;
	bar.sync 0;
	setp.lt.u32 %p1, %r6, 4;
	@%p1 bra $ROUND;
	cvt.rzi.u32.f32 %r9, %f1;
	cvt.rzi.u32.f64 %r10, %fd1;
	add.u32 %r9, %r9, %r10;
	add.u32 %r9, %r9, %v.x;
	selp.u32 %r10, 7, 9, %p2;
	add.u32 %r9, %r9, %r10;
	st.global.u32 [%out], %r9;
	ret;`},
	{name: "global and local memory is updated", body: `
	st.local.u32 [stack], 5;
	mov.u64 %rd1, stack;
	cvta.local.u64 %rd1, %rd1;
	bar.sync 0;
	ld.local.u32 %r3, [stack];
	add.u32 %r3, %r3, %t;
	st.local.u32 [stack], %r3;
	ld.global.u32 %r4, [%out];
	add.u32 %r4, %r4, %r3;
	st.global.u32 [%out], %r4;
	ld.global.u16 %h1, [%out];
	add.u16 %h1, %h1, 1;
	st.global.u16 [%out], %h1;
	ld.u32 %r5, [%rd1];
	add.u32 %r5, %r5, 1;
	st.u32 [%rd1], %r5;
	st.shared.u32 [%at], %r5;
	bar.sync 0;
	ld.shared.u32 %r6, [%other];
	ld.local.u32 %r7, [stack];
	add.u32 %r6, %r6, %r7;
	ld.global.u32 %r4, [%out];
	add.u32 %r4, %r4, %r6;
	st.global.u32 [%out], %r4;
	ret;`},
	{name: "threads leave early", body: `
	setp.lt.u32 %p1, %t, 20;
	@%p1 ret;
	st.shared.u32 [%at], %t;
	bar.sync 0;
	setp.gt.u32 %p2, %t, 90;
	@%p2 exit;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], %r3;
	bar.sync 0;
	st.shared.u32 [%at], %r3;
	ret;`, its: true},
	{name: "warps leave with a store", body: `
	setp.lt.u32 %p1, %t, 32;
	st.shared.u32 [%at], %t;
	@%p1 st.global.u32 [%out], %t;
	@%p1 ret;
	bar.sync 0;
	st.global.u32 [%out], %n;
	ret;`},
	{name: "a race after threads have left", body: `
	setp.lt.u32 %p1, %t, 20;
	@%p1 ret;
	st.shared.u32 [%at], %t;
	bar.sync 0;
	ld.shared.u32 %r3, [%other];
	add.u32 %r3, %r3, 1000;
	st.shared.u32 [%at], %r3;
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0xd0 to 0xd1"}, its: true},
	{name: "a guarded barrier", body: `
	setp.gt.u32 %p1, %n, 0;
	st.shared.u32 [%at], %t;
	@%p1 bar.sync 0;
	@!%p1 bar.sync 0;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], %r3;
	ret;`},
	{name: "a barrier that votes, in braces", body: `
	st.shared.u32 [%at], %t;
	setp.eq.u32 %p1, %t, 5;
	selp.u32 %r3, 1, 0, %p1;
	{
	.reg .pred %p1, %q;
	setp.ne.u32 %p1, %r3, 0;
	bar.red.or.pred %q, 0, %p1;
	selp.u32 %r4, 1, 0, %q;
	}
	ld.shared.u32 %r5, [%other];
	add.u32 %r5, %r5, %r4;
	st.global.u32 [%out], %r5;
	ret;`},
	{name: "a function, pointers and dynamic memory", before: `
.visible .func (.param .b32 r) get(.param .b64 p)
{
	.reg .b32 %r;
	.reg .b64 %p;
	ld.param.u64 %p, [p];
	ld.u32 %r, [%p];
	st.param.b32 [r], %r;
	ret;
}
.visible .func put(.param .b32 i, .param .b32 v)
{
	.reg .b32 %i, %v, %a;
	ld.param.b32 %i, [i];
	ld.param.b32 %v, [v];
	mov.u32 %a, dyn;
	mad.lo.u32 %a, %i, 4, %a;
	st.shared.u32 [%a], %v;
	ret;
}`, dynamic: 512, body: `
	add.u32 %r5, %t, 1;
	{ .param .b32 i; .param .b32 v;
	st.param.b32 [i], %t;
	st.param.b32 [v], %r5;
	call put, (i, v); }
	mov.u64 %rd1, dyn;
	cvta.shared.u64 %rd1, %rd1;
	add.u64 %rd1, %rd1, 128;
	{ .param .b64 p; .param .b32 r;
	st.param.b64 [p], %rd1;
	call (r), get, (p);
	ld.param.b32 %r3, [r]; }
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.u32 by 0: bytes 0x480 to 0x480"}},
	{name: "functions update memory", before: updating, body: `
	st.shared.u32 [%at], %t;
` + updateBy("update", "%t") + updateBy("update", "%t") + `
	bar.sync 0;
	ld.shared.u32 %r3, [%other];
	{ .param .b32 v; .param .b32 r;
	st.param.b32 [v], %r3;
	call (r), twice, (v);
	ld.param.b32 %r3, [r]; }
` + updateBy("update", "%r3") + `
	ret;`},
	{name: "read-write, left by a function's store", before: updating, body: `
	add.u32 %r5, %t, 1;
	st.shared.u32 [%at], %r5;
	ld.shared.u32 %r3, [%other];
` + updateBy("update", "%r3") + `
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "read-write, left by some threads' store in a function that a function calls", before: updating, body: `
	add.u32 %r5, %t, 1;
	st.shared.u32 [%at], %r5;
	ld.shared.u32 %r3, [%other];
` + updateBy("updateLate", "%r3") + `
	ret;`, want: []string{"write st.shared.u32 by 3, read ld.shared.u32 by 2: bytes 0x180 to 0x180"}},
	{name: "an array of a function's own", before: neighbours, body: `
	add.u32 %r5, %t, 1;
	{ .param .b32 v; .param .b32 r;
	st.param.b32 [v], %r5;
	call (r), put, (v); }
	bar.sync 0;
	{ .param .b32 v; .param .b32 r;
	call (r), get;
	ld.param.b32 %r3, [r];
	st.param.b32 [v], %r3;
	call (r), put, (v);
	call (r), get;
	ld.param.b32 %r3, [r]; }
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "atomic operations are not looked at", body: `
	st.shared.u32 [%at], %t;
	atom.shared.add.u32 %r3, [tile+4], 1;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], 0;
	ret;`},
	{name: "lanes of a warp are not looked at", body: `
	st.shared.u32 [%at], %t;
	xor.b32 %r3, %t, 1;
	mad.lo.u32 %r3, %r3, 4, %r0;
	ld.shared.u32 %r4, [%r3];
	st.global.u32 [%out], 0;
	ret;`},
}

// neighbours are functions with an array of which each thread has a word: one puts it, one gets that of the
// next warp.
const neighbours = `
.visible .func (.param .b32 r) pass(.param .b32 v, .param .b32 how)
{
	.reg .pred %get;
	.reg .b32 %v, %a, %t, %n;
	.shared .align 4 .b8 row[512], rest[4];
	ld.param.u32 %v, [how];
	setp.ne.u32 %get, %v, 0;
	ld.param.u32 %v, [v];
	mov.u32 %t, %tid.x;
	@%get add.u32 %t, %t, 32;
	mov.u32 %n, %ntid.x;
	rem.u32 %t, %t, %n;
	mov.u32 %a, row;
	mad.lo.u32 %a, %t, 4, %a;
	@!%get st.shared.u32 [%a], %v;
	@%get ld.shared.u32 %v, [%a];
	st.param.b32 [r], %v;
	ret;
}
.visible .func (.param .b32 r) put(.param .b32 v)
{
	.reg .b32 %v;
	.param .b32 how;
	.param .b32 x;
	.param .b32 y;
	ld.param.u32 %v, [v];
	st.param.b32 [x], %v;
	st.param.b32 [how], 0;
	call (y), pass, (x, how);
	ld.param.b32 %v, [y];
	st.param.b32 [r], %v;
	ret;
}
.visible .func (.param .b32 r) get()
{
	.reg .b32 %v;
	.param .b32 how;
	.param .b32 x;
	.param .b32 y;
	st.param.b32 [x], 0;
	st.param.b32 [how], 1;
	call (y), pass, (x, how);
	ld.param.b32 %v, [y];
	st.param.b32 [r], %v;
	ret;
}`

// updating are functions that store outside of shared memory: to global memory, named and not, and to
// memory of their own.
const updating = `
.visible .func update(.param .b64 p, .param .b32 v)
{
	.reg .b32 %a, %b;
	.reg .b64 %p;
	ld.param.u64 %p, [p];
	ld.param.u32 %b, [v];
	ld.global.u32 %a, [%p];
	add.u32 %a, %a, %b;
	st.global.u32 [%p], %a;
	ret;
}
.visible .func updateLate(.param .b64 p, .param .b32 v)
{
	.reg .pred %late;
	.reg .b32 %b;
	.reg .b64 %p;
	ld.param.u64 %p, [p];
	ld.param.u32 %b, [v];
	setp.ge.u32 %late, %b, 98;
	@!%late bra $END;
	{ .param .b64 q; .param .b32 w;
	st.param.b64 [q], %p;
	st.param.b32 [w], %b;
	call update, (q, w); }
	@%late st.u32 [%p], %b;
$END:
	ret;
}
.visible .func (.param .b32 r) twice(.param .b32 v)
{
	.local .align 4 .b8 stack[8];
	.reg .b32 %a, %b;
	ld.param.u32 %a, [v];
	st.local.u32 [stack+4], %a;
	ld.local.u32 %b, [stack+4];
	add.u32 %b, %b, %a;
	st.local.u32 [stack+4], %b;
	ld.local.u32 %b, [stack+4];
	st.param.b32 [r], %b;
	ret;
}`
