// Reports as text.

package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Prefix is the prefix of every line, as in compute-sanitizer.
const Prefix = "========="

// TextOptions are the options of WriteText.
type TextOptions struct {
	Color bool
	// Excerpt returns line n of a source file and whether it exists; nil shows no source lines.
	Excerpt func(file string, n int) (string, bool)
	// Hazards selects the races that are shown: one of HazardModes, "" is analysis.
	Hazards string
	// Limit is the maximal number of races and faults shown, 0 for all. Summaries count all.
	Limit int
	// Names is the form of function names: see Names; "" is full.
	Names string
	// Fidelity shows Report.Fidelity.
	Fidelity bool
	// Command is the command line that made the report, and Date when; "" if not known. Pages show them.
	Command, Date string
}

// WriteText writes the report as text. The first lines of a finding and the summary lines are those of
// compute-sanitizer 2026.3, without the SASS offset after the kernel, because there is no SASS. Summaries are printed
// for complete runs only.
func (r *Report) WriteText(w io.Writer, o TextOptions) error {
	r = r.Visible()
	t := newText(w, o)
	t.several = len(r.coverage()) > 1
	if r.Exploration != nil {
		t.explored = r.Exploration.Schedules
	}
	t.line("%s", "PTXSAN")
	if r.Wanted != nil {
		t.line("%s", r.Wanted.Line())
	}
	if r.Device != "" {
		t.line("Device: %s", r.Device)
	}
	t.findings(r)
	if r.Sync != nil {
		t.synchronisation(r)
		return t.w.Flush()
	}
	for _, n := range r.Notes {
		t.line("%s %s", t.paint(yellow, "Note:"), n)
	}
	if r.Exploration != nil {
		t.exploration(r.Exploration)
	}
	if r.Proofs != nil {
		t.proofs(r)
	}
	t.expectations(r.Expect)
	t.summary(r)
	return t.w.Flush()
}

// HazardModes lists the values of compute-sanitizer's --racecheck-report: findings, which have all races of two lines;
// or each race separately; or both.
var HazardModes = []string{"analysis", "hazard", "all"}

// findings writes races and faults.
func (t *text) findings(r *Report) {
	race, shown := t.race, 0
	if r.Proofs != nil {
		race = t.static
	}
	room := func() bool {
		shown++
		return t.Limit == 0 || shown <= t.Limit
	}
	for _, x := range r.Races {
		list := []*Race{x}
		switch {
		case r.unlisted(x):
			continue
		case t.Hazards == "hazard":
			list = x.parts()
		case t.Hazards == "all" && x.Also != nil:
			list = append(list, x.parts()...)
		}
		for _, y := range list {
			if room() {
				race(y)
			}
		}
	}
	for _, f := range r.Faults {
		if room() {
			t.fault(f)
		}
	}
	if t.Limit > 0 && shown > t.Limit {
		t.line("%s not printed: the limit is %d", plural(uint64(shown-t.Limit), "more finding"), t.Limit)
	}
}

// text is the state of one WriteText.
type text struct {
	TextOptions
	w        *bufio.Writer
	explored int  // number of schedules of an exploration, 0 for a single run
	several  bool // there are several detectors
}

// line writes one line at the outermost level; more writes one inside a finding.
func (t *text) line(format string, a ...any) {
	fmt.Fprintf(t.w, Prefix+" "+format+"\n", a...)
}

func (t *text) more(format string, a ...any) {
	fmt.Fprintf(t.w, Prefix+"     "+format+"\n", a...)
}

func (t *text) end() { fmt.Fprintln(t.w, Prefix) }

const (
	red, yellow, bold, faint = "31;1", "33;1", "1", "2"
)

