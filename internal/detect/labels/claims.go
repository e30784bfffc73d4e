// What a launch depended on.

package labels

import (
	"cmp"
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

// Dependences returns, after End, the operations whose place in the order of threads decides what steers the launch, in
// the order of the text: each once, with the first that it decides behind it. It must be called once for each launch,
// else all that atomic operations have changed in memory counts as dependent on the order in later launches.
func (d *Listener) Dependences(o Order) (list []detect.Dependence) {
	if d.table == nil {
		return nil
	}
	found := make(map[seed]*Sink)
	for i := range d.table.Sinks {
		s := &d.table.Sinks[i]
		l := d.union(s.Sources)
		for _, x := range d.seeds.in(l, o) {
			if at := found[x]; at == nil || at.Site < x.site && s.Site >= x.site {
				found[x] = s
			}
		}
		for bit, what := range standing {
			if x := (seed{differs: what}); l&bit != 0 && found[x] == nil {
				found[x] = s
			}
		}
	}
	for x, s := range found {
		list = append(list, x.decides(s))
	}
	slices.SortFunc(list, func(a, b detect.Dependence) int {
		return cmp.Or(cmp.Compare(a.Sink, b.Sink), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.What, b.What),
			cmp.Compare(a.Steers, b.Steers))
	})
	d.settle(d.seeds.varying(o))
	return list
}

// standing are origins that vary in all launches.
var standing = map[label]string{
	earlier:   "the order of threads in an earlier launch",
	unwritten: "memory that no thread has written",
}

// decides returns the dependence of a sink on a seed.
func (s seed) decides(sink *Sink) detect.Dependence {
	x := detect.Dependence{On: detect.OnOrder, Seed: s.site, Sink: sink.Site, Steers: sink.Steers}
	switch {
	case s.memory:
		x.What = "what {seed} leaves in memory"
	case s.first:
		x.What = "memory that no thread has written, which {seed} may read first,"
	case s.differs != "" && s.site != 0:
		x.What = s.differs + " at {seed}"
	default:
		x.What = s.differs
	}
	if x.What != "" {
		x.What, x.Steers = x.What+" decides "+string(sink.Steers), ""
		if sink.Site != 0 {
			x.What += " at {sink}"
		}
	}
	return x
}

// Undefined returns the dependence of a sink on something undefined.
func Undefined(s *Sink, what string) detect.Dependence { return seed{differs: what}.decides(s) }

// Contents returns, after End, the names of the objects in memory whose initial contents decided nothing in the launch,
// and the first that those of each other object decided.
func (d *Listener) Contents() (independent []string, list []detect.Dependence) {
	if d.table == nil {
		return nil, nil
	}
	var steering label
	for i := range d.table.Sinks {
		s := &d.table.Sinks[i]
		fresh := d.union(s.Sources) & objects &^ steering
		steering |= fresh
		for _, base := range d.mem.objects.in(fresh) {
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
