// Findings: races and warnings, one for each pair of sites, kind and cause.

package precise

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// finding is the first occurrence of a race.
type finding struct {
	first, second         uint32 // indices into Detector.classes
	firstUnit, secondUnit unit
	firstLane, secondLane uint8
	at                    uint64
	since                 stamp // of the first access
	kind                  kind
	cause                 detect.Cause
	otherwise             detect.Cause     // the cause if none of locks is one
	locks                 []lock           // that are held at one access or the other
	wrong                 detect.LockFault // about them
	message               *message
	narrow                narrow // what is too narrow of the synchronisation that there is
	missing, hint         string
	repair                detect.Repair // that hint is
	fence                 uint32        // site of the fence, release or acquire that is too narrow, 0 when none is
	lacks                 tensorLack    // of accesses to tensor memory
	harmless              bool          // the same instruction of one warp writes the same value
	warning               bool          // both accesses are strong: no race of the model
	count                 uint64
}

// kind is the relation of two threads.
type kind uint8

const (
	intraWarp kind = iota
	intraBlock
	interBlock
)

var kinds = [...]detect.Kind{detect.IntraWarp, detect.IntraBlock, detect.InterBlock}

type findingKey struct {
	first, second uint32 // sites
	kind          kind
	cause         detect.Cause
	warning       bool
}

// findings are races by the pair of sites, kind and cause, and warnings.
type findings struct {
	at   map[findingKey]int
	list []*finding
}

// race adds an occurrence of a race.
func (e *evidence) race(f *finding) {
	r := &e.found
	e.describe(f)
	f.count = 1
	i, ok := r.at[e.keyOf(f)]
	if !ok || r.list[i].harmless && !f.harmless || r.list[i].message == nil && f.message != nil {
		e.explain(f)
	}
	if ok && r.list[i].message == nil && f.message != nil { // more is known now
		r.list[i].message, r.list[i].missing, r.list[i].hint, r.list[i].repair, r.list[i].fence = f.message, f.missing, f.hint, f.repair, f.fence
	}
	e.enter(f)
}

// enter adds a finding that is explained, or that others have been before.
func (e *evidence) enter(f *finding) {
	r := &e.found
	k := e.keyOf(f)
	i, ok := r.at[k]
	if !ok {
		if r.at == nil {
			r.at = make(map[findingKey]int)
		}
		r.at[k] = len(r.list)
		r.list = append(r.list, f)
		return
	}
	known := r.list[i]
	if known.harmless && !f.harmless {
		r.list[i], known, f = f, f, known
	}
	known.count += f.count
}

// describe gives a finding its kind and cause.
func (e *evidence) describe(f *finding) {
	e.replayCounts() // with what it tells of messages and locks
	f.kind = e.kindOf(f.firstUnit, f.secondUnit)
	f.cause = e.cause(f)
}

// keyOf is what findings that are reported as one have in common. The finding has been
// described.
func (e *evidence) keyOf(f *finding) findingKey {
	return findingKey{e.class(f.first).site, e.class(f.second).site, f.kind, f.cause, f.warning}
}

func (e *evidence) kindOf(a, b unit) kind {
	a, b = e.ownerOf(a), e.ownerOf(b)
	switch {
	case a>>radixBits != b>>radixBits:
		return interBlock
	case a != b:
		return intraBlock
	}
	return intraWarp
}

// races are the findings in order of sites, kind and cause.
func (e *evidence) races() []detect.Race {
	e.enterWarnings()
	e.settle()
	r := &e.found
	slices.SortStableFunc(r.list, func(a, b *finding) int {
		return cmp.Or(
			cmp.Compare(e.class(a.first).site, e.class(b.first).site), cmp.Compare(e.class(a.second).site, e.class(b.second).site),
			cmp.Compare(a.kind, b.kind), cmp.Compare(a.cause, b.cause))
	})
	var out []detect.Race
	for _, f := range r.list {
		x, y := e.class(f.first), e.class(f.second)
		severity, detail := detect.Severity(""), "" // what the report makes of the cause
		switch {
		case f.harmless:
			severity = detect.Info
		case f.warning:
			severity, detail = detect.Warning, warningDetail
		}
		publish, observe := uint32(0), uint32(0)
		if f.message != nil {
			publish, observe = f.message.write, f.message.read
		}
		out = append(out, detect.Race{
			Severity: severity, Fence: f.fence, Publish: publish, Observe: observe, Kind: kinds[f.kind], Cause: f.cause, Space: e.spaceOf(f), Address: f.at, Size: int(min(x.size, y.size)), Count: f.count,
			Missing: f.missing, Hint: f.hint, Repair: f.repair, Locks: f.wrong, Detail: detail,
			First: e.side(x, f.firstUnit, f.firstLane), Second: e.side(y, f.secondUnit, f.secondLane),
		})
	}
	return out
}

// warningDetail is what a warning is about.
const warningDetail = "both accesses are strong, which is no data race of the model; but nothing orders them, so that it is open what is read"

func (e *evidence) spaceOf(f *finding) abi.Space {
	switch x := e.class(f.second); {
	case x.tensor:
		return abi.SpaceTensor
	case x.shared:
		return abi.SpaceShared
	}
	return abi.SpaceGlobal
}

// side is one access of a race.
func (e *evidence) side(x *accessClass, u unit, lane uint8) detect.Side {
	u = e.ownerOf(u)
	return detect.Side{
		Site: x.site, Access: x.kind.String(), Block: abi.Index3(e.placeOf(u).block, e.shape().Grid),
		Thread: abi.Index3(uint64(u%radix*radix+unit(lane)), e.shape().Block),
	}
}
