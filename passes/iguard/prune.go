// Accesses that are not checked because another check covers them.

package iguard

import (
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// covering returns the policy of option prune: a plain access is not checked if an earlier plain access of the same
// bytes in the same basic block is, without synchronisation in between, and the earlier one is a store or the later one
// a load. BARRACUDA prunes its log in the same way.
//
// Why no race is lost, apart from the gap below. Let a thread t make the accesses F and S, where S is not checked, and
// let X be a conflicting access of another thread. Nothing that iGUARD counts happens in t between F and S (Forgets),
// so whatever orders X and S by the rules of Table 2 orders X and F: the counters and locks of t are the same at both.
// X conflicts with F if it conflicts with S, because F writes if S does.
//
//   - X is checked before F, or after F and before S: S would be compared with X, or X has been compared with F, whose metadata
//     differs from that of S only in the site.
//   - X is checked after S: it is compared with F in place of S, with the same
//     outcome.
//
// In both cases another access Y may have displaced F from the entry before X came,
// where S would have been there. Then Y was compared with F, with the outcome that
// X would have had. So a location with a race keeps one, but the report may name F
// where it would have named S, or Y where it would have named X.
//
// That argument has a gap, which is iGUARD's own: if F, S and Y are loads, Y races with neither. If the thread of Y
// then synchronises with X, and t does not, X passes because it is ordered after Y, although it is not ordered after S,
// which would have replaced Y. The detector remembers one accessor only, so it misses the race of a program without S
// in the same way.
//
// No false race is reported: the checks are those of the program without S, whose accesses are all accesses of this
// one.
//
// Option hoist applies the same policy across the iterations of a loop (instrument.Invariant): F is the access of the
// iteration in which a thread first makes it, S the same access in later iterations, with the same address, without
// synchronisation anywhere in the loop. The argument for prune holds, including the gap. There is more time for Y, so
// with hoist a race is more likely to be reported at Y. In a loop that other lanes of the warp leave earlier there is a
// second gap: a store Y by a lane that executed together with t is ordered with F, and once Y's lane has left the loop
// and executed a fence, X passes.
func covering(spaces []isa.Space) instrument.Policy {
	plain := func(in *rewrite.Inst) bool {
		return !in.Strong() && instrument.Accesses(in, spaces...) && in.Copy.Kind == isa.AccessNone
	}
	return instrument.Policy{
		Candidate: plain,
		Covers:    func(first, second *rewrite.Inst) bool { return first.Access.Writes() || !second.Access.Writes() },
		Forgets: func(in *rewrite.Inst) bool {
			return in.Effects()&(isa.Orders|isa.Synchronises|isa.Calls) != 0 || in.Access.Atomic() ||
				in.Access.Kind != isa.AccessNone && !plain(in) && instrument.Accesses(in, spaces...)
		},
	}
}
