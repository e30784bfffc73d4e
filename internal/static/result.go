// Options and results of the analysis.

package static

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/rules"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Options say how hard to try.
type Options struct {
	Solve  solve.Options // for each query; its budget is limited by the remaining total
	Budget int64         // work units for a kernel; 0 is DefaultBudget
	// Contents says that memory which the kernel does not write may hold anything: a race that needs certain contents
	// is one.
	Contents bool
	// NoWrap says that no index wraps around because of the size of a parameter, or of what host code leaves open.
	// Proofs list this assumption.
	NoWrap bool
	// Believe says that no other pointer leads to what a kernel loads as read-only data, unless the facts say so.
	// Proofs list this assumption.
	Believe bool
	// ProofOnly disables the search for witnesses: a pair is proved or Possible.
	ProofOnly bool
	// Rough says that proofs may list more facts than they need, which is faster.
	Rough bool
	// Stop ends the analysis after a pair for which it returns true: the result then covers the pairs so far. Nil for
	// none.
	Stop     func(*Pair) bool
	Progress func(done, all int) // after each pair; nil for none
	// Proofs records refutations, or takes them from a record instead of searching; nil for neither.
	Proofs *query.Proofs
	// Without has the names of rules that are not applied, of [Rules]: for tests that count what each decides.
	Without []string
	// Partial says that after the end of the context's time, the remaining pairs are Possible, and there is no error.
	Partial bool
}

// DefaultBudget is the default of Options.Budget.
const DefaultBudget = query.DefaultBudget

// forQueries returns the options of the session that asks the solver.
func (o *Options) forQueries() query.Options {
	return query.Options{
		Solve: o.Solve, Budget: o.Budget, Rough: o.Rough, Proofs: o.Proofs, Without: o.Without, Partial: o.Partial,
	}
}

// Rules returns the names of all rules, for [Options.Without].
func Rules() []string {
	list := append(rules.Names(), earlierAccesses)
	slices.Sort(list)
	return slices.Compact(list)
}

// Verdict is the result for a pair of accesses, or for a kernel.
type Verdict uint8

// Verdicts, in ascending order of severity.
const (
	Clean    Verdict = iota // no race for any input that the facts allow
	Possible                // undecided
	Racy                    // there is a race, with a witness
)

// String returns the verdict's name.
func (v Verdict) String() string { return [...]string{"clean", "possible", "racy"}[v] }

// Rule is the reason why two accesses do not race.
type Rule string

// The rules. All but ByFormulas need no solver, or use it only for parts of their argument.
const (
	ByBarriers        Rule = "barriers"        // a barrier lies between them on every path
	ByObjects         Rule = "objects"         // they are to different objects
	ByFormulas        Rule = "formulas"        // no values satisfy the conditions of a race
	BySynchronisation Rule = "synchronisation" // a lock, flag, counter or phase of an mbarrier orders them
	ByExecution       Rule = "execution"       // an execution of the launch, whose verdict holds for every schedule
)

// Kind is the relation of racing threads.
type Kind = kernel.Kind

// Kinds of races (HGRD, Table 2), from the widest to the narrowest.
const (
	InterBlock = kernel.InterBlock
	IntraBlock = kernel.IntraBlock // of different warps
	IntraWarp  = kernel.IntraWarp
)

// Identity returns the need that a parameter points to an allocation of its own.
func Identity(p facts.Param, to *facts.Pointer) string { return kernel.Identity(p, to) }

