// Package report represents the findings of a run as users see them: races and faults with names,
// source lines and explanations, as JSON (schema 1) and as text in the layout of
// compute-sanitizer's racecheck.
//
// The caller that ran the kernel fills in a Report, calls Finish, and writes it. The package must
// know neither PTX syntax, nor detectors, nor the emulator.
package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Schema is the version of the JSON form. A change that breaks readers raises it.
const Schema = 1

// Verdicts.
const (
	Racy  = "racy"
	Clean = "clean"
	Leak  = "leak"  // no race, but memory that was not freed
	Fault = "fault" // the kernel was stopped; races found before that are still listed
)

// Severities, from the least severe.
const (
	Info    = string(detect.Info)
	Warning = string(detect.Warning)
	Error   = string(detect.Error)
)

// SeverityRank orders severities: 0 is not a severity, larger is more severe.
func SeverityRank(s string) int {
	return slices.Index([]string{"", Info, Warning, Error}, s)
}

// Report is the outcome of a run.
type Report struct {
	Schema  int    `json:"schema"`
	Tool    Tool   `json:"tool"`
	Verdict string `json:"verdict"`
	// ErrorLevel is the least severity of a finding that makes the verdict racy; "" is Error.
	ErrorLevel string `json:"error_level"`
	Detector   string `json:"detector"`
	// Device is the GPU on which the kernels ran, "" for the emulator.
	Device   string  `json:"device,omitempty"`
	Runs     int     `json:"runs"`
	Seed     uint64  `json:"seed"`
	Schedule string  `json:"schedule"`
	Races    []*Race `json:"races"`
	// Suppressed are races that a suppression file names. They do not count.
	Suppressed []*Race       `json:"suppressed,omitempty"`
	Faults     []*FaultEvent `json:"faults"`
	// Baseline is set by Against.
	Baseline *Baseline `json:"baseline,omitempty"`
	Notes    []string  `json:"notes,omitempty"` // what was not checked, and why
	// Coverage is what each detector looked at in each kernel. What Coverage says in numbers,
	// JSON says in words among the notes.
	Coverage []*Coverage   `json:"coverage,omitempty"`
	Expect   []Expectation `json:"expect,omitempty"`
	Stats    Stats         `json:"stats"`
	// Proofs are of a static analysis, one for each kernel and place that launches it.
	Proofs []*Proof `json:"proofs,omitempty"`
	// Excerpts are set by Quote.
	Excerpts []*Excerpt `json:"excerpts,omitempty"`
	// Exploration is set when the report covers many schedules.
	Exploration *Exploration `json:"exploration,omitempty"`
}

// Replays lists the commands that repeat runs of the report, of races, faults and outcomes.
func (r *Report) Replays() (commands []string) {
	for _, x := range r.Pairs() {
		commands = append(commands, x.Replay)
	}
	for _, x := range r.Faults {
		commands = append(commands, x.Replay)
	}
	if r.Exploration != nil {
		for _, x := range r.Exploration.Outcomes {
			commands = append(commands, x.Replay)
		}
	}
	return commands
}

// Tool names the program that wrote the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Stats counts what the run did.
type Stats struct {
	Launches           int    `json:"launches"`
	Sites              int    `json:"sites"` // instrumented places in the program
	WarpInstructions   uint64 `json:"warp_instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"`
	// InstrumentedWarpInstructions is what the instrumented program executed;
	// WarpInstructions and ThreadInstructions are the user's program alone.
	InstrumentedWarpInstructions uint64 `json:"instrumented_warp_instructions,omitempty"`
	Dropped                      uint64 `json:"dropped,omitempty"` // race records that the device had no room for
}

// Expectation is one comparison of the run with what the launch file expects.
type Expectation struct {
	What string `json:"what"`
	Want string `json:"want"`
	Got  string `json:"got"`
	OK   bool   `json:"ok"`
}

