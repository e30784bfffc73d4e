// Accesses and calls that end in a fault whenever a thread comes to them.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/rules"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Fault is an access or a call that ends in a fault whenever a thread comes to it, which is proved: no launch in which
// one does has a race there. That a thread comes to it in a launch that the facts allow, an execution of Witness shows.
type Fault struct {
	Line    int // of the instruction in the PTX
	Why     string
	Witness *Witness // nil if no launch was found
}

// nullPage is the end of the addresses at which there is no object: operating systems map none there (Linux,
// vm.mmap_min_addr), and allocations of CUDA are addressed as those of the host are (CUDA C++ Programming Guide,
// "Unified Virtual Address Space").
const nullPage = 1 << 16

// isNull reports whether an access is at a number below nullPage in every thread that makes it, of which there may be
// some: at an address that was derived from a null pointer or a small constant, and from no object.
func isNull(m *kernel.Model, it *kernel.Item) bool {
	if it.Object.Base != "" || it.Object.Space != isa.SpaceNone && it.Object.Space != isa.SpaceGlobal ||
		it.Addr.IsUnknown() {
		return false
	}
	lo, hi := it.Addr.Range()
	return lo != nil && hi != nil && lo.Sign() >= 0 && hi.IsInt64() && hi.Int64() < nullPage &&
		!m.Comes(it.Formulas(1)).Unsat
}

// notNull is the fact that no access is at a null pointer, which would be a fault.
const notNull = "null: each address leads to an object"

// faults finds the calls of numbers and the accesses at them.
func (a *analysis) faults() {
	for _, u := range a.Kernel.Faults {
		conds := []*expr.Bool{u.Frame.Cond(u.Call).Instance(1)}
		if a.Comes(conds).Unsat {
			continue
		}
		a.fault(u.Call, fmt.Sprintf("the call at %s %s", kernel.Where(u.Call), u.Why), conds)
	}
	for _, it := range a.Items {
		if isNull(a.Model, it) && !it.Chosen {
			a.fault(it.Access.Inst, atNull(it), it.Formulas(1))
		}
	}
}

func atNull(it *kernel.Item) string {
	return fmt.Sprintf("the access at %s is at a number, as a null pointer is, where no object is",
		kernel.Where(it.Access.Inst))
}

// fault adds a fault, with a launch in which a thread that the conditions describe comes to it. Where memory decides
// whether one does, a program may rely on what it puts there.
func (a *analysis) fault(in *rewrite.Inst, why string, conds []*expr.Bool) {
	if slices.ContainsFunc(a.result.Faults, func(f *Fault) bool { return f.Line == in.Line }) {
		return
	}
	f := &Fault{Line: in.Line, Why: why}
	if !a.opt.ProofOnly && !slices.ContainsFunc(expr.Vars(nil, conds), a.FromMemory) {
		if r := a.Comes(conds); r.Sat && r.Model != nil {
			f.Witness = a.launchOf(r.Model)
		}
	}
	a.result.Faults = append(a.result.Faults, f)
	a.result.note("%s: a thread that comes to it ends the launch in a fault", why)
}

// launchOf returns the launch of a model as a witness without threads; nil if the facts do not hold in it.
func (a *analysis) launchOf(m *expr.Model) *Witness {
	t := newTrial(&pairQuery{Conflict: rules.Conflict{Contents: a.Contents, Kind: kernel.InterBlock}, a: a}, m, 0)
	if !t.extents() || !t.allowed() {
		return nil
	}
	trace := t.replay(0)
	for n := range trace.Events {
		if e := &trace.Events[n]; e.Access.Kind != isa.AccessNone && e.Known {
			t.fits(e)
		}
	}
	t.cells()
	return t.witness
}

// faulting marks a pair that is not decided, or whose proof rests on accesses that stay in their allocations, as one of
// an access that never does: neither proof nor race means anything where each launch ends in a fault.
func (a *analysis) faulting(p *Pair, x, y *kernel.Item) {
	for _, it := range []*kernel.Item{x, y} {
		why := ""
		switch to := a.Pointer(&it.Object); {
		case p.Verdict == Racy || it.Chosen:
		case isNull(a.Model, it):
			why = atNull(it)
		case p.Verdict == Possible || to != nil && slices.Contains(p.Needed, to.Bound):
			why = a.neverInObject(it)
		}
		if why == "" {
			continue
		}
		p.Needed = nil
		if p.open(why); a.Followed(it) {
			p.Fault = it.Access.Inst.Line
			a.fault(it.Access.Inst, why, it.Formulas(1))
		}
		return
	}
}

// outside finds the accesses that are outside of their objects whenever a thread makes them, after all pairs are
// decided: proofs that need no bounds do not show them. Where the values that decide it were not followed, no thread
// need come there, and a note says what is known.
func (a *analysis) outside() {
	for _, it := range a.All {
		if a.Left <= 0 || a.Over() {
			return
		}
		if it.Chosen || it.KnownInside() {
			continue
		}
		if why := a.neverInObject(it); why != "" && a.Followed(it) {
			a.fault(it.Access.Inst, why, it.Formulas(1))
		} else if why != "" {
			a.result.note("%s", why)
		}
	}
}

// neverInObject returns that an access is outside of its allocation or variable whenever a thread makes it, which one
// may do; "" if that is not proved, or the size of the object is not known.
func (a *analysis) neverInObject(it *kernel.Item) string {
	object := ""
	switch to := a.Pointer(&it.Object); {
	case to != nil && a.NeverInside(it):
		object = to.Buffer
	case it.Object.Var != nil && a.NeverInVariable(it):
		object = it.Object.Name(a.Kernel.Func)
	}
	if object == "" || a.Comes(it.Formulas(1)).Unsat {
		return ""
	}
	return fmt.Sprintf("the access at %s is outside of %s in every launch", kernel.Where(it.Access.Inst), object)
}
