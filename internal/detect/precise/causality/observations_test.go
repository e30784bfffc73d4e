package causality

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSearchBack: the result is the least number that fits, and numbers far below it are not looked at.
func TestSearchBack(t *testing.T) {
	for n := range 70 {
		for want := range n + 1 {
			least := n
			if got := searchBack(n, func(i int) bool { least = min(least, i); return i >= want }); got != want {
				t.Errorf("of %d: %d, want %d", n, got, want)
			}
			if distance := n - want; least < want-2*distance-1 || least < 0 {
				t.Errorf("of %d: looks at %d for %d", n, least, want)
			}
		}
	}
}

// TestObservationsOfLane: the observations of each lane are found from the latest on, and none is left out.
func TestObservationsOfLane(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var u unitObservations
		want := make([][]int, radix)
		for i := range r.IntN(200) {
			lanes := uint32(1)<<r.IntN(radix) | uint32(2)<<r.IntN(radix-1)
			if r.IntN(8) == 0 {
				lanes = r.Uint32()
			}
			u.add(int32(i), lanes)
			for lane := range want {
				if lanes>>lane&1 != 0 {
					want[lane] = append(want[lane], i)
				}
			}
		}
		for lane := range want {
			var got []int
			for i := u.previous(lane, len(u.list)); i >= 0; i = u.previous(lane, int(u.list[i].before)) {
				got = append(got, int(u.list[i].at))
			}
			if slices.Reverse(got); !slices.Equal(got, want[lane]) {
				t.Fatalf("lane %d: %v, want %v", lane, got, want[lane])
			}
		}
	}
}
