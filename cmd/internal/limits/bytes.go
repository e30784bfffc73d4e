// Numbers of bytes with a unit.

package limits

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// ParseBytes parses 4096, 64K, 512M or 2G; "" is 0.
func ParseBytes(s string) (uint64, error) {
	if s == "" {
		return 0, nil
	}
	digits, shift := s, 0
	if i := strings.IndexByte("KMGT", s[len(s)-1]); i >= 0 {
		digits, shift = s[:len(s)-1], 10*(i+1)
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || v == 0 || bits.Len64(v)+shift > 62 {
		return 0, fmt.Errorf("expected a number of bytes such as 512M, found %q", s)
	}
	return v << shift, nil
}
