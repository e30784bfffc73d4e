// The model of a kernel, which a builder makes.

package kernel

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/intervals"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Model is a kernel as the analysis of pairs sees it. It does not change once a builder has made it; the maps that are
// nil at first keep what was asked of it.
type Model struct {
	*query.Session
	Kernel  *symbolic.Kernel
	Assumed Assumptions
	Traits  Traits
	Items   []*Item
	All     []*Item             // items, and the loads of constants
	byInst  map[loadKey][]*Item // items by instruction

	readers  map[loadKey][]*Item // accesses by instruction, those of constants included
	Blocks   *intervals.Barriers
	warps    *intervals.Barriers
	teams    []team
	parts    symbolic.Named
	Parts    []*PartBarrier // those of the kernel in which only some threads take part, or with an unknown number
	rowBy    []string       // facts by which blocks extend in dimension x only, nil if they may not
	TeamsBy  []string       // facts by which named barriers order teams
	LocalBy  []string       // facts by which accesses are to the own block's shared memory
	AgreedBy []string       // facts by which all threads of a block pass the same barriers, or take no way around them

	unwritten map[loadKey]bool   // results of Fixed
	loads     map[loadKey]string // variables for the results of loads
	vars      []expr.Variable    // the result of Variables
	sized     []*expr.Int        // the result of Sizes
	stopping  []*rewrite.Inst    // the result of Stops
}

// Assumptions are what may be assumed where facts do not say it; proofs list which of them they need.
type Assumptions struct {
	NoWrap  bool // no index wraps around because of what host code leaves open
	Believe bool // no other pointer leads to what a kernel loads as read-only data
}

// Builder makes the model of a kernel, with what it does not have.
type Builder struct {
	*Model
	Gaps *Gaps
}

// Gaps is what a model does not have, or of which it is open whether all threads come to it.
type Gaps struct {
	Notes    []string
	Divided  []string               // places of barriers of which it is open whether all threads of a block come to them
	Seen     map[*rewrite.Inst]bool // instructions with accesses, false for those that are not in the model
	Accesses int
}

// Note adds a note once.
func (g *Gaps) Note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(g.Notes, text) {
		g.Notes = append(g.Notes, text)
	}
}

// Traits are the properties of a kernel that matter to all pairs.
type Traits struct {
	Peers  *rewrite.Inst // accesses the shared memory of other blocks
	Async  *rewrite.Inst // asynchronous operation
	Tex    *rewrite.Inst // writes to a surface
	fetch  *rewrite.Inst // reads a texture or surface
	Hidden *rewrite.Inst // accesses memory not given by an operand
	Fences bool          // orders memory other than by barriers
}

// team is a kind of teams with their barriers.
type team struct {
	of       symbolic.Team
	barriers *intervals.Barriers
}

// The names of the rules of the model, which a test can switch off: those of the kernel's barriers, which apply to all
// of its pairs, and ways to prove where an access leads.
const (
	teamBarriers    = "teams"            // findTeams
	uniformLoads    = "uniform loads"    // agree
	excludedPaths   = "excluded paths"   // excluded
	LoopCases       = "loop cases"       // the analysis of cases
	chosenAddresses = "chosen addresses" // choices
)

// Rules returns the names of the rules of the model.
func Rules() []string {
	return []string{teamBarriers, uniformLoads, excludedPaths, LoopCases, chosenAddresses}
}
