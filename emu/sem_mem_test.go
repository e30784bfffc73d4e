package emu

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// TestMoveForms runs mov, pack and unpack, and cvta through the emulator.
func TestMoveForms(t *testing.T) {
	checkForms(t, []form{
		{"mov.u16 $d, $a", "16 16", func(v []uint64) uint64 { return v[0] }},
		{"mov.b32 $d, $a", "32 32", func(v []uint64) uint64 { return v[0] }},
		{"mov.f64 $d, $a", "f64 f64", func(v []uint64) uint64 { return v[0] }},
		{"mov.u32 $d, -7", "32", func(v []uint64) uint64 { return ^uint64(6) }},
		{"mov.f32 $d, 0f3FC00000", "f32", func(v []uint64) uint64 { return 0x3fc00000 }},
		{"mov.f32 $d, 1.5", "f32", func(v []uint64) uint64 { return 0x3fc00000 }},
		{"mov.b64 $d, {$a, $b}", "64 32 32", func(v []uint64) uint64 { return v[1]<<32 | v[0] }},
		{"mov.b32 $d, {$a, $b}", "32 16 16", func(v []uint64) uint64 { return v[1]<<16 | v[0] }},
		{"mov.b64 $d, {$a, $b, $c, $e}", "64 16 16 16 16", func(v []uint64) uint64 { return v[3]<<48 | v[2]<<32 | v[1]<<16 | v[0] }},
		{"mov.b64 {%r5, $d}, $a", "32 64", func(v []uint64) uint64 { return v[0] >> 32 }},
		{"mov.b64 {$d, _}, $a", "32 64", func(v []uint64) uint64 { return v[0] }},
		{"mov.b32 {%h5, $d}, $a", "16 32", func(v []uint64) uint64 { return v[0] >> 16 }},
		{"mov.b64 {%h5, %h6, $d, %h7}, $a", "16 64", func(v []uint64) uint64 { return v[0] >> 32 }},
		{"mov.b128 %q1, {$a, $b}; mov.b128 %q2, %q1; mov.b128 {%rd5, $d}, %q2", "64 64 64", func(v []uint64) uint64 { return v[1] }},
		{"cvta.shared.u64 %rd5, $a; cvta.to.shared.u64 $d, %rd5", "64 64", func(v []uint64) uint64 { return v[0] }},
		{"cvta.global.u64 $d, $a", "64 64", func(v []uint64) uint64 { return v[0] }},
		{"cvta.local.u64 %rd5, 8; isspacep.local $d, %rd5", "p 64", func(v []uint64) uint64 { return 1 }},
		{"cvta.shared.u64 %rd5, 8; isspacep.global $d, %rd5", "p 64", func(v []uint64) uint64 { return 0 }},
		{"isspacep.global $d, %rd0", "p 64", func(v []uint64) uint64 { return 1 }},
	})
}

// loadCase loads a type into a register of some width.
type loadCase struct {
	typ, reg, store string
	want            func(v uint64) uint64
}

