// Findings: races and warnings, one for each pair of sites, kind and cause.

package evidence

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Finding is the first occurrence of a race.
type Finding struct {
	First, Second         uint32 // indices of the access classes
	FirstUnit, SecondUnit unit
	FirstLane, SecondLane uint8
	At                    uint64
	Since                 stamp // of the first access
	Relation              Relation
	Cause                 detect.Cause
	otherwise             detect.Cause     // the cause if the locks turn out not to be locks
	locks                 []Lock           // held at either access
	wrong                 detect.LockFault // what is wrong with the locks
	message               *message
	narrow                narrow // the part of the existing synchronisation whose scope is too narrow
	Missing               string
	repair                detect.Repair // the kind of repair, if it is not that of the cause
	fence                 uint32        // site of the fence, release or acquire whose scope is too narrow, 0 for none
	Lacks                 TensorLack    // for accesses to tensor memory
	Harmless              bool          // the same instruction of one warp writes the same value
	warning               bool          // both accesses are strong: not a race of the model
	elected               bool          // a lane arrives for its warp, that of the first access, before the other lanes' accesses are ordered
	early                 bool          // the first thread hands to the second what it goes on to use
	told                  bool          // the second thread has synchronised with the one that started the first, asynchronous access, since then
	short                 bool          // the first thread has waited for earlier groups than that of its access
	open                  bool          // the manual leaves open whether the order suffices: crossesOpen
	Performed             bool          // with the end of a block: a load that has been performed, as its value has been used
	order                 uint64        // of a warning: where it comes among the others
	Count                 uint64
}

// Relation is the relation of the two threads of a race.
type Relation uint8

// Relations, from near to far.
const (
	IntraWarp Relation = iota
	IntraBlock
	InterBlock
)

var kinds = [...]detect.Kind{detect.IntraWarp, detect.IntraBlock, detect.InterBlock}

type findingKey struct {
	first, second uint32 // sites
	kind          Relation
	cause         detect.Cause
	warning, open bool
	performed     bool
	event         detect.Event
}

// findings holds the races by pair of sites, kind and cause, and the warnings.
type findings struct {
	at   map[findingKey]int
	list []*Finding
	// The latest lookup, since the same race usually occurs many times in a row.
	lastKey findingKey
	last    int // index in list
	spare   *Finding
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
func (r *findings) next() *Finding {
	f := r.spare
	if r.spare = nil; f == nil {
		f = new(Finding)
	}
	return f
}

// Race adds an occurrence of a race, and returns the index of its finding. The occurrence belongs to the evidence from
// then on.
func (e *Evidence) Race(f *Finding) int {
	r := &e.found
	e.describe(f)
	f.Count = 1
	k := e.keyOf(f)
	i := r.index(k)
	if i == noFinding || r.list[i].Harmless && !f.Harmless || r.list[i].message == nil && f.message != nil {
		e.explain(f) // may change the cause
		k = e.keyOf(f)
	}
	if i != noFinding && r.list[i].message == nil && f.message != nil { // this occurrence has more to report
		r.list[i].message, r.list[i].Missing, r.list[i].repair, r.list[i].fence = f.message, f.Missing, f.repair,
			f.fence
	}
	if i = e.enter(f, k); r.list[i] != f {
		r.spare = f
	}
	return i
}

// Add adds a finding that is already explained, or merges it with an equal one.
func (e *Evidence) Add(f *Finding) { e.enter(f, e.keyOf(f)) }

// enter adds a finding with key k that is already explained, or merges it with an equal one. It returns the index of
// the finding.
func (e *Evidence) enter(f *Finding, k findingKey) int {
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
	if known.Harmless && !f.Harmless {
		f.Count += known.Count
		r.list[i] = f
	} else {
		known.Count += f.Count
	}
	return i
}

// describe sets the kind and cause of a finding.
func (e *Evidence) describe(f *Finding) {
	e.replayDeferred() // the journals may hold messages and locks
	f.Relation = e.KindOf(f.FirstUnit, f.SecondUnit)
	f.Cause = e.cause(f)
}

// keyOf returns the key under which findings are reported as one. The finding must have been described.
func (e *synchronisation) keyOf(f *Finding) findingKey {
	return findingKey{
		e.classes.At(f.First).Site, e.classes.At(f.Second).Site, f.Relation, f.Cause, f.warning, f.open,
		f.Performed, e.classes.At(f.Second).Event,
	}
}

// KindOf returns the relation of the threads of two units.
func (e *synchronisation) KindOf(a, b unit) Relation {
	a, b = e.OwnerOf(a), e.OwnerOf(b)
	switch {
	case a>>radixBits != b>>radixBits:
		return InterBlock
	case a != b:
		return IntraBlock
	}
	return IntraWarp
}

// Races returns the findings sorted by sites, kind and cause.
func (e *Evidence) Races() []detect.Race {
	e.enterWarnings()
	e.settle()
	r := &e.found
	slices.SortStableFunc(r.list, func(a, b *Finding) int {
		return cmp.Or(
			cmp.Compare(e.classes.At(a.First).Site, e.classes.At(b.First).Site),
			cmp.Compare(e.classes.At(a.Second).Site, e.classes.At(b.Second).Site),
			cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Cause, b.Cause))
	})
	var out []detect.Race
	for _, f := range r.list {
		severity, detail := detect.Severity(""), "" // empty: the report derives it from the cause
		if s := e.outcome(f); s != nil {
			f, severity, detail = s, detect.Error, detect.StaleRule
			f.Cause = detect.WeakOutcome
		}
		switch {
		case f.Harmless:
			severity = detect.Info
		case f.warning:
			severity, detail = detect.Warning, detect.LeftOpenRule
		case f.open:
			severity, detail = detect.Warning, detect.OverwriteRule
			if e.classes.At(f.Second).Tensor {
				detail = detect.IssueRule
			}
		case f.Performed:
			severity, detail = detect.Warning, performedDetail
		}
		x := e.race(f)
		x.Severity, x.Detail = severity, detail
		out = append(out, x)
	}
	return out
}

