// The data-flow analysis: a forward walk over the control-flow graph until nothing changes.

package asyncregs

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// analysis is the analysis of one function.
type analysis struct {
	f      *rewrite.Func
	of     []int32 // index in a place's regs by index of the register, -1 for registers that no operation accesses
	regs   []*rewrite.Reg
	shapes []string
	out    *Flow // where suspects are recorded, nil before the last walk
}

// place is what holds at a place of the code.
type place struct {
	regs     []state
	unfenced bool // there may have been no fence
}

func analyse(f *rewrite.Func) *Flow {
	a := &analysis{f: f}
	if !a.collect() {
		return nil
	}
	g := f.CFG()
	in := make([]*place, len(g.Blocks))
	in[0] = &place{regs: make([]state, len(a.regs)), unfenced: true}
	a.solve(in)
	a.out = &Flow{suspects: map[int]*Suspect{}, unfenced: map[*rewrite.Reg]bool{}, followed: a.of}
	for _, b := range g.Blocks {
		if in[b.Index] != nil {
			a.block(b, in[b.Index])
		}
	}
	if len(a.out.suspects) == 0 {
		return nil
	}
	return a.out
}

// solve computes what holds at the starts of blocks.
func (a *analysis) solve(in []*place) {
	order := a.f.CFG().ReversePostorder()
	stale := make([]bool, len(in))
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			if in[b.Index] == nil || stale[b.Index] {
				continue
			}
			stale[b.Index] = true // until what holds at its start changes
			end := a.block(b, in[b.Index])
			for _, s := range b.Succs {
				if in[s.Index] == nil {
					in[s.Index] = &place{regs: make([]state, len(a.regs))}
				} else if !in[s.Index].differs(end) {
					continue
				}
				in[s.Index].join(end)
				stale[s.Index], changed = false, true
			}
		}
	}
}

// differs reports whether joining q changes p.
func (p *place) differs(q *place) bool {
	if q.unfenced && !p.unfenced {
		return true
	}
	for i := range p.regs {
		s := p.regs[i]
		if s.join(q.regs[i]); s != p.regs[i] {
			return true
		}
	}
	return false
}

func (p *place) join(q *place) {
	p.unfenced = p.unfenced || q.unfenced
	for i := range p.regs {
		p.regs[i].join(q.regs[i])
	}
}

// collect finds the registers of asynchronous operations; false if there are none.
func (a *analysis) collect() bool {
	a.of = make([]int32, len(a.f.Regs))
	for i := range a.of {
		a.of[i] = -1
	}
	for _, in := range a.f.Insts {
		switch {
		case Load(in):
			in.Defs(a.add)
		case Product(in):
			in.Defs(a.add)
			Fragments(in, a.add)
		}
	}
	for more := len(a.regs) > 0; more; {
		n := len(a.regs)
		for _, in := range a.f.Insts {
			if Moves(in) && a.has(in.Uses) != a.has(in.Defs) { // the target of a copy has the state of its source
				in.Uses(a.add)
				in.Defs(a.add)
			}
		}
		more = len(a.regs) > n
	}
	return len(a.regs) > 0
}

func (a *analysis) add(r *rewrite.Reg) {
	if a.of[r.Index] < 0 {
		a.of[r.Index] = int32(len(a.regs))
		a.regs = append(a.regs, r)
	}
}

// has reports whether one of the registers that each enumerates is followed.
func (a *analysis) has(each func(func(*rewrite.Reg))) (found bool) {
	each(func(r *rewrite.Reg) { found = found || a.of[r.Index] >= 0 })
	return found
}

// block returns what holds at the end of a block.
func (a *analysis) block(b *rewrite.Block, start *place) *place {
	p := &place{regs: slices.Clone(start.regs), unfenced: start.unfenced}
	for _, in := range a.f.Insts[b.Start:b.End] {
		a.step(in, p)
	}
	return p
}

// step applies an instruction.
func (a *analysis) step(in *rewrite.Inst, p *place) {
	switch {
	case Load(in):
		a.load(in, p)
	case Product(in):
		a.product(in, p)
	case in.Wgmma():
		p.group(in)
	case in.Tcgen05() && in.Has("wait::ld"):
		for i := range p.regs {
			p.regs[i].loaded = false
		}
	case Moves(in):
		a.move(in, p)
	default:
		a.access(in, p)
	}
}

