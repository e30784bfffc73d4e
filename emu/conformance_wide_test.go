// Newer bulk copies: masks of bytes, multicast addresses, ignored bytes, 128-bit values.

package emu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// TestMaskedBulkCopy copies the bytes of a mask of every unit of 16 (PTX ISA, cp.async.bulk).
func TestMaskedBulkCopy(t *testing.T) {
	for _, op := range []string{"cp", "multimem.cp"} {
		for _, late := range []bool{false, true} {
			for _, mask := range []uint32{0, 1, 0x8000, 0xffff, 0x0ff0, 0xa5c3} {
				m := loadWith(t, header100+".shared .align 16 .b8 tile[64];\n"+kernel(fmt.Sprintf(`
	.reg .b16 %%h1; mov.b16 %%h1, %d;
	mov.u32 %%r5, tile; mad.lo.u32 %%r6, %%r1, 4, %%r5; mul.lo.u32 %%r7, %%r1, 0x01010101; add.u32 %%r7, %%r7, 0x80c0e0f0; st.shared.u32 [%%r6], %%r7;
	fence.proxy.async.shared::cta; bar.sync 0;
	setp.ne.u32 %%p1, %%r1, 0; @%%p1 bra END;
	%s.async.bulk.global.shared::cta.bulk_group.cp_mask [%%base], [%%r5], 64, %%h1;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END:	ret;`, mask, op)), emu.Config{LateAsync: late})
				buf := alloc(t, m, "buf", 16)
				fillWords(t, m, buf, 16, func(i int) uint32 { return 0x11223344 + uint32(i) })
				clean(t, launch(t, m, 1, 16, buf))
				for i, v := range words(t, m, buf, 16) {
					src, old, want := uint32(i)*0x01010101+0x80c0e0f0, 0x11223344+uint32(i), uint32(0)
					for b := range 4 {
						from := old
						if mask>>(i%4*4+b)&1 != 0 {
							from = src
						}
						want |= from & (math.MaxUint8 << (8 * b))
					}
					if v != want {
						t.Errorf("%s, mask %#x, late %v, word %d: got %#x, want %#x", op, mask, late, i, v, want)
					}
				}
			}
		}
	}
}

// TestMultimemBulk copies 64 bytes of shared memory to a multicast object, and reduces them into it.
func TestMultimemBulk(t *testing.T) {
	const reduce = "reduce.async.bulk.global.shared::cta.bulk_group."
	half := func(f float64) uint32 { v := uint32(num.F16.FromFloat64(f, num.RN)); return v | v<<16 }
	for op, combine := range map[string]func(old, v uint32) uint32{
		"async.bulk.global.shared::cta.bulk_group": func(_, v uint32) uint32 { return v },
		reduce + "and.b32":                         func(old, v uint32) uint32 { return old & v },
		reduce + "or.b64":                          func(old, v uint32) uint32 { return old | v },
		reduce + "xor.b64":                         func(old, v uint32) uint32 { return old ^ v },
		reduce + "add.u32":                         func(old, v uint32) uint32 { return old + v },
		reduce + "max.s32":                         func(old, v uint32) uint32 { return uint32(max(int32(old), int32(v))) },
		reduce + "min.u32":                         func(old, v uint32) uint32 { return min(old, v) },
		reduce + "add.noftz.f16":                   func(_, _ uint32) uint32 { return half(3.5) },
		reduce + "inc.u32": func(old, v uint32) uint32 {
			if old >= v {
				return 0
			}
			return old + 1
		},
		reduce + "dec.u32": func(old, v uint32) uint32 {
			if old == 0 || old > v {
				return v
			}
			return old - 1
		},
	} {
		value, stored := func(i int) uint32 { return uint32(i*i) * 0x10305 }, func(i int) uint32 { return uint32(i) * 0x01010101 }
		fill := "mul.lo.u32 %r7, %r1, 0x01010101;"
		if strings.HasSuffix(op, "f16") {
			value = func(int) uint32 { return half(1.25) }
			fill = fmt.Sprintf("mov.u32 %%r7, %d;", half(2.25))
		}
		for _, late := range []bool{false, true} {
			m := loadWith(t, header100+".shared .align 16 .b8 tile[64];\n"+kernel(`
	mov.u32 %r5, tile; mad.lo.u32 %r6, %r1, 4, %r5; `+fill+` st.shared.u32 [%r6], %r7;
	fence.proxy.async.shared::cta; bar.sync 0;
	setp.ne.u32 %p1, %r1, 0; @%p1 bra END;
	multimem.cp.`+op+` [%base], [%r5], 64;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END:	ret;`), emu.Config{LateAsync: late})
			buf := alloc(t, m, "buf", 16)
			fillWords(t, m, buf, 16, value)
			clean(t, launch(t, m, 1, 16, buf))
			for i, v := range words(t, m, buf, 16) {
				if want := combine(value(i), stored(i)); v != want {
					t.Errorf("%s, late %v, word %d of %#x and %#x: got %#x, want %#x", op, late, i, value(i), stored(i), v, want)
				}
			}
		}
	}
}