// TestLoadExtension loads every integer type into every wider register.
func TestLoadExtension(t *testing.T) {
	zero := func(bits uint) func(uint64) uint64 {
		return func(v uint64) uint64 { return v << (64 - bits) >> (64 - bits) }
	}
	sign := func(from, to uint) func(uint64) uint64 {
		return func(v uint64) uint64 { return zero(to)(uint64(int64(v<<(64-from)) >> (64 - from))) }
	}
	for _, c := range []loadCase{
		{"u8", "%h9", "b16", zero(8)},
		{"s8", "%h9", "b16", sign(8, 16)},
		{"b8", "%r9", "b32", zero(8)},
		{"s8", "%r9", "b32", sign(8, 32)},
		{"u8", "%rd9", "b64", zero(8)},
		{"s8", "%rd9", "b64", sign(8, 64)},
		{"u16", "%h9", "b16", zero(16)},
		{"s16", "%h9", "b16", zero(16)},
		{"u16", "%r9", "b32", zero(16)},
		{"s16", "%r9", "b32", sign(16, 32)},
		{"b16", "%rd9", "b64", zero(16)},
		{"s16", "%rd9", "b64", sign(16, 64)},
		{"u32", "%r9", "b32", zero(32)},
		{"s32", "%rd9", "b64", sign(32, 64)},
		{"f32", "%f9", "b32", zero(32)},
		{"u32", "%rd9", "b64", zero(32)},
		{"f64", "%fd9", "b64", zero(64)},
		{"s64", "%rd9", "b64", zero(64)},
	} {
		in := make([]byte, 32*recordSize)
		for i := range 32 {
			binary.LittleEndian.PutUint64(in[i*recordSize:], 0x8182838485868788*uint64(i*3+1))
		}
		name := fmt.Sprintf("ld.%s to %s", c.typ, c.reg)
		out, fault := runWarp(t, fmt.Sprintf("\tld.global.%s %s, [%%rd0];\n\tst.global.%s [%%rd1], %s;", c.typ, c.reg, c.store, c.reg), in)
		if fault != nil {
			t.Fatalf("%s: %v", name, fault)
		}
		for i := range 32 {
			v, got := binary.LittleEndian.Uint64(in[i*recordSize:]), binary.LittleEndian.Uint64(out[i*recordSize:])
			if want := c.want(v); got != want {
				t.Errorf("%s of %x = %x, want %x", name, v, got, want)
				break
			}
		}
	}
}

// TestStoreTruncation stores the low bytes of wider registers and nothing else.
func TestStoreTruncation(t *testing.T) {
	for _, c := range []struct {
		typ, reg string
		bytes    int
	}{{"u8", "%h9", 1}, {"b8", "%r9", 1}, {"s8", "%rd9", 1}, {"b16", "%r9", 2}, {"u16", "%rd9", 2}, {"b32", "%rd9", 4}, {"u64", "%rd9", 8}} {
		body := "\tmov.u64 %rd9, 0x1122334455667788;\n\tcvt.u32.u64 %r9, %rd9;\n\tcvt.u16.u64 %h9, %rd9;\n" +
			fmt.Sprintf("\tst.global.%s [%%rd1+8], %s;", c.typ, c.reg)
		out, fault := runWarp(t, body, nil)
		if fault != nil {
			t.Fatal(fault)
		}
		want := make([]byte, 24)
		copy(want[8:], binary.LittleEndian.AppendUint64(nil, 0x1122334455667788)[:c.bytes])
		if got := out[5*recordSize:][:24]; !bytes.Equal(got, want) {
			t.Errorf("st.%s of %s wrote % x", c.typ, c.reg, got)
		}
	}
}

// TestVectors moves vectors of every shape from one record to the other.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		form  string
		regs  string
		bytes int
	}{
		{"v2.b8", "{%h1, %h2}", 2},
		{"v4.u8", "{%r1, %r2, %r3, %r4}", 4},
		{"v2.u16", "{%h1, %h2}", 4},
		{"v4.b16", "{%h1, %h2, %h3, %h4}", 8},
		{"v2.f32", "{%f1, %f2}", 8},
		{"v4.u32", "{%r1, %r2, %r3, %r4}", 16},
		{"v2.b64", "{%rd2, %rd3}", 16},
		{"v2.f64", "{%fd1, %fd2}", 16},
		{"v4.b64", "{%rd2, %rd3, %rd4, %rd5}", 32},
		{"v8.b32", "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}", 32},
		{"b128", "%q1", 16},
	} {
		in := make([]byte, 32*recordSize)
		for i := range in {
			in[i] = byte(i*7 + i>>8)
		}
		out, fault := runWarp(t, fmt.Sprintf("\tld.global.%s %s, [%%rd0];\n\tst.global.%s [%%rd1+32], %s;", c.form, c.regs, c.form, c.regs), in)
		if fault != nil {
			t.Fatalf("%s: %v", c.form, fault)
		}
		for i := range 32 {
			want := make([]byte, 32)
			copy(want, in[i*recordSize:][:c.bytes])
			if got := out[i*recordSize+32:][:32]; !bytes.Equal(got, want) {
				t.Errorf("%s copied % x, want % x", c.form, got, want)
				break
			}
		}
	}
}

