// Subjects: the launches that are run on edited modules, and how findings about an edited module are mapped to the
// instructions of the original.

package trial

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Subject is a program with its launches, of which edited versions are run with the same launches.
type Subject struct {
	Plan *session.Plan
	// Session configures the detectors, which must listen, and the emulator.
	Session session.Options
	Workers int // goroutines, 0 for one per processor
	// Known reports whether a finding is known, so that it does not count; nil for none.
	Known func(*report.Race) bool
	// Announced says that warnings about data which a message announces count as errors: a run under weak memory has
	// shown one.
	Announced bool

	// Digests names buffers and variables that are compared by a digest of their contents, besides those of Compared.
	Digests []string

	Spending *Meter
	// Moved returns the line of the given source for a line of the edited source from which the module was compiled.
	// It is nil if the module was compiled from the given source.
	Moved func(file string, line int) (string, int)
}

// Original returns the module without edits.
func (s *Subject) Original() *rewrite.Module { return s.Plan.Program.Module }

// Counted returns the findings that count for the verdict.
func (s *Subject) Counted(races []*report.Race) (list []*report.Race) {
	level := report.SeverityRank(report.Error)
	if l := s.Session.ErrorLevel; l != "" {
		level = report.SeverityRank(l)
	}
	for _, x := range races {
		if (report.SeverityRank(x.Severity) >= level || s.Announced && x.Announced()) && !s.known(x) {
			list = append(list, x)
		}
	}
	return list
}

// Pairs returns the findings that count for the verdict, one for each pair of instructions: two lines may have several
// pairs.
func (s *Subject) Pairs(rep *report.Report) (list []*report.Race) {
	for _, x := range s.Counted(rep.Races) {
		list = append(list, s.Counted(x.Each())...)
	}
	return list
}

// known reports whether a finding does not count.
func (s *Subject) known(x *report.Race) bool {
	if s.Known == nil {
		return false
	}
	if s.Moved != nil {
		x = x.Moved(s.Moved)
	}
	return s.Known(x)
}

// AccessOf returns the instruction of the original for an access of the edited module m, nil if there is none.
func (s *Subject) AccessOf(m *rewrite.Module, a *report.Access) *rewrite.Inst {
	return s.InstOf(m, a.PTX.Line, a.Instruction)
}

// OperationOf returns the instruction of the original for an operation of the edited module m, nil if there is none.
func (s *Subject) OperationOf(m *rewrite.Module, o *report.Operation) *rewrite.Inst {
	if o == nil {
		return nil
	}
	return s.InstOf(m, o.PTX.Line, o.Instruction)
}

// InstOf returns the instruction of the original for a line of an edited module: the same, or the one that was edited.
func (s *Subject) InstOf(m *rewrite.Module, line int, opcode string) *rewrite.Inst {
	at := m.Origin(line)
	if at.Line == 0 {
		at.Line = at.For
	}
	var found *rewrite.Inst
	for _, fn := range s.Original().Funcs {
		for _, in := range fn.Insts {
			if in.Line == at.Line && (found == nil || session.OpcodeText(in) == opcode) {
				found = in
			}
		}
	}
	return found
}

// Restore makes an access of an edited module one of the original.
func (s *Subject) Restore(m *rewrite.Module, a *report.Access) {
	if in := s.AccessOf(m, a); in != nil {
		a.PTX.Line, a.Instruction = in.Line, session.OpcodeText(in)
	}
}

// Edited returns the module with edits, and the plan for it. The error says why they cannot be applied.
func (s *Subject) Edited(edits []*repair.Edit) (*rewrite.Module, *session.Plan, error) {
	m, err := repair.Apply(s.Original(), edits)
	if err != nil {
		return nil, nil, err
	}
	p, err := session.Parse(m.AST.File.Name, m.AST.File.Src)
	if err != nil {
		return nil, nil, err
	}
	plan, err := s.PlanOf(p, edits)
	return m, plan, err
}

// PlanOf returns the plan for another program, whose launches are cooperative where edits need that, and followed by
// those of second kernels.
func (s *Subject) PlanOf(p *session.Program, edits []*repair.Edit) (*session.Plan, error) {
	plan, err := session.NewPlan(p, s.Plan.File, s.Session.Emulator.MaxSteps)
	if err != nil {
		return nil, err
	}
	launched := make(map[string]bool)
	for i := range s.Plan.Launches {
		launched[s.Plan.KernelName(i)] = true
	}
	if plan = plan.Only(func(kernel string) bool { return launched[kernel] }); plan == nil {
		return nil, errors.New("the program has none of the kernels")
	}
	for _, k := range repair.Cooperative(edits) {
		for i := range plan.Launches {
			if plan.KernelName(i) == k.Name {
				plan.Launches[i].Cooperative = true
			}
		}
	}
	for _, k := range repair.Halved(edits) {
		second := SecondKernel(p.Module, k)
		if second == nil {
			return nil, fmt.Errorf("the program has no second kernel for %s", k.Name)
		}
		plan.Follow(k.Name, second.Name)
	}
	return plan, nil
}

// BaseName returns the name of a kernel in the source.
func BaseName(name string) string {
	name, _, _ = strings.Cut(report.Demangle(name), "(")
	return name
}

// SecondKernel returns the second kernel of a split in another module, nil if there is none.
func SecondKernel(m *rewrite.Module, k *rewrite.Func) *rewrite.Func {
	for _, f := range m.Funcs {
		if f.Entry && (strings.HasSuffix(f.Name, k.Name+repair.Rest) ||
			BaseName(f.Name) == BaseName(k.Name)+repair.Rest) {
			return f
		}
	}
	return nil
}

// Compared returns the buffers whose results are compared: those with expectations in the launch file, or else all; nil
// if they are too large.
func (s *Subject) Compared() []*launch.Buffer {
	file := s.Plan.File
	list, total := []*launch.Buffer{}, uint64(0)
	for i := range file.Buffers {
		b := &file.Buffers[i]
		if s.Expected() && !slices.ContainsFunc(file.Expect.Buffers,
			func(x launch.ExpectBuffer) bool { return x.Name == b.Name }) {
			continue
		}
		list, total = append(list, b), total+b.Size()
	}
	if total > session.MaxOutcome {
		return nil
	}
	return list
}

// Expected reports whether the launch file has expectations about final buffer contents.
func (s *Subject) Expected() bool {
	return s.Plan.File.Expect != nil && len(s.Plan.File.Expect.Buffers) > 0
}

// Place returns the source line of an access, or the line of the PTX without one; for an event, its words.
func Place(a *report.Access) string {
	if a.Event != "" {
		return a.Operation
	}
	p := session.OwnPlace(a)
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Brief returns the place of an access without folders.
func Brief(a *report.Access) string { return path.Base(filepath.ToSlash(Place(a))) }
