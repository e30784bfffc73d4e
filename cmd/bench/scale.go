// Growth of the cost of detectors with the work, for patterns of memory accesses.

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

	"github.com/ptxsan/ptxsan/cmd/internal/gc"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Marks around the sections of a document that contain the tables of processor time and of basic blocks.
const (
	scaleBegin  = "<!-- written by make scale: begin -->\n"
	scaleEnd    = "<!-- written by make scale: end -->\n"
	growthBegin = "<!-- written by make growth: begin -->\n"
	growthEnd   = "<!-- written by make growth: end -->\n"
)

const (
	firstScale  = 10 // binary logarithm of the smallest number of threads
	scaleStep   = 2
	window      = 4 / scaleStep // distance of the compared sizes: a factor of 16
	growthLimit = 1.10          // limit on the exponent of the cost in the work
	quick       = 0.2           // seconds; faster launches are measured more than once
	pairs       = 7             // number of pairs of launches to measure an exponent above the limit again, odd
)

// growth is the cost of a pattern under a detector for increasing numbers of threads.
type growth struct {
	meter      *meter
	first      int // binary logarithm of the smallest number of threads, or in rounds of accesses
	work, cost []float64
	worst      float64 // exponent over a factor of 16 in threads
	stopped    bool
}

// scale measures all patterns and writes the table. It returns an error when the cost of a pattern grows faster than
// the work to the power of growthLimit.
func scale(ctx context.Context, s *settings, w io.Writer) error {
	runtime.GOMAXPROCS(1)
	runtime.LockOSThread()
	m, begin, end := &processor, scaleBegin, scaleEnd
	if s.count {
		m, begin, end = &counted, growthBegin, growthEnd
	}
	var rows []scaleRow
	var bad []string
	for _, p := range patterns() {
		if ok, err := path.Match(s.only, p.name+"/"+p.operation+"/"+p.space); err != nil || !ok && s.only != "*" {
			continue
		}
		row := scaleRow{p: p}
		for _, det := range s.detectorNames() {
			cell, good, err := measureCell(ctx, s, m, p, det)
			if err != nil {
				return fmt.Errorf("%s, %s, %s: %w", p.name, p.operation, det, err)
			}
			row.cells = append(row.cells, cell)
			if !good {
				bad = append(bad, fmt.Sprintf("%s, %s, %s, %s: %s", p.name, p.operation, p.space, det, cell))
			}
		}
		rows = append(rows, row)
		fmt.Fprintln(w, row)
	}
	if s.doc != "" {
		if err := replaceSection(s.doc, begin, end, scaleTable(s, m, rows)); err != nil {
			return err
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("faster than the work to the power of %.2f grow:\n%s", growthLimit, strings.Join(bad, "\n"))
	}
	return nil
}

// scaleRow has the cells of a pattern, one for each detector.
type scaleRow struct {
	p     *pattern
	cells []scaleCell
}

func (r scaleRow) String() string {
	row := fmt.Sprintf("| %s | %s | %s |", r.p.name, r.p.operation, r.p.space)
	for _, c := range r.cells {
		row += " " + c.String() + " |"
	}
	return row
}

// scaleCell is how the cost of a pattern grows under a detector.
type scaleCell struct {
	worst, each float64 // exponent, and the cost of a launch per thread
	blocks      string  // the exponent in basic blocks where worst is above the limit
}

func (c scaleCell) String() string { return fmt.Sprintf("%.2f%s, %.1f", c.worst, c.blocks, c.each) }

// measureCell measures a pattern under a detector, and whether the cost grows no faster than it may.
func measureCell(ctx context.Context, s *settings, m *meter, p *pattern,
	det string,
) (cell scaleCell, good bool, err error) {
	g, err := measureGrowth(ctx, s, m, p, det)
	if err != nil {
		return cell, false, err
	}
	last := len(g.cost) - 1
	cell = scaleCell{worst: g.worst, each: m.perUnit * g.cost[last] / float64(uint64(1)<<(g.first+scaleStep*last))}
	if g.worst <= growthLimit || g.stopped || s.counter == "" {
		return cell, g.worst <= growthLimit && !g.stopped, nil
	}
	blocks, exceeds, err := s.countedExponent(ctx, p, det)
	cell.blocks = fmt.Sprintf(" (%.2f)", blocks)
	return cell, !exceeds, err
}

// scaleTable returns the table in Markdown: a line for each pattern and memory, with the largest exponent and cost of
// its operations.
func scaleTable(s *settings, m *meter, rows []scaleRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The largest exponent in the work over a factor of 16 in threads from 2^%d to 2^%d, over all operations; and %[6]s of a launch per thread "+
		"at 2^%[2]d, of the dearest operation. In rounds, %[3]d threads make 2^%[4]d to 2^%[5]d accesses together.",
		firstScale, s.threads, roundThreads, s.rounds-window*scaleStep, s.rounds, m.unit)
	if s.counter != "" {
		fmt.Fprintf(&b, " Where the exponent is above %.2f, the one in executed basic blocks follows in parentheses.",
			growthLimit)
	}
	b.WriteString("\n\n")
	fmt.Fprintf(&b, "| pattern | memory | %s |\n|---|---|%s\n", strings.Join(s.detectorNames(), " | "),
		strings.Repeat("---|", len(s.detectorNames())))
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].p.name == rows[0].p.name && rows[n].p.space == rows[0].p.space {
			n++
		}
		fmt.Fprintf(&b, "| %s | %s |", rows[0].p.name, rows[0].p.space)
		for i := range rows[0].cells {
			fmt.Fprintf(&b, " %s |", summary(rows[:n], i))
		}
		b.WriteString("\n")
		rows = rows[n:]
	}
	return b.String()
}

