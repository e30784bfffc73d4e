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
	otherwise             detect.Cause     // the cause if the locks turn out not to be locks
	locks                 []lock           // held at either access
	wrong                 detect.LockFault // what is wrong with the locks
	message               *message
	narrow                narrow // the part of the existing synchronisation whose scope is too narrow
	missing, hint         string
	repair                detect.Repair // the kind of repair that hint describes
	fence                 uint32        // site of the fence, release or acquire whose scope is too narrow, 0 for none
	lacks                 tensorLack    // for accesses to tensor memory
	harmless              bool          // the same instruction of one warp writes the same value
	warning               bool          // both accesses are strong: not a race of the model
	short                 bool          // the first thread has waited for earlier groups than that of its access
	open                  bool          // the manual leaves open whether the order suffices: crossesOpen
	order                 uint64        // of a warning: where it comes among the others
	count                 uint64
}

// kind is the relation of the two threads of a race.
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
	warning, open bool
	event         detect.Event
}

// findings holds the races by pair of sites, kind and cause, and the warnings.
type findings struct {
	at   map[findingKey]int
	list []*finding
	// The latest lookup, since the same race usually occurs many times in a row.
	lastKey findingKey
	last    int // index in list
	spare   *finding
}

// noFinding is the index of a finding that does not exist.
const noFinding = -1

// index returns the index in list of the finding with a key, noFinding if there is none.
func (r *findings) index(k findingKey) int {
	if len(r.list) > 0 && r.lastKey == k {
		return r.last
	}
	i, ok := r.at[k]
	if !ok {
		return noFinding
	}
	r.lastKey, r.last = k, i
	return i
}

// next returns a finding to fill in for race, which most occurrences do not keep.
func (r *findings) next() *finding {
	f := r.spare
	if r.spare = nil; f == nil {
		f = new(finding)
	}
	return f
}

// race adds an occurrence of a race, and returns the index of its finding. The occurrence belongs to the evidence from then on.
func (e *evidence) race(f *finding) int {
	r := &e.found
	e.describe(f)
	f.count = 1
	k := e.keyOf(f)
	i := r.index(k)
	if i == noFinding || r.list[i].harmless && !f.harmless || r.list[i].message == nil && f.message != nil {
		e.explain(f) // may change the cause
		k = e.keyOf(f)
	}
	if i != noFinding && r.list[i].message == nil && f.message != nil { // this occurrence has more to report
		r.list[i].message, r.list[i].missing, r.list[i].hint, r.list[i].repair, r.list[i].fence = f.message, f.missing, f.hint, f.repair, f.fence
	}
	if i = e.enter(f, k); r.list[i] != f {
		r.spare = f
	}
	return i
}

// enter adds a finding with key k that is already explained, or merges it with an equal one. It returns the index of the finding.
func (e *evidence) enter(f *finding, k findingKey) int {
	r := &e.found
	i := r.index(k)
	if i == noFinding {
		if r.at == nil {
			r.at = make(map[findingKey]int)
		}
		r.at[k] = len(r.list)
		r.list = append(r.list, f)
		return len(r.list) - 1
	}
	known := r.list[i]
	if known.harmless && !f.harmless {
		f.count += known.count
		r.list[i] = f
	} else {
		known.count += f.count
	}
	return i
}

// describe sets the kind and cause of a finding.
func (e *evidence) describe(f *finding) {
	e.replayCounts() // the journals may hold messages and locks
	f.kind = e.kindOf(f.firstUnit, f.secondUnit)
	f.cause = e.cause(f)
}

// keyOf returns the key under which findings are reported as one. The finding must have been described.
func (e *evidence) keyOf(f *finding) findingKey {
	return findingKey{e.class(f.first).site, e.class(f.second).site, f.kind, f.cause, f.warning, f.open, e.class(f.second).event}
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

// races returns the findings sorted by sites, kind and cause.
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
		severity, detail := detect.Severity(""), "" // empty: the report derives it from the cause
		switch {
		case f.harmless:
			severity = detect.Info
		case f.warning:
			severity, detail = detect.Warning, warningDetail
		case f.open:
			severity, detail = detect.Warning, openDetail
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

// openDetail explains warnings about reads that only a proxy fence would order before an asynchronous write.
const openDetail = "the read precedes the copy in program order or across a barrier, but the manual asks for a proxy fence between accesses of a location through two proxies (PTX ISA, \"Async proxy\"); it has no exception for reads, though many programs do without"

// warningDetail is the explanation of warnings about strong accesses.
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

// side returns one access of a race for the report.
func (e *evidence) side(x *accessClass, u unit, lane uint8) detect.Side {
	u = e.ownerOf(u)
	at := e.placeOf(u)
	size, nested := e.extentOf(at.grid)
	return detect.Side{
		Site: x.site, Access: x.kind.String(), Event: x.event, Block: abi.Index3(at.block, size.grid),
		Thread: abi.Index3(uint64(u%radix*radix+unit(lane)), size.block), Grid: nested,
	}
}
