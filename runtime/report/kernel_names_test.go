package report_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestKernelNames: a launch finds its kernel by the names that host code has for it.
func TestKernelNames(t *testing.T) {
	const plain, mangled, unsigned = "scale", "_Z6reduceILi256ELb1EEvPKiPi", "_ZN2ns4fillILj64EfEEvPT0_"
	for _, c := range []struct {
		wanted, kernel string
		want           bool
	}{
		{"scale", plain, true},
		{"scales", plain, false},
		{"reduce<256, true>", mangled, true},
		{"reduce<256,true>", mangled, true},
		{"reduce", mangled, true},
		{"reduce<128, true>", mangled, false},
		{"reduce(int const*, int*)", mangled, false},
		{"fill<64, float>", unsigned, true},
		{"ns::fill<64u, float>", unsigned, true},
		{"fill", unsigned, true},
		{"other::fill", unsigned, false},
	} {
		if got := report.Denotes(c.wanted, c.kernel); got != c.want {
			t.Errorf("%q for %s: %t", c.wanted, c.kernel, got)
		}
	}
}