// summary returns the cell of a detector, the i-th, for the operations of one pattern.
func summary(rows []scaleRow, i int) string {
	worst, dear := &rows[0].cells[i], 0.0
	for _, r := range rows {
		if r.cells[i].worst > worst.worst {
			worst = &r.cells[i]
		}
		dear = max(dear, r.cells[i].each)
	}
	return fmt.Sprintf("%.2f%s; %.0f", worst.worst, worst.blocks, dear)
}

// measureGrowth measures a pattern under a detector.
func measureGrowth(ctx context.Context, s *settings, m *meter, p *pattern, det string) (*growth, error) {
	prog, err := session.Parse("pattern.ptx", []byte(p.text()))
	if err != nil {
		return nil, err
	}
	work := func(n int) (float64, error) { return p.work(ctx, prog, n) }
	cost := func(n int) (float64, error) {
		_, spent, failed := p.run(ctx, prog, det, n, m)
		return spent, failed
	}
	g, most := &growth{meter: m, first: firstScale}, s.threads
	if p.rounds {
		g.first, most = s.rounds-window*scaleStep, s.rounds
	}
	return g, g.measure(most, work, cost)
}

// measure measures launches of 1<<n threads, with n up to most. The function work returns the work of a launch, cost
// its cost.
func (g *growth) measure(most int, work, cost func(n int) (float64, error)) error {
	for n := g.first; n <= most; n += scaleStep {
		done, err := work(n)
		if err != nil {
			return err
		}
		spent, err := cost(n)
		for i := 0; err == nil && g.meter.noisy && i < 2 && spent < quick; i++ {
			var again float64
			again, err = cost(n)
			spent = min(spent, again)
		}
		if err != nil {
			return err
		}
		g.work, g.cost = append(g.work, done), append(g.cost, spent)
		exponent := g.latest()
		if exponent > growthLimit && g.meter.noisy {
			if exponent, err = g.inTurn(cost); err != nil {
				return err
			}
		}
		g.worst = max(g.worst, exponent)
		if spent > g.meter.most && n < most {
			g.stopped = true
			break
		}
	}
	return nil
}

// inTurn measures the latest exponent again: it returns the median of the exponents of several pairs of launches, one
// right after the other. Other work on the machine slows launches down for seconds at a time, so that the least costs
// of two sizes may be from times at which the machine was differently fast. The two launches of a pair usually run at
// the same speed, and the median is equally likely to be above and below the value of a quiet machine.
func (g *growth) inTurn(cost func(n int) (float64, error)) (float64, error) {
	last := len(g.cost) - 1
	least := slices.Clone(g.cost)
	var exponents []float64
	for range pairs {
		for _, i := range []int{last - window, last} {
			spent, err := cost(g.first + scaleStep*i)
			if err != nil {
				return 0, err
			}
			g.cost[i] = spent
			least[i] = min(least[i], g.cost[i])
		}
		exponents = append(exponents, g.exponent(last))
	}
	g.cost = least
	slices.Sort(exponents)
	return exponents[pairs/2], nil
}

// latest returns the exponent over the latest factor of 16 in threads, or 0 if there is none yet or launches cost too
// little.
func (g *growth) latest() float64 {
	last := len(g.cost) - 1
	if last < window || g.cost[last] < g.meter.least {
		return 0
	}
	return g.exponent(last)
}

// exponent returns the exponent of the cost in the work, over a factor of 16 in threads up to size number i.
func (g *growth) exponent(i int) float64 {
	j := i - window
	return math.Log(g.cost[i]/g.cost[j]) / math.Log(g.work[i]/g.work[j])
}

// work returns the number to which the cost of a launch is compared: its thread instructions without a detector. For
// patterns in rounds it is the number of accesses, since few threads in few rounds mostly start and end.
func (p *pattern) work(ctx context.Context, prog *session.Program, n int) (float64, error) {
	if p.rounds {
		return math.Exp2(float64(n)), nil
	}
	done, _, err := p.run(ctx, prog, "", n, &processor)
	return float64(done), err
}

// run launches a pattern with 1<<n threads and returns its thread instructions and its cost.
func (p *pattern) run(ctx context.Context, prog *session.Program, det string, n int,
	m *meter,
) (uint64, float64, error) {
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
	grid, block := p.size(1 << n)
	l := session.Launch{
		Kernel: "k", Grid: emu.Dim3{X: grid}, Block: emu.Dim3{X: block},
		Args: []any{data, flags, 1 << n},
	}
	if err = s.Announce(l); err == nil {
		err = s.Ready()
	}
	if err != nil {
		return 0, 0, err
	}
	gc.Collect() // launches of all sizes begin with memory that was never accessed
	var r *session.Result
	spent, err := m.cost(func() (failed error) {
		r, failed = s.Launch(ctx, l)
		return failed
	})
	if err == nil && len(r.Faults) > 0 {
		err = fmt.Errorf("%s", r.Faults[0].Message)
	}
	if err != nil {
		return 0, 0, err
	}
	return r.Stats.ThreadInstructions, spent, nil
}
