// Coverage of explorations: which conflicting accesses their runs have ordered how.

package session

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// ConflictSet is a set of ordered pairs of conflicting accesses: see emu.Conflict. A pair is a
// number that is the same in every process that runs the same program, instrumented or not.
type ConflictSet struct{ seen map[uint64]bool }

// NewConflictSet makes an empty set.
func NewConflictSet() *ConflictSet { return &ConflictSet{make(map[uint64]bool)} }

// Sorted lists the pairs.
func (c *ConflictSet) Sorted() []uint64 { return slices.Sorted(maps.Keys(c.seen)) }

// add adds pairs. It reports whether any is new.
func (c *ConflictSet) add(list []uint64) bool {
	before := len(c.seen)
	for _, pair := range list {
		c.seen[pair] = true
	}
	return len(c.seen) > before
}

// conflictWatch finds the pairs of one run; nil finds nothing.
type conflictWatch struct {
	found *emu.Conflicts
	own   bool // found listens for nobody else
}

// watchedSeeds says how few runs are watched of those that do not find their pairs anyway: the
// seeds that it divides. Watching makes a run take several times as long.
const watchedSeeds = 8

// watch begins to watch a run. Of an instrumented program it looks at the instructions of the
// user's program.
func (c *ConflictSet) watch(wanted func(*rewrite.Inst) bool, r *emu.Run) *conflictWatch {
	switch {
	case c == nil:
		return nil
	case r.Conflicts() != nil:
		return &conflictWatch{r.Conflicts(), false}
	case r.Seed%watchedSeeds != 0:
		return nil
	}
	return &conflictWatch{emu.NewConflicts(wanted), true}
}

func (w *conflictWatch) listener() emu.Listener {
	if w == nil || !w.own {
		return nil
	}
	return w.found.Listener()
}

// hashes are the pairs as numbers.
func (w *conflictWatch) hashes() (list []uint64) {
	if w == nil {
		return nil
	}
	for _, c := range w.found.All() {
		h := fnv.New64a()
		fmt.Fprint(h, c.First.Func.Name, " ", userLine(c.First), " ", c.Second.Func.Name, " ", userLine(c.Second), " ", c.Near)
		list = append(list, h.Sum64())
	}
	return list
}
