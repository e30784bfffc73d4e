package emu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// A multicast object of one device (PTX ISA 9.7.9.14): a reduction over its replicas is the value of the one
// there is, a store writes it, and a reduction into all of them is one into it.

// TestMultimem loads two to four words through multimem.ld_reduce and stores them further on.
func TestMultimem(t *testing.T) {
	for _, row := range []string{
		"weak.global.add.u32", "relaxed.sys.global.min.s32", "acquire.gpu.or.b32", "relaxed.cta.max.u64 64", "weak.xor.b64 64", "add.f32",
		"weak.global.add.v2.f32", "weak.global.add.v4.f32", "add.f64 64", "relaxed.sys.global.add.acc::f32.f16x2", "weak.min.bf16x2", "max.v4.f16x2",
		"weak.add.acc::f16.e5m2x4", "relaxed.gpu.global.add.v4.e4m3x4", "weak.max.u64 64", "relaxed.sys.add.acc::f32.v2.f16 16", "weak.min.v8.bf16 16",
		"relaxed.cta.global.max.v4.e4m3x2 16", "weak.add.acc::f16.v4.e5m2 8", "acquire.sys.min.v8.e4m3 8",
	} {
		form, wide, _ := strings.Cut(row, " ")
		n := 1
		for _, vec := range []int{2, 4, 8} {
			if strings.Contains(form, fmt.Sprintf(".v%d.", vec)) {
				n = vec
			}
		}
		reg, size := map[string]string{"": "%r", "64": "%q", "16": "%h", "8": "%b"}[wide], map[string]int{"": 4, "64": 8, "16": 2, "8": 1}[wide]
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%s%d", reg, 10+i))
		}
		regs := strings.Join(list, ", ")
		if n > 1 {
			regs = "{" + regs + "}"
		}
		op := form[strings.LastIndex(form, ".")+1:] // the type
		vec := ""
		if n > 1 {
			vec = fmt.Sprintf(".v%d", n)
		}
		body := fmt.Sprintf(".reg .b64 %%q<18>; .reg .b16 %%h<18>; .reg .b8 %%b<18>; multimem.ld_reduce.%s %s, [%%base]; multimem.st.weak.global%s.%s [%%base+64], %s; multimem.st.release.gpu%s.%s [%%base+96], %s; ret;", form, regs, vec, op, regs, vec, op, regs)
		for _, cfg := range memories {
			m := loadWith(t, header100+kernel(body), cfg)
			buf := alloc(t, m, "buf", 32)
			fillWords(t, m, buf, 16, func(i int) uint32 { return 0x3c003c00 + uint32(i) })
			clean(t, launch(t, m, 1, 1, buf))
			out := words(t, m, buf, 32)
			for i := range n * size / 4 {
				if out[16+i] != out[i] || out[24+i] != out[i] || out[i] == 0 {
					t.Errorf("%s, word %d: got %#x and %#x, want %#x", form, i, out[16+i], out[24+i], out[i])
				}
			}
		}
	}
}

