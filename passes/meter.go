// Time and size of the passes of a pipeline.

package passes

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Meter measures a run of a pipeline: how long each pass takes, and how the module grows.
type Meter struct {
	times []passTime
	sizes []Size // of the input, and of the module after each pass
	stats []Stats
}

type passTime struct {
	name string
	time time.Duration
}

// Size is the size of a module: the bytes of its text, and the number of instructions.
type Size struct{ Bytes, Insts int }

// SizeOf measures a module.
func SizeOf(m *rewrite.Module) Size {
	s := Size{Bytes: len(m.Source())}
	for _, f := range m.Funcs {
		s.Insts += len(f.Insts)
	}
	return s
}

// Run is Pipeline.RunWith, measured. A meter measures one run at a time.
func (t *Meter) Run(p Pipeline, m *rewrite.Module, d Driver) (*Output, error) {
	t.times, t.sizes, t.stats = nil, []Size{SizeOf(m)}, nil
	watched := d
	var started time.Time
	watched.Before = func(pass *Pass) {
		d.before(pass)
		started = time.Now()
	}
	watched.After = func(pass *Pass, m *rewrite.Module) error {
		t.times = append(t.times, passTime{pass.Name, time.Since(started)})
		t.sizes = append(t.sizes, SizeOf(m))
		return d.after(pass, m)
	}
	out, err := p.RunWith(m, watched)
	if err == nil {
		t.stats = out.Stats
	}
	return out, err
}

// WriteTimes writes the time of each pass, required analyses included, and their sum.
func (t *Meter) WriteTimes(w io.Writer) {
	total := time.Duration(0)
	for _, pass := range t.times {
		total += pass.time
		fmt.Fprintf(w, "%10.3f ms  %s\n", milliseconds(pass.time), pass.name)
	}
	fmt.Fprintf(w, "%10.3f ms  total\n", milliseconds(total))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// WriteStats writes the statistics of each pass, and how much the module grew by it.
func (t *Meter) WriteStats(w io.Writer) {
	for i, s := range t.stats {
		var words []string
		for _, n := range s.Counts {
			words = append(words, fmt.Sprintf("%d %s", n.N, n.Name))
		}
		from, to := t.sizes[i], t.sizes[i+1]
		if from != to {
			words = append(words, fmt.Sprintf("instructions %d -> %d", from.Insts, to.Insts),
				fmt.Sprintf("bytes %d -> %d (%.2fx)", from.Bytes, to.Bytes, float64(to.Bytes)/float64(from.Bytes)))
		}
		fmt.Fprintf(w, "pass %s: %s\n", s.Pass, strings.Join(words, ", "))
	}
}
