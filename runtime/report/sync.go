// Synchronisation: what the synchronising instructions of launches are for, and which of them can go.

package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SyncVerdict is the answer for a synchronisation.
type SyncVerdict string

// Verdicts about synchronisation, the strictest first.
const (
	SyncNeeded        SyncVerdict = "needed"          // something goes wrong without it
	SyncNotDecided    SyncVerdict = "not-decided"     // Why says why
	SyncWeaker        SyncVerdict = "weaker"          // To will do
	SyncNotNeededHere SyncVerdict = "not-needed-here" // for the launches that were run
	SyncNotNeeded     SyncVerdict = "not-needed"      // proved for every launch
)

// SyncVerdicts lists all verdicts about synchronisation, the strictest first.
var SyncVerdicts = []SyncVerdict{SyncNeeded, SyncNotDecided, SyncWeaker, SyncNotNeededHere, SyncNotNeeded}

// Words returns a verdict in words.
func (v SyncVerdict) Words() string {
	if v == SyncWeaker {
		return "weaker will do"
	}
	return strings.ReplaceAll(string(v), "-", " ")
}

// Sync is the answer for the synchronising instructions that the compiler has made of one place in the source; without
// lines, for one instruction.
type Sync struct {
	Kernel      string      `json:"kernel"` // the function that contains the first of them, as in the PTX
	PTX         Place       `json:"ptx"`    // of the first
	Source      *Source     `json:"source,omitempty"`
	Kind        string      `json:"kind"` // such as barrier, fence, access
	Instruction string      `json:"instruction"`
	Copies      int         `json:"copies"`     // instructions
	Executions  float64     `json:"executions"` // mean number by a warp of the launches
	Verdict     SyncVerdict `json:"verdict"`    // the strictest of the copies
	Because     *SyncReason `json:"because,omitempty"`
	Holds       *Holds      `json:"holds,omitempty"` // of weaker, and where it is not needed
	To          string      `json:"to,omitempty"`    // of weaker: the instruction that will do
	With        []Operation `json:"with,omitempty"`  // what changes together with it
	Or          *Operation  `json:"or,omitempty"`    // what can go in its place, but not together with it
	Needs       []string    `json:"needs,omitempty"` // of not-needed: what the proof assumes of launches
	Why         string      `json:"why,omitempty"`   // of not-decided
	// Elsewhere says with which other launches the change has a race, a fault or other results.
	Elsewhere string `json:"elsewhere,omitempty"`
	// Library is the place in code of a library that the user's line calls, nil for none.
	Library *Frame `json:"library,omitempty"`
	Set     bool   `json:"set"` // the change is a part of the set of the report
}

// SyncReason is what goes wrong without a synchronisation: one of a race, a fault and a result that the program does
// not have.
type SyncReason struct {
	Race   *Race       `json:"race,omitempty"`
	Fault  *FaultEvent `json:"fault,omitempty"`
	Result string      `json:"result,omitempty"`
}

// String returns the reason in few words.
func (r *SyncReason) String() string {
	switch {
	case r.Race != nil:
		return fmt.Sprintf("%s and %s race", where(r.Race.First.Source, r.Race.First.PTX),
			where(r.Race.Second.Source, r.Race.Second.PTX))
	case r.Fault != nil:
		return r.Fault.Message
	}
	return r.Result
}

// SyncSet is the changes of synchronisation that stand together.
type SyncSet struct {
	Verified string   `json:"verified"` // how
	Holds    Holds    `json:"holds"`
	Changes  []Change `json:"changes"`
	Diff     string   `json:"diff"` // of the PTX, unified
}

// Changeable reports whether a synchronisation can go, or can be weaker.
func (s *Sync) Changeable() bool {
	return s.Verdict == SyncWeaker || s.Verdict == SyncNotNeededHere || s.Verdict == SyncNotNeeded
}

// At returns the place for people, as file:line.
func (s *Sync) At() string { return where(s.Source, s.PTX) }