func (t *text) paint(code, s string) string {
	if !t.Color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (t *text) severity(s string) string {
	word := strings.ToUpper(s[:1]) + s[1:] + ":"
	if s == Error {
		return t.paint(red, word)
	}
	return t.paint(yellow, word)
}

func (t *text) race(x *Race) {
	if x.Severity == Info && x.Compiler != "" {
		t.habit(x)
		return
	}
	head, other := &x.First, &x.Second
	if !head.writes() {
		head, other = other, head
	}
	t.line("%s %s reported between %s access at %s", t.severity(x.Severity), x.word(), title(head.Access),
		t.location(head))
	t.more("and %s access at %s %s", title(other.Access), t.location(other), x.hazards())
	t.more("Cause: %s on %s, %s%s", t.paint(bold, string(x.Cause)), x.object(), x.Kind, x.apart())
	for _, a := range []*Access{head, other} {
		word := title(a.Access)
		if a == &x.First {
			word = "Previous " + a.Access
		}
		t.more("%s by %s", word, a.actor())
		t.source(a.Source)
		t.operation(a.Call)
	}
	t.launched(x.Launched, x.Range)
	t.also(x)
	t.more("Missing: %s", x.Missing)
	t.more("Fix: %s", x.Hint)
	t.more("See: %s", x.see())
	if len(x.Detectors) > 1 || t.several && len(x.Detectors) > 0 {
		t.more("Found by: %s", strings.Join(x.Detectors, ", "))
	}
	t.seen(x.Schedules)
	if x.Smallest != "" {
		t.more("Smallest launch: %s", x.Smallest)
	}
	t.varied(x.Variation)
	if x.Replay != "" {
		t.more("Replay: %s", x.Replay)
	}
	t.programs(x.Programs)
	if x.Rule != "" {
		t.more("Rule: %s", x.Rule)
	}
	t.more("Id: %s", x.ID)
	t.end()
}

// habit writes a line about what a compiler does on purpose.
func (t *text) habit(x *Race) {
	what := "has several warps store the same value to " + x.object()
	switch {
	case x.Kind == detect.IntraWarp:
		what = "has lanes of a warp store to one place of " + x.object()
	case x.Cause == detect.MissingFence:
		what = "leaves out tcgen05.fence between accesses to " + x.object()
	}
	t.line("%s %s %s, at %s %s: on purpose; an error with --strict", t.severity(Info), x.Compiler, what,
		t.location(&x.Second), x.hazards())
}

// hazards returns the number of occurrences in brackets.
func (x *Race) hazards() string { return "[" + plural(x.Count, "hazard") + "]" }

// operation writes where the application called for an operation, or the function of host code without lines.
func (t *text) operation(c *Call) {
	switch {
	case c == nil:
	case c.Function == "" && c.Source == nil:
		t.more("    in %s", Demangle(c.In))
	default:
		t.more("    asked for by %s", c.text())
		t.source(c.Source)
	}
}

// launched writes the line that launched the kernel, and the range in which it is.
func (t *text) launched(s *Source, in string) {
	if in != "" {
		t.more("Launched in range %s", in)
	}
	if s != nil {
		t.more("Launched at %s", where(s, Place{}))
		t.source(s)
	}
}

// actor returns who made an access, and with which instruction.
func (a *Access) actor() string {
	switch {
	case a.Undecided:
		return fmt.Sprintf("a thread that is not known: %s at %s", a.Instruction, place(a.PTX))
	case !a.anyone():
		return fmt.Sprintf("thread %s in block %s%s, warp %d: %s at %s", dim(a.Thread), dim(a.Block), a.grid(), a.Warp,
			a.Instruction, place(a.PTX))
	case a.PTX.File == "":
		return a.Operation
	}
	return fmt.Sprintf("%s: %s at %s", a.Operation, a.Instruction, place(a.PTX))
}

// grid names the grid of the thread if other threads have launched it, or its operation.
func (a *Access) grid() string {
	switch {
	case a.Operation != "":
		return " of " + a.Operation
	case a.Grid == 0:
		return ""
	}
	return fmt.Sprintf(" of launched grid %d", a.Grid)
}

// object returns the accessed object: __global__ data[17] (4 bytes).
func (x *Race) object() string {
	name := x.Symbol
	if name == "" {
		name = x.Address.String()
	}
	return fmt.Sprintf("__%s__ %s (%s)", x.Space, name, plural(uint64(x.Size), "byte"))
}

// apart returns the relation of the threads if the kind does not determine it.
func (x *Race) apart() string {
	if x.Kind == detect.IntraBlock && x.First.Warp != x.Second.Warp {
		return ", different warps"
	}
	return ""
}

// location returns "kernel(args) in file:line" for the head lines.
func (t *text) location(a *Access) string {
	name := a.Function
	if name == "" {
		name = a.Kernel
	}
	if a.PTX.File == "" && a.Operation != "" {
		if a.Source != nil {
			return a.Operation + " in " + a.at()
		}
		return a.Operation
	}
	return t.function(name) + " in " + a.at()
}

// source writes the source line of an access, the headers from which it was inlined and the places at which it was
// inlined.
func (t *text) source(s *Source) {
	if s == nil {
		return
	}
	if s.Approximate {
		t.more("    the line is approximate: that of code nearby")
	}
	frames, own := s.frames(), s.own()
	for _, f := range frames[:own] {
		t.more("    inlined from %s:%d", base(f.File), f.Line)
	}
	if f := frames[own]; t.Excerpt != nil {
		if line, ok := t.Excerpt(f.File, f.Line); ok {
			t.more("    %5d | %s", f.Line, strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r\n"))
			t.caret(line, f.Column)
		}
	}
	for _, f := range frames[own+1:] {
		t.more("    inlined at %s:%d", base(f.File), f.Line)
	}
}

func (t *text) caret(line string, column int) {
	if column < 1 || column > len(line) {
		return
	}
	indent := len(strings.ReplaceAll(line[:column-1], "\t", "    "))
	t.more("    %5s | %s%s", "", strings.Repeat(" ", indent), t.paint(red, "^"))
}

func (t *text) expectations(list []Expectation) {
	for _, e := range list {
		if e.OK {
			t.line("expect: %s: %s: ok", e.What, e.Want)
		} else {
			t.line("%s %s: expected %s, got %s", t.paint(red, "expect:"), e.What, e.Want, e.Got)
		}
	}
	if len(list) > 0 {
		t.end()
	}
}

func (t *text) summary(r *Report) {
	if r.Stopped() && r.Exploration == nil && r.Proofs == nil {
		further := ""
		if len(r.Faults) == 1 && r.Faults[0].ofThreads() && r.MaxFaults <= 1 {
			further = "; with --max-faults 100 the other threads go on"
		}
		if r.Stats.Launches > 1 || len(r.NotChecked) > 0 {
			races := plural(uint64(len(r.Races)), "race")
			t.line("INCOMPLETE: %s stopped by a fault; %s reported%s", t.stopped(r), races, further)
			t.coverage(r)
			t.claims(r)
			t.fidelity(r)
			return
		}
		t.line("INCOMPLETE: the kernel was stopped by a fault; %s reported until then%s",
			plural(uint64(len(r.Races)), "race"), further)
		return
	}
	if r.Stats.Dropped > 0 {
		t.line("Warning: %s dropped: the device had no room for more", plural(r.Stats.Dropped, "race record"))
	}
	t.coverage(r)
	t.claims(r)
	t.fidelity(r)
	if r.Baseline != nil {
		t.baseline(r.Baseline)
	}
	if n := len(r.Suppressed) + len(r.SuppressedFaults); n > 0 {
		t.line("SUPPRESSED: %s", plural(uint64(n), "hazard"))
	}
	errors, warnings := 0, 0
	for _, x := range r.Races {
		switch x.Severity {
		case Error:
			errors++
		case Warning:
			warnings++
		}
	}
	t.callSummary(r)
	t.weakSummary(r)
	t.line("RACECHECK SUMMARY: %s displayed (%s, %s)", plural(uint64(len(r.Races)), "hazard"),
		plural(uint64(errors), "error"), plural(uint64(warnings), "warning"))
	blind := ""
	if r.Blind() {
		blind = "; no access was watched"
	}
	t.line("ERROR SUMMARY: %s%s", plural(uint64(r.Count(Error)), "error"), blind)
}

// stopped names the kernels that faults have stopped.
func (t *text) stopped(r *Report) string {
	var names []string
	for _, f := range r.Faults {
		if name := strings.TrimSuffix(t.function(f.Kernel), "()"); f.Stops() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 1 {
		return strings.Join(names, " and ") + " were"
	}
	return strings.Join(names, "") + " was"
}

func plural(n uint64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func title(access string) string {
	if access == "" {
		return "Unknown"
	}
	return strings.ToUpper(access[:1]) + access[1:]
}

func dim(d [3]uint32) string { return fmt.Sprintf("(%d,%d,%d)", d[0], d[1], d[2]) }

func place(p Place) string {
	if p.File == "" {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", base(p.File), p.Line)
}
