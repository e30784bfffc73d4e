// Operations on logical endpoints.

package emu_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// fabricKernel is a thread that copies 16 bytes from the buffer to shared memory, executes ops, waits for bytes on the
// mbarrier, and copies the 16 bytes back. In ops, HEAD and TAIL are what all operations have in common.
func fabricKernel(ops, expected string) string {
	const head = ".async.shared::cta.mbarrier::complete_tx::"
	return ".version 9.3\n.target sm_100\n.address_size 64\n.shared .align 8 .b64 bar; .shared .align 16 .b8 tile[16];\n" + kernel(`
	.reg .b64 %off, %count; .reg .b16 %mask; mov.u32 %r5, 1; mov.u64 %off, 16; mov.u64 %count, 256; mov.u16 %mask, 0x0f3;
	ld.global.u64 %rd1, [%base]; ld.global.u64 %rd2, [%base+8]; st.shared.u64 [tile], %rd1; st.shared.u64 [tile+8], %rd2;
	mbarrier.init.layout::v1.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta;
	`+strings.NewReplacer("HEAD", head, "REPORT", ".mbarrier::report::fabric").Replace(ops)+`
	mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [bar], `+expected+`;
W:	mbarrier.try_wait.parity.phase_type::primary.shared::cta.b64 %p1|%p2, [bar], 0; @!%p1 bra W; @%p2 trap;
	fence.proxy.generic::fabric.alias.acquire.sys;
	ld.shared.u64 %rd1, [tile]; ld.shared.u64 %rd2, [tile+8]; st.global.u64 [%base+16], %rd1; st.global.u64 [%base+24], %rd2; ret;`)
}

// fabricRun executes a kernel on an endpoint of 264 bytes in two parts, and returns its words and the 16 bytes that the
// kernel has copied back.
func fabricRun(t *testing.T, ops, expected string, source, there [2]uint64, late bool) (endpoint, back []uint32) {
	t.Helper()
	m := loadWith(t, fabricKernel(ops, expected), emu.Config{LateAsync: late})
	buf, peer := alloc(t, m, "buf", 8), alloc(t, m, "peer", 66)
	half := func(v [2]uint64, i int) uint32 { return uint32(v[i/2] >> (32 * (i % 2))) }
	fillWords(t, m, buf, 4, func(i int) uint32 { return half(source, i) })
	fillWords(t, m, peer, 8, func(i int) uint32 { return half(there, i%4) })
	m.SetEndpoint(1, &emu.Endpoint{Size: 264, Memory: []emu.EndpointMemory{{Addr: peer, Size: 24}, {Offset: 24, Addr: peer + 24, Size: 240}, {Size: 264}}})
	clean(t, launch(t, m, 1, 1, buf))
	return words(t, m, peer, 66), words(t, m, buf, 8)[4:]
}