// Where returns the file and line in the user's own source, or in the PTX.
func (s *Sync) Where() (file string, line int) { return fileLine(s.Source, s.PTX) }

// Headline returns the answer in one line.
func (s *Sync) Headline() string {
	text := s.Verdict.Words()
	switch s.Verdict {
	case SyncNeeded:
		text += ": " + s.because()
	case SyncNotDecided:
		text += ": " + s.Why
	case SyncWeaker:
		text += ": " + s.weaker()
	case SyncNotNeededHere:
		text += ": " + s.holds()
	case SyncNotNeeded:
		if text += " in any launch"; len(s.Needs) > 0 {
			text += " with " + strings.Join(s.needs(), ", ")
		}
	}
	if s.Or != nil {
		return fmt.Sprintf("one of two: this or %s; %s", s.spot(s.Or.Source, s.Or.PTX), text)
	}
	return text
}

// Details returns what else is known, in short lines.
func (s *Sync) Details() (lines []string) {
	add := func(format string, a ...any) { lines = append(lines, fmt.Sprintf(format, a...)) }
	if s.Verdict == SyncWeaker {
		if s.Because != nil {
			add("needed at all: %s", s.because())
		}
		add("holds for: %s", s.holds())
	}
	if len(s.With) > 0 {
		add("together with changes in %s", s.partners())
	}
	if s.Library != nil {
		add("in %s", s.Library)
	}
	if s.Elsewhere != "" {
		add("not in the set: %s", s.Elsewhere)
	}
	switch {
	case s.Changeable():
		add("%s", s.counts())
	case s.Copies > 1:
		add("%d copies in the PTX", s.Copies)
	}
	return lines
}

// partners names the places of what goes together with the synchronisation.
func (s *Sync) partners() string {
	var places []string
	for _, o := range s.With {
		places = union(places, []string{s.spot(o.Source, o.PTX)})
	}
	return strings.Join(places, ", ")
}

// needs returns what a proof assumes, without the reasons.
func (s *Sync) needs() (list []string) {
	for _, n := range s.Needs {
		n, _, _ = strings.Cut(n, " (assumed")
		list = append(list, strings.TrimPrefix(n, "disjoint: "))
	}
	return list
}

// counts says how often warps execute the instructions, and how many there are.
func (s *Sync) counts() string {
	times := strconv.FormatFloat(math.Round(s.Executions*100)/100, 'f', -1, 64)
	text := fmt.Sprintf("executions by a warp, on average: %s", times)
	if s.Copies > 1 {
		text += fmt.Sprintf(", of %d copies in the PTX", s.Copies)
	}
	return text
}

// holds says what the answer holds for.
func (s *Sync) holds() string {
	if s.Holds == nil {
		return "not known"
	}
	return s.Holds.tried()
}

// tried says what a verdict holds for that was tried under several schedules.
func (h *Holds) tried() string {
	return strings.Replace(h.String(), string(ThisSchedule)+" schedule", "the schedules that were run", 1)
}

// syncWords has the words of CUDA C++ for instructions.
var syncWords = map[string]string{
	"membar.cta": "__threadfence_block()", "membar.gl": "__threadfence()", "bar.warp.sync 0xffffffff": "__syncwarp()",
	"fence.acq_rel.cta": "__threadfence_block()", "fence.acq_rel.gpu": "__threadfence()",
}

// weaker names the instruction that will do, in words of the source, too.
func (s *Sync) weaker() string {
	to := s.To
	words := syncWords[to]
	if opcode, _, _ := strings.Cut(to, " "); words == "" && opcode != s.Instruction {
		to, words = opcode, syncWords[opcode]
	}
	if words == "" || s.Source == nil {
		return to
	}
	return fmt.Sprintf("%s (%s)", spoken(&Access{Source: s.Source, Kernel: s.Kernel}, words), to)
}

