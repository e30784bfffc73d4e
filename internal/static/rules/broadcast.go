// Broadcasts: the first thread of each block stores a value in shared memory, and the other threads of the block load
// it after a barrier. It may be made of a ticket that the thread has drawn. The pattern of persistent threads repeats
// that in a loop.

package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// draw is a ticket on which a thread depends: one that it has drawn, or one that a thread of its block has drawn and
// broadcast.
type draw struct {
	ticket
	thread    int
	broadcast bool
}

// broadcasts returns what broadcast values are, and that threads of different blocks depend on different tickets.
func (q *Conflict) broadcasts(sites []site) (out []known) {
	var draws []draw
	for _, s := range sites {
		t := q.Contents.broadcastAt(s.By)
		if t == nil {
			continue
		}
		bits := 8 * s.By.Access.ElemSize
		told := func(value *expr.Int) {
			out = append(out, known{expr.Eq(expr.Wrap(s.val(), bits, false),
				expr.Wrap(value, bits, false).Instance(s.thread)), t.needs})
		}
		if t.by == nil {
			told(t.stored)
			continue
		}
		drawn := expr.NewVar(expr.Variable{
			Name: "told." + groupOf(q.Contents, t, sites, s.thread), Lo: t.value.Variable().Lo,
			Hi: t.value.Variable().Hi,
		})
		told(t.stored.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if v.Name == t.value.Variable().Name {
				return drawn
			}
			return nil
		}}))
		if !slices.ContainsFunc(draws, func(d draw) bool { return d.thread == s.thread && d.value.Equal(drawn) }) {
			draws = append(draws, draw{ticket{t.by, drawn, t.step, t.needs}, s.thread, true})
		}
	}
	if len(draws) == 0 || q.Kind != kernel.InterBlock {
		return out
	}
	for i, it := range []*kernel.Item{q.X, q.Y} {
		for _, t := range q.Contents.ticketsOf(it, q.Kind) {
			draws = append(draws, draw{t, i + 1, false})
		}
	}
	for i := range draws {
		for k := range i {
			if d, e := &draws[k], &draws[i]; d.thread != e.thread && (d.broadcast || e.broadcast) {
				out = append(out, q.Contents.apartDraws(d, e)...)
			}
		}
	}
	return out
}

// groupOf names the draw of a broadcast value: values that a thread loads between the same barriers are of one draw.
func groupOf(m Contents, t *broadcastValue, sites []site, thread int) string {
	for _, s := range sites {
		if u := m.broadcastAt(s.By); s.thread == thread && u != nil && u.by == t.by && (u == t || m.oneDraw(u, t)) {
			return u.name
		}
	}
	return t.name
}

// oneDraw reports whether a thread loads two broadcast values between the same barriers, so that they are of one draw.
func (m Contents) oneDraw(t, u *broadcastValue) bool {
	first, second := t.load.Access.Inst, u.load.Access.Inst
	if !m.ExecutedBefore(first, second) {
		first, second = second, first
	}
	return m.ExecutedBefore(first, second) && !m.Between(first, second, kernel.WaitsForBlock)
}

// apartDraws returns that two draws of one counter are at least one addend apart: see distinct.
func (m Contents) apartDraws(d, e *draw) []known {
	if d.by.Access.ElemSize != e.by.Access.ElemSize || d.value.Variable().Lo.Cmp(e.value.Variable().Lo) != 0 ||
		!d.by.Addr.Uniform() || !d.by.Addr.Equal(e.by.Addr) {
		return nil
	}
	return []known{{d.apart(&e.ticket, d.thread, e.thread), append(slices.Concat(d.needs, e.needs), d.need())}}
}

// broadcastValue is a value in shared memory that the first thread of each block stores.
type broadcastValue struct {
	ticket // of which the value is made; none if by is nil
	name   string
	load   *kernel.Item
	stored *expr.Int // the value, of the ticket, the index of the block, and what is the same in the launch
}

// broadcastAt returns what a load of shared memory finds if that is broadcast; nil if it is not, or if that is not
// known.
func (m Contents) broadcastAt(l *kernel.Item) *broadcastValue {
	t, known := m.sync.broadcast[l]
	if !known {
		m.sync.broadcast[l] = nil
		t = m.findBroadcast(l)
		m.sync.broadcast[l] = t
	}
	return t
}

// findBroadcast finds the broadcast of which a load reads the value.
func (m Contents) findBroadcast(l *kernel.Item) *broadcastValue {
	if l.Object.Space != isa.SpaceShared || l.Access.Kind != isa.AccessLoad || l.Access.Frame != m.Kernel.Root ||
		!m.Kernel.Agrees(l.Access.Inst) || !m.Blocks.Complete() || !m.Blocks.Even() || len(m.Blocks.Others) > 0 {
		return nil
	}
	w, needs := m.onlyStore(l)
	if w == nil {
		return nil
	}
	t := m.drawnFor(w)
	if t == nil || !m.once(w, t) || !m.published(w, l, t) {
		return nil
	}
	t.needs = append(t.needs, needs...)
	t.load, t.name = l, strconv.Itoa(l.Index)
	slices.Sort(t.needs)
	t.needs = slices.Compact(t.needs)
	return t
}