// race returns a finding as a race for the report.
func (e *Evidence) race(f *Finding) detect.Race {
	x, y := e.classes.At(f.First), e.classes.At(f.Second)
	publish, observe := uint32(0), uint32(0)
	if f.message != nil {
		publish, observe = f.message.write, f.message.read
	}
	first, _ := x.Pieces()
	second, _ := y.Pieces()
	return detect.Race{
		Fence: f.fence, Publish: publish, Observe: observe, Kind: kinds[f.Relation],
		Cause: f.Cause, Space: e.spaceOf(f), Address: f.At, Size: int(min(first, second)), Count: f.Count,
		Missing: f.Missing, Repair: f.repair, Locks: f.wrong,
		First: e.Side(x, f.FirstUnit, f.FirstLane), Second: e.Side(y, f.SecondUnit, f.SecondLane),
	}
}

// Explained returns the race of accesses of two launches, with its cause. It is called when the second one happens.
func (e *Evidence) Explained(f *Finding) detect.Race {
	e.describe(f)
	if e.explain(f); f.locks != nil {
		e.settleLocks(f)
	}
	return e.race(f)
}

// performedDetail explains warnings about loads from the shared memory of a block that may end.
const performedDetail = "the thread has used the value before it arrives, so that the load has been performed; but the manual asks for a release: a relaxed arrival gives no guarantee for the accesses before it (PTX ISA, \"barrier.cluster\")"

func (e *synchronisation) spaceOf(f *Finding) abi.Space {
	switch x := e.classes.At(f.Second); {
	case x.Tensor:
		return abi.SpaceTensor
	case x.Shared:
		return abi.SpaceShared
	}
	return abi.SpaceGlobal
}

// Side returns one access of a race for the report.
func (e *Evidence) Side(x *accesses.Class, u unit, lane uint8) detect.Side {
	u = e.OwnerOf(u)
	at := e.PlaceOf(u)
	blocks, threads, nested := e.ExtentOf(at.Grid)
	return detect.Side{
		Site: x.Site, Access: x.Kind.String(), Event: x.Event, Block: abi.Index3(at.Block, blocks),
		Thread: abi.Index3(uint64(u%radix*radix+unit(lane)), threads), Grid: nested,
	}
}
