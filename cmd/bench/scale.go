// Growth: whether what detectors cost grows with the work, over patterns of memory accesses.

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// The marks around the section of a document that has the table.
const (
	scaleBegin = "<!-- written by make scale: begin -->\n"
	scaleEnd   = "<!-- written by make scale: end -->\n"
)

var scaleDetectors = []string{"precise", "scord", "barracuda", "iguard"}

const (
	firstScale  = 10 // binary logarithm of the fewest threads
	scaleStep   = 2
	growthLimit = 1.10            // exponent in the work
	tooLong     = 6 * time.Second // of one launch, after which more threads are not tried
	measurable  = 4 * time.Millisecond
)

// growth is the cost of a pattern under a detector, at more and more threads.
type growth struct {
	work, cost []float64 // thread instructions without a detector, and seconds
	worst      float64   // exponent over a factor of 16 in threads
	stopped    bool
}

// scale measures all patterns and writes the table. It fails when something grows faster than
// the work.
func scale(ctx context.Context, s *settings, w io.Writer) error {
	runtime.GOMAXPROCS(1)
	runtime.LockOSThread()
	var rows, bad []string
	for _, p := range patterns() {
		if ok, err := path.Match(s.only, p.name+"/"+p.operation+"/"+p.space); err != nil || !ok && s.only != "*" {
			continue
		}
		row := fmt.Sprintf("| %s | %s | %s |", p.name, p.operation, p.space)
		for _, det := range scaleDetectors {
			g, err := measureGrowth(ctx, s, p, det)
			if err != nil {
				return fmt.Errorf("%s, %s, %s: %w", p.name, p.operation, det, err)
			}
			last := len(g.cost) - 1
			row += fmt.Sprintf(" %.2f, %.1f |", g.worst, 1e9*g.cost[last]/float64(uint64(1)<<(firstScale+scaleStep*last)))
			if g.worst > growthLimit || g.stopped {
				bad = append(bad, fmt.Sprintf("%s, %s, %s, %s: %.2f", p.name, p.operation, p.space, det, g.worst))
			}
		}
		rows = append(rows, row)
		fmt.Fprintln(w, row)
	}
	if s.doc != "" {
		if err := replaceSection(s.doc, scaleBegin, scaleEnd, scaleTable(s, rows)); err != nil {
			return err
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("faster than the work to the power of %.2f grow:\n%s", growthLimit, strings.Join(bad, "\n"))
	}
	return nil
}

// scaleTable is the table in Markdown.
func scaleTable(s *settings, rows []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Exponent in the work, the worst over a factor of 16 in threads from 2^%d to 2^%d; and ns of a launch per thread at 2^%[2]d.\n\n", firstScale, s.threads)
	b.WriteString("| pattern | operation | memory |")
	for _, d := range scaleDetectors {
		fmt.Fprintf(&b, " %s |", d)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(scaleDetectors)) + "\n")
	b.WriteString(strings.Join(rows, "\n") + "\n")
	return b.String()
}

// measureGrowth measures a pattern under a detector.
func measureGrowth(ctx context.Context, s *settings, p *pattern, det string) (*growth, error) {
	prog, err := session.Parse("pattern.ptx", []byte(p.text()))
	if err != nil {
		return nil, err
	}
	g := new(growth)
	for n := firstScale; n <= s.threads; n += scaleStep {
		work, _, failed := p.run(ctx, prog, "", n)
		if failed != nil {
			return nil, failed
		}
		_, cost, err := p.run(ctx, prog, det, n)
		for i := 0; err == nil && i < 2 && cost < 200*time.Millisecond; i++ {
			var again time.Duration
			_, again, err = p.run(ctx, prog, det, n)
			cost = min(cost, again)
		}
		if err != nil {
			return nil, err
		}
		g.work, g.cost = append(g.work, float64(work)), append(g.cost, cost.Seconds())
		for again := 0; g.latest() > growthLimit && again < 3; again++ { // other work on the machine?
			_, later, failed := p.run(ctx, prog, det, n)
			if failed != nil {
				return nil, failed
			}
			last := len(g.cost) - 1
			g.cost[last] = min(g.cost[last], later.Seconds())
		}
		g.worst = max(g.worst, g.latest())
		if cost > tooLong && n < s.threads {
			g.stopped = true
			break
		}
	}
	return g, nil
}

// latest is the exponent over the latest factor of 16 in threads, 0 while there is none.
func (g *growth) latest() float64 {
	i := len(g.cost) - 1
	j := i - 4/scaleStep
	if j < 0 || g.cost[i] < measurable.Seconds() {
		return 0
	}
	return math.Log(g.cost[i]/g.cost[j]) / math.Log(g.work[i]/g.work[j])
}

// run launches a pattern with 1<<n threads and returns its thread instructions and processor time.
func (p *pattern) run(ctx context.Context, prog *session.Program, det string, n int) (uint64, time.Duration, error) {
	s, err := open(setup{detector: det})
	if err != nil {
		return 0, 0, err
	}
	if err = s.Load(prog); err != nil {
		return 0, 0, err
	}
	data, err := session.Buffer(s, "data", make([]uint32, scaleWords<<n+scaleWords))
	if err != nil {
		return 0, 0, err
	}
	flags, err := session.Buffer(s, "flags", make([]uint32, 1<<n))
	if err != nil {
		return 0, 0, err
	}
	l := session.Launch{Kernel: "k", Grid: emu.Dim3{X: 1 << n / scaleBlock}, Block: emu.Dim3{X: scaleBlock}, Args: []any{data, flags, 1 << n}}
	if err = s.Announce(l); err == nil {
		err = s.Ready()
	}
	if err != nil {
		return 0, 0, err
	}
	debug.FreeOSMemory() // launches of all sizes begin with memory that nobody has touched
	start := processorTime()
	r, err := s.Launch(ctx, l)
	took := processorTime() - start
	if err == nil && len(r.Faults) > 0 {
		err = fmt.Errorf("%s", r.Faults[0].Message)
	}
	if err != nil {
		return 0, 0, err
	}
	return r.Stats.ThreadInstructions, took, nil
}