// elements makes 16 bytes of elements of type t.
func elements(t isa.Type, v ...int64) (out [2]uint64) {
	var b []byte
	for i := range 16 / t.Size() {
		b = append(b, binary.LittleEndian.AppendUint64(nil, encoded(t, v[i%len(v)]))[:t.Size()]...)
	}
	return [2]uint64{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// encoded is the bits of an integer as a value of type t. Those of floating point are small.
func encoded(t isa.Type, v int64) uint64 {
	single := math.Float32bits(float32(v))
	switch t {
	case isa.F64:
		return math.Float64bits(float64(v))
	case isa.F32:
		return uint64(single)
	case isa.BF16:
		return uint64(single >> 16)
	case isa.F16: // the exponent has a bias of 15 in place of 127
		if v == 0 {
			return 0
		}
		return uint64(single>>16&0x8000 | (single>>23&0xff-112)<<10 | single>>13&0x3ff)
	}
	return uint64(v)
}

// TestFabricReductions: try_red reduces the elements of the endpoint by those of shared memory, and its counter counts
// the bytes (PTX ISA 9.3, "fabric.try_red", "Counted completion mechanism").
func TestFabricReductions(t *testing.T) {
	reduce := map[string]func(a, b int64) int64{
		"add": func(a, b int64) int64 { return a + b }, "min": func(a, b int64) int64 { return min(a, b) }, "max": func(a, b int64) int64 { return max(a, b) },
		"and": func(a, b int64) int64 { return a & b }, "or": func(a, b int64) int64 { return a | b }, "xor": func(a, b int64) int64 { return a ^ b },
	}
	for op, types := range map[string]string{
		"add": "u32 u64 f16 bf16 f32 f64", "min": "u32 s32 u64 s64 f16 bf16", "max": "u32 s32 u64 s64 f16 bf16", "and": "b32 b64", "or": "b32 b64", "xor": "b32 b64",
	} {
		for _, name := range strings.Fields(types) {
			typ, _ := isa.TypeOf(name)
			there, source := []int64{1, 6, 3, 12, 9, 0, 5, 2}, []int64{2, 5, 7, 1, 4, 8, 0, 3}
			if typ.Signed() || typ.Float() {
				there[0], source[1], there[2], source[2] = -1, -5, -3, -7
			}
			var want []int64
			for i := range there {
				want = append(want, reduce[op](there[i], source[i]))
			}
			for _, counted := range []bool{false, true} {
				text := "fabric.try_redHEAD16BREPORT.relaxed.sys." + op + "." + name + " [%r5, %off], [tile], 16, [bar]; fabric.submit;"
				if counted {
					text = strings.NewReplacer("REPORT", "REPORT.counted::bytes", "%off]", "%off, %count]").Replace(text)
				}
				for _, late := range []bool{false, true} {
					got, _ := fabricRun(t, text, "1", elements(typ, source...), elements(typ, there...), late)
					old, sum := elements(typ, there...), elements(typ, want...)
					if is := [4]uint64{pair(got, 0), pair(got, 2), pair(got, 4), pair(got, 6)}; is != [4]uint64{old[0], old[1], sum[0], sum[1]} {
						t.Errorf("%s, counted %v, late %v: %x, want %x %x", text, counted, late, is, old, sum)
					}
					if n := pair(got, 64); counted && n != 16 || !counted && n != 0 {
						t.Errorf("%s: the counter is %d", text, n)
					}
				}
			}
		}
	}
}

// pair is two words as one.
func pair(words []uint32, i int) uint64 { return uint64(words[i]) | uint64(words[i+1])<<32 }

// TestFabricCopies: try_get reads and try_put writes 16 bytes of the endpoint, or those of a mask (PTX ISA 9.3,
// "fabric.try_get", "fabric.try_put", "fabric.submit", "fabric.wait").
func TestFabricCopies(t *testing.T) {
	source, there := [2]uint64{0x1111111122222222, 0x3333333344444444}, [2]uint64{0x5555555566666666, 0x7777777788888888}
	const put, get = "fabric.try_putHEAD16BREPORT.relaxed.sys.b128 [%r5, %off], [tile], 16, [bar];", "fabric.try_getHEADbytesREPORT.relaxed.sys.b128 [tile], [%r5, %off], 16, [bar];"
	masked := [2]uint64{0x1111111166662222, 0x7777777788888888} // bytes 0, 1 and 4 to 7
	for name, c := range map[string]struct {
		ops, expected string
		there, back   [2]uint64
		counted       bool
	}{
		"put":     {put + "fabric.submit;", "1", source, source, false},
		"masked":  {strings.NewReplacer("REPORT", "REPORT.cp_mask", "[bar]", "[bar], %mask").Replace(put) + "fabric.submit;", "1", masked, source, false},
		"counted": {strings.NewReplacer("REPORT", "REPORT.counted::bytes", "%off]", "%off, %count]").Replace(put) + "fabric.submit;", "1", source, source, true},
		"get":     {get + "fabric.submit.op_restrict::fetching;", "16", there, there, false},
		"reused":  {put + "fabric.submit; fabric.wait.sync_restrict::reads; st.shared.u64 [tile], 0; st.shared.u64 [tile+8], 0;", "1", source, [2]uint64{}, false},
		"unread":  {put + "fabric.submit; st.shared.u64 [tile], 0; st.shared.u64 [tile+8], 0;", "1", [2]uint64{}, [2]uint64{}, false},
	} {
		for _, late := range []bool{false, true} {
			got, back := fabricRun(t, c.ops, c.expected, source, there, late)
			if is := [2]uint64{pair(got, 4), pair(got, 6)}; is != c.there {
				t.Errorf("%s, late %v: the endpoint has %x, want %x", name, late, is, c.there)
			}
			if is := [2]uint64{pair(back, 0), pair(back, 2)}; is != c.back {
				t.Errorf("%s, late %v: shared memory has %x, want %x", name, late, is, c.back)
			}
			if n := pair(got, 64); c.counted != (n == 16) {
				t.Errorf("%s: the counter is %d", name, n)
			}
		}
	}
}

// TestFabricMemory: an endpoint has memory where it is bound, with one address for all bytes of an operation.
func TestFabricMemory(t *testing.T) {
	m := loadWith(t, fabricKernel("fabric.try_putHEAD16BREPORT.relaxed.sys.b128 [%r5, %off], [tile], 16, [bar]; fabric.submit;", "1"), emu.Config{})
	buf, peer := alloc(t, m, "buf", 8), alloc(t, m, "peer", 16)
	for name, c := range map[string]struct {
		memory []emu.EndpointMemory
		class  string
	}{
		"none":       {nil, "out-of-bounds"},
		"before":     {[]emu.EndpointMemory{{Addr: peer, Size: 16}}, "out-of-bounds"},
		"a half":     {[]emu.EndpointMemory{{Addr: peer, Size: 24}}, "out-of-bounds"},
		"no address": {[]emu.EndpointMemory{{Size: 64}}, "unsupported"},
		"turned":     {[]emu.EndpointMemory{{Addr: peer + 32, Size: 24}, {Offset: 24, Addr: peer, Size: 40}}, "unsupported"},
		"half of it": {[]emu.EndpointMemory{{Addr: peer, Size: 24}, {Size: 64}}, "unsupported"},
		"elsewhere":  {[]emu.EndpointMemory{{Addr: peer, Size: 16}, {Offset: 16, Addr: peer, Size: 16}}, ""},
	} {
		m.SetEndpoint(1, &emu.Endpoint{Size: 64, Memory: c.memory})
		r := launch(t, m, 1, 1, buf)
		if len(r.Faults) > 1 || (len(r.Faults) == 1) != (c.class != "") || c.class != "" && r.Faults[0].Class != c.class {
			t.Errorf("%s: faults %v, want %q", name, r.Faults, c.class)
		}
	}
	m.SetEndpoint(1, nil)
	if r := launch(t, m, 1, 1, buf); len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Error(), "there is no logical endpoint 1 on this device") {
		t.Errorf("faults %v after the endpoint was destroyed", r.Faults)
	}
}
