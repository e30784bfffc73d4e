// Removal of records that no granule refers to.

package scord

// tidy drops records that no granule refers to. If too many remain, it forgets all metadata.
func (s *Detector) tidy() {
	s.known = false // its fields hold numbers of records
	m := &s.memory
	m.tidy()
	if m.records.shared() > m.records.limit {
		s.forgot++
		m.forget()
	}
}

// tidy drops records that no granule refers to, and renumbers the others.
func (m *memory) tidy() {
	indices := make([]uint32, len(m.records.entries))
	m.eachRecord(func(n number) number {
		indices[n>>1] = 1
		return n
	})
	m.records.keep(indices)
	m.eachRecord(func(n number) number { return indices[n>>1]<<1 | n&openRecord })
	m.records.most = min(max(fewShared, 2*m.records.shared()), mostNumbers)
}

// eachRecord replaces the record number of each granule by f of it.
func (m *memory) eachRecord(f func(number) number) {
	for _, p := range m.pages {
		for i, r := range p.lines {
			switch {
			case r.whole():
				p.lines[i] = r.of(f(r.record()))
			case r < lineSpread:
				l := m.divided.at(r.place())
				for k := range l[:l[0].used] {
					l[k].run = l[k].run.of(f(l[k].run.record()))
				}
			default:
				c := p.of(uint64(i))
				for k := range c {
					c[k] = cell(run(c[k]).of(f(c[k].record())))
				}
			}
		}
	}
}
