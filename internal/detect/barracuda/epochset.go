// Read sets: the epochs of concurrent reads of one location.

package barracuda

// epochSet is a sparse vector clock of a location: R_x when reads are concurrent. The paper has an unordered map from
// threads to clocks. Here threads that have accessed the location alike share an element of a list; there are thousands
// of them when a kernel reads a constant.
type epochSet struct {
	runs
	sites [2]uint32 // sites of the accesses, if there are at most two
	kinds uint8     // number of sites, or manySites
}

const manySites = 3

// latest is the last access of some lanes of a warp.
type latest struct {
	warp, lanes uint32
	path        uint32 // lanes of earlier accesses that it follows, up to its clock
	clock, site uint32
}

// start makes one access the only one of an empty set.
func (s *epochSet) start(warp, lanes, clock, site uint32) {
	s.runs = append(s.runs, epochRun{warp: warp, warps: 1, mask: lanes, clock: clock, site: site})
	s.note(site)
}

// add makes an access the last one of its lanes, and drops the accesses of the warp that it follows.
func (s *epochSet) add(a *access, lanes uint32) {
	s.insert(&latest{warp: a.id, lanes: lanes, path: a.mask, clock: a.local, site: a.site})
	s.note(a.site)
}

// note adds the site of an access.
func (s *epochSet) note(site uint32) {
	switch {
	case s.kinds > 0 && s.sites[0] == site, s.kinds > 1 && s.sites[1] == site, s.kinds == manySites:
		return
	case int(s.kinds) < len(s.sites):
		s.sites[s.kinds] = site
	}
	s.kinds++
}

// forget empties the set.
func (s *epochSet) forget() { s.runs, s.kinds = s.runs[:0], 0 }

// copy makes an empty set equal to another.
func (s *epochSet) copy(from *epochSet) {
	s.runs, s.sites, s.kinds = append(s.runs, from.runs...), from.sites, from.kinds
}