// ignoringBulk copies 64 bytes from an address before bytes before the buffer, and ignores left bytes at the start and
// right bytes at the end.
func ignoringBulk(before, left, right int) string {
	return header100 + ".shared .align 8 .b64 bar; .shared .align 16 .b8 tile[64];\n" + kernel(fmt.Sprintf(`
	mov.u32 %%r5, tile; mad.lo.u32 %%r6, %%r1, 4, %%r5; st.shared.u32 [%%r6], 0x55555555;
	setp.eq.u32 %%p1, %%r1, 0; @%%p1 mbarrier.init.shared.b64 [bar], 1;
	fence.proxy.async.shared::cta; bar.sync 0;
	@!%%p1 bra WAIT;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;
	cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%%r5], [%%base+%d], 64, %d, %d, [bar];
WAIT:	mbarrier.try_wait.parity.shared.b64 %%p3, [bar], 0; @!%%p3 bra WAIT;
	ld.shared.u32 %%r11, [%%r6]; st.global.u32 [%%out], %%r11; ret;`, -before, left, right))
}

// TestIgnoredBytes: ignored bytes outside of the allocation are not read.
func TestIgnoredBytes(t *testing.T) {
	for _, c := range []struct {
		before, left, right int
		fault               string
	}{
		{before: 0},
		{before: 0, left: 5, right: 3},
		{before: -16, left: 0, right: 12},
		{before: -16, left: 15, right: 15},
		{before: 16, left: 12, fault: "out-of-bounds"},
		{before: -32, right: 12, fault: "out-of-bounds"},
		{before: 0, left: 16, fault: "at most 15"},
		{before: 0, right: 1 << 30, fault: "at most 15"},
	} {
		for _, late := range []bool{false, true} {
			m := loadWith(t, ignoringBulk(c.before, c.left, c.right), emu.Config{LateAsync: late})
			// 19 words: the copy from byte 16 on ends 4 bytes after them.
			buf := alloc(t, m, "buf", 19)
			value := func(i int) uint32 { return 0x01020304 * uint32(i+1) }
			fillWords(t, m, buf, 19, value)
			r := launch(t, m, 1, 16, buf)
			if c.fault != "" {
				if len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Class+r.Faults[0].Message, c.fault) {
					t.Errorf("%+v: faults %v, expected %s", c, r.Faults, c.fault)
				}
				continue
			}
			clean(t, r)
			for i, v := range words(t, m, buf, 16) {
				for b := range 4 {
					at := 4*i + b
					if at < c.left || at >= 64-c.right {
						continue // indeterminate
					}
					from := at - c.before
					if want := byte(value(from/4) >> (from % 4 * 8)); byte(v>>(8*b)) != want {
						t.Errorf("%+v, late %v, byte %d: got %#x, want %#x", c, late, at, byte(v>>(8*b)), want)
					}
				}
			}
		}
	}
}

// TestAsyncStoreWide stores 16 bytes into the shared memory of the other block of a pair.
func TestAsyncStoreWide(t *testing.T) {
	for form, value := range map[string]string{
		".shared::cluster.mbarrier::complete_tx::bytes.b128": "%x1", ".mbarrier::complete_tx::bytes.b128": "%x1",
		".shared::cluster.mbarrier::complete_tx::bytes.v2.b64": "{%y1, %y2}",
	} {
		space := strings.HasPrefix(form, ".shared")
		text := header100 + ".shared .align 8 .b64 bar; .shared .align 16 .b8 cells[256];\n" + kernel(`
	.reg .b128 %x1; .reg .b64 %y<4>;
	setp.eq.u32 %p1, %r1, 0; mov.u32 %r6, %cluster_ctarank; setp.eq.u32 %p2, %r6, 1;
	@%p1 mbarrier.init.shared::cta.b64 [bar], 1;
	@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [bar], 256;
	barrier.cluster.arrive; barrier.cluster.wait;
	@%p2 bra WAIT;
	mov.u32 %r5, cells; mad.lo.u32 %r5, %r1, 16, %r5; mapa.shared::cluster.u32 %r7, %r5, 1; mapa.shared::cluster.u32 %r8, bar, 1;
	mad.wide.u32 %y0, %r1, 16, %base; ld.global.v2.b64 {%y1, %y2}, [%y0]; mov.b128 %x1, {%y1, %y2};
	cvt.u64.u32 %rd2, %r7; cvt.u64.u32 %rd3, %r8;
	`+map[bool]string{true: "", false: "cvta.shared::cluster.u64 %rd2, %rd2; cvta.shared::cluster.u64 %rd3, %rd3;"}[space]+`
	st.async`+form+` [%rd2], `+value+`, [%rd3];
	bra END;
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %p4, [bar], 0; @!%p4 bra WAIT;
	mov.u32 %r11, cells; mad.lo.u32 %r11, %r1, 16, %r11; ld.shared.v2.b64 {%y1, %y2}, [%r11];
	mad.wide.u32 %y0, %r1, 16, %base; st.global.v2.b64 [%y0+256], {%y1, %y2};
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`)
		eachFlight(t, func(t *testing.T, cfg emu.Config) {
			m := loadWith(t, text, cfg)
			buf := alloc(t, m, "buf", 128)
			fillWords(t, m, buf, 64, func(i int) uint32 { return uint32(i) * 0x01030507 })
			clean(t, launchCluster(t, m, 2, 16, 2, buf))
			for i, v := range words(t, m, buf, 128)[64:] {
				if want := uint32(i) * 0x01030507; v != want {
					t.Fatalf("word %d: got %#x, want %#x", i, v, want)
				}
			}
		})
	}
}