// TestMultimemReduce adds, compares and combines: 64 threads into one word each operation.
func TestMultimemReduce(t *testing.T) {
	var sum float64
	for i := range 64 {
		sum += float64(i)
	}
	half := uint32(num.F16.FromFloat64(64, num.RN))
	for _, c := range []struct {
		op, value string
		old, want uint32
	}{
		{"relaxed.sys.global.add.u32 [%base], %r5", "add.u32 %r5, %r1, 0", 7, 7 + 2016},
		{"release.gpu.global.min.s32 [%base], %r5", "sub.s32 %r5, %r1, 5", 7, 0xfffffffb},
		{"max.u32 [%base], %r5", "mov.u32 %r5, %r1", 7, 63},
		{"relaxed.cluster.global.or.b32 [%base], %r5", "mov.u32 %r5, %r1", 0x100, 0x13f},
		{"relaxed.sys.xor.b32 [%base], %r5", "and.b32 %r5, %r1, 31; shl.b32 %r5, 1, %r5", 0x12345678, 0x12345678}, // twice each bit
		{"relaxed.sys.global.add.f32 [%base], %r5", "cvt.rn.f32.u32 %r5, %r1", 0, math.Float32bits(float32(sum))},
		{"relaxed.sys.global.add.f16x2 [%base], %r5", "mov.u32 %r5, 0x3c003c00", 0, half | half<<16},
		{"release.gpu.min.v2.f16x2 [%base], {%r5, %r5}", "mov.u32 %r5, 0x3c004000", 0x44003800, 0x3c003800},
		{"global.add.v2.f16 [%base], {%one, %one}", ".reg .b16 %one; mov.b16 %one, 0x3c00", 0, half | half<<16},
		{"add.f64 [%base], %rd1", "mov.u64 %rd1, 0x3ff0000000000000", 0, 0},
		{"relaxed.sys.global.add.v2.f32 [%base], {%r5, %r5}", "mov.u32 %r5, 0x3f800000", 0, math.Float32bits(64)},
	} {
		op := "multimem.red." + c.op
		for _, cfg := range memories[:2] { // so many operations on one word have too many executions
			m := loadWith(t, header100+kernel(c.value+"; "+op+"; ret;"), cfg)
			buf := alloc(t, m, "buf", 64)
			fillWords(t, m, buf, 1, func(int) uint32 { return c.old })
			clean(t, launch(t, m, 1, 64, buf))
			if got := words(t, m, buf, 2)[0]; got != c.want {
				t.Errorf("%s: got %#x, want %#x", op, got, c.want)
			}
		}
	}
}

// TestMultimemShared: the address is one of global memory.
func TestMultimemShared(t *testing.T) {
	m := loadWith(t, header100+".shared .align 4 .u32 word;\n"+kernel("mov.u64 %rd1, word; cvta.shared.u64 %rd1, %rd1; multimem.ld_reduce.weak.add.u32 %r5, [%rd1]; ret;"), emu.Config{})
	r := launch(t, m, 1, 1, alloc(t, m, "buf", 1))
	if len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" {
		t.Errorf("got %v", r.Faults)
	}
}

// multicast maps a multicast object of two devices, whose replicas are two buffers of 64 words, and returns its address
// and theirs.
func multicast(t *testing.T, m *emu.Machine) (object uint64, replicas [2]uint64) {
	t.Helper()
	const size = 256
	object, err := m.Reserve("object", size, 1<<21)
	if err != nil {
		t.Fatal(err)
	}
	of := &emu.Multicast{Size: size, Devices: 2}
	for i := range replicas {
		replicas[i] = alloc(t, m, fmt.Sprintf("replica %d", i), 64)
		of.Replicas = append(of.Replicas, emu.Replica{Addr: replicas[i], Size: size})
	}
	m.MapMulticast(object, of, 0, size)
	m.Allow(object, size, emu.AllDevices)
	return object, replicas
}

