package observe

import "testing"

// laneAddresses is f of every lane.
func laneAddresses(f func(lane uint64) uint64) *[32]uint64 {
	var a [32]uint64
	for i := range a {
		a[i] = f(uint64(i))
	}
	return &a
}

const all = 1<<32 - 1

// TestWavefronts: 32 banks of 4 bytes, the same word is broadcast. The expected
// numbers follow from the strides by hand: a stride of s words has gcd(s, 32)
// lanes in a bank.
func TestWavefronts(t *testing.T) {
	stride := func(bytes uint64) *[32]uint64 {
		return laneAddresses(func(l uint64) uint64 { return 1<<32 + l*bytes })
	}
	for _, c := range []struct {
		name     string
		addrs    *[32]uint64
		mask     uint32
		size     int
		n, ideal int
	}{
		{"consecutive words", stride(4), all, 4, 1, 1},
		{"same word", stride(0), all, 4, 1, 1},
		{"bytes", stride(1), all, 1, 1, 1},
		{"stride 2 words", stride(8), all, 4, 2, 1},
		{"stride 3 words", stride(12), all, 4, 1, 1},
		{"stride 32 words", stride(128), all, 4, 32, 1},
		{"stride 33 words", stride(132), all, 4, 1, 1},
		{"stride 32 words, half of the lanes", stride(128), 0x55555555, 4, 16, 1},
		{"one lane", stride(128), 1 << 7, 4, 1, 1},
		{"consecutive 8 bytes", stride(8), all, 8, 2, 2},
		{"8 bytes, stride 16", stride(16), all, 8, 4, 2},
		{"consecutive 16 bytes", stride(16), all, 16, 4, 4},
		{"16 bytes, stride 128", stride(128), all, 16, 32, 4},
		{"16 bytes, lanes of the first quarter", stride(128), 0xff, 16, 8, 1},
		{"a lane that copies 256 bytes", stride(256), 1, 256, 2, 2},
		{"two words of a misaligned row", laneAddresses(func(l uint64) uint64 { return 2 + 4*l }), all, 4, 2, 1},
	} {
		if n, ideal := wavefronts(c.addrs, c.mask, c.size); n != c.n || ideal != c.ideal {
			t.Errorf("%s: %d wavefronts, ideal %d; expected %d, %d", c.name, n, ideal, c.n, c.ideal)
		}
	}
}

// TestSectors compares with sets of bytes and of sectors.
func TestSectors(t *testing.T) {
	for name, f := range map[string]func(lane uint64) uint64{
		"consecutive": func(l uint64) uint64 { return 4 * l },
		"misaligned":  func(l uint64) uint64 { return 20 + 4*l },
		"strided":     func(l uint64) uint64 { return 1000 * l },
		"backwards":   func(l uint64) uint64 { return 4096 - 8*l },
		"same":        func(uint64) uint64 { return 96 },
		"overlapping": func(l uint64) uint64 { return 3 * l },
		"scattered":   func(l uint64) uint64 { return l * 2654435761 % 512 },
	} {
		for _, size := range []int{1, 2, 4, 8, 16, 100} {
			for _, mask := range []uint32{all, 1, 1 << 31, 0xf0f0, 0x80000001} {
				a := laneAddresses(f)
				bytes, pieces := map[uint64]bool{}, map[uint64]bool{}
				for l, at := range a {
					for i := at; mask>>l&1 != 0 && i < at+uint64(size); i++ {
						bytes[i], pieces[i/32] = true, true
					}
				}
				if n, b := sectors(a, mask, size); n != uint64(len(pieces)) || b != uint64(len(bytes)) {
					t.Errorf("%s, %d bytes, mask %x: %d sectors and %d bytes, expected %d and %d", name, size, mask, n, b, len(pieces), len(bytes))
				}
			}
		}
	}
}
