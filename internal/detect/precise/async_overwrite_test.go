package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestLongOverwrite: an asynchronous write ends the releases of all words that it overwrites, also of those in later
// lines.
func TestLongOverwrite(t *testing.T) {
	for name, c := range map[string]struct {
		from int64  // the first byte of the write, relative to the location
		size uint32 // in bytes
		want bool   // the acquire reads what has been released
	}{
		"the word alone":            {0, 4, false},
		"the line":                  {-64, 128, false},
		"three lines":               {-256, 512, false},
		"up to the end of the word": {-300, 304, false},
		"up to the word":            {-256, 256, true},
		"behind the word":           {4, 16, true},
	} {
		t.Run(name, func(t *testing.T) {
			steps := "A st.weak d; A st.release.gpu x; C st.weak x; D ld.acquire.gpu x; D ld.weak d"
			events := litmusEvents(t, strings.Split(steps, "; "))
			copied := &events[2]
			copied.Async, copied.Op, copied.Bytes, copied.Scalar = abi.AsyncSignals, 1, c.size, 1
			copied.Addr[0] += uint64(c.from)
			if got := !detected(t, events)[race{1, 5}]; got != c.want {
				t.Errorf("the data are ordered: %v, expected %v", got, c.want)
			}
		})
	}
}
