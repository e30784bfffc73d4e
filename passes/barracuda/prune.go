// Accesses that are not logged because another record covers them.

package barracuda

import (
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// covering returns the policy of pruning: a plain load is not logged if an earlier plain access of the same thread to
// the same bytes is, provided that there is no synchronisation between them and that the lanes of the warp have neither
// diverged nor reconverged.
//
// Why no race is lost. Let a thread t make the accesses F and S, where S is a load that is not logged, and let X be a
// write of another thread that races with S. The clocks of t and of other threads change only by synchronisation and by
// operations of t's warp. There is no synchronisation between F and S (Forgets), so a thread of another warp that is
// not ordered with S is not ordered with F either: X races with F. If X is by a thread of the same warp and not ordered
// with S, that thread was on another path when S was executed. Since the paths did not change (Forgets), it was on
// another path at F, too. The detector compares X with F in place of S, whichever comes first, because it keeps F as it
// would keep S: a read as a read of t, a write as the last write until X comes.
//
// No false race is reported, since every logged access takes place.
func covering() instrument.Policy {
	plain := func(in *rewrite.Inst) bool {
		return !in.Strong() && instrument.Accesses(in, isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared) &&
			in.Copy.Kind == isa.AccessNone
	}
	return instrument.Policy{
		Candidate: plain,
		Covers:    func(_, second *rewrite.Inst) bool { return !second.Access.Writes() },
		Forgets: func(in *rewrite.Inst) bool {
			return in.Effects()&(isa.Orders|isa.Synchronises|isa.Calls) != 0 || in.Access.Atomic() ||
				in.Func.Uniformity().Divergent(in) ||
				in.Access.Kind != isa.AccessNone && !plain(in) &&
					instrument.Accesses(in, isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared)
		},
	}
}
