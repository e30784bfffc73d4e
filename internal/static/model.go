// The layers of an analysis: what is known of the launches, the session that asks the solver, and the model of the
// kernel.

package static

import (
	"context"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/rewrite"
)

// launchFacts is what is known of the launches of a kernel: facts, and the variables that they define. It does not
// change once a builder has prepared it.
type launchFacts struct {
	given    *facts.Given
	facts    []solve.Fact
	defs     map[string]*expr.Int   // definitions by facts, by variable
	defining map[string]solve.Fact  // the facts with the definitions
	restsOn  map[string][]string    // other defined variables from whose definitions one follows
	numbers  map[facts.Param]string // facts by which parameters are numbers
	order    []string               // the defined variables, in order
	filling  expr.Substitution      // of the definitions
	threads  int64                  // upper bound for a block
}

// session answers queries: by the solver, within a budget, or by answers and refutations that it has kept.
type session struct {
	*launchFacts
	ctx   context.Context
	opt   Options
	left  int64 // remaining budget
	spare int64 // remaining budget for finding the facts that proofs need
	// patience multiplies the limits of queries: with a larger budget than the default, and when pairs are decided
	// again.
	patience     int64
	late         bool // the time is over: see Options.Partial
	err          error
	rough        bool // proofs need not be narrowed
	queries      int  // asked of the solver
	work         int64
	applied      map[string]bool // the rules that said something
	answers      map[uint64][]*cachedQuery
	refuted      *refutations // nil: none are kept
	fillings     map[*expr.Bool]*substituted
	inOneBlock   map[*expr.Bool]*expr.Bool // formulas with both threads in one block
	inLaunch     [4][]*expr.Bool           // the results of ranges
	ranged       map[string]expr.Variable  // the variables of queries, with their ranges
	rangedFilled map[string]expr.Variable  // those with the definitions put in
}

// model is a kernel as the analysis of pairs sees it. It does not change once a builder has made it; the maps that are
// nil at first keep what was asked of it.
type model struct {
	*session
	kernel *symbolic.Kernel
	traits traits
	items  []*item
	every  []*item             // items, and the loads of constants
	byInst map[loadKey][]*item // items by instruction

	readers  map[loadKey][]*item // accesses by instruction, those of constants included
	blocks   *symbolic.Barriers
	warps    *symbolic.Barriers
	teams    []team
	parts    symbolic.Named
	rowBy    []string // facts by which blocks extend in dimension x only, nil if they may not
	teamsBy  []string // facts by which named barriers order teams
	localBy  []string // facts by which accesses are to the own block's shared memory
	agreedBy []string // facts by which all threads of a block pass the same barriers, or take no way around them

	unwritten map[loadKey]bool   // results of fixed
	loads     map[loadKey]string // variables for the results of loads
	vars      []expr.Variable    // the result of variables
	sized     []*expr.Int        // the result of sizes
	stopping  []*rewrite.Inst    // the result of stops
}

// builder makes the model of a kernel, with the notes about what it does not have.
type builder struct {
	*model
	result *Result
}

// contents is what is known of values in memory, and of what threads synchronise by it.
type contents struct {
	*model
	sync *synchronisation // nil while the model is built
}

// traits are the properties of a kernel that matter to all pairs.
type traits struct {
	peers  *rewrite.Inst // accesses the shared memory of other blocks
	async  *rewrite.Inst // asynchronous operation
	tex    *rewrite.Inst // writes to a surface
	fetch  *rewrite.Inst // reads a texture or surface
	hidden *rewrite.Inst // accesses memory not given by an operand
	fences bool          // orders memory other than by barriers
}

// team is a kind of teams with their barriers.
type team struct {
	of       symbolic.Team
	barriers *symbolic.Barriers
}
