// The detector of enforced order, which finds what a verdict depends on in other schedules.

package detectors

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/detect/labels"
	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/detect/precise/enforced"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// Enforced is a detector of enforced order for a program. It needs the steps of some instructions, which the emulator
// may execute ahead of the detector.
type Enforced struct {
	*precise.Detector
	user       *rewrite.Module
	operations map[uint32]enforced.Operation
	waits      map[*rewrite.Inst]*wait // nil if the program has none
	polls      *enforced.Polls
}

// wait is a load by which threads wait.
type wait struct {
	*address.Wait
	condition *enforced.Condition
}

// NewEnforced returns a detector of enforced order for a program, with the options of precise, and which accesses it
// does not need: weak ones that no other thread observes.
func NewEnforced(options *PreciseOptions, user *rewrite.Module) (*Enforced, ExemptionRule, error) {
	o := options.Options
	o.Enforced = true
	d, err := precise.New(o)
	if err != nil {
		return nil, nil, err
	}
	exempts, err := studyReads(options, d, user)
	if err != nil {
		return nil, nil, err
	}
	e := &Enforced{Detector: d, user: user, operations: operations(user)}
	d.SetOperations(e.operations)
	e.findWaits(user)
	if exempts == nil {
		return e, nil, nil
	}
	return e, func(in *rewrite.Inst, why address.Exemption) bool { return !isStrong(in) && exempts(in, why) }, nil
}

// isStrong reports whether an instruction makes a strong access.
func isStrong(in *rewrite.Inst) bool { return in.Strong() || in.Access.Atomic() }

// NeedsEnforced reports whether a kernel may make strong accesses: without them, enforced order is the order of the run.
func NeedsEnforced(kernel *rewrite.Func) bool {
	return len(StrongSites(kernel)) > 0
}

// StrongSites returns the sites of the strong accesses that a kernel may make, other than those to mbarriers.
func StrongSites(kernel *rewrite.Func) map[uint32]bool {
	return kernel.Memo(strongKey{}, func() any {
		list := make(map[uint32]bool)
		for _, f := range kernelcode.Reached(kernel) {
			for _, in := range f.Insts {
				if isStrong(in) && in.Access.Kind != isa.AccessNone && !ofMbarrier(in, &in.Access) {
					list[sites.Number(in)] = true
				}
			}
		}
		return list
	}).(map[uint32]bool)
}

type strongKey struct{}

// WaitsInGlobal reports whether threads of a kernel may wait for what others write to global memory, which threads of
// other blocks can do.
func (e *Enforced) WaitsInGlobal(kernel *rewrite.Func) bool {
	return slices.ContainsFunc(kernelcode.Reached(kernel), func(f *rewrite.Func) bool {
		return slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
			return e.waits[in] != nil && in.Access.Space != isa.SpaceShared
		})
	})
}

// findWaits finds the waits of a program, and gives the detector the conditions that end them.
func (e *Enforced) findWaits(user *rewrite.Module) {
	for _, f := range user.Funcs {
		for in, w := range address.Waits(f) {
			if e.waits == nil {
				e.waits, e.polls = make(map[*rewrite.Inst]*wait), new(enforced.Polls)
			}
			e.waits[in] = &wait{w, conditionOf(w)}
		}
	}
	if e.waits == nil {
		return
	}
	polling := siteSet{}
	for _, f := range user.Funcs {
		for _, in := range f.Insts {
			if e.NeedsStep(in) {
				polling[sites.Number(in)] = true
			}
		}
	}
	e.SetPolls(e.polls, polling)
}

// conditionOf returns the condition of a wait.
func conditionOf(w *address.Wait) *enforced.Condition {
	c := &enforced.Condition{Own: make([]uint32, len(w.Inputs))}
	for i, in := range w.Own {
		if c.Own[i] = sites.Number(in); w.Only(in) {
			c.Only = append(c.Only, sites.Number(in))
		}
	}
	c.End = func(value uint64, inputs []uint64) enforced.Exit {
		x := w.End(value, inputs)
		to := x.To
		if to == address.WaitsOn {
			to = enforced.Again
		}
		return enforced.Exit{Known: x.Known, To: to, Used: x.Used}
	}
	return c
}

// Prepare says which kernel the next launch is of.
func (e *Enforced) Prepare(kernel *rewrite.Func) {
	x := kernel.Memo(decisiveKey{}, func() any {
		d := decisiveOf(tableOf(e.user, kernel))
		d.refused = d.refused || len(Peeks(kernel)) > 0
		for _, w := range e.waits {
			for _, own := range w.condition.Only { // decides nothing where the wait ends in every schedule
				delete(d.sites, own)
			}
		}
		return d
	}).(*decisive)
	e.SetDecisive(x.sites, x.refused)
}

// decisive is what is known of a kernel's values that steer.
type decisive struct {
	sites   map[uint32]bool // of accesses that return such values
	refused bool            // such a value differs between schedules whatever is in memory
}

type decisiveKey struct{}

