// Accesses that need no record because another record covers them.

package barracuda

import (
	"github.com/ptxsan/ptxsan/passes/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// covering is the policy of pruning: a plain load is not logged when an earlier plain
// access of the same thread to the same bytes is, with no synchronisation between,
// and between them the lanes of the warp have neither parted nor met.
//
// Why races are kept. Let a thread t make the accesses F and S, of which S is a load
// that is not logged, and let X be a write of another thread that races with S. The
// clock of t learns of others, and others of t, by synchronisation and by the
// operations of t's warp. There is none of the first between F and S (Forgets), so a
// thread of another warp that is not ordered with S is not ordered with F either: X
// races with F. A thread of the same warp whose X is not ordered with S was on another
// path when S was executed; since the paths did not change (Forgets), it was on
// another path at F too. The detector checks X against F in place of S, whichever comes
// first, because it keeps F as it would keep S: a read as a read of t, a write as the
// last write until X comes.
//
// Nothing false is reported: what is logged happens.
func covering() instrument.Policy {
	plain := func(in *rewrite.Inst) bool {
		return !in.Strong() && instrument.Accesses(in, isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared) && in.Copy.Kind == isa.AccessNone
	}
	return instrument.Policy{
		Candidate: plain,
		Covers:    func(_, second *rewrite.Inst) bool { return !second.Access.Writes() },
		Forgets: func(in *rewrite.Inst) bool {
			return in.Effects()&(isa.Orders|isa.Synchronises|isa.Calls) != 0 || in.Access.Atomic() ||
				in.Func.Uniformity().Divergent(in) ||
				in.Access.Kind != isa.AccessNone && !plain(in) && instrument.Accesses(in, isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared)
		},
	}
}
