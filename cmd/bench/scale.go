// Growth: whether what detectors cost grows with the work, over patterns of memory accesses.

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ptxsan/ptxsan/cmd/internal/gc"
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
	window      = 4 / scaleStep   // sizes between those that are compared: a factor of 16
	growthLimit = 1.10            // exponent in the work
	tooLong     = 6 * time.Second // of one launch, after which more threads are not tried
	measurable  = 4 * time.Millisecond
	pairs       = 7 // of launches that an exponent above the limit is measured by again, an odd number
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
	fmt.Fprintf(&b, "Exponent in the work, the worst over a factor of 16 in threads from 2^%d to 2^%d; and ns of a launch per thread at 2^%[2]d. "+
		"In rounds, %[3]d threads make so many accesses together, up to 2^%[4]d.\n\n", firstScale, s.threads, roundThreads, min(s.threads, mostRounds))
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
	work := func(n int) (uint64, error) {
		done, _, failed := p.run(ctx, prog, "", n)
		return done, failed
	}
	cost := func(n int) (time.Duration, error) {
		_, took, failed := p.run(ctx, prog, det, n)
		return took, failed
	}
	most := s.threads
	if p.rounds {
		most = min(most, mostRounds)
	}
	g := new(growth)
	return g, g.measure(most, work, cost)
}

// measure measures launches of 1<<n threads, n up to most: the work of one, and what one costs.
func (g *growth) measure(most int, work func(n int) (uint64, error), cost func(n int) (time.Duration, error)) error {
	for n := firstScale; n <= most; n += scaleStep {
		done, err := work(n)
		if err != nil {
			return err
		}
		took, err := cost(n)
		for i := 0; err == nil && i < 2 && took < 200*time.Millisecond; i++ {
			var again time.Duration
			again, err = cost(n)
			took = min(took, again)
		}
		if err != nil {
			return err
		}
		g.work, g.cost = append(g.work, float64(done)), append(g.cost, took.Seconds())
		exponent := g.latest()
		if exponent > growthLimit {
			if exponent, err = g.inTurn(cost); err != nil {
				return err
			}
		}
		g.worst = max(g.worst, exponent)
		if took > tooLong && n < most {
			g.stopped = true
			break
		}
	}
	return nil
}

// inTurn is the latest exponent, measured again: the median of those of several pairs of launches, one right after the
// other. Other work on the machine slows launches down for seconds, so that the least cost of one size may be
// of a time when the machine was quick and that of another of one when it was slow. Both launches of a pair are of one time as a rule,
// and the median is as likely above as below what a quiet machine would show.
func (g *growth) inTurn(cost func(n int) (time.Duration, error)) (float64, error) {
	last := len(g.cost) - 1
	least := slices.Clone(g.cost)
	var exponents []float64
	for range pairs {
		for _, i := range []int{last - window, last} {
			took, err := cost(firstScale + scaleStep*i)
			if err != nil {
				return 0, err
			}
			g.cost[i] = took.Seconds()
			least[i] = min(least[i], g.cost[i])
		}
		exponents = append(exponents, g.exponent(last))
	}
	g.cost = least
	slices.Sort(exponents)
	return exponents[pairs/2], nil
}

// latest is the exponent over the latest factor of 16 in threads, 0 while there is none or launches cost little.
func (g *growth) latest() float64 {
	last := len(g.cost) - 1
	if last < window || g.cost[last] < measurable.Seconds() {
		return 0
	}
	return g.exponent(last)
}

// exponent is that of the cost in the work, over a factor of 16 in threads up to size number i.
func (g *growth) exponent(i int) float64 {
	j := i - window
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
	l := session.Launch{Kernel: "k", Grid: emu.Dim3{X: uint32(p.threads(1<<n) / scaleBlock)}, Block: emu.Dim3{X: scaleBlock}, Args: []any{data, flags, 1 << n}}
	if err = s.Announce(l); err == nil {
		err = s.Ready()
	}
	if err != nil {
		return 0, 0, err
	}
	gc.Collect() // launches of all sizes begin with memory that nobody has touched
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
