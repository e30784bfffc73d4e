package precise

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// finding is the first occurrence of a race.
type finding struct {
	first, second         uint32 // of Detector.whats
	firstUnit, secondUnit unit
	firstLane, secondLane uint8
	at                    uint64
	since                 stamp // of the first access
	kind                  kind
	cause                 string
	missing, hint         string
	fence                 uint32 // site of the fence that is too narrow, 0 when none is
	harmless              bool   // the same instruction of one warp writes the same value
	count                 uint64
}

// kind is the relation of two threads.
type kind uint8

const (
	intraWarp kind = iota
	intraBlock
	interBlock
)

var kindNames = [...]string{"intra-warp", "intra-block", "inter-block"}

type findingKey struct {
	first, second uint32 // sites
	kind          kind
	cause         string
}

// findings are races by the pair of sites, kind and cause.
type findings struct {
	at   map[findingKey]int
	list []*finding
}

// add adds an occurrence.
func (r *findings) add(d *Detector, f *finding) {
	f.kind = d.kindOf(f.firstUnit, f.secondUnit)
	f.cause = d.cause(f)
	k := findingKey{d.whats[f.first].site, d.whats[f.second].site, f.kind, f.cause}
	if i, ok := r.at[k]; ok {
		if known := r.list[i]; known.harmless && !f.harmless {
			f.count = known.count
			d.explain(f)
			r.list[i] = f
		}
		r.list[i].count++
		return
	}
	if r.at == nil {
		r.at = make(map[findingKey]int)
	}
	f.count = 1
	d.explain(f)
	r.at[k] = len(r.list)
	r.list = append(r.list, f)
}

func (d *Detector) kindOf(a, b unit) kind {
	a, b = d.ownerOf(a), d.ownerOf(b)
	switch {
	case a>>radixBits != b>>radixBits:
		return interBlock
	case a != b:
		return intraBlock
	}
	return intraWarp
}

// cause is the report's word for what is missing.
func (d *Detector) cause(f *finding) string {
	x, y := &d.whats[f.first], &d.whats[f.second]
	same := d.ownerOf(f.firstUnit) == d.ownerOf(f.secondUnit) && f.firstLane == f.secondLane
	switch {
	case x.needsProxyFence(y) && (same || d.orderedOtherwise(f)):
		return "missing-fence"
	case x.async != abi.Synchronous:
		return "missing-async-wait"
	case x.strong && y.strong && x.scalar != y.scalar:
		return "not-strong"
	case x.strong && y.strong:
		return "insufficient-atomic-scope"
	case f.kind == intraWarp:
		return "missing-warp-sync"
	case d.narrowFence(f) != nil:
		return "insufficient-fence-scope"
	case f.kind == intraBlock:
		return "missing-barrier"
	}
	return "missing-fence"
}

// orderedOtherwise reports whether all that is missing is a proxy fence.
func (d *Detector) orderedOtherwise(f *finding) bool {
	c := d.current.warp.of(int(f.secondLane))
	return c != nil && c.known.known(f.firstUnit, int(f.firstLane)) >= f.since
}

// races are the findings in order of sites, kind and cause.
func (r *findings) races(d *Detector) []detect.Race {
	slices.SortFunc(r.list, func(a, b *finding) int {
		return cmp.Or(
			cmp.Compare(d.whats[a.first].site, d.whats[b.first].site), cmp.Compare(d.whats[a.second].site, d.whats[b.second].site),
			cmp.Compare(a.kind, b.kind), cmp.Compare(a.cause, b.cause))
	})
	var out []detect.Race
	for _, f := range r.list {
		x, y := &d.whats[f.first], &d.whats[f.second]
		severity := "" // what the report makes of the cause
		if f.harmless {
			severity = "info"
		}
		out = append(out, detect.Race{
			Severity: severity, Fence: f.fence, Kind: kindNames[f.kind], Cause: f.cause, Space: d.spaceName(f), Address: f.at, Size: int(min(x.size, y.size)), Count: f.count,
			Missing: f.missing, Hint: f.hint,
			First: d.side(x, f.firstUnit, f.firstLane), Second: d.side(y, f.secondUnit, f.secondLane),
		})
	}
	return out
}

var accessWords = [...]string{abi.AccessLoad: "read", abi.AccessStore: "write", abi.AccessRMW: "atomic"}

func (d *Detector) spaceName(f *finding) string {
	if d.whats[f.second].shared {
		return "shared"
	}
	return "global"
}

// side is one access of a race.
func (d *Detector) side(x *what, u unit, lane uint8) detect.Side {
	u = d.ownerOf(u)
	return detect.Side{
		Site: x.site, Access: accessWords[x.kind], Block: index3(d.places[u>>radixBits].block, d.launch.Grid),
		Thread: index3(uint64(u%radix*radix+unit(lane)), d.launch.Block),
	}
}

// index3 is the three-dimensional index of a block or thread.
func index3(i uint64, extent [3]uint32) [3]uint32 {
	x, y := uint64(max(extent[0], 1)), uint64(max(extent[1], 1))
	return [3]uint32{uint32(i % x), uint32(i / x % y), uint32(i / x / y)}
}
