package launch_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
)

// TestVary: a variation changes sizes and contents of its copy alone; steps, real numbers, negative ones, given
// contents and buffers that are written stay.
func TestVary(t *testing.T) {
	f, err := launch.Parse("k.yaml", []byte(`guessed: true
buffers:
  in: {type: u32, count: 8, init: 0}
  out: {type: u32, count: 8, init: 0}
  real: {type: f32, count: 8, init: 0}
  given: {type: u32, count: 8, init: 3}
launches: [{kernel: k, grid: 1, block: 32, args: [in, out, 128, 31, -64, 64.5, [64, {u8: 2}]]}]
expect: {verdict: clean}
`), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := f.WithNumbers(32, func(n uint64) uint64 { return n - 14 })
	for i, want := range []launch.Number{launch.Int(114), launch.Int(31), launch.Int(-64), launch.Float(64.5)} {
		if got := g.Launches[0].Args[i+2].Value; got != want {
			t.Errorf("number %d: %v", i, got)
		}
	}
	if got := g.Launches[0].Args[6].Fields[0].Value; got != launch.Int(50) || f.Launches[0].Args[2].Value != launch.Int(128) || g.Expect != nil || f.Expect == nil {
		t.Error("the field is", got, "or the file itself has changed")
	}
	h := f.WithSmall(func(b *launch.Buffer) bool { return b.Name != "out" })
	var random []string
	for i := range h.Buffers {
		if h.Buffers[i].Init.Kind == launch.InitRandom {
			random = append(random, h.Buffers[i].Name)
		}
	}
	f.Sized = true
	if f.WithSmall(func(*launch.Buffer) bool { return true }) != nil {
		t.Error("zeros of host code are changed")
	}
	f.Sized = false
	if got := strings.Join(random, " "); got != "in real" || h.WithSmall(func(*launch.Buffer) bool { return false }) != nil {
		t.Error("random numbers in", got)
	}
}
