// Options and results of the analysis.

package hgrd

import (
	"math/big"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/passes/hgrd/solve"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Options say how hard to try.
type Options struct {
	Solve  solve.Options // of each query; its budget is limited by what is left of the whole
	Budget int64         // work units for a kernel; 0 is DefaultBudget
	// Contents says that memory that the kernel does not write may hold anything: a race that
	// needs certain contents is one.
	Contents bool
	// NoWrap says that no index wraps around because of the size of a parameter, or of what host code leaves open. Proofs list
	// which they take not to.
	NoWrap bool
	// ProofOnly says that no witnesses are searched: a pair is proved or Possible.
	ProofOnly bool
	// Stop ends the analysis behind a pair for which it reports true: the result is then of the
	// pairs so far. Nil for none.
	Stop     func(*Pair) bool
	Progress func(done, all int) // after each pair; nil for none
}

// DefaultBudget is the work units that a kernel is worth.
const DefaultBudget = 60_000_000

// Verdict is what is known of a pair of accesses, or of a kernel.
type Verdict uint8

// Verdicts, the worst is the greatest.
const (
	Clean    Verdict = iota // no race, for any input that the facts allow
	Possible                // not decided
	Racy                    // there is a race, with a witness
)

// String returns the verdict's name.
func (v Verdict) String() string { return [...]string{"clean", "possible", "racy"}[v] }

// Kind says which threads race.
type Kind uint8

// Kinds of races (HGRD, Table 2), the widest is the least.
const (
	InterBlock Kind = iota
	IntraBlock      // of different warps
	IntraWarp
	kinds
)

// String returns the kind as reports have it.
func (k Kind) String() string { return [...]string{"inter-block", "intra-block", "intra-warp"}[k] }

// Result is what the analysis of a kernel found.
type Result struct {
	Kernel  string
	Site    string // of the facts
	Verdict Verdict
	// Pairs has one entry for each two instructions that access one object, of which one writes
	// and not both are atomic, clean ones too; sorted by the instructions' places. What
	// different call paths to the two instructions give is merged: the worst verdict, and
	// all facts needed.
	Pairs    []*Pair
	Rest     int        // pairs of accesses beyond MaxPairs, which are not among Pairs: nothing is known of them
	Unseen   bool       // instructions access memory in ways that no pair is about: see Notes
	Needed   []string   // facts that a clean pair needs, sorted
	Notes    []string   // what was not looked at, and why
	Tries    []*Witness // launches that the facts allow, which nobody has executed, for possible pairs
	Accesses int
	Queries  int
	Work     int64
}

// Pair is two accesses.
type Pair struct {
	First, Second Access
	Verdict       Verdict
	Kind          Kind   // the widest of Kinds
	Kinds         []Kind // those with this verdict; all that were looked at when clean
	Space         isa.Space
	Cause         string // of a pair that is not clean, in the words of the detectors
	Reason        string // why a possible pair is not decided
	DataDependent bool   // what memory holds decides whether there is a race
	Needed        []string
	Try           bool     // of a possible pair: it races when an execution of a launch among Tries shows that
	Witness       *Witness // of a racy pair; of a possible one when contents of memory make it race
}

// Access is one side of a pair.
type Access struct {
	Inst    *rewrite.Inst
	Calls   []*rewrite.Inst // that lead to the instruction, outermost first
	Kind    isa.AccessKind
	Operand int
	Size    int
	Object  string       // the parameter or variable that the address was made from, "" when that is not known
	Param   *facts.Param // nil when it is no parameter
}

// Place is a thread.
type Place struct{ Block, Thread [3]uint32 }

// Witness is a launch and two threads of it that race.
type Witness struct {
	Grid, Block [3]uint32
	Cluster     [3]uint32 // blocks of a cluster; ones without clusters
	Threads     [2]Place
	Params      map[facts.Param]*big.Int // values of parameters that are numbers
	Same        [][2]facts.Param         // pointers that have to be equal
	Offset      int64                    // of the first byte that both access, from Object's beginning or pointer
	Bytes       int
	MinBytes    map[facts.Param]int64 // how far the two threads reach from each pointer
	Memory      []Cell                // contents that the race needs, sorted
	Executed    bool                  // an execution showed the race, and Offset and Bytes are not known
	Model       *expr.Model
}

// Cell is what memory must hold when the kernel starts.
type Cell struct {
	Param  facts.Param
	Offset int64 // from the pointer
	Bytes  int
	Value  *big.Int
}

// ByLine groups pairs by the source lines of their two accesses, with the lines that they were
// inlined at. Pairs without lines stand alone.
func (r *Result) ByLine() [][]*Pair {
	var out [][]*Pair
	at := make(map[[2]string]int)
	for _, p := range r.Pairs {
		key := [2]string{lineKey(p.First.Inst), lineKey(p.Second.Inst)}
		if key[0] > key[1] {
			key[0], key[1] = key[1], key[0]
		}
		if i, ok := at[key]; ok && key[0] != "" && key[1] != "" {
			out[i] = append(out[i], p)
			continue
		}
		at[key] = len(out)
		out = append(out, []*Pair{p})
	}
	return out
}
