// Races found: their classes, deduplication, and the report.

package barracuda

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// relation is the paper's class of a race.
type relation uint8

const (
	sameInstruction relation = iota // lanes of one instruction write different values
	divergence                      // on different paths of a warp: a branch ordering race
	intraBlock
	interBlock
)

// raceKey is what equal races in a report have in common.
type raceKey struct {
	first, second uint32 // sites
	kinds         [2]Kind
	relation      relation
	space         abi.Space
}

// race is the first occurrence of a race, and the number of occurrences.
type race struct {
	raceKey
	addr  uint64 // of the second access
	bytes uint32
	count uint64

	warps [2]uint32
	lanes [2]int
	clock uint32 // of the first access
	last  struct {
		seq  uint64
		page uint64
		lane int
	} // counted
}

// races collects the races of a launch.
type races struct {
	at   map[raceKey]int
	list []race
}

// add adds a race of an access with an earlier one. The bytes of an access on one page count once.
func (r *races) add(a *access, kind Kind, warp uint32, lane int, clock, site uint32, together bool) {
	k := raceKey{
		first: site, second: a.site, kinds: [2]Kind{kind, a.kind}, relation: relationOf(a.id, warp, together),
		space: a.op.Space,
	}
	i, ok := r.at[k]
	if !ok {
		if r.at == nil {
			r.at = make(map[raceKey]int)
		}
		i = len(r.list)
		r.at[k] = i
		r.list = append(r.list, race{
			raceKey: k, addr: a.op.Addr[a.me()], bytes: a.op.Bytes, clock: clock,
			warps: [2]uint32{warp, a.id}, lanes: [2]int{lane, a.me()},
		})
	}
	x := &r.list[i]
	if page := a.addr >> pageBits; x.count == 0 || x.last.seq != a.seq || x.last.page != page || x.last.lane != a.me() {
		x.count++
		x.last.seq, x.last.page, x.last.lane = a.seq, page, a.me()
	}
}

func relationOf(a, b uint32, together bool) relation {
	switch {
	case together:
		return sameInstruction
	case a == b:
		return divergence
	case a>>fanoutBits == b>>fanoutBits:
		return intraBlock
	}
	return interBlock
}

// races returns the races sorted by site. released gives the clock of each warp's latest release of block scope.
func (r *races) races(l *detect.Launch, released map[uint32]uint32) []detect.Race {
	slices.SortFunc(r.list, func(a, b race) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second),
			cmp.Compare(a.relation, b.relation),
			cmp.Compare(a.kinds[0], b.kinds[0]), cmp.Compare(a.kinds[1], b.kinds[1]), cmp.Compare(a.space, b.space))
	})
	var out []detect.Race
	for i := range r.list {
		x := &r.list[i]
		out = append(out, x.report(l, released[x.warps[0]] >= x.clock))
	}
	return out
}

// report returns the race for the report. narrow says that the thread of the first access has made a release of block
// scope since.
func (r *race) report(l *detect.Launch, narrow bool) detect.Race {
	out := detect.Race{
		Space: r.space, Address: r.addr, Size: int(r.bytes), Count: r.count,
		First: r.side(0, l), Second: r.side(1, l), Severity: detect.Error,
		Detail: fmt.Sprintf("BARRACUDA %s, %s after %s", [...]string{
			sameInstruction: "intra-warp race", divergence: "divergence race", intraBlock: "intra-block race",
			interBlock: "inter-block race",
		}[r.relation], words[r.kinds[1]], words[r.kinds[0]]),
	}
	switch r.relation {
	case sameInstruction:
		out.Kind, out.Cause = detect.IntraWarp, detect.MissingWarpSync
		out.Missing = "an order among the lanes of one instruction: they write different values to one location, and any of them may be the last"
	case divergence:
		out.Kind, out.Cause = detect.IntraWarp, detect.BranchOrder
	case intraBlock:
		out.Kind, out.Cause = detect.IntraBlock, detect.MissingBarrier
	case interBlock:
		out.Kind, out.Cause = detect.InterBlock, detect.MissingFence
		switch {
		case r.kinds[0] >= Atomic && r.kinds[1] >= Atomic:
			out.Cause = detect.InsufficientAtomicScope
		case narrow:
			out.Cause = detect.InsufficientFenceScope
		}
	}
	return out
}

var words = [...]string{Read: "read", Write: "write", Atomic: "atomic", AtomicRead: "atomic read"}

// accessWords holds the words for kinds of accesses in reports.
var accessWords = [...]string{Read: "read", Write: "write", Atomic: "atomic", AtomicRead: "atomic"}

func (r *race) side(i int, l *detect.Launch) detect.Side {
	s := detect.Side{Site: r.first, Access: accessWords[r.kinds[i]]}
	if i == 1 {
		s.Site = r.second
	}
	s.Block = l.BlockAt(uint64(r.warps[i] >> fanoutBits))
	s.Thread = l.ThreadAt(r.warps[i]&(fanout-1)*abi.WarpLanes + uint32(r.lanes[i]))
	return s
}
