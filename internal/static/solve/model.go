// An attempt at a query: translation, search, and the validation of candidates.

package solve

import (
	"context"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// attempt is one run of the solver's stages on a query.
type attempt struct {
	q       Query
	fs      []tagged
	t       *translator
	budget  int64
	noModel bool
	work    int64
	tag     uint64 // of the proof
	goals   uint64 // the bits of formulas of the goal; 0: they have none
	facts   uint64 // the bits of facts
	model   *expr.Model
	reason  string

	recording bool   // of the proof
	proof     *Proof // with noneExists, if recording
}

// tagBit returns the bit of a fact or, behind all facts, of a formula of the goal. Those beyond the number of bits
// share the last one.
func tagBit(i int) uint64 { return 1 << min(i, 63) }

// newAttempt prepares a query.
func newAttempt(q Query, budget int64, noModel bool) *attempt {
	a := &attempt{q: q, budget: budget, noModel: noModel, reason: "budget"}
	a.facts = 1<<min(len(q.Facts), 63) - 1
	for i, f := range q.Goal {
		a.fs = append(a.fs, tagged{f, tagBit(len(q.Facts) + i)})
		a.goals |= tagBit(len(q.Facts) + i)
	}
	for i, f := range q.Facts {
		a.fs = append(a.fs, tagged{f.Formula, tagBit(i)})
	}
	if len(q.Facts) > 63 { // the last bit is that of facts
		a.untag()
	}
	return a
}

// untag gives up to know which formulas of the goal a proof uses.
func (a *attempt) untag() {
	a.goals, a.facts = 0, ^uint64(0)
	for i := range a.q.Goal {
		a.fs[i].tag = 0
	}
}

// used returns the formulas of the goal used in the proof.
func (a *attempt) used() (out []int) {
	for i := range a.q.Goal {
		if a.goals == 0 || a.tag&tagBit(len(a.q.Facts)+i) != 0 {
			out = append(out, i)
		}
	}
	return out
}

// core returns the names of the facts used in the proof.
func (a *attempt) core() []string {
	names := []string{}
	for i, f := range a.q.Facts {
		if a.tag&tagBit(i) != 0 {
			names = append(names, f.Name)
		}
	}
	return names
}

// run decides the query.
func (a *attempt) run(ctx context.Context) (status, error) {
	if a.parity(ctx) {
		return noneExists, ctx.Err()
	}
	a.translate(ctx, nil)
	if err := ctx.Err(); err != nil {
		return gaveUp, err
	}
	if !a.noModel && a.dataDependent() {
		a.reason = "data-dependent"
	}
	if a.t.tooLarge() {
		a.giveUp("too large")
		return gaveUp, nil
	}
	st, err := a.linear(ctx, a.budget-a.work)
	if err != nil || st != gaveUp {
		return st, err
	}
	if !a.noModel {
		if st, err = a.concretise(ctx, nil, a.work+a.budget/2); err != nil || st == found {
			return st, err
		}
	}
	return a.bits(ctx)
}

// parity decides by equations modulo 2, if these leave no values.
func (a *attempt) parity(ctx context.Context) bool {
	found, tag, work := contradict(ctx, a.fs, a.facts)
	a.work += work
	if found {
		a.tag, a.proof = tag, &Proof{Method: Parity, Steps: []string{}}
	}
	return found
}

// translate creates the linear problem of the query with additional conjuncts.
func (a *attempt) translate(ctx context.Context, more []tagged) {
	a.t = newTranslator(ctx)
	a.t.translate(append(more, a.fs...))
	a.work += int64(100*len(a.t.clauses) + a.t.literalCount)
}

// linear decides the linear problem within a budget. After the first candidate the budget is cut to a fraction: a proof
// is then unlikely, and there are other ways to find a witness.
func (a *attempt) linear(ctx context.Context, budget int64) (status, error) {
	s := newSearch(ctx, a.t.problem, budget)
	if a.recording {
		s.record = &record{}
	}
	st := s.run(func(s *search) (ok, stop bool) {
		if !a.noModel && a.candidate(s) {
			return true, false
		}
		if s.refined == 0 {
			s.budget = min(s.budget, s.work+budget/8)
		}
		if !s.refine(a.noModel) {
			a.giveUp("no witness found")
			return false, true
		}
		return false, false
	})
	a.work += s.work
	a.tag = s.tag
	if a.recording && st == noneExists {
		a.proof = s.record.proof()
	}
	return st, s.err
}

// candidate validates the values found by a search.
func (a *attempt) candidate(s *search) bool {
	m := expr.NewModel()
	fs := make([]*expr.Bool, len(a.fs))
	for i, f := range a.fs {
		fs[i] = f.f
	}
	for _, v := range expr.Vars(nil, fs) {
		if v.Bool {
			m.Bools[v.Name] = false
			if id, ok := a.t.bools[v.Name]; ok {
				m.Bools[v.Name] = s.tab.cmpInt(s.tab.val[id], 1) >= 0
			}
			continue
		}
		x, _ := a.t.resolve(expr.NewVar(v))
		if k, ok := x.Const(); ok {
			m.Ints[v.Name] = k
			continue
		}
		m.Ints[v.Name] = nearest(&v)
		if id, ok := a.t.ints[x.Variable().Name]; ok {
			k, whole := s.integerValue(id)
			if !whole {
				return false
			}
			m.Ints[v.Name] = new(big.Int).Set(k)
		}
	}
	return a.validate(m)
}

// nearest returns the value in a range that is nearest to zero.
func nearest(v *expr.Variable) *big.Int {
	switch {
	case v.Lo != nil && v.Lo.Sign() > 0:
		return v.Lo
	case v.Hi != nil && v.Hi.Sign() < 0:
		return v.Hi
	}
	return new(big.Int)
}

// validate accepts a model if every formula is true under it and every value lies in its range.
func (a *attempt) validate(m *expr.Model) bool {
	for _, f := range a.fs {
		a.work += int64(f.f.Size())
		if ok, err := f.f.Eval(m); err != nil || !ok {
			return false
		}
		for _, v := range f.f.Vars() {
			if x := m.Ints[v.Name]; !v.Bool && (v.Lo != nil && x.Cmp(v.Lo) < 0 || v.Hi != nil && x.Cmp(v.Hi) > 0) {
				return false
			}
		}
	}
	a.model = m
	return true
}

// cuts are the ranges in which a witness is searched after the linear problem gave none.
var cuts = [][2]int64{{-4, 15}, {-16, 127}, {-32, 2047}}

// bits decides by bit blasting: with whole ranges if formulas contain bitwise operations or all ranges are small;
// otherwise with reduced ranges, which can only find a witness.
func (a *attempt) bits(ctx context.Context) (status, error) {
	if a.wholeRanges() {
		if st := a.blast(ctx, nil, nil); st != gaveUp {
			return st, nil
		}
	}
	if a.noModel {
		return gaveUp, ctx.Err()
	}
	for _, cut := range cuts {
		if err := ctx.Err(); err != nil {
			return gaveUp, err
		}
		if a.blast(ctx, big.NewInt(cut[0]), big.NewInt(cut[1])) == found {
			return found, nil
		}
	}
	return gaveUp, ctx.Err()
}

// smallBits is the total number of bits of the variables of the goal, and of those that facts connect with them, up to
// which formulas are translated with whole ranges.
const smallBits = 64

// wholeRanges reports whether a translation with whole ranges is worth trying.
func (a *attempt) wholeRanges() bool {
	if len(a.t.opaques) > 0 {
		return true
	}
	bits := 0
	for _, v := range a.connected() {
		switch {
		case v.Bool:
			bits++
		case v.Lo == nil || v.Hi == nil:
			return false
		default:
			bits += new(big.Int).Sub(v.Hi, v.Lo).BitLen()
		}
	}
	return bits <= smallBits
}

// connected returns the variables of the goal, and those that are in a formula with one of them, directly or through
// others.
func (a *attempt) connected() map[string]expr.Variable {
	out := make(map[string]expr.Variable)
	for again := true; again; {
		again = false
		for _, f := range a.fs {
			vars := f.f.Vars()
			if f.tag != 0 && !slices.ContainsFunc(vars,
				func(v expr.Variable) bool { _, ok := out[v.Name]; return ok }) {
				continue
			}
			for _, v := range vars {
				if _, ok := out[v.Name]; !ok {
					out[v.Name], again = v, true
				}
			}
		}
	}
	return out
}

// blast decides the formulas over ranges reduced to lo … hi, or over whole ranges. It concludes that they are
// unsatisfiable only with whole ranges.
func (a *attempt) blast(ctx context.Context, lo, hi *big.Int) status {
	b := newBlaster(ctx, lo, hi, a.budget/16)
	if a.recording {
		b.record = &record{}
	}
	var assume []blit
	facts := make(map[blit]uint64)
	for _, f := range a.fs {
		l := b.bool(f.f)
		if f.tag&a.facts == 0 {
			b.add(l)
			continue
		}
		facts[l] |= f.tag
		assume = append(assume, l)
	}
	whole := lo == nil && !b.cut && !b.failed
	if b.failed && lo == nil || b.work > b.limit {
		a.work += b.work
		return gaveUp
	}
	for range 2 {
		ok, failed, done := b.solve(assume, b.work+a.budget/8)
		switch {
		case ok && a.blasted(b):
			a.work += b.work
			return found
		case !ok && done && whole:
			a.work += b.work
			a.tag = a.goals
			for _, l := range failed {
				a.tag |= facts[l]
			}
			if a.recording {
				a.proof = b.record.bitProof()
			}
			return noneExists
		case !ok:
			a.work += b.work
			return gaveUp
		}
		whole = false // values of undefined operations are excluded now
		b.undo(0)
		for _, l := range b.defined {
			b.add(l)
		}
	}
	a.work += b.work
	return gaveUp
}

// blasted validates a solution of the Boolean solver.
func (a *attempt) blasted(b *blaster) bool {
	m := expr.NewModel()
	for _, f := range a.fs {
		for _, v := range f.f.Vars() {
			if v.Bool {
				l, ok := b.bools[v.Name]
				m.Bools[v.Name] = ok && b.value[l] > 0
				continue
			}
			m.Ints[v.Name] = nearest(&v)
			if z, ok := b.ints[v.Name]; ok {
				m.Ints[v.Name] = b.read(z)
			}
		}
	}
	return a.validate(m)
}

// dataDependent reports whether some formula depends on an unknown whatever the values are.
func (a *attempt) dataDependent() bool {
	for _, f := range a.fs {
		if f.f.Kind() == expr.KindMaybe {
			return true
		}
	}
	return false
}

// giveUp records why there is no answer, unless a better reason is recorded.
func (a *attempt) giveUp(reason string) {
	if a.reason != "data-dependent" {
		a.reason = reason
	}
}
