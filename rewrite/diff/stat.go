// Comparisons as numbers for each function.

package diff

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"
)

// Stat counts what differs in a function.
type Stat struct {
	Inserted, Removed, Changed int // instructions
	Registers                  int // number mentioned in B minus that in A
	Calls                      int // number in B minus that in A
	NewFunc, GoneFunc          bool
}

func (s *Stat) add(t Stat) {
	s.Inserted += t.Inserted
	s.Removed += t.Removed
	s.Changed += t.Changed
	s.Registers += t.Registers
	s.Calls += t.Calls
}

// stat counts the differences in rows of statements.
func (c *comparison) stat(rows []Row) Stat {
	s := Stat{Registers: c.b.registers() - c.a.registers(), NewFunc: len(c.a.stmts) == 0, GoneFunc: len(c.b.stmts) == 0}
	i, j := 0, 0
	for _, r := range rows {
		inst := false
		if r.A.Line > 0 {
			inst = c.a.stmts[i].inst
			if c.a.stmts[i].call {
				s.Calls--
			}
			i++
		}
		if r.B.Line > 0 {
			inst = inst || c.b.stmts[j].inst
			if c.b.stmts[j].call {
				s.Calls++
			}
			j++
		}
		if inst {
			s.count(r.Kind)
		}
	}
	return s
}

func (s *Stat) count(k Kind) {
	switch k {
	case Removed:
		s.Removed++
	case Added:
		s.Inserted++
	case Changed:
		s.Changed++
	case Same:
	}
}

// Total returns the sum of the sections.
func (d *Diff) Total() Stat {
	var t Stat
	for i := range d.Sections {
		t.add(d.Sections[i].Stat)
	}
	return t
}

// WriteStat writes a table of the functions that differ, and a sum. The comparison must be by statements.
func (d *Diff) WriteStat(w io.Writer) error {
	out := bufio.NewWriter(w)
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "inserted\tremoved\tchanged\tregisters\tcalls\t  function")
	for i := range d.Sections {
		if s := &d.Sections[i]; !s.Same() {
			s.Stat.row(table, s.heading())
		}
	}
	t := d.Total()
	same, all := d.sameFuncs()
	t.row(table, fmt.Sprintf("total; %d of %d functions are the same", same, all))
	table.Flush()
	return out.Flush()
}

func (s *Stat) row(w io.Writer, name string) {
	fmt.Fprintf(w, "%d\t%d\t%d\t%+d\t%+d\t  %s\n", s.Inserted, s.Removed, s.Changed, s.Registers, s.Calls, name)
}

// heading returns the name of a section of a comparison by statements.
func (s *Section) heading() string {
	switch {
	case s.Name == "":
		return "(module)"
	case s.Stat.NewFunc:
		return s.Name + " (new)"
	case s.Stat.GoneFunc:
		return s.Name + " (removed)"
	}
	return s.Name
}

// sameFuncs returns the number of functions without differences, and of all functions.
func (d *Diff) sameFuncs() (same, all int) {
	for i := range d.Sections {
		if s := &d.Sections[i]; s.Name != "" {
			all++
			if s.Same() {
				same++
			}
		}
	}
	return same, all
}