// Race is one racing pair of accesses.
type Race struct {
	ID       string       `json:"id"` // stable: see Race.findingID; of Also, Race.stableID
	Severity string       `json:"severity"`
	Kind     detect.Kind  `json:"kind"`
	Cause    detect.Cause `json:"cause"`
	Space    string       `json:"space"`
	Address  Hex          `json:"address"`
	Symbol   string       `json:"symbol,omitempty"` // data[17], smem+0x4
	Size     int          `json:"size"`             // bytes
	Count    uint64       `json:"count"`            // dynamic occurrences
	First    Access       `json:"first"`            // the earlier access
	Second   Access       `json:"second"`
	// Backwards says that the program gets from the place of the second access to that of the first, and
	// never the other way round, or there only through a barrier of the two threads.
	Backwards bool `json:"-"`
	// Wraps says that it gets to the later of the two places in the next round of a loop.
	Wraps bool `json:"-"`
	// Prepares says that one access is a plain store, which a thread makes before it gets to the other one: an atomic
	// operation that changes what has been stored.
	Prepares bool `json:"-"`
	// Checks says that one access is a read and the other an atomic operation that a thread
	// gets to after the read.
	Checks bool `json:"-"`
	// Again says that a thread gets from a write to the other access.
	Again bool `json:"-"`
	// Marks says that the accesses that write store one value, the same in all threads, in one line or to one address.
	Marks bool `json:"-"`
	// Awaits says that the read at Observe decides what the second thread does next: it may have waited there.
	Awaits bool `json:"-"`
	// Fence is the fence whose scope is too narrow, or the warp barrier whose mask is.
	Fence *Operation `json:"fence,omitempty"`
	// Publish is the atomic operation or volatile store after the first access that
	// may tell other threads of it, where a fence is missing.
	Publish *Operation `json:"publish,omitempty"`
	// Observe is the read by which the second thread learns of that.
	Observe *Operation       `json:"observe,omitempty"`
	Locks   detect.LockFault `json:"locks,omitempty"` // what is wrong with the locks held
	Missing string           `json:"missing"`
	Hint    string           `json:"hint"`
	// Repair is what the detector asks for, where that is not what the cause asks for.
	Repair detect.Repair `json:"-"`
	// Advice is Hint as a value: what to change, and where.
	Advice *Advice `json:"advice,omitempty"`
	Rule   string  `json:"rule,omitempty"` // the detector's own words
	// Also are further races of the same two lines, which have the same cure: other kinds,
	// causes, sizes and instructions. The race itself is the worst of them, Count is of all.
	Also []*Race `json:"also,omitempty"`
	// Detectors are those that found it, when several were at work.
	Detectors []string `json:"detectors,omitempty"`
	Replay    string   `json:"replay,omitempty"`
	Schedules int      `json:"schedules,omitempty"` // of an exploration, that show it
	// Smallest is the smallest launch of the kernel that still shows it, when one was
	// looked for.
	Smallest string `json:"smallest,omitempty"`
	// Possible says that a static analysis could not decide, for the Reason.
	Possible bool   `json:"possible,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Witness is a launch that a static analysis found the race in.
	Witness *Witness `json:"witness,omitempty"`
	// Suppressed are the entries of the suppression file that match the race.
	Suppressed []string `json:"suppressed_by,omitempty"`

	own []string // Detectors without those of Also alone
}

// Access is one side of a race.
type Access struct {
	Access      string    `json:"access"` // read, write, atomic
	Instruction string    `json:"instruction"`
	PTX         Place     `json:"ptx"`
	Source      *Source   `json:"source,omitempty"`
	Kernel      string    `json:"kernel"`             // as in the PTX, mangled
	Function    string    `json:"function,omitempty"` // enclosing function when that is not the kernel
	Block       [3]uint32 `json:"block"`
	Thread      [3]uint32 `json:"thread"`
	Warp        uint32    `json:"warp"` // within the block
	Scope       string    `json:"scope,omitempty"`
	Initialises bool      `json:"-"` // an object that other operations use
	// Operation is what the application asked for, and in which stream, of a race between such
	// operations: block and thread are then not known.
	Operation string `json:"operation,omitempty"`
	// Call is the call by which the application asked for the operation.
	Call *Call `json:"call,omitempty"`
}

// Call is a call of a function of CUDA's in host code.
type Call struct {
	Function string  `json:"function,omitempty"`
	Source   *Source `json:"source"`
}

// Operation is a synchronising operation in the program.
type Operation struct {
	Instruction string  `json:"instruction"`
	PTX         Place   `json:"ptx"`
	Source      *Source `json:"source,omitempty"`
}

// FaultEvent is something that a GPU would stop the kernel for, or never finish.
type FaultEvent struct {
	Class       string    `json:"class"` // LeakClass, or of the emulator
	Severity    string    `json:"severity"`
	Message     string    `json:"message"`
	Kernel      string    `json:"kernel"`
	Block       [3]uint32 `json:"block"`
	Thread      [3]uint32 `json:"thread"`
	PTX         Place     `json:"ptx"`
	Source      *Source   `json:"source,omitempty"`
	Address     Hex       `json:"address,omitempty"`
	Instruction string    `json:"instruction,omitempty"`
	Access      string    `json:"access,omitempty"` // read, write, atomic when a memory access faulted
	Space       string    `json:"space,omitempty"`
	Size        int       `json:"size,omitempty"` // bytes
	// Count is the number of allocations of a leak, and Call what made them.
	Count     uint64 `json:"count,omitempty"`
	Call      *Call  `json:"call,omitempty"`
	Replay    string `json:"replay,omitempty"`
	Schedules int    `json:"schedules,omitempty"` // of an exploration, that show it
}

// Finish completes a report: identities, severities, explanations and replay
// commands that are still empty, one finding for each pair of lines, a fixed order,
// and the verdict.
func (r *Report) Finish() {
	r.Schema = Schema
	for _, x := range r.Pairs() {
		x.finish()
	}
	r.Races = findings(r.Races)
	for _, f := range r.Faults {
		f.Severity = Error
		if f.Leaked() {
			f.Message = "the application ended without freeing " + f.leaked()
		}
	}
	if r.Races == nil {
		r.Races = []*Race{}
	}
	if r.Faults == nil {
		r.Faults = []*FaultEvent{}
	}
	r.ErrorLevel = cmp.Or(r.ErrorLevel, Error)
	r.settle()
}

// settle chooses the verdict from the findings.
func (r *Report) settle() {
	switch {
	case r.Proofs != nil:
		r.SettleStatic(r.ErrorLevel)
	case slices.ContainsFunc(r.Faults, func(f *FaultEvent) bool { return !f.Leaked() }):
		r.Verdict = Fault
	case slices.ContainsFunc(r.Races, func(x *Race) bool { return SeverityRank(x.Severity) >= SeverityRank(r.ErrorLevel) }):
		r.Verdict = Racy
	case len(r.Faults) > 0:
		r.Verdict = Leak
	case r.Blind():
		r.Verdict = Unknown
	default:
		r.Verdict = Clean
	}
}

// join adds another finding of the same race, which is as severe as the more severe of
// the two. Occurrences are those that the first detector counts.
func (x *Race) join(y *Race) {
	if SeverityRank(y.Severity) > SeverityRank(x.Severity) {
		x.Severity = y.Severity
	}
	if len(y.Detectors) == 0 || len(x.Detectors) == 0 || y.Detectors[0] == x.Detectors[0] {
		x.Count += y.Count
		return
	}
	if !slices.Contains(x.Detectors, y.Detectors[0]) {
		x.Detectors = append(x.Detectors, y.Detectors[0])
		x.Rule = strings.TrimPrefix(strings.TrimSuffix(x.Rule+"; "+y.Rule, "; "), "; ")
	}
}

func (x *Race) finish() {
	if x.Severity == "" {
		x.Severity = severityOf(x.Cause)
	}
	x.ID = x.stableID()
	e := Explain(x)
	if x.Missing == "" {
		x.Missing = e.Missing
	}
	if x.Hint == "" {
		x.Hint = e.Hint
	}
	if x.Backwards {
		x.Hint = strings.ReplaceAll(x.Hint, "between {first} and {second}", "between {second} and {first}")
	}
	if x.First.at() == x.Second.at() {
		x.Hint = strings.ReplaceAll(x.Hint, "{first} and {second}", "{first}")
	}
	places := x.places()
	x.Missing, x.Hint = places.Replace(x.Missing), places.Replace(x.Hint)
}

// Count is the number of findings at or above a severity.
func (r *Report) Count(severity string) int {
	n := 0
	for _, x := range r.Races {
		if SeverityRank(x.Severity) >= SeverityRank(severity) {
			n++
		}
	}
	for _, f := range r.Faults {
		if SeverityRank(f.Severity) >= SeverityRank(severity) {
			n++
		}
	}
	return n
}
