// Launches of the host that are related: races between accesses of launches that may overlap.

package precise

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/compare"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Launched is a launch that is related with others.
type Launched = causality.Launched

// Prerequisite is a launch on which another one depends.
type Prerequisite = causality.Prerequisite

// LaunchRace is a race between accesses of two launches.
type LaunchRace struct {
	First, Second *Launched
	// Missing is the launch whose threads lack griddepcontrol.wait: Second, or one between the two.
	Missing *Launched
	// Race has as its count the number of words that race, and sites as RelateLaunches has numbered them.
	Race detect.Race
}

// relatedRaces holds the races of launches that have not ended with earlier ones.
type relatedRaces struct {
	at     map[relatedKey]*relatedRace
	list   []*relatedRace
	latest *relatedRace // the next one is mostly the same, of another lane
}

// relatedKey identifies races that are one for the report: of two access classes in two launches.
type relatedKey struct {
	first, second           *Launched
	firstClass, secondClass uint32
}

type relatedRace struct {
	LaunchRace
	key   relatedKey
	words map[uint64]uint64 // that race, a bit each, by their address without its last groupBits
}

// groupBits is the number of bits of an address within 64 words.
const groupBits = 8

// mostWords is the number of words of a race that are counted.
const mostWords = 1 << 20

// count counts the words of an access that races.
func (r *relatedRace) count(address, size uint64) {
	for at := address &^ (wordBytes - 1); at < address+size && r.Race.Count < mostWords; at += wordBytes {
		group, bit := at>>groupBits, uint64(1)<<(at/wordBytes%64)
		if known := r.words[group]; known&bit == 0 {
			r.words[group] = known | bit
			r.Race.Count++
		}
	}
}

// RelateLaunches makes the detector report races between launches, by EndLaunch, and none within a launch. Several
// launches then come between Begin and End, each of them after BeginLaunch. unheeded reports whether an atomic operation
// returns a value that nothing uses, by its site with FirstSite.
func (d *Detector) RelateLaunches(unheeded func(site uint32) bool) {
	d.BetweenLaunches, d.unheeded = d.betweenLaunches, unheeded
}

// BeginLaunch begins a launch of the host. The one that is running waits until Resume is called.
func (d *Detector) BeginLaunch(l *Launched) {
	d.Threads.BeginLaunch(l)
	d.enterModule()
}

// Resume makes a launch that has begun the running one.
func (d *Detector) Resume(l *Launched) {
	d.Threads.Resume(l)
	d.enterModule()
}

// enterModule makes the sites of events those of the running launch's module.
func (d *Detector) enterModule() {
	if first := d.Launched.FirstSite; d.Evidence.FirstSite != first {
		d.Evidence.FirstSite, d.BySite = first, nil
	}
}

// EndLaunch ends the running launch, and returns its races with earlier ones in the order in which they were found.
func (d *Detector) EndLaunch() (races []LaunchRace) {
	d.Threads.EndLaunch()
	d.related.list = slices.DeleteFunc(d.related.list, func(r *relatedRace) bool {
		if r.Second != d.Launched {
			return false
		}
		races = append(races, r.LaunchRace)
		return true
	})
	d.related.latest = nil
	maps.DeleteFunc(d.related.at, func(k relatedKey, _ *relatedRace) bool { return k.second == d.Launched })
	return races
}

// betweenLaunches records a race.
func (d *Detector) betweenLaunches(p compare.Pair) {
	k := relatedKey{p.First, p.Second, p.Entry.Class, p.Access.Index}
	r := d.related.latest
	if r == nil || r.key != k {
		if r = d.related.at[k]; r == nil {
			r = d.newRelatedRace(k, &p)
			d.related.at[k], d.related.list = r, append(d.related.list, r)
		}
		d.related.latest = r
	}
	r.count(p.Address, uint64(r.Race.Size))
}

// newRelatedRace describes a race that is the first of its kind.
func (d *Detector) newRelatedRace(k relatedKey, p *compare.Pair) *relatedRace {
	r := &relatedRace{key: k, words: make(map[uint64]uint64)}
	r.First, r.Second = p.First, p.Second
	f := &evidence.Finding{
		First: p.Entry.Class, Second: p.Access.Index, FirstUnit: p.Entry.Unit, SecondUnit: p.Access.Unit,
		FirstLane: uint8(p.FirstLane), SecondLane: uint8(p.SecondLane), At: p.Address, Since: p.Entry.At,
	}
	if p.First.Device != p.Second.Device {
		r.Race, r.Missing = d.betweenDevices(f), p.Second
		return r
	}
	x, y := d.Classes.At(p.Entry.Class), p.Access.Class
	first, _ := x.Pieces()
	second, _ := y.Pieces()
	r.Missing = d.Missing(p.First, p.Second, p.Access.Warp, p.SecondLane)
	flag, publish, observe := d.Evidence.Flag(f)
	r.Race = detect.Race{
		Flag: flag, Publish: publish, Observe: observe,
		Kind: detect.InterKernel, Cause: detect.MissingGridWait, Address: p.Address, Size: int(min(first, second)),
		First:  d.Evidence.Side(x, p.Entry.Unit, uint8(p.FirstLane)),
		Second: d.Evidence.Side(y, p.Access.Unit, uint8(p.SecondLane)),
	}
	return r
}

// betweenDevices describes a race of launches on different devices. What is missing is what threads of different blocks
// lack in one launch, or else an order of the launches.
func (d *Detector) betweenDevices(f *evidence.Finding) detect.Race {
	x := d.Evidence.Explained(f)
	x.Kind, x.Count = detect.InterKernel, 0
	switch x.Cause {
	case detect.MissingBarrier, detect.MissingWarpSync:
		x.Cause, x.Missing, x.Repair, x.Fence = detect.MissingStreamOrder, "", "", 0
	}
	return x
}
