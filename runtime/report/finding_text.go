// Findings in one line or a few, for formats that have no layout of their own.

package report

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Headline returns a one-line description of a finding.
func (x *Race) Headline() string {
	word := x.word()
	if x.Possible {
		word = "Possible race"
	}
	return fmt.Sprintf("%s: %s on %s between %s at %s and %s at %s", word, x.Cause, x.object(), x.First.Access,
		x.First.At(), x.Second.Access, x.Second.At())
}

// word returns what the two accesses are: a race, strong accesses with an outcome that only weak memory has, or those of
// two runs of an autotuner.
func (x *Race) word() string {
	switch x.Cause {
	case detect.WeakOutcome:
		return "Weak outcome"
	case detect.RepeatedUpdate:
		return "Repeated update"
	}
	return "Race"
}

// Actor returns who made an access, and with which instruction.
func (a *Access) Actor() string { return a.actor() }

// Object returns the accessed object, such as "__shared__ sum[3] (4 bytes)".
func (x *Race) Object() string { return x.object() }

// see returns the command that explains the cause.
func (x *Race) see() string { return "ptxsan explain " + string(x.Cause) }

// Lines returns a finding in a few lines of text: who made the accesses, what is missing, how to repair it and how to
// repeat the run.
func (x *Race) Lines() []string {
	lines := []string{
		fmt.Sprintf("Previous %s by %s", x.First.Access, x.First.actor()),
		fmt.Sprintf("%s by %s", title(x.Second.Access), x.Second.actor()),
	}
	if !x.Possible {
		lines = append(lines, "Missing: "+x.Missing, "Fix: "+x.Hint)
	}
	lines = append(lines, "See: "+x.see())
	if x.Reason != "" {
		lines = append(lines, "Undecided: "+x.Reason)
	}
	if x.Replay != "" {
		lines = append(lines, "Replay: "+x.Replay)
	}
	if x.Range != "" {
		lines = append(lines, "Launched in range "+x.Range)
	}
	if x.Launched != nil {
		lines = append(lines, "Launched at "+where(x.Launched, Place{}))
	}
	if len(x.Programs) > 0 {
		lines = append(lines, "Program: "+strings.Join(x.Programs, ", "))
	}
	return append(lines, "Id: "+x.ID)
}

// Headline returns a one-line description of a fault.
func (f *FaultEvent) Headline() string { return fmt.Sprintf("%s: %s", f.Class, f.Message) }

// Lines returns a fault in a few lines of text.
func (f *FaultEvent) Lines() []string {
	if f.OfCall() {
		return []string{title(f.CallWord()) + " " + f.CallText()}
	}
	lines := []string{fmt.Sprintf("By %s of %s, at %s", f.Actor(), Demangle(f.Kernel), f.At())}
	if f.Instruction != "" {
		lines = append(lines, "Instruction: "+f.Instruction+" at "+place(f.PTX))
	}
	if f.Hint != "" {
		lines = append(lines, "Fix: "+f.Hint)
	}
	if f.Replay != "" {
		lines = append(lines, "Replay: "+f.Replay)
	}
	if f.Range != "" {
		lines = append(lines, "Launched in range "+f.Range)
	}
	if f.Launched != nil {
		lines = append(lines, "Launched at "+where(f.Launched, Place{}))
	}
	if len(f.Programs) > 0 {
		lines = append(lines, "Program: "+strings.Join(f.Programs, ", "))
	}
	return lines
}

// Actor returns which thread made the access that faulted.
func (f *FaultEvent) Actor() string {
	return fmt.Sprintf("thread %s in block %s", dim(f.Thread), dim(f.Block))
}

// At returns the place of a fault, as file:line.
func (f *FaultEvent) At() string { return where(f.Source, f.PTX) }

// Where returns the file and line of an access in the user's own source, or in the PTX.
func (a *Access) Where() (file string, line int) { return fileLine(a.Source, a.PTX) }

// Where returns the file and line of the later access of a race, or of the other one if the later one has none.
func (x *Race) Where() (file string, line int) {
	if file, line = x.Second.Where(); file == "" {
		return x.First.Where()
	}
	return file, line
}

// Where returns the file and line of a fault in the user's own source, or in the PTX.
func (f *FaultEvent) Where() (file string, line int) { return fileLine(f.Source, f.PTX) }

func fileLine(s *Source, p Place) (file string, line int) {
	if s != nil {
		own := s.Own()
		return own.File, own.Line
	}
	return p.File, p.Line
}

// At returns the place of an operation, as file:line.
func (o *Operation) At() string {
	if o == nil {
		return where(nil, Place{})
	}
	return o.at()
}
