package emu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// header100 begins modules with what sm_100a has.
const header100 = ".version 9.2\n.target sm_100a\n.address_size 64\n"

// TestFloatRedux reduces f32 over the lanes of a mask (PTX ISA 9.7.13.12): zeros by their signs, NaNs
// passed over or, with .NaN, winning.
func TestFloatRedux(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	values := []uint32{0, 1 << 31, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 1, 0x80000001, 0x7fc00001, 0xffc12345}
	for _, op := range []string{"min", "max"} {
		for _, mods := range []string{"", ".abs", ".NaN", ".abs.NaN"} {
			text := header100 + kernel("ld.global.u32 %r5, [%out]; bfe.u32 %r6, 0xfff00ff1, %r1, 1; setp.ne.u32 %p1, %r6, 0; mov.u32 %r7, 0; @%p1 redux.sync."+op+mods+".f32 %r7, %r5, 0xfff00ff1; st.global.u32 [%out], %r7; ret;")
			m := loadWith(t, text, emu.Config{})
			for round := range 12 {
				in := make([]uint32, 32)
				for i := range in {
					if in[i] = values[rng.IntN(len(values)-2*(round%2))]; round >= 10 {
						in[i] = 0x7fc00000 | uint32(i) // nothing but NaN
					}
				}
				want := expectedRedux(op, mods, in, 0xfff00ff1)
				buf := alloc(t, m, "buf", 32)
				fillWords(t, m, buf, 32, func(i int) uint32 { return in[i] })
				clean(t, launch(t, m, 1, 32, buf))
				for i, v := range words(t, m, buf, 32) {
					if member := uint32(0xfff00ff1)>>i&1 != 0; member && v != want || !member && v != 0 {
						t.Fatalf("redux.sync.%s%s, %x, lane %d: got %#x, want %#x", op, mods, in, i, v, want)
					}
				}
			}
		}
	}
}

// expectedRedux orders numbers as integers: sign and magnitude become two's complement.
func expectedRedux(op, mods string, in []uint32, mask uint32) uint32 {
	best, have := int64(0), false
	for i, v := range in {
		if mask>>i&1 == 0 {
			continue
		}
		if mods == ".abs" || mods == ".abs.NaN" {
			v &= 1<<31 - 1
		}
		if v&0x7fffffff > 0x7f800000 {
			if mods == ".NaN" || mods == ".abs.NaN" {
				return 0x7fffffff
			}
			continue
		}
		n := int64(v & 0x7fffffff)
		if v>>31 != 0 {
			n = -n - 1
		}
		if !have || op == "min" && n < best || op == "max" && n > best {
			best, have = n, true
		}
	}
	switch {
	case !have:
		return 0x7fffffff
	case best < 0:
		return uint32(-best-1) | 1<<31
	}
	return uint32(best)
}

// TestReleaseAsync stores and adds with release: each thread to its own word, and all to one.
func TestReleaseAsync(t *testing.T) {
	for _, late := range []bool{false, true} {
		for _, mmio := range []string{"", ".mmio"} {
			for op, want := range map[string]func(i uint32) uint32{
				"st.async" + mmio + ".release.sys.global.u32 [%out], %r5;":      func(i uint32) uint32 { return 3*i + 1 },
				"st.async" + mmio + ".release.sys.b32 [%out], %r5;":             func(i uint32) uint32 { return 3*i + 1 },
				"red.async" + mmio + ".release.sys.global.add.u32 [%out], %r5;": func(i uint32) uint32 { return 100 + 4*i + 1 },
				"red.async.release.gpu.add.s32 [%out], %r5;":                    func(i uint32) uint32 { return 100 + 4*i + 1 },
			} {
				m := loadWith(t, header100+kernel("mad.lo.u32 %r5, %r1, 3, 1; "+op+" ret;"), emu.Config{LateAsync: late})
				buf := alloc(t, m, "buf", 64)
				fillWords(t, m, buf, 64, func(i int) uint32 { return 100 + uint32(i) })
				clean(t, launch(t, m, 2, 32, buf))
				for i, v := range words(t, m, buf, 64) {
					n := want(uint32(i % 32))
					if i >= 32 && n >= 100 {
						n += 32
					}
					if v != n {
						t.Fatalf("%s late %v, word %d: got %d, want %d", op, late, i, v, n)
					}
				}
			}
		}
	}
}

// TestSwizzleAtomicity edits the atomicity of a 128-byte swizzle: eight rows of 32 words, of which the
// manual's tables say where each unit of 16 bytes goes (PTX ISA, "Swizzling Modes").
func TestSwizzleAtomicity(t *testing.T) {
	tables := map[int][][8]int{
		0: {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4}, {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2}, {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}},
		1: {{0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}},
		3: {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 0, 1, 2, 3}},
	}
	tables[2] = tables[1] // and the halves of each unit change places in every second line
	for atom := range 4 {
		edit := fmt.Sprintf("tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [%%r10], %d;", atom)
		b := tensorBox{coords: []int{0, 0}, size: 8 * 128}
		b.m = emu.TensorMap{Type: isa.U32, Dims: []uint32{32, 8}, Box: []uint32{32, 8}, Swizzle: emu.Swizzle128}
		m := loadWith(t, header100+replaceAll(edit, b.coordText(), b.size), emu.Config{})
		buf, _ := b.put(t, m, 256)
		clean(t, launch(t, m, 1, 32, buf))
		for i, v := range words(t, m, buf, 2+b.size/4)[2:] {
			line, unit, word := i/32, i%32/4, i%4
			if atom == 2 && line%2 != 0 {
				word ^= 2
			}
			if want := uint32(line*32+tables[atom][line%len(tables[atom])][unit]*4+word) + 1; v != want {
				t.Fatalf("atomicity %d, word %d: got %d, want %d", atom, i, v, want)
			}
		}
	}
}
