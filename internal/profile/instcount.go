// The host part of the pass instcount.

package profile

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// InstCount holds the counts of the instcount pass.
type InstCount struct {
	m      *abi.InstMap
	counts []uint64
}

// ReadInstCount reads the counters of an instrumented module, for all launches
// since it was loaded.
func ReadInstCount(dev abi.Device, m *abi.InstMap) (*InstCount, error) {
	counts, err := readCounters(dev, abi.InstCounters, m.Counters)
	if err != nil {
		return nil, err
	}
	return &InstCount{m, counts}, nil
}

// Tally is the number of executions of a group of instructions, in threads.
type Tally struct {
	Name    string
	Issued  uint64 // reached
	Skipped uint64 // number of those with a false guard
}

// Total returns the tally of all instructions.
func (c *InstCount) Total() Tally {
	t := c.by(func(*abi.CountedInst) string { return "total" })
	if len(t) == 0 {
		return Tally{Name: "total"}
	}
	return t[0]
}

// Classes returns the tallies by class, the most frequent first.
func (c *InstCount) Classes() []Tally {
	return frequent(c.by(func(in *abi.CountedInst) string { return in.Class }))
}

// Opcodes returns the tallies by opcode with modifiers, the most frequent first.
func (c *InstCount) Opcodes() []Tally {
	return frequent(c.by(func(in *abi.CountedInst) string { return in.Opcode }))
}

// Lines returns the tallies by source line, in order of files and lines.
func (c *InstCount) Lines() []Tally {
	insts := slices.Clone(c.m.Insts)
	slices.SortStableFunc(insts, func(a, b abi.CountedInst) int {
		return cmp.Or(cmp.Compare(a.Line.File, b.Line.File), cmp.Compare(a.Line.Line, b.Line.Line))
	})
	sorted := &InstCount{&abi.InstMap{Counters: c.m.Counters, Insts: insts}, c.counts}
	return sorted.by(func(in *abi.CountedInst) string { return fmt.Sprintf("%s:%d", in.Line.File, in.Line.Line) })
}

// by groups the instructions, in the order of first appearance.
func (c *InstCount) by(name func(*abi.CountedInst) string) []Tally {
	var list []Tally
	at := map[string]int{}
	for i := range c.m.Insts {
		in := &c.m.Insts[i]
		n := name(in)
		j, ok := at[n]
		if !ok {
			j = len(list)
			at[n] = j
			list = append(list, Tally{Name: n})
		}
		list[j].Issued += c.counts[in.Issued]
		if in.Guarded >= 0 {
			list[j].Skipped += c.counts[in.Issued] - c.counts[in.Guarded]
		}
	}
	return list
}

func frequent(list []Tally) []Tally {
	slices.SortStableFunc(list, func(a, b Tally) int {
		return cmp.Or(cmp.Compare(b.Issued, a.Issued), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// WriteText writes the tables.
func (c *InstCount) WriteText(w io.Writer) error {
	out := newLines(w)
	total := c.Total()
	out.printf("instructions executed by threads: %d, of which %d did nothing because of their guard", total.Issued,
		total.Skipped)
	for _, table := range []struct {
		title string
		rows  []Tally
	}{{"class", c.Classes()}, {"opcode", c.Opcodes()}, {"line", c.Lines()}} {
		out.printf("\n%12s  %6s  %12s  by %s", "executed", "share", "guarded off", table.title)
		for _, t := range table.rows {
			out.printf("%12d  %5.1f%%  %12d  %s", t.Issued, percent(t.Issued, total.Issued), t.Skipped, t.Name)
		}
	}
	return out.w.Flush()
}

func percent(n, of uint64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
