// Read sets: the epochs of concurrent reads of one location.

package barracuda

// epochSet is a sparse vector clock of a location: R_x when reads are concurrent. The paper has an unordered map from threads to
// clocks. Here threads that have accessed the location alike share an element of a list; there are thousands of them when a
// kernel reads a constant. The latest accesses are kept separately: most locations have no others, and most accesses are
// superseded before they are needed.
type epochSet struct {
	near  [nearby]latest
	count uint8          // number of elements of near
	more  bool           // there are older accesses
	older *olderAccesses // nil if there never were any
}

// olderAccesses is the accesses of a set that are not among the latest.
type olderAccesses struct {
	runList
	sites [2]uint32 // sites of the accesses, if there are at most two
	kinds uint8     // number of sites, or manySites
}

const manySites = 3

const (
	nearby    = 3
	firstRuns = 4 // room for older accesses
)

// latest is the last access of some lanes of a warp.
type latest struct {
	warp, lanes uint32
	path        uint32 // lanes of earlier accesses that it follows, up to its clock
	clock, site uint32
}

// start makes one access the only one of an empty set.
func (s *epochSet) start(warp, lanes, clock, site uint32) {
	s.near[0], s.count = latest{warp: warp, lanes: lanes, path: lanes, clock: clock, site: site}, 1
}

// add makes an access the last one of its lanes, and drops the accesses of the warp that it follows.
func (s *epochSet) add(a *access, lanes uint32) {
	for i := int(s.count); i > 0; i-- {
		x := &s.near[i-1]
		if x.warp != a.id || x.path&^a.mask != 0 {
			continue
		}
		if x.clock == a.local && x.site == a.site {
			x.lanes |= lanes
			return
		}
		if x.lanes&^lanes == 0 || x.clock < a.local {
			s.count--
			copy(s.near[i-1:s.count], s.near[i:s.count+1])
		}
	}
	if s.count == nearby {
		s.flush()
	}
	s.near[s.count] = latest{warp: a.id, lanes: lanes, path: a.mask, clock: a.local, site: a.site}
	s.count++
}

// note adds the site of an access.
func (s *olderAccesses) note(site uint32) {
	switch {
	case s.kinds > 0 && s.sites[0] == site, s.kinds > 1 && s.sites[1] == site, s.kinds == manySites:
		return
	case int(s.kinds) < len(s.sites):
		s.sites[s.kinds] = site
	}
	s.kinds++
}

// flush moves the latest accesses to the older ones.
func (s *epochSet) flush() {
	if s.older == nil {
		s.older = &olderAccesses{runList: runList{list: make(runs, 0, firstRuns)}}
	}
	for i := range s.near[:s.count] {
		s.older.add(&s.near[i])
		s.older.note(s.near[i].site)
	}
	s.count, s.more = 0, true
}

// runs returns all accesses, sorted by warp.
func (s *epochSet) runs() *olderAccesses {
	s.flush()
	s.older.settle()
	return s.older
}

// forget empties the set.
func (s *epochSet) forget() {
	if s.more {
		s.older.forget()
		s.older.kinds = 0
	}
	s.count, s.more = 0, false
}

// copy makes an empty set equal to another. All accesses are in list then.
func (s *epochSet) copy(from *epochSet) {
	s.flush()
	all := from.runs()
	s.older.list, s.older.sites, s.older.kinds = all.appendTo(s.older.list), all.sites, all.kinds
}