// Result is the result of the analysis of a kernel.
type Result struct {
	Kernel  string
	Site    string // of the facts
	Verdict Verdict
	// Pairs has one entry for each two instructions that access one object, unless both only read or both are atomic,
	// including clean ones, sorted by the instructions' positions. Results for different call paths to the two
	// instructions are merged: the worst verdict, and all facts needed.
	Pairs    []*Pair
	Rest     int                    // number of pairs beyond MaxPairs, which are not among Pairs: undecided
	Unseen   bool                   // some instructions access memory in ways not covered by pairs: see Notes
	Seen     map[*rewrite.Inst]bool `json:"-"` // instructions with accesses that are covered by pairs, or conflict with none
	Vacuous  bool                   // no launch satisfies the facts, or with Options.Proofs, none is recorded that does; no pair is decided
	Faults   []*Fault               // accesses and calls that end in a fault
	Apart    bool                   // something besides pairs is open: calls that are not followed, accesses that pairs do not cover, the time
	Divided  []string               // places of barriers of which it is open whether all threads of a block come to them
	Missed   []string               // places of barriers of a warp, or of some threads of a block, of which it is open whether all that they wait for come
	Needed   []string               // facts that clean pairs need, sorted
	Notes    []string               // what was not analysed, and why
	Late     bool                   // the context's time was over before all pairs were examined
	Tries    []*Witness             // launches allowed by the facts, to be executed for possible pairs
	Applied  []string               `json:"-"` // the rules that said something of a pair
	Accesses int
	Queries  int
	Work     int64
}

// lacks adds what the model of the kernel does not have.
func (r *Result) lacks(g *kernel.Gaps) {
	r.Notes, r.Divided, r.Seen, r.Accesses = g.Notes, g.Divided, g.Seen, g.Accesses
}

// note adds a note once.
func (r *Result) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// Pair is a pair of accesses.
type Pair struct {
	First, Second Access
	Verdict       Verdict
	Kind          kernel.Kind   // the widest of Kinds
	Kinds         []kernel.Kind // those with this verdict; for a clean pair, all that were examined
	Wider         bool          // not all threads of one block are proved to be ordered, those of other warps included
	Space         isa.Space
	Cause         string // for a pair that is not clean, as in the detectors
	Reason        string // why a possible pair is undecided
	DataDependent bool   // the contents of memory decide whether there is a race
	Equal         bool   // in executions, lanes of a warp store equal values with one instruction, which detectors report as info; Possible
	Fault         int    // the line in the PTX of the one of Faults that the pair is open for; 0 for none
	LeftOpen      bool   // the accesses do not race, but it is open what is read; Possible, with a Witness
	Needed        []string
	Rules         []Rule   // of a clean pair: why its threads do not race
	Proofs        []string // of a clean pair: the recorded refutations that it rests on, see [query.Proofs]
	Try           bool     // for a possible pair: it races if an execution of one of Tries shows it
	Wanted        []string // of what is not known of the launch, what may decide a pair that is not clean: see wanted
	Witness       *Witness // for a racy pair, or for a possible one that races with certain contents of memory
}

// Shown reports whether the witness of a pair shows a race, or accesses that leave open what is read.
func (p *Pair) Shown() bool { return p.Verdict == Racy || p.LeftOpen }

// Access is one side of a pair: an access, or the start or the end of the block to whose shared memory the other side
// is.
type Access struct {
	Inst    *rewrite.Inst   // nil for an event
	Event   detect.Event    // "" for an access
	Calls   []*rewrite.Inst // call path to the instruction, outermost first
	Kind    isa.AccessKind
	Operand int
	Size    int
	Object  string       // parameter or variable from which the address is derived, "" if unknown
	Param   *facts.Param // nil if it is not a parameter
}

// Place is a thread.
type Place struct{ Block, Thread [3]uint32 }

// Witness is a launch with two threads that race.
type Witness struct {
	Grid, Block [3]uint32
	Cluster     [3]uint32 // blocks of a cluster; ones without clusters
	Threads     [2]Place
	Params      map[facts.Param]*big.Int // values of numeric parameters
	Same        [][2]facts.Param         // pointers that must be equal
	Offset      int64                    // of the first common byte, from the beginning of Object or from its pointer
	Bytes       int
	MinBytes    map[facts.Param]int64 // extent of the two threads' accesses from each pointer
	SharedBytes map[facts.Param]int64 // the same for pointers to shared memory
	Memory      []Cell                // required contents of memory, sorted
	Executed    bool                  // an execution of the launch showed the race
	Unplaced    bool                  // where in memory the two threads race is not known: Offset is 0
	Model       *expr.Model
}

// Cell is required content of memory when the kernel starts.
type Cell struct {
	Param  facts.Param
	Offset int64 // from the pointer
	Bytes  int
	Value  *big.Int
}
