// The work units that a proof of the static detector may take, so that it costs no more than the checks that it saves.

package proofs

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Limits of the proofs for one kernel: work units of each analysis, and number of launches analysed.
const (
	proveBudget   = 8_000_000
	proveLaunches = 4
)

// Proofs that are not requested must cost less than checking the accesses at run time. Kernels of at most freeInsts
// instructions are worth freeUnits work units for each thread, if their launches have at least freeThreads in all.
const (
	freeThreads = 1 << 16
	freeUnits   = 8
	freeInsts   = 4000
)

// worth returns the work units that the proof for a kernel is worth, 0 for none. earned is the work units that its
// launches have earned.
func worth(k *rewrite.Func, launches []KnownLaunch, asked bool, earned int64) int64 {
	threads := threadsIn(launches)
	switch {
	case len(launches) == 0 || len(launches) > proveLaunches:
		return 0
	case asked:
		return proveBudget
	case len(k.Insts) > freeInsts:
		return 0
	case threads < freeThreads:
		return earned
	}
	return max(earned, min(threads/int64(len(launches))*freeUnits, proveBudget))
}

// searchStart is the time that static.Separated takes for a short kernel. The unit is the time that precise takes to
// check one access.
const searchStart = 1 << 13

// worthSearch reports whether checking the accesses of a kernel in some launches, or in any if none is given, takes
// longer than a search for the barriers that separate them. For long kernels, it may take as long as the check of an
// access for each pair of instructions.
func worthSearch(k *rewrite.Func, isExempt func(*rewrite.Inst) bool, launches []KnownLaunch) bool {
	n := int64(len(k.Insts))
	return len(k.Insts) <= freeInsts && (len(launches) == 0 ||
		threadsIn(launches)*checks(k, isExempt) >= searchStart+n*n)
}

// threadsIn returns the number of threads of launches, of each at most proveBudget.
func threadsIn(launches []KnownLaunch) (n int64) {
	for i := range launches {
		n += int64(min(launches[i].threads(), proveBudget))
	}
	return n
}

// roundsOfLoop is the number of iterations of a loop, or of nested loops together, that checks assumes.
const roundsOfLoop = 8

// checks estimates how many accesses of a thread are checked, without those that are isExempt.
func checks(k *rewrite.Func, isExempt func(*rewrite.Inst) bool) (n int64) {
	g := k.CFG()
	loops := g.Innermost()
	for _, b := range g.Blocks {
		rounds := int64(1)
		if loops[b.Index] != nil {
			rounds = roundsOfLoop
		}
		for _, in := range k.Insts[b.Start:b.End] {
			if !isExempt(in) && slices.ContainsFunc(in.Accesses, threadsShare) {
				n += rounds
			}
		}
	}
	return n
}

// threadsShare reports whether an access may be to memory that threads share.
func threadsShare(x isa.Access) bool {
	return x.Space == isa.SpaceNone || x.Space == isa.SpaceGlobal || x.Space == isa.SpaceShared
}

// threads returns the number of threads of the launch.
func (l *KnownLaunch) threads() uint64 { return volume(l.grid) * volume(l.block) }

func volume(d emu.Dim3) uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }
