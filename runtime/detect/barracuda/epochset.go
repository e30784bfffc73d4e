// Read sets: the epochs of concurrent reads of one location.

package barracuda

// epochSet is a sparse vector clock of a location: R_x when reads are concurrent.
// The paper has an unordered map from threads to clocks; here threads that accessed
// the location alike, and there are thousands when a kernel reads a constant,
// share an element of a list. The latest accesses are kept apart, since most come to be
// forgotten before anybody looks; they are in the line of a processor's cache that begins the
// set.
type epochSet struct {
	count uint16 // of near
	more  bool   // there are older ones
	near  [nearby]latest
	older runList
	sites [2]uint32 // those by which accesses are, if they are not more than that
	kinds uint8     // how many sites there are, or manySites
	_     [7]byte   // two lines
}

const manySites = 3

const (
	nearby    = 3
	firstRuns = 8 // room for older ones
)

// latest is an access that is the last one of some lanes of a warp.
type latest struct {
	warp, lanes uint32
	path        uint32 // lanes that it comes after, up to its clock
	clock, site uint32
}

// start makes one access the only one in an empty set.
func (s *epochSet) start(warp, lanes, clock, site uint32) {
	s.near[0], s.count = latest{warp: warp, lanes: lanes, path: lanes, clock: clock, site: site}, 1
	s.note(site)
}

// add makes an access of some lanes of a warp their last one, and forgets those of
// the warp that they come after.
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
	s.note(a.site)
	s.near[s.count] = latest{warp: a.id, lanes: lanes, path: a.mask, clock: a.local, site: a.site}
	s.count++
}

// note takes in the site of an access.
func (s *epochSet) note(site uint32) {
	switch {
	case s.kinds > 0 && s.sites[0] == site, s.kinds > 1 && s.sites[1] == site, s.kinds == manySites:
		return
	case int(s.kinds) < len(s.sites):
		s.sites[s.kinds] = site
	}
	s.kinds++
}

// flush makes the latest accesses older ones.
func (s *epochSet) flush() {
	if s.older.list == nil {
		s.older.list = make([]epochRun, 0, firstRuns)
	}
	for i := range s.near[:s.count] {
		s.older.add(&s.near[i])
	}
	s.count, s.more = 0, true
}

// runs is the accesses by warp, in the set's memory.
func (s *epochSet) runs() []epochRun {
	s.flush()
	s.older.settle()
	return s.older.list
}

// forget makes the set empty.
func (s *epochSet) forget() {
	if s.more {
		s.older.list, s.older.log = s.older.list[:0], s.older.log[:0]
	}
	s.count, s.more, s.kinds = 0, false, 0
}

// copy makes an empty set the same as another.
func (s *epochSet) copy(from *epochSet) {
	s.older.list = append(s.older.list, from.runs()...)
	s.more, s.sites, s.kinds = true, from.sites, from.kinds
}