// decisiveOf returns what steers by a table.
func decisiveOf(t *labels.Table) *decisive {
	d := &decisive{sites: make(map[uint32]bool)}
	for i := range t.Sinks {
		for _, from := range t.Sinks[i].Sources {
			switch {
			case from.Differs != "":
				d.refused = d.refused || !from.Shifts || !from.Offset
			case from.Site != 0 && !from.Map:
				d.sites[from.Site] = true
			}
		}
	}
	return d
}

// NeedsStep reports whether the detector needs the steps of an instruction: a load by which threads wait, or a store
// that may end a wait.
func (e *Enforced) NeedsStep(in *rewrite.Inst) bool {
	return e.waits[in] != nil || e.waits != nil && in.Access.Kind == isa.AccessStore && in.Strong() &&
		len(in.Accesses) == 1 && in.Access.Size == in.Access.ElemSize && in.Access.Size <= 8 &&
		e.operations[sites.Number(in)].Awaited
}

// Step takes a step of such an instruction, before its access reaches the detector.
func (e *Enforced) Step(s *emu.Step) {
	if s.Mask == 0 {
		return
	}
	p := &enforced.Step{Block: s.Block, Warp: s.Warp, Site: sites.Number(s.Inst), Mask: s.Mask}
	w := e.waits[s.Inst]
	if w != nil {
		p.Condition = w.condition
	}
	for m := s.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		found, known := s.Stored(lane)
		if w != nil {
			inputs := make([]uint64, len(w.Inputs))
			for i, r := range w.Inputs {
				value, ok := s.Register(r, lane)
				inputs[i], known = value, known && ok
			}
			p.Inputs = append(p.Inputs, inputs)
		}
		p.Found = append(p.Found, found)
		if known {
			p.Known |= 1 << lane
		}
	}
	e.polls.Put(p)
}

// operations returns what is known of the strong accesses of a program.
func operations(user *rewrite.Module) map[uint32]enforced.Operation {
	out := make(map[uint32]enforced.Operation)
	for _, f := range user.Funcs {
		for _, in := range f.Insts {
			if isStrong(in) && in.Access.Kind != isa.AccessNone {
				op := operationOf(in)
				op.Awaited = isAwaited(in)
				out[sites.Number(in)] = op
			}
		}
	}
	return out
}

// isAwaited reports whether a wait of a launch that executes an instruction may read what it writes, if parameters do
// not point to the same memory. Package enforced knows from the run if they do.
func isAwaited(in *rewrite.Inst) bool {
	m := in.Func.Module
	for _, f := range m.Funcs {
		waits := address.Waits(f)
		switch {
		case !in.Access.Writes() || len(waits) == 0 || f != in.Func && f.Entry && in.Func.Entry && !m.Launches():
			continue
		case f != in.Func:
			return true
		}
		to := refsOf(f, func(x *rewrite.Inst) bool { return x == in })
		for _, from := range refsOf(f, func(x *rewrite.Inst) bool { return waits[x] != nil }) {
			if slices.ContainsFunc(to, func(x address.MemRef) bool {
				return address.MayAlias(x, from, address.AliasOptions{Distinct: address.DistinctParams})
			}) {
				return true
			}
		}
	}
	return false
}

// refsOf returns the accesses of some instructions of a function.
func refsOf(f *rewrite.Func, of func(*rewrite.Inst) bool) []address.MemRef {
	return slices.DeleteFunc(address.MemRefsOf(f), func(r address.MemRef) bool { return !of(r.Inst) })
}

// operationOf returns what is known of a strong access.
func operationOf(in *rewrite.Inst) enforced.Operation {
	op := enforced.Operation{Unused: address.Unheeded(in), Keeps: address.Keeps(in)}
	value := in.Value()
	switch {
	case in.Access.Kind == isa.AccessLoad:
		return op
	case value == nil: // a copy that reduces
		setKind(&op, in, in.Type(0), 0, false)
		return op
	}
	n, constant := address.ConstantOf(in, value)
	switch {
	case in.Access.Kind == isa.AccessStore, in.Access.AtomOp == "exch":
		if constant {
			op.Kind, op.Value = enforced.Constant, n
		}
	default:
		setKind(&op, in, in.Decoded.Operands[in.Access.Value].Type, n, constant)
	}
	return op
}

// setKind sets the kind of a read-modify-write of values of a type.
func setKind(op *enforced.Operation, in *rewrite.Inst, t isa.Type, bound uint64, constant bool) {
	if t.Float() || t.Lanes() > 1 {
		if in.Access.AtomOp == "add" {
			op.Kind, op.Type = enforced.Sum, t.String()
		}
		return
	}
	switch in.Access.AtomOp {
	case "add":
		op.Kind = enforced.Add
	case "and":
		op.Kind = enforced.And
	case "or":
		op.Kind = enforced.Or
	case "xor":
		op.Kind = enforced.Xor
	case "min", "max":
		if op.Kind = enforced.Min; in.Access.AtomOp == "max" {
			op.Kind = enforced.Max
		}
		if op.Type = "u"; t.Signed() {
			op.Type = "s"
		}
	case "inc", "dec":
		if constant {
			op.Kind, op.Value = enforced.Inc, bound
			if in.Access.AtomOp == "dec" {
				op.Kind = enforced.Dec
			}
		}
	}
}
