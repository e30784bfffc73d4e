// Package report represents the findings of a run for users: races and faults with names, source lines and
// explanations. It writes them as JSON (schema 1) and as text in the layout of compute-sanitizer's racecheck.
//
// The caller that ran the kernel fills in a Report, calls Finish, and writes it. The package must know neither PTX
// syntax, nor detectors, nor the emulator.
package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Schema is the version of the JSON form. It increases with each incompatible change.
const Schema = 1

// Verdicts.
const (
	Racy  = "racy"
	Clean = "clean"
	Weak  = WeakClass   // no race, but results that only weak memory has
	API   = "api-error" // no race, but a call of CUDA's APIs that failed
	Leak  = "leak"      // no race, but memory that was not freed
	Fault = "fault"     // the kernel was stopped; races found before that are still listed
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
	// MaxFaults is the number of kinds of invalid accesses at which a launch ends; 0 for the default.
	MaxFaults int `json:"-"`
	// Strict says that what compilers do on purpose is an error.
	Strict bool `json:"-"`
	// ErrorLevel is the least severity of a finding that makes the verdict racy; "" is Error.
	ErrorLevel string `json:"error_level"`
	Detector   string `json:"detector"`
	// Device is the GPU on which the kernels ran, "" for the emulator.
	Device   string  `json:"device,omitempty"`
	Runs     int     `json:"runs"`
	Seed     uint64  `json:"seed"`
	Schedule string  `json:"schedule"`
	Races    []*Race `json:"races"`
	// Suppressed holds the races that a suppression file names. They do not count.
	Suppressed []*Race       `json:"suppressed,omitempty"`
	Faults     []*FaultEvent `json:"faults"`
	// SuppressedFaults holds the faults that a suppression file names; they have stopped nothing.
	SuppressedFaults []*FaultEvent `json:"suppressed_faults,omitempty"`
	// Baseline is set by Against.
	Baseline *Baseline `json:"baseline,omitempty"`
	Notes    []string  `json:"notes,omitempty"` // what was not checked, and why
	// NotChecked lists the launches that were not checked, by kernel and reason. In JSON the notes say it in words,
	// too.
	NotChecked []NotChecked `json:"notChecked,omitempty"`
	// Coverage says what each detector checked in each kernel, in numbers. In JSON the notes say it in words.
	Coverage []*Coverage `json:"coverage,omitempty"`
	// LibraryCalls counts the calls of CUDA's libraries, in the order of the first of each function.
	LibraryCalls []LibraryCalls `json:"library_calls,omitempty"`
	// Fidelity says what of the run was not exact, unless a device executed it.
	Fidelity *Fidelity `json:"fidelity,omitempty"`
	// Holds is what the verdict holds for: the weakest of the claims that stand. It is set in JSON only.
	Holds   *Holds        `json:"holds,omitempty"`
	Claims  []*Claim      `json:"claims,omitempty"`  // for each kernel; see AddClaim
	Depends []*Depends    `json:"depends,omitempty"` // why claims are not wider
	Expect  []Expectation `json:"expect,omitempty"`
	// Names has the names for people of the kernels of findings, by their mangled names. It is set in JSON only.
	Names map[string]string `json:"names,omitempty"`
	Stats Stats             `json:"stats"`
	// Proofs holds the results of a static analysis, one for each kernel and place that launches it.
	Proofs []*Proof `json:"proofs,omitempty"`
	// Wanted is what a static analysis does not know of the launches; nil if nothing that may matter.
	Wanted *Wanted `json:"wanted,omitempty"`
	// Sync holds the answers about synchronisation, nil if there was no question, and SyncSet the changes of it that
	// stand together, nil for none.
	Sync    []Sync   `json:"sync,omitzero"`
	SyncSet *SyncSet `json:"sync_set,omitempty"`
	// Excerpts are set by Quote.
	Excerpts []*Excerpt `json:"excerpts,omitempty"`
	Patch    *Patch     `json:"patch,omitempty"` // repairs the races in the CUDA source, nil without one
	Timeline *Timeline  `json:"-"`               // what the warps did, nil if nobody has looked
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
	Sites              int    `json:"sites"` // instrumented instructions in the program
	WarpInstructions   uint64 `json:"warp_instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"`
	// InstrumentedWarpInstructions counts the instrumented program; WarpInstructions and ThreadInstructions count the
	// user's program alone.
	InstrumentedWarpInstructions uint64 `json:"instrumented_warp_instructions,omitempty"`
	Dropped                      uint64 `json:"dropped,omitempty"` // race records that did not fit the device's memory
}

