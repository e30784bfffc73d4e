// What a launch depended on.

package labels

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// all returns the bits of all seeds.
func (t *seedTable) all() label { return seeds | shift }

// varying returns the bits of the seeds that vary.
func (t *seedTable) varying(o Order) (l label) {
	for s, b := range t.bits {
		if s.varies(o) {
			l |= b
		}
	}
	return l
}

// settle leaves in global memory which words depend on the order of threads.
func (d *Listener) settle(varies label) {
	if !d.settled {
		d.mem.settle(varies)
		d.settled = true
	}
}

// Dependences returns, after End, the operations whose place in the order of threads decides what steers the launch, each once
// and in the order of the text. It must be called once for each launch, else everything in memory that an atomic
// operation has changed counts as dependent on the order.
func (d *Listener) Dependences(o Order) (list []detect.Dependence) {
	if d.table == nil {
		return nil
	}
	for i := range d.table.Sinks {
		s := &d.table.Sinks[i]
		add := func(x detect.Dependence) {
			x.On, x.Sink, x.Steers = detect.OnOrder, s.Site, s.Steers
			if x.What != "" {
				x.What += " decides " + string(s.Steers) + " at {sink}"
				x.Steers = ""
			}
			if !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
		l := d.steers(s)
		for _, x := range d.seeds.in(l, o) {
			what := detect.Dependence{Seed: x.site, What: x.differs}
			if x.differs != "" && x.site != 0 {
				what.What += " at {seed}"
			}
			if x.memory {
				what.What = "what {seed} leaves in memory"
			}
			add(what)
		}
		if l&earlier != 0 {
			add(detect.Dependence{What: "the order of threads in an earlier launch"})
		}
		if l&unwritten != 0 {
			add(detect.Dependence{What: "memory that no thread has written"})
		}
	}
	d.settle(d.seeds.varying(o))
	return list
}

// steers returns the label of what steers a sink.
func (d *Listener) steers(s *Sink) (l label) {
	for _, from := range s.Sources {
		if from.Map {
			l |= d.maps[from.Site]
		} else {
			l |= d.union(d.compile([]Source{from}))
		}
	}
	return l
}

// Contents returns, after End, the names of the objects in memory whose initial contents decided nothing in the launch,
// and what those of the others decided.
func (d *Listener) Contents() (independent []string, list []detect.Dependence) {
	if d.table == nil {
		return nil, nil
	}
	var steering label
	for i := range d.table.Sinks {
		s := &d.table.Sinks[i]
		l := d.steers(s)
		steering |= l
		for _, base := range d.mem.objects.in(l & objects) {
			list = append(list, detect.Dependence{On: detect.OnContents, Sink: s.Site, Steers: s.Steers, Object: base})
		}
	}
	for _, r := range d.mem.regions {
		if steering&d.mem.objects.bits[r.Base] == 0 {
			independent = append(independent, r.Name)
		}
	}
	return independent, list
}

// RestsOnContents reports, after End, whether what an instruction stored came from the initial contents of memory, so
// that two threads might have stored different values where they stored the same.
func (d *Listener) RestsOnContents(site uint32) bool {
	return d.table != nil && int(site) < len(d.values) && d.stored(site)&(objects|unwritten|earlier) != 0
}