// group applies wgmma.fence, commit_group and wait_group.
func (p *place) group(in *rewrite.Inst) {
	commits, fences, pending := in.Has("commit_group"), in.Has("fence"), maxBehind
	if in.Has("wait_group") {
		pending = int(min(in.Operands[0].Imm, maxBehind))
	}
	p.unfenced = p.unfenced && !fences
	for i := range p.regs {
		s := &p.regs[i]
		for _, behind := range []*uint8{&s.accumulator, &s.fragment} {
			if *behind != 0 && *behind < maxBehind && commits {
				*behind++
			}
			if int(*behind) > pending+1 {
				*behind = 0
			}
		}
		if fences {
			s.read, s.written, s.shape = false, false, 0
		}
	}
}

// load applies a tcgen05.ld.
func (a *analysis) load(in *rewrite.Inst, p *place) {
	a.access(in, p)
	in.Defs(func(r *rewrite.Reg) { p.regs[a.of[r.Index]].loaded = true })
}

// access applies an instruction that is neither a product nor a move.
func (a *analysis) access(in *rewrite.Inst, p *place) {
	each := func(writes bool) func(*rewrite.Reg) {
		return func(r *rewrite.Reg) {
			i := a.of[r.Index]
			if i < 0 {
				return
			}
			s := &p.regs[i]
			if s.loaded || s.accumulator != 0 || writes && s.fragment != 0 {
				a.early(in, r)
			}
			s.read, s.written = s.read || !writes, s.written || writes
		}
	}
	in.Uses(each(false))
	in.Defs(each(true))
}

// move applies a mov: its destination has the state of its sources.
func (a *analysis) move(in *rewrite.Inst, p *place) {
	if !a.has(in.Defs) {
		return
	}
	var from state
	in.Uses(func(r *rewrite.Reg) {
		if i := a.of[r.Index]; i >= 0 && r != in.Guard {
			from.join(p.regs[i])
		}
	})
	in.Defs(func(r *rewrite.Reg) {
		s := &p.regs[a.of[r.Index]]
		if s.loaded || s.accumulator != 0 || s.fragment != 0 {
			a.early(in, r)
		}
		if in.Guard == nil {
			*s = state{}
		}
		s.join(from)
		s.fragment = 0
	})
}

// product applies a wgmma.mma_async.
func (a *analysis) product(in *rewrite.Inst, p *place) {
	if p.unfenced {
		a.suspect(in).First = a.out != nil
	}
	shape := a.shapeOf(in)
	in.Defs(func(r *rewrite.Reg) {
		s := &p.regs[a.of[r.Index]]
		if s.loaded || s.fragment != 0 {
			a.early(in, r)
		}
		if s.read || s.written || s.shape != 0 && s.shape != shape {
			a.missing(in, r)
		}
	})
	Fragments(in, func(r *rewrite.Reg) {
		s := &p.regs[a.of[r.Index]]
		if s.loaded || s.accumulator != 0 {
			a.early(in, r)
		}
		if s.written {
			a.missing(in, r)
		}
		s.fragment = 1
	})
	in.Defs(func(r *rewrite.Reg) {
		s := &p.regs[a.of[r.Index]]
		s.accumulator, s.shape = 1, shape
	})
}

// shapeOf returns the index of a product's shape.
func (a *analysis) shapeOf(in *rewrite.Inst) uint8 {
	text := in.Mod("shape")
	i := slices.Index(a.shapes, text)
	if i < 0 {
		i, a.shapes = len(a.shapes), append(a.shapes, text)
	}
	return uint8(min(i+1, manyShapes))
}

// suspect returns the record of an instruction. Before the last walk it is one that nobody reads.
func (a *analysis) suspect(in *rewrite.Inst) *Suspect {
	if a.out == nil {
		return new(Suspect)
	}
	s := a.out.suspects[in.Index]
	if s == nil {
		s = new(Suspect)
		a.out.suspects[in.Index] = s
	}
	return s
}

// early records an access to a register of an operation in flight.
func (a *analysis) early(in *rewrite.Inst, r *rewrite.Reg) {
	if s := a.suspect(in); !slices.Contains(s.Early, r) {
		s.Early = append(s.Early, r)
	}
}

// missing records a product that may miss a fence for a register.
func (a *analysis) missing(in *rewrite.Inst, r *rewrite.Reg) {
	if s := a.suspect(in); !slices.Contains(s.Unfenced, r) {
		s.Unfenced = append(s.Unfenced, r)
		if a.out != nil {
			a.out.unfenced[r] = true
		}
	}
}
