package barracuda

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestEndOfAddresses: what is said of accesses does not depend on where memory lies: also not where it ends with the
// last address, or lies across it.
func TestEndOfAddresses(t *testing.T) {
	found := 0
	for seed := range uint64(100) {
		ops := newTrace(seed, 60).ops
		end := uint64(0)
		for i := range ops {
			if o := &ops[i]; o.Kind >= Read && o.Kind <= Sync {
				if o.Site = o.Site%7 + 1; seed%2 == 0 && o.Kind <= AtomicRead && !o.Order.synchronises() && o.Mask&(o.Mask-1) == 0 {
					o.Bytes = 1 << (10 + seed/2%6) // of several pages
				}
				for m := o.Mask; m != 0; m &= m - 1 {
					end = max(end, o.Addr[first(m)]+uint64(o.Bytes))
				}
			}
		}
		unmoved := moved(t, ops, 0)
		found += len(unmoved)
		for _, by := range []uint64{0, -((end + 3) &^ 3), ^uint64(71)} {
			want := moved(t, ops, by)
			for i := range want {
				want[i].Count = unmoved[i].Count // an access counts once for each page
			}
			if !reflect.DeepEqual(want, unmoved) {
				t.Fatalf("seed %d, moved by %#x:\n%+v\nunmoved:\n%+v", seed, by, want, unmoved)
			}
		}
	}
	if found < 500 {
		t.Errorf("%d races: too few to tell", found)
	}
}

// moved returns the races of operations whose addresses are so many bytes further on, with the addresses that they have
// otherwise.
func moved(t *testing.T, ops []Op, by uint64) []detect.Race {
	t.Helper()
	ops = slices.Clone(ops)
	for i := range ops {
		for lane := range abi.WarpLanes {
			ops[i].Addr[lane] += by
		}
	}
	races := run(t, ops)
	for i := range races {
		races[i].Address -= by
	}
	return races
}