// TestSpaces stores through one space and loads through another view of the same
// memory.
func TestSpaces(t *testing.T) {
	const kernels = `
.const .align 4 .b8 table[8] = {1, 0, 0, 0, 42, 0, 0, 0};
.global .align 8 .u64 cell = 7;
.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .b32 %r<8>;
	.reg .b64 %rd<16>;
	.local .align 8 .b8 stack[64];
	.shared .align 8 .b8 sh[256];
	ld.param.u64 %rd1, [out];
	mov.u32 %r0, %tid.x;
	mad.wide.u32 %rd1, %r0, 64, %rd1;
	// local, then generic
	st.local.u32 [stack+4], %r0;
	mov.u64 %rd2, stack;
	cvta.local.u64 %rd3, %rd2;
	ld.u32 %r1, [%rd3+4];
	st.global.u32 [%rd1], %r1;
	// generic shared, then shared
	mov.u64 %rd4, sh;
	cvta.shared.u64 %rd5, %rd4;
	mad.wide.u32 %rd6, %r0, 8, %rd5;
	st.u64 [%rd6], %rd6;
	mad.wide.u32 %rd7, %r0, 8, %rd4;
	ld.shared.u64 %rd8, [%rd7];
	sub.u64 %rd8, %rd8, %rd6;
	st.global.u64 [%rd1+8], %rd8;
	// constants, directly and generic
	ld.const.u32 %r2, [table+4];
	cvta.const.u64 %rd9, table;
	ld.u32 %r3, [%rd9];
	add.u32 %r2, %r2, %r3;
	st.global.u32 [%rd1+16], %r2;
	// module variable
	ld.global.u64 %rd10, [cell];
	st.u64 [%rd1+24], %rd10;
	// kernel parameter through a generic address
	mov.b64 %rd11, in;
	cvta.param.u64 %rd12, %rd11;
	ld.u64 %rd13, [%rd12+8];
	ld.global.nc.u64 %rd15, [%rd12+8];
	cvta.to.global.u64 %rd12, %rd12;
	ld.global.v2.u64 {%rd11, %rd14}, [%rd12];
	sub.u64 %rd14, %rd14, %rd15;
	add.u64 %rd13, %rd13, %rd14;
	mad.wide.u32 %rd13, %r0, 64, %rd13;
	sub.u64 %rd13, %rd13, %rd1;
	st.global.u64 [%rd1+32], %rd13;
	// generic address of both spaces in one warp
	and.b32 %r4, %r0, 2;
	setp.eq.u32 %p0, %r4, 0;
	selp.b64 %rd14, %rd3, %rd6, %p0;
	st.u32 [%rd14], %r0;
	ld.volatile.u32 %r5, [%rd14];
	st.global.u32 [%rd1+40], %r5;
	// and of local and global memory
	add.u64 %rd15, %rd1, 48;
	selp.b64 %rd14, %rd3, %rd15, %p0;
	st.u32 [%rd14], %r5;
	ld.u32 %r6, [%rd14];
	st.global.u32 [%rd1+56], %r6;
	ret;
}
`
	m := machineFor(t, Config{}, strings.Replace(kernels, ".reg .b32", ".reg .pred %p<2>;\n\t.reg .b32", 1))
	out, fault := launchWarp(t, m, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	for i := range 32 {
		r := out[i*recordSize:]
		got := []uint64{u64(r[0:]), u64(r[8:]), u64(r[16:]), u64(r[24:]), u64(r[32:]), u64(r[40:]), u64(r[48:]), u64(r[56:])}
		want := []uint64{uint64(i), 0, 43, 7, 0, uint64(i), uint64(i * (i >> 1 & 1)), uint64(i)}
		for k := range want {
			if got[k] != want[k] {
				t.Errorf("lane %d: result %d = %x, want %x", i, k, got[k], want[k])
			}
		}
	}
}

func u64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// TestAtomicForms applies each operation once per lane to a record of its own,
// directly and through a generic address, and checks old and new value.
func TestAtomicForms(t *testing.T) {
	w := func(v uint64) uint32 { return uint32(v) }
	pick := func(c bool, a, b uint64) uint64 {
		if c {
			return a
		}
		return b
	}
	type atomCase struct {
		op   string // without atom and space
		args string // widths of memory, b and c
		want func(v []uint64) uint64
	}
	for _, c := range []atomCase{
		{"add.u32", "32 32", func(v []uint64) uint64 { return v[0] + v[1] }},
		{"add.s32", "32 32", func(v []uint64) uint64 { return v[0] + v[1] }},
		{"add.u64", "64 64", func(v []uint64) uint64 { return v[0] + v[1] }},
		{"add.f32", "f32 f32", func(v []uint64) uint64 { return uint64(addFlushed(w(v[0]), w(v[1]))) }},
		{"add.f64", "f64 f64", func(v []uint64) uint64 { return bits64(f64v(v[0]) + f64v(v[1])) }},
		{"and.b32", "32 32", func(v []uint64) uint64 { return v[0] & v[1] }},
		{"or.b64", "64 64", func(v []uint64) uint64 { return v[0] | v[1] }},
		{"xor.b32", "32 32", func(v []uint64) uint64 { return v[0] ^ v[1] }},
		{"exch.b32", "32 32", func(v []uint64) uint64 { return v[1] }},
		{"exch.b64", "64 64", func(v []uint64) uint64 { return v[1] }},
		{"min.u32", "32 32", func(v []uint64) uint64 { return min(v[0], v[1]) }},
		{"min.s32", "32 32", func(v []uint64) uint64 { return uint64(min(s32(v[0]), s32(v[1]))) }},
		{"max.s64", "64 64", func(v []uint64) uint64 { return uint64(max(s64(v[0]), s64(v[1]))) }},
		{"max.u64", "64 64", func(v []uint64) uint64 { return max(v[0], v[1]) }},
		{"inc.u32", "32 32", func(v []uint64) uint64 { return pick(v[0] >= v[1], 0, v[0]+1) }},
		{"dec.u32", "32 32", func(v []uint64) uint64 { return pick(v[0] == 0 || v[0] > v[1], v[1], v[0]-1) }},
		{"cas.b32", "32 32 32", func(v []uint64) uint64 { return pick(v[0] == v[1], v[2], v[0]) }},
		{"cas.b64", "64 64 64", func(v []uint64) uint64 { return pick(v[0] == v[1], v[2], v[0]) }},
		{"cas.b16", "16 16 16", func(v []uint64) uint64 { return pick(v[0] == v[1], v[2], v[0]) }},
		{"add.noftz.f16x2", "32 32", func(v []uint64) uint64 {
			return narrowSum(num.F16, v[0]>>16, v[1]>>16)<<16 | narrowSum(num.F16, v[0]&0xffff, v[1]&0xffff)
		}},
		{"add.noftz.f16", "16 16", func(v []uint64) uint64 { return narrowSum(num.F16, v[0], v[1]) }},
		{"add.noftz.bf16", "16 16", func(v []uint64) uint64 { return narrowSum(num.BF16, v[0], v[1]) }},
		{"add.noftz.bf16x2", "32 32", func(v []uint64) uint64 {
			return narrowSum(num.BF16, v[0]>>16, v[1]>>16)<<16 | narrowSum(num.BF16, v[0]&0xffff, v[1]&0xffff)
		}},
	} {
		for _, space := range []string{".global", "", ".relaxed.gpu.global", "red.global"} {
			args := strings.Fields(c.args)
			rc := regClasses[args[0]]
			ops := ""
			for i := range args[1:] {
				ops += fmt.Sprintf(", %s%d", rc.reg, 11+i)
			}
			// the record in memory is the lane's own output record, so that the form's
			// destination is what atom leaves there
			body := fmt.Sprintf("st.global.%s [%%rd1+8], $a; atom%s.%s $d, [%%rd1+8]%s; ld.global.%s $d, [%%rd1+8]", rc.bits, space, c.op, ops, rc.bits)
			if space == "red.global" {
				if strings.HasPrefix(c.op, "cas") || strings.HasPrefix(c.op, "exch") {
					continue
				}
				body = fmt.Sprintf("st.global.%s [%%rd1+8], $a; red.global.%s [%%rd1+8]%s; ld.global.%s $d, [%%rd1+8]", rc.bits, c.op, ops, rc.bits)
			}
			f := form{body, args[0] + " " + c.args, c.want}
			tu := tuples(f, 64)
			if strings.HasPrefix(c.op, "cas") {
				for i := range tu {
					if i%2 == 0 {
						tu[i][1] = tu[i][0]
					}
				}
			}
			f.check(t, tu)
			if space == ".global" { // the old value
				f.text = strings.Split(body, "; ld")[0]
				f.want = func(v []uint64) uint64 { return v[0] }
				f.check(t, tu)
			}
		}
	}
}

// addFlushed is a single-precision sum with subnormals flushed, by way of doubles.
func addFlushed(a, b uint32) uint32 {
	flush := func(v uint32) float64 {
		x := math.Float32frombits(v)
		if math.Abs(float64(x)) < 0x1p-126 {
			return math.Copysign(0, float64(x))
		}
		return float64(x)
	}
	r := uint32(bits32(float64(float32(flush(a) + flush(b)))))
	if r&0x7f800000 == 0 {
		r &= 0x80000000
	}
	return r
}

// narrowSum is a sum of 16-bit numbers by way of doubles, which are wide enough not to
// round twice.
func narrowSum(f *num.Format, a, b uint64) uint64 {
	return f.FromFloat64(f.Float64(a)+f.Float64(b), num.RN)
}

// TestAtomicOrder checks that the lanes of one instruction update a location one
// after the other, in ascending order.
func TestAtomicOrder(t *testing.T) {
	out, fault := runWarp(t, `
	ld.param.u64 %rd2, [out];
	atom.global.add.u32 %r1, [%rd2+4], 3;
	st.global.u32 [%rd1+8], %r1;
	atom.global.exch.b32 %r2, [%rd2+60], %r0;
	st.global.u32 [%rd1+12], %r2;`, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	for i := range 32 {
		r := out[i*recordSize:]
		if got := binary.LittleEndian.Uint32(r[8:]); got != uint32(3*i) {
			t.Errorf("lane %d got old sum %d", i, got)
		}
		if got := binary.LittleEndian.Uint32(r[12:]); got != uint32(max(i-1, 0)) {
			t.Errorf("lane %d got old value %d", i, got)
		}
	}
	if got := binary.LittleEndian.Uint32(out[4:]); got != 96 {
		t.Errorf("sum = %d", got)
	}
}

// TestSharedAddressBits checks that .shared addresses have 32 bits: compilers that
// index with a 32-bit complement leave a carry above them.
func TestSharedAddressBits(t *testing.T) {
	out, fault := runWarp(t, `
	.shared .align 4 .b8 sh[128];
	mov.u64 %rd2, sh;
	mad.wide.u32 %rd2, %r0, 4, %rd2;
	add.u64 %rd3, %rd2, 0x400000000;
	st.shared.u32 [%rd2], %r0;
	ld.shared.u32 %r2, [%rd3];
	atom.shared.add.u32 %r1, [%rd3], 100;
	add.u32 %r2, %r2, %r1;
	st.global.u32 [%rd1], %r2;`, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	for i := range uint32(32) {
		if got := binary.LittleEndian.Uint32(out[recordSize*i:]); got != 2*i {
			t.Errorf("lane %d read %d", i, got)
		}
	}
}

// TestAtomicF32Subnormals checks that atomics flush subnormals on global memory
// and keep them on shared memory.
func TestAtomicF32Subnormals(t *testing.T) {
	out, fault := runWarp(t, `
	.shared .align 4 .b8 sh[128];
	mov.u64 %rd2, sh;
	mad.wide.u32 %rd2, %r0, 4, %rd2;
	mov.u32 %r1, 3;
	mov.b32 %f1, %r1;
	st.shared.u32 [%rd2], 0;
	red.shared.add.f32 [%rd2], %f1;
	ld.shared.u32 %r2, [%rd2];
	st.global.u32 [%rd1+4], %r2;
	cvta.shared.u64 %rd3, %rd2;
	atom.add.f32 %f2, [%rd3], %f1;
	ld.shared.u32 %r2, [%rd2];
	st.global.u32 [%rd1+8], %r2;
	atom.global.add.f32 %f2, [%rd1+12], %f1;
	atom.add.f32 %f2, [%rd1+16], %f1;`, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	for k, want := range map[int]uint32{4: 3, 8: 6, 12: 0, 16: 0} {
		if got := binary.LittleEndian.Uint32(out[3*recordSize+k:]); got != want {
			t.Errorf("result at %d = %x, want %x", k, got, want)
		}
	}
}

// TestAtomicVectors checks the vector and 128-bit forms.
func TestAtomicVectors(t *testing.T) {
	out, fault := runWarp(t, `
	mov.f32 %f1, 0f3F800000;
	mov.f32 %f2, 0f40000000;
	st.global.f32 [%rd1+4], %f1;
	atom.global.add.v2.f32 {%f3, %f4}, [%rd1], {%f1, %f2};
	st.global.v2.f32 [%rd1+8], {%f3, %f4};
	mov.u64 %rd2, 5;
	mov.b128 %q1, {%rd2, %rd1};
	atom.global.exch.b128 %q2, [%rd1+16], %q1;
	atom.global.cas.b128 %q3, [%rd1+16], %q1, %q2;
	mov.b128 {%rd4, %rd5}, %q3;
	sub.u64 %rd5, %rd5, %rd1;
	st.global.v2.u64 [%rd1+32], {%rd4, %rd5};`, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	r := out[recordSize:]
	for k, want := range map[int]uint64{0: 0x40400000_3f800000, 8: 0x3f800000_00000000, 16: 0, 24: 0, 32: 5, 40: 0} {
		if got := u64(r[k:]); got != want {
			t.Errorf("result at %d = %x, want %x", k, got, want)
		}
	}
}

// TestAsyncCopy copies with cp.async, some of it zero-filled.
func TestAsyncCopy(t *testing.T) {
	in := make([]byte, 32*recordSize)
	for i := range in {
		in[i] = byte(i + 1)
	}
	out, fault := runWarp(t, `
	.shared .align 16 .b8 sh[1024];
	mov.u32 %r1, sh;
	mad.lo.u32 %r1, %r0, 32, %r1;
	mov.u32 %r2, 3;
	cp.async.ca.shared.global [%r1], [%rd0], 16;
	cp.async.ca.shared.global [%r1+16], [%rd0+8], 8, %r2;
	cp.async.commit_group;
	cp.async.wait_group 0;
	ld.shared.v2.u64 {%rd2, %rd3}, [%r1];
	st.global.v2.u64 [%rd1], {%rd2, %rd3};
	ld.shared.u64 %rd2, [%r1+16];
	st.global.u64 [%rd1+16], %rd2;`, in)
	if fault != nil {
		t.Fatal(fault)
	}
	r, want := out[2*recordSize:][:24], make([]byte, 24)
	copy(want, in[2*recordSize:][:16])
	copy(want[16:], in[2*recordSize+8:][:3])
	if !bytes.Equal(r, want) {
		t.Errorf("copied % x, want % x", r, want)
	}
}

// TestMemoryFaults checks class, lane and words of every kind of bad access.
func TestMemoryFaults(t *testing.T) {
	for _, c := range []struct {
		name, body string
		class      string
		lane       uint32
		says       string
	}{
		{"null", "mov.u64 %rd2, 0; ld.global.u32 %r1, [%rd2+4];", "out-of-bounds", 0, "read of 4 bytes at address 0x4, which is in the null page"},
		{"after", "st.global.u32 [%rd1+1984], %r0;", "out-of-bounds", 1, "write of 4 bytes at address 0x%out+2048, which is 0 bytes after the allocation out of size 2048"},
		{"straddles", "mad.wide.u32 %rd2, %r0, 4, %rd1; and.b64 %rd2, %rd2, -8; ld.global.v2.u64 {%rd4, %rd5}, [%rd1+1976];", "misaligned", 0, "misaligned read of 16 bytes"},
		{"before", "ld.param.u64 %rd2, [out]; ld.u8 %r1, [%rd2+-12];", "out-of-bounds", 0, "is 12 bytes before the allocation out of size 2048"},
		{"misaligned", "atom.global.add.u32 %r1, [%rd1+2], 1;", "misaligned", 0, "misaligned atomic of 4 bytes at global address"},
		{"misaligned after a hit", "mov.u64 %rd2, %rd1; mov.u32 %r3, 0; L: ld.global.u32 %r1, [%rd2]; add.u64 %rd2, %rd2, 2; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 2; @%p1 bra L;", "misaligned", 0, "misaligned read of 4 bytes at global address"},
		{"shared end", "mov.u64 %rd2, sh; mad.wide.u32 %rd2, %r0, 4, %rd2; st.shared.u32 [%rd2+4], %r0;", "out-of-bounds", 31, "write of 4 bytes at shared address 0x80, which is 0 bytes after the shared memory of the block (128 bytes)"},
		{"shared negative", "st.shared.u32 [%rd3+-4], %r0;", "out-of-bounds", 0, "is 4 bytes before the shared memory of the block"},
		{"generic shared", "cvta.shared.u64 %rd2, 120; ld.u64 %rd4, [%rd2+16];", "out-of-bounds", 0, "is 8 bytes after the shared memory of the block (128 bytes)"},
		{"constant of the same launch", "cvta.const.u64 %rd2, c; st.u32 [%rd2], %r0; ld.const.u32 %r1, [c];", "out-of-bounds", 0, "of the constant c, which the same launch has written"},
		{"generic param", "mov.b64 %rd2, in; cvta.param.u64 %rd2, %rd2; st.u32 [%rd2], %r0;", "out-of-bounds", 0, "write of a kernel parameter"},
		{"global param", "mov.b64 %rd2, in; cvta.param.u64 %rd2, %rd2; st.global.u32 [%rd2], %r0;", "out-of-bounds", 0, "write of a kernel parameter"},
		{"after global params", "mov.b64 %rd2, in; cvta.param.u64 %rd2, %rd2; ld.global.u32 %r1, [%rd2+16];", "out-of-bounds", 0, "kernel parameters (16 bytes)"},
		{"param", "ld.param.u32 %r1, [out+8];", "out-of-bounds", 0, "kernel parameters (16 bytes)"},
		{"shared window", "mov.u64 %rd2, 0x200000000; ld.u32 %r1, [%rd2+-4];", "out-of-bounds", 0, "shared memory of the block"},
		{"wild", "mov.u64 %rd2, 0x7fffffffffffff00; ld.global.u64 %rd4, [%rd2];", "out-of-bounds", 0, "which is in no allocation"},
		{"wraps", "mov.u64 %rd2, -8; ld.global.u64 %rd4, [%rd2];", "out-of-bounds", 0, "which is in no allocation"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := "\t.shared .align 8 .b8 sh[128];\n\tmov.u64 %rd3, sh;\n\t" + strings.ReplaceAll(c.body, "; ", ";\n\t")
			m := machineFor(t, Config{}, ".const .u32 c = 9;\n"+warpKernel(body))
			_, f := launchWarp(t, m, nil)
			if f == nil {
				t.Fatal("no fault")
			}
			says := strings.ReplaceAll(c.says, "0x%out+2048", fmt.Sprintf("0x%x", outBase(m)+2048))
			if f.Class != c.class || f.Thread.X != c.lane || !strings.Contains(f.Message, says) {
				t.Errorf("got %s of thread %d: %s", f.Class, f.Thread.X, f.Message)
			}
			if f.Inst == nil || f.Inst.Line == 0 {
				t.Error("no line")
			}
		})
	}
}

// outBase is the address of the last buffer that launchWarp allocated.
func outBase(m *Machine) uint64 { return m.state.Dev.Mem.Last().Base }

// TestUseAfterFree frees a buffer between two launches of one kernel, whose
// inline caches must notice.
func TestUseAfterFree(t *testing.T) {
	m := machineFor(t, Config{}, `
.visible .entry k(.param .u64 p) {
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [p];
	ld.global.u32 %r0, [%rd0];
	ret;
}`)
	a, err := m.Alloc("data", 64)
	if err != nil {
		t.Fatal(err)
	}
	launch := func() *Result {
		r, err := m.Launch(context.Background(), LaunchConfig{Kernel: "k", Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 1, Y: 1, Z: 1}, Params: binary.LittleEndian.AppendUint64(nil, a)})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := launch(); len(r.Faults) != 0 {
		t.Fatal(r.Faults[0])
	}
	if err := m.Free(a); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Alloc("other", 64); err != nil {
		t.Fatal(err)
	}
	r := launch()
	if len(r.Faults) != 1 || r.Faults[0].Class != "use-after-free" || !strings.Contains(r.Faults[0].Message, "is 0 bytes into the freed allocation data of size 64") {
		t.Fatalf("faults: %v", r.Faults)
	}
}

// TestOddSize reads past an allocation whose size is no multiple of the access:
// every byte counts, after a hit as well.
func TestOddSize(t *testing.T) {
	for _, text := range []string{"ld.global.u32 %r1, [%rd0];", "ld.global.v2.u16 {%h0, %h1}, [%rd0]; st.global.u16 [%rd0], %h1;", "atom.global.add.u32 %r1, [%rd0], 1;"} {
		m := machineFor(t, Config{}, `
.visible .entry k(.param .u64 p) {
	.reg .b16 %h<2>;
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [p];
	mov.u32 %r0, %tid.x;
	mad.wide.u32 %rd0, %r0, 4, %rd0;
	`+text+`
	ret;
}`)
		a, err := m.Alloc("data", 67)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []uint32{16, 17, 32} {
			r, err := m.Launch(context.Background(), LaunchConfig{Kernel: "k", Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: threads, Y: 1, Z: 1}, Params: binary.LittleEndian.AppendUint64(nil, a)})
			if err != nil {
				t.Fatal(err)
			}
			if threads == 16 {
				if len(r.Faults) != 0 {
					t.Errorf("%s: %v", text, r.Faults[0])
				}
				continue
			}
			if len(r.Faults) != 1 || r.Faults[0].Thread.X != 16 || !strings.Contains(r.Faults[0].Message, "reaches 1 bytes beyond its end") {
				t.Errorf("%s by %d threads: %v", text, threads, r.Faults)
			}
		}
	}
}

// TestBadOperands checks that instructions whose registers do not fit are refused
// with a place, not executed.
func TestBadOperands(t *testing.T) {
	for body, says := range map[string]string{
		"add.u64 %r1, %rd0, %rd1;":                  "expected .u64",
		"add.u32 %r1, %rd0, 1;":                     "expected .u32",
		"ld.global.u64 %r1, [%rd0];":                "expected .u64",
		"ld.global.v2.u32 {%r1, %h1}, [%rd0];":      "expected .u32",
		"st.global.u32 [%rd0], %h1;":                "expected .u32",
		"cvt.u64.u32 %r1, %r2;":                     "expected .u64",
		"mov.b64 %rd4, {%r1, %r2, %r3};":            "has 96 bits, expected 64",
		"mov.b64 %rd4, {%h1, %r2};":                 "has 48 bits, expected 64",
		"setp.eq.u32 %r1, %r2, %r3;":                "expected .pred",
		"selp.b32 %r1, %r2, %r3, %r4;":              "expected .pred",
		"atom.global.add.u32 %rd5, [%rd0], %r1;":    "expected .u32",
		"atom.global.cas.b64 %rd5, [%rd0], %r1, 0;": "expected .b64",
		"st.const.u32 [%rd0], %r1;":                 "const",
		"lop3.b32 %r1, %r2, %r3, %r4, %r5;":         "look-up table",
	} {
		_, err := newMachine(Config{}, warpKernel("\t"+body))
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "test.ptx:") {
			t.Errorf("%s: error %v, want %q", body, err, says)
		}
	}
}
