// Races found: deduplication, kinds, causes and lock faults.

package scord

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// races collects races by the pair of sites, the rule and the kind.
type races struct {
	at   map[key]int
	list []race
}

type key struct {
	first, second uint32
	rule          rule
	kind          detect.Kind
}

// race is the first occurrence of a race.
type race struct {
	key
	shape
	addr          uint64
	size          uint32
	count         uint64
	firstBlock    uint64
	secondBlock   uint64
	firstThread   uint32
	secondThread  uint32
	firstAccess   abi.AccessKind
	secondAccess  abi.AccessKind
	blkFenceSince bool // the first warp has executed a block fence since its access
	locks         detect.LockFault
}

// clash is a race: an access, and the earlier one that the granule's record describes.
type clash struct {
	rule  rule
	first record
	since fence // fence file's entry of the first access's warp

	batch *abi.Batch // that the second access belongs to
	of    *abi.Access
	lane  uint32
	bloom uint16 // locks held
}

// add counts a race. It returns the race if it is the first of its kind, else nil.
func (r *races) add(g *shape, c *clash) *race {
	b, x, md, mark := c.batch, c.of, c.first.entry, c.first.mark
	k := key{first: mark.site(), second: x.Site, rule: c.rule, kind: kindOf(b, &c.first)}
	if i, ok := r.at[k]; ok {
		r.list[i].count++
		return nil
	}
	if r.at == nil {
		r.at = make(map[key]int)
	}
	r.at[k] = len(r.list)
	r.list = append(r.list, race{
		key: k, shape: *g, addr: x.At(int(c.lane)), size: x.Bytes, count: 1,
		firstBlock: uint64(mark.block()), firstThread: md.warp()<<5 | md.thread(), firstAccess: mark.access(),
		secondBlock: b.Block, secondThread: b.Warp<<5 | c.lane, secondAccess: x.Access,
		blkFenceSince: c.since.blk != md.blkFence(), locks: lockFault(md.bloom(), c.bloom),
	})
	return &r.list[len(r.list)-1]
}

func kindOf(b *abi.Batch, c *record) detect.Kind {
	switch {
	case c.mark.block() != uint32(b.Block):
		return detect.InterBlock
	case c.entry.warp() != b.Warp&warpMask:
		return detect.IntraBlock
	}
	return detect.IntraWarp
}

// lockFault returns what is wrong with the locks that the two sides held.
func lockFault(first, second uint16) detect.LockFault {
	switch {
	case first == 0 && second == 0:
		return ""
	case first == 0:
		return detect.FirstUnlocked
	case second == 0:
		return detect.SecondUnlocked
	}
	return detect.LocksDiffer
}

// races returns the races sorted by sites, rule and kind.
func (r *races) races(granularity int) []detect.Race {
	slices.SortFunc(r.list, func(a, b race) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second), cmp.Compare(a.rule, b.rule),
			cmp.Compare(a.kind, b.kind))
	})
	var out []detect.Race
	for i := range r.list {
		out = append(out, r.list[i].race(granularity))
	}
	return out
}

func (x *race) race(granularity int) detect.Race {
	return detect.Race{
		Kind: x.kind, Cause: causeOf(x), Space: abi.SpaceGlobal, Address: x.addr, Size: int(x.size), Count: x.count,
		First: detect.Side{
			Site: x.first, Access: x.firstAccess.String(), Block: abi.Index3(x.firstBlock, x.grid),
			Thread: abi.Index3(uint64(x.firstThread), x.block),
		},
		Second: detect.Side{
			Site: x.second, Access: x.secondAccess.String(), Block: abi.Index3(x.secondBlock, x.grid),
			Thread: abi.Index3(uint64(x.secondThread), x.block),
		},
		Locks: x.locks, Detail: detailOf(x, granularity),
	}
}

// ruleNames holds the words of Table IV.
var ruleNames = map[rule]string{
	'a': "missing block fence", 'b': "missing device fence", 'c': "not strong access", 'd': "scoped atomic",
	'e': "missing common lock on load", 'f': "missing common lock on store",
}

func detailOf(x *race, granularity int) string {
	s := fmt.Sprintf("ScoRD (%c) %s", x.rule, ruleNames[x.rule])
	if int(x.size) < granularity {
		s += fmt.Sprintf("; neighbours within %d bytes are not told apart", granularity)
	}
	return s
}

// causeOf returns the report's cause for a condition of Table IV. A barrier does what the missing block fence would do,
// and is usually what such programs lack.
func causeOf(x *race) detect.Cause {
	switch x.rule {
	case 'a':
		if x.kind == detect.IntraWarp {
			return detect.MissingWarpSync
		}
		return detect.MissingBarrier
	case 'b':
		if x.blkFenceSince {
			return detect.InsufficientFenceScope
		}
		return detect.MissingFence
	case 'c':
		return detect.NotStrong
	case 'd':
		return detect.InsufficientAtomicScope
	}
	return detect.MissingLock
}
