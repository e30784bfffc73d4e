package detect

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// scordRaces collects races by the pair of sites, the rule and the kind.
type scordRaces struct {
	at   map[scordKey]int
	list []scordRace
}

type scordKey struct {
	first, second uint32
	rule          scordRule
	kind          Kind
}

// scordRace is the first occurrence of a race.
type scordRace struct {
	scordKey
	scordGrid
	addr          uint64
	size          uint32
	count         uint64
	firstBlock    uint64
	secondBlock   uint64
	firstThread   uint32
	secondThread  uint32
	firstAccess   abi.AccessKind
	secondAccess  abi.AccessKind
	blkFenceSince bool // the first warp has executed a block fence since
	locks         LockFault
}

// scordClash is an access that races with the one that a granule's record describes.
type scordClash struct {
	rule  scordRule
	first scordRecord
	by    uint32     // lane of the first access
	since scordFence // fence file's entry of its warp

	batch *abi.Batch // that the second access is of
	of    *abi.Access
	lane  uint32
	bloom uint16 // locks held
	at    int    // when it was, in a walk
}

// add counts a race. It returns the race when it is the first of its kind, else nil.
func (r *scordRaces) add(g *scordGrid, c *scordClash) *scordRace {
	b, x, md, mark := c.batch, c.of, c.first.entry, c.first.mark
	k := scordKey{first: mark.site(), second: x.Site, rule: c.rule, kind: scordKind(b, &c.first)}
	if i, ok := r.at[k]; ok {
		r.list[i].count++
		return nil
	}
	if r.at == nil {
		r.at = make(map[scordKey]int)
	}
	r.at[k] = len(r.list)
	r.list = append(r.list, scordRace{
		scordKey: k, scordGrid: *g, addr: x.At(int(c.lane)), size: x.Bytes, count: 1,
		firstBlock: uint64(mark.block()), firstThread: md.warp()<<5 | c.by, firstAccess: mark.access(),
		secondBlock: b.Block, secondThread: b.Warp<<5 | c.lane, secondAccess: x.Access,
		blkFenceSince: c.since.blk != md.blkFence(), locks: scordLockText(md.bloom(), c.bloom),
	})
	return &r.list[len(r.list)-1]
}

func scordKind(b *abi.Batch, c *scordRecord) Kind {
	switch {
	case c.mark.block() != uint32(b.Block):
		return InterBlock
	case c.entry.warp() != b.Warp&warpMask:
		return IntraBlock
	}
	return IntraWarp
}

// scordLockText says what is wrong with the locks that the two sides held.
func scordLockText(first, second uint16) LockFault {
	switch {
	case first == 0 && second == 0:
		return ""
	case first == 0:
		return FirstUnlocked
	case second == 0:
		return SecondUnlocked
	}
	return LocksDiffer
}

// races are the races found, ordered by sites, rule and kind.
func (r *scordRaces) races(granularity int) []Race {
	slices.SortFunc(r.list, func(a, b scordRace) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second), cmp.Compare(a.rule, b.rule), cmp.Compare(a.kind, b.kind))
	})
	var out []Race
	for i := range r.list {
		out = append(out, r.list[i].race(granularity))
	}
	return out
}

func (x *scordRace) race(granularity int) Race {
	return Race{
		Kind: x.kind, Cause: scordCause(x), Space: abi.SpaceGlobal, Address: x.addr, Size: int(x.size), Count: x.count,
		First:  Side{Site: x.first, Access: x.firstAccess.String(), Block: abi.Index3(x.firstBlock, x.grid), Thread: abi.Index3(uint64(x.firstThread), x.block)},
		Second: Side{Site: x.second, Access: x.secondAccess.String(), Block: abi.Index3(x.secondBlock, x.grid), Thread: abi.Index3(uint64(x.secondThread), x.block)},
		Locks:  x.locks, Detail: scordDetail(x, granularity),
	}
}

// scordNames are the words of Table IV.
var scordNames = map[scordRule]string{
	'a': "missing block fence", 'b': "missing device fence", 'c': "not strong access", 'd': "scoped atomic",
	'e': "missing common lock on load", 'f': "missing common lock on store",
}

func scordDetail(x *scordRace, granularity int) string {
	s := fmt.Sprintf("ScoRD (%c) %s", x.rule, scordNames[x.rule])
	if int(x.size) < granularity {
		s += fmt.Sprintf("; neighbours within %d bytes are not told apart", granularity)
	}
	return s
}

// scordCause is the report's cause for a condition of Table IV. A barrier does what
// the missing block fence would do, and is what such programs mostly lack.
func scordCause(x *scordRace) Cause {
	switch x.rule {
	case 'a':
		if x.kind == IntraWarp {
			return MissingWarpSync
		}
		return MissingBarrier
	case 'b':
		if x.blkFenceSince {
			return InsufficientFenceScope
		}
		return MissingFence
	case 'c':
		return NotStrong
	case 'd':
		return InsufficientAtomicScope
	}
	return MissingLock
}

// Hardware of the default configuration (Table V).
const (
	scordSMs         = 15
	scordWarpsPerSM  = 32
	scordBlocksPerSM = 8
)

// ScoRDState is the size in bytes of the state that ScoRD adds to the GPU of Table V
// (IV.C): the barrier counters and lock tables of an SM, and the fence file.
func ScoRDState() (sm, fenceFile, total int) {
	const (
		barrierBits = 8
		lockBits    = 6 + 3 // hash; scope, valid, active
		fenceBits   = 6 + 6
	)
	locks := len(scordLocks{}.entries) * lockBits * scordWarpsPerSM
	sm = (scordBlocksPerSM*barrierBits + locks) / 8
	fenceFile = scordSMs * scordWarpsPerSM * fenceBits / 8
	return sm, fenceFile, scordSMs*sm + fenceFile
}

// Statistics implements Statistics.
func (s *ScoRD) Statistics() []string {
	sm, file, total := ScoRDState()
	overhead := 8 / float64(s.opts.Granularity)
	if s.opts.Cache {
		overhead /= scordAliases
	}
	lines := []string{
		fmt.Sprintf("state of the hardware: %d bytes (%d for each of %d SMs, fence file %d)", total, sm, scordSMs, file),
		fmt.Sprintf("metadata: %.1f%% of memory", 100*overhead),
	}
	if s.forgot > 0 {
		lines = append(lines, fmt.Sprintf("not checked: pairs of accesses that are far apart: metadata were forgotten %d times", s.forgot))
	}
	if t := s.traffic; t != nil && t.program > 0 {
		lines = append(lines, fmt.Sprintf("DRAM accesses: %d without race detection; with it %.2fx: %.2fx data, %.2fx metadata", t.program,
			ratio(t.own+t.meta, t.program), ratio(t.own, t.program), ratio(t.meta, t.program)))
	}
	return lines
}

func ratio(a, b uint64) float64 { return float64(a) / float64(b) }
