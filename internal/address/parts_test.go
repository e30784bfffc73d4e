package address_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ptxsan/ptxsan/internal/address"
)

// TestParts: accesses are divided where no thread of the launch touches bytes of both parts.
func TestParts(t *testing.T) {
	launch := address.LaunchValues{Block: [3]uint32{32, 1, 1}, Grid: [3]uint32{4, 1, 1}}
	at := func(constant, tid, cta int64) address.LinearAccess {
		return address.LinearAccess{At: address.Linear{Const: constant, Tid: [3]int64{tid}, Cta: [3]int64{cta}}, Size: 4}
	}
	for _, c := range []struct {
		name     string
		accesses []address.LinearAccess
		want     string
	}{
		{"none", nil, "[]"},
		{"arrays that follow each other", []address.LinearAccess{at(512, 4, 128), at(0, 4, 128), at(1024, 4, 128)}, "[[1] [0] [2]]"},
		{"arrays that overlap by a byte", []address.LinearAccess{at(511, 4, 128), at(0, 4, 128), at(1023, 4, 128)}, "[[1 0] [2]]"},
		{"one that covers two", []address.LinearAccess{at(0, 4, 128), at(700, 4, 0), at(600, 0, 4), at(0, 32, 1024)}, "[[0 3 2 1]]"},
		{"backwards", []address.LinearAccess{at(1020, -4, -128), at(0, 4, 128), at(508, -4, -128)}, "[[1 2] [0]]"},
		{"of one thread each", []address.LinearAccess{at(8, 0, 0), at(0, 0, 0), at(4, 0, 0), at(2, 0, 0)}, "[[1 3 2] [0]]"},
		{"of two objects", []address.LinearAccess{at(0, 4, 128), {At: address.Linear{Object: 1, Const: 4096}, Size: 4}}, "[[0 1]]"},
		{"too far", []address.LinearAccess{at(math.MinInt64+8, 4, 128), at(0, math.MaxInt64/8, 0)}, "[[0 1]]"},
	} {
		if got := fmt.Sprint(address.Parts(c.accesses, launch)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