// because says what goes wrong without the synchronisation.
func (s *Sync) because() string {
	switch why := s.Because; {
	case why == nil:
		return "not known"
	case why.Race != nil:
		return s.race(why.Race)
	case why.Fault != nil:
		what, _, _ := strings.Cut(why.Fault.Message, "; ") // which barriers wait for whom is in JSON
		what, _, _ = strings.Cut(what, ", e.g. ")
		text := fmt.Sprintf("%s %s: %s", why.Fault.Class, s.without(), what)
		if why.Fault.PTX.File != "" {
			text += fmt.Sprintf(" (at %s)", s.spot(why.Fault.Source, why.Fault.PTX))
		}
		return text
	default:
		return s.without() + " " + why.Result
	}
}

// without is the condition for what goes wrong: an access is not left out, but made weaker.
func (s *Sync) without() string {
	if s.Kind == accessKind {
		return "if it is weaker"
	}
	return "without it"
}

// accessKind is the kind of atomic operations, and of loads and stores with semantics.
const accessKind = "access"

// race says which lines race without the synchronisation, and between which threads: those of smaller numbers first.
func (s *Sync) race(x *Race) string {
	a, b := &x.First, &x.Second
	of, m := fileLine(a.Source, a.PTX)
	file, n := fileLine(b.Source, b.PTX)
	if of == file && n < m {
		a, b = b, a
	}
	own, _ := s.Where()
	pair := fmt.Sprintf("%s and %s race", s.side(a), s.side(b))
	switch {
	case of == own && file == own && m == n && of != "":
		pair = fmt.Sprintf("line %d races with itself", n)
	case of == own && file == own && of != "":
		pair = fmt.Sprintf("lines %d and %d race", min(m, n), max(m, n))
	}
	blocks := a.Block != b.Block
	text := fmt.Sprintf("%s %s (%s, %s", pair, s.without(), a.by(blocks), b.by(blocks))
	if x.Severity == Warning || x.Severity == Info {
		text += "; as a race of severity " + x.Severity
	}
	return text + ")"
}

// side returns the place of an access in a race, or the event that it is.
func (s *Sync) side(a *Access) string {
	if a.PTX.File == "" && a.Operation != "" {
		return a.Operation
	}
	return s.spot(a.Source, a.PTX)
}

// by says what an access does and which thread makes it, with its block if asked for.
func (a *Access) by(block bool) string {
	switch {
	case a.anyone():
		return a.Access + " by " + a.actor()
	case block:
		return fmt.Sprintf("%s by thread %s of block %s", a.Access, dim(a.Thread), dim(a.Block))
	}
	return fmt.Sprintf("%s by thread %s", a.Access, dim(a.Thread))
}

// spot returns a place: the number of the line if it is in the file of the synchronisation.
func (s *Sync) spot(at *Source, p Place) string {
	file, line := fileLine(at, p)
	if own, _ := s.Where(); own == file {
		return fmt.Sprintf("line %d", line)
	}
	return where(at, p)
}

// SyncSummary counts the answers by verdict.
func (r *Report) SyncSummary() string {
	var parts []string
	for _, v := range SyncVerdicts {
		n := len(slices.DeleteFunc(slices.Clone(r.Sync), func(s Sync) bool { return s.Verdict != v }))
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.Words()))
		}
	}
	text := plural(uint64(len(r.Sync)), "synchronisation") + " asked about"
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// change says what becomes of a synchronisation of the set.
func (s *Sync) change() string {
	text := fmt.Sprintf("%s: without %s", s.At(), s.Instruction)
	if s.Verdict == SyncWeaker {
		text = fmt.Sprintf("%s: %s in place of %s", s.At(), s.weaker(), s.Instruction)
	}
	if len(s.With) > 0 {
		text += ", and changes in " + s.partners()
	}
	return text
}

// SyncChanges returns the changes of the set in words.
func (r *Report) SyncChanges() (lines []string) {
	for i := range r.Sync {
		if s := &r.Sync[i]; s.Set {
			lines = append(lines, s.change())
		}
	}
	return lines
}
