// Wrap-around: places where an index may exceed its register's width, and proofs that it does not.

package kernel

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
)

// wrap is a place where an integer may be reduced to the width of a register.
type wrap struct {
	Node   *expr.Int // with operator OpWrap
	proven bool      // the value always fits
	needed []string  // facts used
	Host   bool      // its size depends on what host code leaves open
}

// Assumption returns the name of the assumption that a wrap has no effect.
func (w *wrap) Assumption() string {
	return "no-wrap: " + query.Short(w.Node.Args()[0]) + " fits its register"
}

// wrapBits is the least width of a register: narrower reductions are intentional masks.
const wrapBits = 32

// isWrap reports whether an expression is such a place.
func isWrap(x *expr.Int) bool {
	if x.Op() != expr.OpWrap {
		return false
	}
	bits, _ := x.Width()
	return bits == wrapBits || bits == 2*wrapBits
}

// walker rebuilds formulas with parts replaced.
type walker struct {
	replace func(*expr.Int) *expr.Int // for a rebuilt wrap: nil keeps it
	masks   bool                      // narrow reductions are replaced, too
	ints    map[*expr.Int]*expr.Int
	bools   map[*expr.Bool]*expr.Bool
}

func newWalker(replace func(*expr.Int) *expr.Int) *walker {
	return &walker{replace: replace, ints: make(map[*expr.Int]*expr.Int), bools: make(map[*expr.Bool]*expr.Bool)}
}

func (w *walker) int(x *expr.Int) *expr.Int {
	if y, ok := w.ints[x]; ok {
		return y
	}
	y := w.rebuild(x)
	w.ints[x] = y
	return y
}

// rebuild returns x with its parts replaced.
func (w *walker) rebuild(x *expr.Int) *expr.Int {
	y := x.Map(w.int, w.bool)
	if x.Op() == expr.OpWrap && (isWrap(y) || w.masks && y.Op() == expr.OpWrap) {
		if z := w.replace(y); z != nil {
			return z
		}
	}
	return y
}

func (w *walker) bool(f *expr.Bool) *expr.Bool {
	if g, ok := w.bools[f]; ok {
		return g
	}
	g := f.Map(w.int, w.bool)
	w.bools[f] = g
	return g
}

// Unwrap returns the operand of a wrap, and the condition that it fits.
func Unwrap(x *expr.Int) (*expr.Int, *expr.Bool) {
	bits, signed := x.Width()
	lo, hi := bounds(bits, signed)
	y := x.Args()[0]
	return y, expr.All(expr.Ge(y, expr.Big(lo)), expr.Le(y, expr.Big(hi)))
}

func bounds(bits int, signed bool) (lo, hi *big.Int) {
	lo, hi = new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(bits))
	if signed {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	return lo, hi.Sub(hi, big.NewInt(1))
}

// FindWraps lists the wraps of an access, inner ones first, and tries to prove each to have no effect, given those
// already proven. When the time is over, some are missing, and nothing counts that seems to follow.
func (m *Model) FindWraps(it *Item) {
	if it.wraps != nil {
		return
	}
	it.wraps = []*wrap{}
	done := make(map[string]bool)
	for {
		var next *expr.Int
		w := newWalker(func(x *expr.Int) *expr.Int {
			if done[x.String()] {
				for _, p := range it.wraps {
					if p.proven && p.Node.Equal(x) {
						return x.Args()[0]
					}
				}
				return nil
			}
			if next == nil {
				next = x
			}
			return nil
		})
		it.Addr, it.Offset, it.Cond = w.int(it.Addr), w.int(it.Offset), w.bool(it.Cond)
		for i := range it.Sides {
			if m.Over() {
				return
			}
			it.Sides[i] = w.bool(it.Sides[i])
		}
		it.fitted, it.bounds, it.stays = [4]*fitted{}, [4][]solve.Fact{}, nil
		if next == nil || m.Over() {
			return
		}
		done[next.String()] = true
		p := &wrap{Node: next, Host: m.fromHost(next) || m.leavesByRounds(it, next)}
		p.proven, p.needed = m.proveFits(it, next)
		it.wraps = append(it.wraps, p)
	}
}

// fromHost reports whether a size depends on what host code leaves open: a parameter, an extent or a variable of the
// host, an element of an allocation of which a fact gives the order, or an index that such an extent bounds.
func (m *Model) fromHost(x *expr.Int) bool {
	for _, v := range x.Vars() {
		switch {
		case ofHost(v), m.ofOrdered(v):
			return true
		case strings.HasPrefix(v.Name, "ctaid."), strings.HasPrefix(v.Name, "tid."):
			kind, d := v.Name[:len(v.Name)-2], v.Name[len(v.Name)-1]
			if n := facts.Dim("n"+kind, d).Subst(m.Filling); n.Op() != expr.OpConst {
				return true
			}
		}
	}
	return false
}

// ofHost reports whether a variable is the same in all threads, and not the address of a variable of the module.
func ofHost(v expr.Variable) bool {
	return v.Uniform && !strings.HasPrefix(v.Name, symbolic.GlobalBase) &&
		!strings.HasPrefix(v.Name, symbolic.SharedBase)
}

// leavesByRounds reports whether a size is an unmodified part of the access's offset that grows with the rounds of a
// loop whose condition depends on what host code leaves open.
func (m *Model) leavesByRounds(it *Item, x *expr.Int) bool {
	return partOf(x, it.Offset) && slices.ContainsFunc(x.Vars(), func(v expr.Variable) bool {
		o := m.Kernel.Origin(v.Name)
		if o == nil || o.Loop() == nil || !o.Loop().Round.Equal(expr.NewVar(v)) {
			return false
		}
		return slices.ContainsFunc(o.Loop().Facts(1), func(f *expr.Bool) bool {
			return slices.ContainsFunc(f.Subst(m.Filling).Vars(), ofHost)
		})
	})
}

