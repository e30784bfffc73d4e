// Places: instructions as the tracker numbers them.

package overlap

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// places numbers the instructions of all modules that make accesses.
type places struct {
	code    Code
	tracker *order.Tracker
	modules map[*rewrite.Module]*module
	current *module // of the running grid
	// related has the modules with related launches, also unloaded ones, in ascending order of firstSite. The firstSite of
	// the next module is lastSite + 1.
	related  []*module
	lastSite uint32
	known    []instruction                            // by place; those before order.FirstPlace are no instructions
	awaited  map[*rewrite.Func]map[*rewrite.Inst]bool // address.Awaited, by function
	// undescribed lists places of loaded modules whose description has not been needed yet.
	undescribed []order.Place
}

// module has the places of a module by site, 0 for those that are not known yet.
type module struct {
	*rewrite.Module
	places []order.Place
	// firstSite is the offset of the module's sites in the detector of related launches; 0 if the module has had none.
	firstSite uint32
}

// instruction describes an instruction for reports, also after its module has been unloaded.
type instruction struct {
	of      *rewrite.Inst // nil once the access is filled in
	access  report.Access
	signals bool // it may be a signal: then the next place is that of its signals
	// unheeded says that it is an atomic operation that returns a value which nothing uses.
	unheeded bool
}

// foreign is the place of an instruction that a detector has inserted.
const foreign = ^order.Place(0)

func newPlaces(c Code) places {
	return places{
		code: c, modules: make(map[*rewrite.Module]*module), known: make([]instruction, order.FirstPlace),
		awaited: make(map[*rewrite.Func]map[*rewrite.Inst]bool),
	}
}

// enter makes a module that of the instructions of later events.
func (p *places) enter(m *rewrite.Module) {
	if p.current = p.modules[m]; p.current == nil {
		p.current = &module{Module: m, places: make([]order.Place, len(sites.Numbered(m))+1)}
		p.modules[m] = p.current
	}
}

// relate returns what is added to the sites of the running grid's module.
func (p *places) relate() uint32 {
	m := p.current
	if m.firstSite == 0 {
		m.firstSite = p.lastSite + 1
		p.lastSite += uint32(len(m.places))
		p.related = append(p.related, m)
	}
	return m.firstSite
}

// forgetRelated forgets the modules that have been unloaded.
func (p *places) forgetRelated() {
	p.related = slices.DeleteFunc(p.related, func(m *module) bool { return p.modules[m.Module] != m })
}

// of returns the place of an instruction with accesses of the given size.
func (p *places) of(site uint32, size uint64) order.Place {
	at := &p.current.places[site]
	if *at == 0 {
		*at = p.number(sites.At(p.current.Module, site), size)
	}
	return *at
}

// number numbers an instruction.
func (p *places) number(in *rewrite.Inst, size uint64) order.Place {
	own := p.code.Own(in)
	if own == nil {
		return foreign
	}
	at := p.add(own, size)
	if mayRelease(own) {
		p.known[at].signals = true
		p.tracker.Releases(p.add(own, size))
	}
	return at
}

// add makes a place of an instruction.
func (p *places) add(own *rewrite.Inst, size uint64) order.Place {
	at := order.Place(len(p.known))
	p.known = append(p.known, instruction{of: own, unheeded: own.Access.Atomic() && address.Unheeded(own)})
	p.undescribed = append(p.undescribed, at)
	if scope := own.StrongScope(); own.Strong() && scope >= isa.ScopeGPU {
		p.tracker.Strong(at, size)
		if scope == isa.ScopeSys {
			p.tracker.Signals(at)
		}
		if own.Access.Kind != isa.AccessStore && p.awaits(own) {
			p.tracker.Awaits(at)
		}
	}
	return at
}

// ofSite returns the place of a site of a module with related launches: of an access, or of a fence.
func (p *places) ofSite(site uint32) order.Place {
	i, found := slices.BinarySearchFunc(p.related, site, func(m *module, site uint32) int {
		return cmp.Compare(m.firstSite, site)
	})
	if !found {
		i--
	}
	m := p.related[i]
	at := &m.places[site-m.firstSite]
	if *at == 0 {
		*at = p.number(sites.At(m.Module, site-m.firstSite), 0)
	}
	return *at
}

// unheeded reports whether an atomic operation at a site of a module with related launches returns a value that nothing
// uses.
func (p *places) unheeded(site uint32) bool { return p.known[p.ofSite(site)].unheeded }

// unload drops a module, or all.
func (p *places) unload(m *rewrite.Module, all bool) {
	p.undescribed = slices.DeleteFunc(p.undescribed, func(at order.Place) bool {
		if in := p.known[at].of; in != nil && in.Func.Module == m {
			p.described(at)
		}
		return p.known[at].of == nil
	})
	if all {
		clear(p.modules)
	}
	delete(p.modules, m)
	maps.DeleteFunc(p.awaited, func(f *rewrite.Func, _ map[*rewrite.Inst]bool) bool { return f.Module == m })
}

// described returns the description of a place.
func (p *places) described(at order.Place) *report.Access {
	i := &p.known[at]
	if i.of != nil {
		i.access, i.of = p.code.Describe(i.of), nil
	}
	return &i.access
}

// describe returns the description of an access at a place.
func (p *places) describe(at order.Place, write bool) report.Access {
	a := *p.described(at)
	if a.Access == "" {
		a.Access = "read"
		if write {
			a.Access = "write"
		}
	}
	return a
}

// operation describes the operation at a site of a module with related launches, nil for 0.
func (p *places) operation(site uint32) *report.Operation {
	if site == 0 {
		return nil
	}
	a := p.described(p.ofSite(site))
	return &report.Operation{Instruction: a.Instruction, PTX: a.PTX, Source: a.Source}
}