// TestMultimemReplicas: what multimem computes over two replicas, whose first word is old and more.
func TestMultimemReplicas(t *testing.T) {
	half := func(x float64) uint32 { return uint32(num.F16.FromFloat64(x, num.RN)) }
	for _, c := range []struct {
		code      string
		old, more uint32
		want      [2]uint32 // in word 1 of each replica
	}{
		{"multimem.ld_reduce.relaxed.sys.add.u32 %r5, [%base]; multimem.st.weak.u32 [%base+4], %r5", 7, 5, [2]uint32{12, 12}},
		{"multimem.ld_reduce.weak.min.s32 %r5, [%base]; multimem.st.weak.u32 [%base+4], %r5", 7, 0xfffffffe, [2]uint32{0xfffffffe, 0xfffffffe}},
		{"multimem.ld_reduce.weak.xor.b32 %r5, [%base]; multimem.st.weak.u32 [%base+4], %r5", 7, 5, [2]uint32{2, 2}},
		{"multimem.ld_reduce.weak.add.f32 %r5, [%base]; multimem.st.weak.u32 [%base+4], %r5", math.Float32bits(1.5), math.Float32bits(0.25), [2]uint32{math.Float32bits(1.75), math.Float32bits(1.75)}},
		{
			"multimem.ld_reduce.weak.add.acc::f32.f16x2 %r5, [%base]; multimem.st.weak.f16x2 [%base+4], %r5",
			half(1.5) | half(3)<<16, half(0.25) | half(4)<<16,
			[2]uint32{half(1.75) | half(7)<<16, half(1.75) | half(7)<<16},
		},
		{"multimem.ld_reduce.weak.max.f16x2 %r5, [%base]; multimem.st.weak.f16x2 [%base+4], %r5", half(1.5) | half(3)<<16, half(2) | half(1)<<16, [2]uint32{half(2) | half(3)<<16, half(2) | half(3)<<16}},
		{"multimem.ld_reduce.weak.add.v2.f32 {%r5, %r6}, [%base]; multimem.st.weak.u32 [%base+4], %r5; multimem.st.weak.u32 [%base], %r6", math.Float32bits(2), math.Float32bits(3), [2]uint32{math.Float32bits(5), math.Float32bits(5)}},
		{"multimem.red.relaxed.sys.add.u32 [%base+4], 3", 7, 5, [2]uint32{7 + 3, 5 + 3}},
		{".shared .align 16 .b32 tile[4]; mov.u32 %r5, 9; st.shared.u32 [tile+4], %r5; fence.proxy.async.shared::cta; mov.u32 %r5, tile; multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%base], [%r5], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0", 7, 5, [2]uint32{16, 14}},
	} {
		for _, cfg := range memories[:2] {
			m := loadWith(t, header100+kernel(c.code+"; ret;"), cfg)
			object, replicas := multicast(t, m)
			for i, first := range []uint32{c.old, c.more} {
				fillWords(t, m, replicas[i], 2, func(int) uint32 { return first })
			}
			clean(t, launch(t, m, 1, 1, object))
			for i, at := range replicas {
				if got := words(t, m, at, 2)[1]; got != c.want[i] {
					t.Errorf("%s, replica %d: got %#x, want %#x", c.code, i, got, c.want[i])
				}
			}
		}
	}
}

// TestMulticastFaults: accesses of a multicast object that have no replicas, or are none of multimem.
func TestMulticastFaults(t *testing.T) {
	for _, c := range []struct {
		code, want string
		spoil      func(m *emu.Machine, object uint64, of *emu.Multicast)
	}{
		{"ld.global.u32 %r5, [%base]", "where a multicast object is mapped", nil},
		{"multimem.red.relaxed.sys.add.u32 [%base], 3", "there is no access", func(m *emu.Machine, object uint64, _ *emu.Multicast) { m.Allow(object, 256, 0) }},
		{"multimem.red.relaxed.sys.add.u32 [%base], 3", "of which 1 have memory", func(_ *emu.Machine, _ uint64, of *emu.Multicast) { of.Replicas = of.Replicas[:1] }},
		{"multimem.ld_reduce.weak.add.u32 %r5, [%base+256]", "no memory is mapped", nil},
	} {
		m := loadWith(t, header100+kernel(c.code+"; ret;"), emu.Config{})
		object, err := m.Reserve("object", 512, 1<<21)
		if err != nil {
			t.Fatal(err)
		}
		of := &emu.Multicast{Size: 256, Devices: 2}
		for range 2 {
			of.Replicas = append(of.Replicas, emu.Replica{Addr: alloc(t, m, "replica", 64), Size: 256})
		}
		m.MapMulticast(object, of, 0, 256)
		m.Allow(object, 256, emu.AllDevices)
		if c.spoil != nil {
			c.spoil(m, object, of)
		}
		r := launch(t, m, 1, 1, object)
		if len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("%s: got %v, want one with %q", c.code, r.Faults, c.want)
		}
	}
}
