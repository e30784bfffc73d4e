package barracuda

import "slices"

// epochSet is a sparse vector clock of a location: R_x when reads are concurrent.
// The paper has an unordered map from threads to clocks; here threads that accessed
// the location alike, and there are thousands when a kernel reads a constant,
// share an element.
type epochSet struct {
	list []epochRun // by warp
}

// epochRun is the same access by the same lanes of consecutive warps.
type epochRun struct {
	warp, warps uint32
	mask        uint32
	clock, site uint32
}

func (r *epochRun) end() uint32 { return r.warp + r.warps }

// alike reports whether the accesses of two runs differ in the warps only.
func (r *epochRun) alike(o *epochRun) bool {
	return r.mask == o.mask && r.clock == o.clock && r.site == o.site
}

// add makes an access of some lanes of a warp their last one, and forgets those of
// the warp that they come after.
func (s *epochSet) add(a *access, lanes uint32) {
	i := s.seek(a.id)
	for i < len(s.list) && s.list[i].warp <= a.id {
		r := &s.list[i]
		switch {
		case r.end() <= a.id: // the part before, of a run that was split
			i++
			continue
		case r.warps > 1:
			s.isolate(i, a.id)
			continue
		case r.clock == a.local && r.site == a.site:
			r.mask |= lanes
			s.merge(i)
			return
		}
		if r.mask &^= lanes; r.mask == 0 || r.mask&^a.mask == 0 && r.clock < a.local {
			s.list = slices.Delete(s.list, i, i+1)
			continue
		}
		i++
	}
	s.list = slices.Insert(s.list, i, epochRun{warp: a.id, warps: 1, mask: lanes, clock: a.local, site: a.site})
	s.merge(i)
}

// seek is the index of the first run that ends after a warp.
func (s *epochSet) seek(warp uint32) int {
	n := len(s.list)
	if n == 0 || s.list[n-1].end() <= warp {
		return n
	}
	from, to := 0, n-1
	for from < to {
		if i := int(uint(from+to) / 2); s.list[i].end() > warp {
			to = i
		} else {
			from = i + 1
		}
	}
	return from
}

// isolate splits run i so that a warp in it has a run of its own.
func (s *epochSet) isolate(i int, warp uint32) {
	r := s.list[i]
	parts := make([]epochRun, 0, 3)
	for _, p := range [...][2]uint32{{r.warp, warp}, {warp, warp + 1}, {warp + 1, r.end()}} {
		if p[0] < p[1] {
			q := r
			q.warp, q.warps = p[0], p[1]-p[0]
			parts = append(parts, q)
		}
	}
	s.list = slices.Replace(s.list, i, i+1, parts...)
}

// merge joins run i with its neighbours where they are alike.
func (s *epochSet) merge(i int) {
	if i+1 < len(s.list) && s.list[i].end() == s.list[i+1].warp && s.list[i].alike(&s.list[i+1]) {
		s.list[i].warps += s.list[i+1].warps
		s.list = slices.Delete(s.list, i+1, i+2)
	}
	if i > 0 && s.list[i-1].end() == s.list[i].warp && s.list[i-1].alike(&s.list[i]) {
		s.list[i-1].warps += s.list[i].warps
		s.list = slices.Delete(s.list, i, i+1)
	}
}

func (s *epochSet) clone() *epochSet { return &epochSet{list: slices.Clone(s.list)} }