// onlyStore returns the only write that may be to the bytes of a load, a store of just these bytes, and the facts by
// which others are not; nil if there is none.
func (m Contents) onlyStore(l *kernel.Item) (*kernel.Item, []string) {
	list, needs := m.NotApart(l)
	if len(list) != 1 || !l.Addr.Uniform() {
		return nil, nil
	}
	w := list[0]
	in := w.Access.Inst
	if w.Access.Kind != isa.AccessStore || kernel.Async(w) || w.Chosen || w.Access.Frame != l.Access.Frame ||
		in.Guard != nil ||
		w.Access.Value < 0 || w.Access.Value >= len(in.Operands) {
		return nil, nil
	}
	if !w.Addr.Equal(l.Addr) || w.Access.ElemSize != l.Access.ElemSize || !w.Access.Single() ||
		l.Access.Size != w.Access.Size {
		return nil, nil
	}
	return w, needs
}

// drawnFor returns what the first thread of a block stores, with the ticket of which it is made, which the thread has
// drawn in the same basic block; nil if the value depends on more than the ticket, the index of the block, and what is
// the same in the launch.
func (m Contents) drawnFor(w *kernel.Item) *broadcastValue {
	t := &broadcastValue{stored: w.Access.Frame.Operand(w.Access.Inst, w.Access.Value).Subst(ofFirst)}
	if t.stored.IsUnknown() {
		return nil
	}
	for _, v := range t.stored.Vars() {
		if m.Kernel.Origin(v.Name) == nil && (v.Uniform || strings.HasPrefix(v.Name, "ctaid.")) {
			continue
		}
		by := m.ReaderOf(v)
		if by == nil || t.by != nil || by.Access.Frame != w.Access.Frame ||
			m.Kernel.Root.Block(by.Access.Inst) != m.Kernel.Root.Block(w.Access.Inst) ||
			by.Access.Inst.Index > w.Access.Inst.Index || by.Access.Inst.Guard != nil {
			return nil
		}
		step, needs, ok := m.counts(by, kernel.InterBlock)
		if !ok {
			return nil
		}
		t.ticket = ticket{by, expr.NewVar(v), step, append(needs, by.Needs()...)}
	}
	return t
}

// ofFirst puts in the indices of the first thread of a block.
var ofFirst = expr.Substitution{Int: func(v expr.Variable) *expr.Int {
	if strings.HasPrefix(v.Name, "tid.") {
		return expr.Const(0)
	}
	return nil
}}

// once reports whether at most one thread of a block ever makes a store.
func (m Contents) once(w *kernel.Item, t *broadcastValue) bool {
	goal := slices.Concat(w.Formulas(1), w.Formulas(2), []*expr.Bool{kernel.Different(kernel.AnyThread)},
		m.Ranges(1), m.Ranges(2))
	for i := range goal {
		goal[i] = goal[i].Subst(query.OneBlock)
	}
	r := m.Solve(goal, nil, query.Cheap|query.NoModel)
	t.needs = append(t.needs, slices.Concat(r.Core, w.Needs())...)
	return r.Unsat
}

// published reports whether the first thread of a block has made the store before any thread of it makes the load, with
// a barrier in between: a branch of all threads leads the first thread to the store alone, whatever the iteration, and
// the barrier is behind it.
func (m Contents) published(w, l *kernel.Item, t *broadcastValue) bool {
	root := m.Kernel.Root
	at := root.Block(w.Access.Inst)
	last, taken := root.Arm(w.Access.Inst)
	if last == nil || slices.ContainsFunc(root.Func.Insts[at.Start:w.Access.Inst.Index], isBarrier) {
		return false
	}
	if !slices.ContainsFunc(root.Func.Insts, func(b *rewrite.Inst) bool {
		return kernel.WaitsForBlock(b) && b.Guard == nil && root.Reached(b) && root.Together(b) &&
			m.ExecutedBefore(last, b) &&
			m.ExecutedBefore(b, l.Access.Inst) && b != last
	}) {
		return false
	}
	first := taken.Subst(ofFirst)
	if slices.ContainsFunc(first.Vars(), func(v expr.Variable) bool {
		return !v.Uniform ||
			m.Kernel.Origin(v.Name) != nil
	}) {
		return false
	}
	goal := slices.Concat(l.Formulas(1), []*expr.Bool{expr.Not(first)}, m.Ranges(1))
	r := m.Solve(goal, nil, query.Cheap|query.NoModel)
	t.needs = append(t.needs, slices.Concat(r.Core, l.Needs())...)
	return r.Unsat
}

// isBarrier reports whether an instruction is a barrier of any kind.
func isBarrier(in *rewrite.Inst) bool {
	_, ok := in.Barrier()
	return ok
}