// Expectation is one comparison of the run with the launch file's expectation.
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
	// Wide is the kind for which the repair is, if it is wider than Kind: that of the launches which a static analysis
	// did not prove.
	Wide    detect.Kind `json:"-"`
	Space   string      `json:"space"`
	Address Hex         `json:"address"`
	Symbol  string      `json:"symbol,omitempty"` // data[17], smem+0x4
	Size    int         `json:"size"`             // bytes
	Count   uint64      `json:"count"`            // dynamic occurrences
	First   Access      `json:"first"`            // the earlier access
	Second  Access      `json:"second"`
	// Prepares says that one access is a plain store that precedes the other access, an atomic operation that changes
	// the stored value.
	Prepares bool `json:"-"`
	// Checks says that one access is a read and the other an atomic operation that a thread executes after the read on
	// the same element.
	Checks bool `json:"-"`
	// Updates is the load of a thread that loads an element, computes, and stores it, if the accesses are such a load
	// and store, or both the store.
	Updates *Operation `json:"-"`
	// Scatters says that one access is a load and the other a store, and that a thread computes the address of one of
	// them, but not of the other, from what it has loaded: they are not the two steps of an update.
	Scatters bool `json:"-"`
	// Unread lists the dimensions in which the two threads differ, such as threadIdx.y, if the kernel reads the index
	// in none of them.
	Unread []string `json:"-"`
	// Between is the kernel launched between those of the accesses whose wait for the grid before is missing.
	Between string `json:"-"`
	// Again says that a thread can reach the other access from a write.
	Again bool `json:"-"`
	// Marks says that all writes of the race store one value, the same in all threads, and are in one line or store to
	// one address.
	Marks bool `json:"-"`
	// Unchanged says that one access is a load and the other the store by which threads store it back, or both are that
	// store.
	Unchanged bool `json:"-"`
	// Awaits says that the value of the read at Observe affects the second thread's control flow: it may have waited
	// there.
	Awaits bool `json:"-"`
	// Fence is the fence with too narrow a scope, or the warp barrier with too narrow a mask.
	Fence *Operation `json:"fence,omitempty"`
	// Publish is the atomic operation or volatile store after the first access that may signal the access to other
	// threads, if a fence is missing.
	Publish *Operation `json:"publish,omitempty"`
	// Observe is the read by which the second thread observes Publish.
	Observe *Operation       `json:"observe,omitempty"`
	Locks   detect.LockFault `json:"locks,omitempty"` // the fault in the held locks
	// Flag is what is wrong with Publish and Observe as the flag by which the first of two grids that overlap tells the
	// second one.
	Flag    detect.FlagFault `json:"flag,omitempty"`
	Missing string           `json:"missing"`
	Hint    string           `json:"hint"`
	// Repair is the kind of repair that the detector found, if it is not that of the cause.
	Repair detect.Repair `json:"-"`
	// Advice is Hint as a value: the change and its place.
	Advice *Advice `json:"advice,omitempty"`
	Rule   string  `json:"rule,omitempty"` // the detector's own description
	// Compiler is the compiler that makes such races on purpose, if one is known to have made the kernel.
	Compiler string `json:"compiler,omitempty"`
	// Also holds further races of the same two lines with the same repair: other kinds, causes, sizes and instructions.
	// The race itself is the most severe of them; Count is the sum of all.
	Also []*Race `json:"also,omitempty"`
	// Detectors lists those that found the race, when several were running.
	Detectors []string `json:"detectors,omitempty"`
	Replay    string   `json:"replay,omitempty"`
	Schedules int      `json:"schedules,omitempty"` // number of schedules of an exploration that show it
	// Smallest is the smallest launch of the kernel that still shows the race, if one was searched for.
	Smallest string `json:"smallest,omitempty"`
	// Variation says in what the launch differs from the given one, if a sweep found the race.
	Variation string `json:"variation,omitempty"`
	// Possible says that a static analysis could not decide whether there is a race; Reason says why.
	Possible bool   `json:"possible,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Witness is a launch in which a static analysis found the race.
	Witness *Witness `json:"witness,omitempty"`
	// Programs lists the programs that the application started and that showed the race.
	Programs []string `json:"programs,omitempty"`
	// Launched is the line of the application that launched the kernel, if its language is Python.
	Launched *Source `json:"launched_at,omitempty"`
	// Range names the ranges of NVTX in which the thread launched the kernel, the outermost first.
	Range string `json:"range,omitempty"`
	// Suppressed lists the entries of the suppression file that match the race.
	Suppressed []string `json:"suppressed_by,omitempty"`

	own   []string // Detectors without those that found only races in Also
	plain string   // Missing before that of the advice took its place
}

// Access is one side of a race.
type Access struct {
	Access      string    `json:"access"` // read, write, atomic
	Instruction string    `json:"instruction"`
	PTX         Place     `json:"ptx"`
	Source      *Source   `json:"source,omitempty"`
	Language    string    `json:"language,omitempty"` // of the source if its file may be one of another: CUDA, Tile
	Kernel      string    `json:"kernel"`             // as in the PTX, mangled
	Function    string    `json:"function,omitempty"` // enclosing function if it is not the kernel
	Block       [3]uint32 `json:"block"`              // JSON leaves out these three where no thread is known
	Thread      [3]uint32 `json:"thread"`
	Warp        uint32    `json:"warp"`           // within the block
	Grid        uint32    `json:"grid,omitempty"` // number of a grid that threads of the launch have launched
	Scope       string    `json:"scope,omitempty"`
	Initialises bool      `json:"-"` // initialises an object that other operations use
	Ends        bool      `json:"-"` // ends the life of such an object
	// NoGridControl is the target of the instruction's module if none of the module is griddepcontrol, as sm_80.
	NoGridControl string `json:"-"`
	// Operation names the operation of the application and its stream, or the launch of a launch file, for a race
	// between operations. Block, thread and warp are then known only if Known says so. For a race with the start or the
	// end of a block, it names the event.
	Operation string `json:"operation,omitempty"`
	Known     bool   `json:"known,omitempty"`
	// Device is that of the operation, if the application has several.
	Device *uint32 `json:"device,omitempty"`
	// Event is the event in the life of Block that the side is, if it is no access.
	Event detect.Event `json:"-"`
	// Call is the call by which the application issued the operation.
	Call *Call `json:"call,omitempty"`
	// Undecided says that no thread is known that makes the access: a static analysis could not decide the pair.
	Undecided bool `json:"-"`
}

// LifeEvent names an event in the life of a block, as an operation.
func LifeEvent(e detect.Event) string {
	if e == detect.OwnEnd {
		return "the end of the block"
	}
	return "the " + string(e) + " of another block of the cluster"
}

// anyone reports whether no thread is known that makes the access.
func (a *Access) anyone() bool { return a.Undecided || a.Operation != "" && !a.Known }

// Call is a call of a CUDA function in host code.
type Call struct {
	Function string  `json:"function,omitempty"`
	Source   *Source `json:"source" jsonschema:"nullable"`
	In       string  `json:"in,omitempty"` // the function of the application that calls, mangled, where the source is not known
}

// Operation is a synchronising operation in the program.
type Operation struct {
	Instruction string  `json:"instruction"`
	PTX         Place   `json:"ptx"`
	Source      *Source `json:"source,omitempty"`
}

// Finish completes a report: it fills in empty identities, severities, explanations and replay commands, merges
// findings of the same pair of lines, sorts the findings, and sets the verdict. Except for a static analysis, no hint
// names an edit of a kernel that runs have not verified.
func (r *Report) Finish() {
	r.Schema = Schema
	r.markUndecided()
	for _, x := range r.Pairs() {
		x.finish(r.Strict)
	}
	r.Races = findings(r.Races)
	if !r.Strict {
		r.Faults = onPurpose(r.Faults)
	}
	for _, f := range r.Faults {
		switch {
		case f.Handled, f.Compiler != "" && !r.Strict:
			f.Severity = Info
		case f.Severity == "":
			f.Severity = Error
		}
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
	if r.Fidelity != nil {
		r.Fidelity.sort()
	}
	r.link()
	r.ErrorLevel = cmp.Or(r.ErrorLevel, Error)
	if r.Proofs == nil {
		r.withhold()
	} else { // what is undecided comes last
		r.withholdUndecided()
		slices.SortStableFunc(r.Races,
			func(x, y *Race) int { return SeverityRank(y.Severity) - SeverityRank(x.Severity) })
	}
	r.settle()
}

// markUndecided marks the accesses of pairs that a static analysis could not decide.
func (r *Report) markUndecided() {
	for _, x := range r.Pairs() {
		x.First.Undecided = x.Possible && x.Witness == nil
		x.Second.Undecided = x.First.Undecided
	}
}

// settle sets the verdict from the findings.
func (r *Report) settle() {
	switch {
	case r.Proofs != nil:
		r.SettleStatic(r.ErrorLevel)
	case slices.ContainsFunc(r.Faults, func(f *FaultEvent) bool {
		return f.Class != LeakClass && f.Class != APIClass && f.Class != WeakClass && f.Severity != Info
	}):
		r.Verdict = Fault
	case slices.ContainsFunc(r.Races,
		func(x *Race) bool { return SeverityRank(x.Severity) >= SeverityRank(r.ErrorLevel) }):
		r.Verdict = Racy
	case slices.ContainsFunc(r.Faults, func(f *FaultEvent) bool {
		return f.Class == WeakClass && SeverityRank(f.Severity) >= SeverityRank(r.ErrorLevel)
	}):
		r.Verdict = Weak
	case slices.ContainsFunc(r.Faults, func(f *FaultEvent) bool {
		return f.Class == APIClass && SeverityRank(f.Severity) >= SeverityRank(r.ErrorLevel)
	}):
		r.Verdict = API
	case slices.ContainsFunc(r.Faults, (*FaultEvent).Leaked):
		r.Verdict = Leak
	case r.Unchecked():
		r.Verdict = Unknown
	default:
		r.Verdict = Clean
	}
}

// join merges another finding of the same race. The result has the higher severity, and the count of the first
// detector.
func (x *Race) join(y *Race) {
	if SeverityRank(y.Severity) > SeverityRank(x.Severity) {
		x.Severity, x.Compiler = y.Severity, y.Compiler
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

func (x *Race) finish(strict bool) {
	switch {
	case x.Severity == Warning && (x.Rule == detect.OverwriteRule || x.Rule == detect.IssueRule) && strict:
		x.Severity = Error
	case x.Severity != "":
	case (x.Compiler != "" || x.Unchanged) && !strict:
		x.Severity = Info
	default:
		x.Severity = severityOf(x.Cause)
	}
	x.ID = x.stableID()
	e := Explain(x.widened())
	if x.Missing == "" {
		x.Missing = e.Missing
	}
	if x.Hint == "" {
		x.Hint = e.Hint
	}
	if x.First.at() == x.Second.at() {
		x.Hint = strings.ReplaceAll(x.Hint, "{first} and {second}", "{first}")
	}
	places := x.places()
	x.Missing, x.Hint = places.Replace(x.Missing), places.Replace(x.Hint)
}

// UnchangedRule is the Rule of a race that is Unchanged.
const UnchangedRule = "threads store back what they have loaded, which changes nothing unless another thread changes it; an error with --strict"

// Count returns the number of findings at or above a severity.
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
