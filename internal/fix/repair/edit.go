// Edits: their changes and costs, and how they are applied together.

package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Op is the kind of an edit.
type Op string

// Kinds of edits.
const (
	Barrier      Op = "barrier"       // bar.sync or barrier.sync
	WarpBarrier  Op = "warp-barrier"  // bar.warp.sync
	WidenMask    Op = "widen-mask"    // of a bar.warp.sync
	Cluster      Op = "cluster"       // a barrier of the cluster
	Fence        Op = "fence"         // an inserted fence
	WidenFence   Op = "widen-fence"   // a wider scope of a fence
	WidenScope   Op = "widen-scope"   // a wider scope of an access
	Release      Op = "release"       // a release in place of a relaxed or weak write
	Acquire      Op = "acquire"       // an acquire in place of a relaxed or weak read
	Strong       Op = "strong"        // a relaxed access in place of a weak one
	Atomic       Op = "atomic"        // an atomic operation in place of a load, a calculation and a store
	Coherent     Op = "coherent-load" // an ordinary load in place of one of read-only data
	Wait         Op = "wait"          // a wait for an asynchronous operation
	Expect       Op = "expect"        // an arrival that expects more bytes of asynchronous operations
	ProxyFence   Op = "proxy-fence"   // a fence between proxies
	TensorFence  Op = "tensor-fence"  // a fence between operations of tcgen05 and synchronisation
	SplitBarrier Op = "split-barrier" // a barrier in both arms of a branch
	Lock         Op = "lock"          // an access under the lock that protects the other access of the race
	Grid         Op = "grid-barrier"  // a barrier of the grid, which needs a cooperative launch
	Split        Op = "split-kernel"  // a second kernel that does what is behind a place
	Move         Op = "move"          // an arrival behind an access
	OneThread    Op = "one-thread"    // initialisation of an object by one thread of the block
	Remove       Op = "remove"        // of a synchronisation
	Weaken       Op = "weaken"        // a synchronisation that orders less
)

// Edit is one repair: a set of changes. An edit of a source line changes all copies that the compiler made of it.
type Edit struct {
	Op      Op
	Changes []Change
	Cost    int    // relative; each loop level multiplies it by eight
	Named   bool   // the edit adds what the detector reports as missing, at an access of the race
	Advice  string // the change in CUDA C++
	// Unordered says that the edit makes accesses of a race strong without ordering them: there is no race then, but
	// the result may depend on the order, or a write may be lost.
	Unordered bool
	Skipped   bool          // some threads end before a barrier of the block, rather than reach it
	Like      *rewrite.Inst // of a wait: another wait of the kernel that it repeats; nil for none
}

// Parts reports whether the edit is a barrier of the block or cluster in each arm of a branch. In CUDA C++ that is a
// barrier outside of the branch, which parts it.
func (e *Edit) Parts() bool {
	return e.Op == SplitBarrier && !slices.ContainsFunc(e.Changes,
		func(c Change) bool { return strings.HasSuffix(c.Text, warpBarrier) })
}

// Strengthens reports whether the edit makes a weak access strong.
func (e *Edit) Strengthens(in *rewrite.Inst) bool {
	return e.Op == Strong && slices.ContainsFunc(e.Changes,
		func(c Change) bool { return c.At == in && c.Place == Strengthen })
}

// Change is one place of an edit.
type Change struct {
	At    *rewrite.Inst
	Place Place
	Text  string // statements, for all places except Strengthen
	// Sem and Scope are what the instruction must have at least, for Strengthen.
	Sem   isa.Sem
	Scope isa.Scope
}

// Place is the place of a change relative to its instruction.
type Place string

// Places of changes.
const (
	Before     Place = "before"
	After      Place = "after"
	Instead    Place = "instead" // the text replaces the instruction
	Strengthen Place = "strengthen"
	Cut        Place = "cut" // the kernel ends before the instruction, and a second one goes on
)

// Key identifies an edit by its changes.
func (e *Edit) Key() string {
	var b strings.Builder
	for _, c := range sorted(e.Changes) {
		fmt.Fprintf(&b, "%s:%d:%s:%s:%s:%s;", c.At.Func.Name, c.At.Index, c.Place, c.Text, c.Sem, c.Scope)
	}
	return b.String()
}

// Apply returns the module with the edits. It is an error if they are incompatible, or if the PTX version or target of
// the module does not support what they insert.
func Apply(m *rewrite.Module, edits []*Edit) (*rewrite.Module, error) {
	e := rewrite.NewEditor(m, "fix")
	for _, c := range Changes(edits) {
		switch c.Place {
		case Before:
			e.InsertBefore(c.At, c.Text)
		case After:
			e.InsertAfter(c.At, c.Text)
		case Cut:
			if err := split(e, c.At); err != nil {
				return nil, err
			}
		case Instead, Strengthen:
			e.Replace(c.At, c.Statements())
		}
	}
	return e.Apply()
}

// Changes returns the changes of all edits. Those that strengthen the same instruction are one.
func Changes(edits []*Edit) (list []Change) {
	for _, x := range edits {
		for _, c := range x.Changes {
			i := slices.IndexFunc(list, func(o Change) bool {
				return o.At == c.At && o.Place == Strengthen &&
					c.Place == Strengthen
			})
			if i < 0 {
				list = append(list, c)
			} else {
				list[i].Sem, list[i].Scope = join(list[i].Sem, c.Sem), max(list[i].Scope, c.Scope)
			}
		}
	}
	return list
}

// Statements returns the statements that a change inserts, or that replace its instruction.
func (c *Change) Statements() string {
	switch c.Place {
	case Cut:
		return "ret;"
	case Strengthen:
		return guardText(c.At) + stronger(c.At, c.Sem, c.Scope) + ";"
	}
	return c.Text
}

// Opcode returns the opcode of the stronger instruction that a change makes.
func (c *Change) Opcode() string {
	word, _, _ := strings.Cut(stronger(c.At, c.Sem, c.Scope), " ")
	return word
}

// join returns the weakest semantics that is at least as strong as both.
func join(a, b isa.Sem) isa.Sem {
	if a != b && a >= isa.SemAcquire && b >= isa.SemAcquire {
		return max(a, b, isa.SemAcqRel)
	}
	return max(a, b)
}

// Sort sorts edits by cost; it is stable.
func Sort(list []*Edit) {
	slices.SortStableFunc(list, func(a, b *Edit) int { return cmp.Compare(a.Cost, b.Cost) })
}