// partOf reports whether the operand of a wrap, or a multiple of it, is a part of another wrap's operand whose
// remainder is not negative, so that the part is no greater.
func partOf(x, of *expr.Int) bool {
	switch of.Op() {
	case expr.OpWrap:
		return within(x.Args()[0], of.Args()[0]) || partOf(x, of.Args()[0])
	case expr.OpIte:
		return partOf(x, of.Args()[0]) && partOf(x, of.Args()[1])
	case expr.OpSum:
		_, terms := of.Linear()
		return slices.ContainsFunc(terms, func(t expr.Term) bool { return partOf(x, t.X) })
	}
	return false
}

// within reports whether a sum has all terms of another, and further terms that are not negative.
func within(x, of *expr.Int) bool {
	_, part := x.Linear()
	_, all := of.Linear()
	for _, t := range part {
		if !slices.ContainsFunc(all, func(u expr.Term) bool { return u.X.Equal(t.X) && u.Coef.Cmp(t.Coef) == 0 }) {
			return false
		}
	}
	for _, u := range all {
		own := slices.ContainsFunc(part, func(t expr.Term) bool { return u.X.Equal(t.X) })
		if lo, _ := u.X.Range(); !own && (u.Coef.Sign() < 0 || lo == nil || lo.Sign() < 0) {
			return false
		}
	}
	return len(part) > 0
}

// maxMasks limits the masks of an access that unmask tries to remove.
const maxMasks = 4

// unmask removes reductions of an address to the low bits of a register that provably have no effect. Such are those of
// the operand of an or: y<<9 | x is y<<9 + x if x is below 2^9.
func (b *Builder) unmask(it *Item) {
	if !mixesBits(it.Addr) {
		return
	}
	fits := make(map[string]bool)
	w := newWalker(func(x *expr.Int) *expr.Int {
		proven, known := fits[x.String()]
		if bits, signed := x.Width(); !known && bits < wrapBits && !signed && len(fits) < maxMasks {
			var needed []string
			if proven, needed = b.proveFits(it, x); proven {
				it.used = append(it.used, needed...)
			}
			fits[x.String()] = proven
		}
		if !proven {
			return nil
		}
		return x.Args()[0]
	})
	w.masks = true
	it.Addr, it.Offset = w.int(it.Addr), w.int(it.Offset)
}

// mixesBits reports whether an expression has an or, or an exclusive or, of which no operand is a constant.
func mixesBits(x *expr.Int) (found bool) {
	var look func(*expr.Int) *expr.Int
	look = func(y *expr.Int) *expr.Int {
		if found = found || y.Op() == expr.OpOr || y.Op() == expr.OpXor; !found {
			y.Map(look, func(f *expr.Bool) *expr.Bool { return f })
		}
		return y
	}
	if x.Size() < query.MaxQuery {
		look(x)
	}
	return found
}

// proveFits tries to prove that the operand of a wrap fits, in every thread that makes the access.
func (m *Model) proveFits(it *Item, x *expr.Int) (bool, []string) {
	_, fits := Unwrap(x)
	goal := append(it.Formulas(1), m.Ranges(1)...)
	goal = append(goal, expr.Not(fits).Instance(1))
	r := m.Solve(goal, m.BoundsOf(it, 1), query.NoModel|query.Medium)
	return r.Unsat, r.Core
}

// Fitting returns the formulas of an access for one thread under the assumption that nothing wraps, with the condition
// for that.
func (it *Item) Fitting(thread int) (addr *expr.Int, conds []*expr.Bool) {
	if f := it.fitted[thread]; f != nil {
		return f.addr, slices.Clone(f.conds)
	}
	addr, conds = it.fit(thread)
	it.fitted[thread] = &fitted{addr, conds}
	return addr, slices.Clone(conds)
}

// fitted is the result of Fitting.
type fitted struct {
	addr  *expr.Int
	conds []*expr.Bool
}

func (it *Item) fit(thread int) (addr *expr.Int, conds []*expr.Bool) {
	var fits []*expr.Bool
	seen := make(map[string]bool)
	w := newWalker(func(x *expr.Int) *expr.Int {
		y, f := Unwrap(x)
		if !seen[x.String()] {
			seen[x.String()] = true
			fits = append(fits, f.Instance(thread))
		}
		return y
	})
	addr = w.int(it.Addr).Instance(thread)
	w.int(it.Offset) // which must fit, too
	conds = append(conds, w.bool(it.Cond).Instance(thread))
	for _, s := range it.Sides {
		if it.over() { // the rest does not matter
			break
		}
		conds = append(conds, w.bool(s).Instance(thread))
	}
	return addr, append(conds, fits...)
}

// Formulas returns the condition of an access and conditions on its variables, for one thread.
func (it *Item) Formulas(thread int) []*expr.Bool {
	out := []*expr.Bool{it.Cond.Instance(thread)}
	for _, s := range it.Sides {
		if it.over() { // the rest does not matter
			break
		}
		out = append(out, s.Instance(thread))
	}
	return out
}

// OpenWraps returns the wraps without a proof.
func (it *Item) OpenWraps() (out []*wrap) {
	for _, w := range it.wraps {
		if !w.proven {
			out = append(out, w)
		}
	}
	return out
}
