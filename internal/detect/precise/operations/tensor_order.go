// Tensor memory: the order of operations that access a cell.

package operations

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// tensorCell handles an access to a cell. Order is transitive: what follows a read follows the write before that read.
func (d *State) tensorCell(a *causality.Access, c *tensorCell, t *tensorOp, at uint64) {
	if c.read == t && !a.Writes() {
		return
	}
	kept, chained := c.reads[:0], false
	for _, r := range c.reads {
		if d.orders(a.Warp, r, t) {
			chained = true
		} else {
			kept = append(kept, r)
		}
	}
	if r := c.read; r != nil {
		if d.orders(a.Warp, r, t) {
			chained = true
		} else if a.Writes() || r.by != t.by || r.class != t.class { // the latest operation of a thread subsumes its earlier ones
			kept = append(kept, r)
		}
	}
	if c.write != nil && !chained {
		d.compare(a, c.write, t, at)
	}
	if !a.Writes() {
		c.read, c.reads = t, kept
		return
	}
	for _, r := range kept {
		d.compare(a, r, t, at)
	}
	c.write, c.read, c.reads = t, nil, kept[:0]
}

// orders reports whether operation e is ordered before t, which is in progress, or is the same.
func (d *State) orders(w *causality.Warp, e, t *tensorOp) bool {
	return d.lack(w, e, t) == evidence.LacksNothing
}

// lack returns what the order of e before t lacks, from the cache if possible.
func (d *State) lack(w *causality.Warp, e, t *tensorOp) evidence.TensorLack {
	if e == t.last {
		return t.lacks
	}
	lacks, known := t.seen[e]
	if !known {
		if t.seen == nil {
			t.seen = make(map[*tensorOp]evidence.TensorLack)
		}
		if lacks = evidence.LacksNothing; e.number != t.number || e.by != t.by || t.sync {
			lacks = d.tensorLacks(w, e, t)
		}
		t.seen[e] = lacks
	}
	t.last, t.lacks = e, lacks
	return lacks
}

// compare records a race of operation e with t, which is in progress, unless they are ordered.
func (d *State) compare(a *causality.Access, e, t *tensorOp, at uint64) {
	lacks := d.lack(a.Warp, e, t)
	if lacks == evidence.LacksNothing || t.told[e] {
		return
	}
	if t.told == nil {
		t.told = make(map[*tensorOp]bool)
	}
	t.told[e] = true
	d.Evidence.Race(&evidence.Finding{
		First: e.class, Second: t.class, FirstUnit: e.unit, SecondUnit: t.unit,
		FirstLane: e.by.Lane, SecondLane: t.by.Lane, At: at, Since: e.at, Lacks: lacks,
	})
}

// tensorLacks returns what the order of an earlier operation before one of warp w lacks, LacksNothing if they are
// ordered.
func (d *State) tensorLacks(w *causality.Warp, e, t *tensorOp) evidence.TensorLack {
	own, lane := e.by == t.by, int(e.by.Lane)
	known := w.Of(int(t.by.Lane))
	switch {
	case e.sync && (own || known.Includes(e.unit, lane, e.at)):
		return evidence.LacksNothing
	case e.sync:
		return evidence.LacksBarrier
	case t.sync:
		return d.lacksBeforeFree(w, e, own)
	}
	s := d.AsyncOf(w).tensor
	after, token := s.after[t.by.Lane], d.tokenOf(e.by.Unit)
	done := *e.waited
	piped := pipelined(e.pipe, t.pipe)
	switch {
	case own && piped:
		return evidence.LacksNothing
	case after.Includes(e.unit, lane, e.at) && (own || !e.waits() || after.Includes(token, lane, done)):
		return evidence.LacksNothing
	case piped && after.Includes(token, lane, e.at):
		return evidence.LacksNothing
	}
	told := d.metTensor(d.metTensor(known, after), s.seen[t.by.Lane])
	switch {
	case told.Includes(e.unit, lane, e.at):
		if !own && e.waits() && !told.Includes(token, lane, done) {
			return evidence.LacksBefore
		}
		return evidence.LacksAfter
	case piped && told.Includes(token, lane, e.at):
		return evidence.LacksAfter
	case piped && told.Includes(e.by.Unit, lane, e.at):
		return evidence.LacksBefore
	case piped, done != 0 && !own && !told.Includes(e.by.Unit, lane, e.at):
		return evidence.LacksBarrier
	case own && issuedInOrder(e.pipe, t.pipe):
		return evidence.LacksGuarantee
	}
	return evidence.LacksWait
}

// issuedInOrder reports whether GPUs execute two operations of a thread one after the other, although the manual does
// not name the pair: a copy after a product or another copy. Kernels overwrite the scale factors of a product so.
func issuedInOrder(x, y abi.Pipe) bool {
	copies := func(k abi.PipeKind) bool { return k == abi.PipeCopy || k == abi.PipeCopyRows }
	return x.Pair == y.Pair && copies(y.Kind) && (x.Kind == abi.PipeMultiply || copies(x.Kind))
}

// lacksBeforeFree returns what is lacking before warp w deallocates the memory of an operation. All threads of the warp
// execute the deallocation together (.sync.aligned), so it follows what is complete and known to any of them. Fences
// are for asynchronous operations, and a deallocation is none; but behind a relaxed arrival, the fence of the first
// thread is what orders.
func (d *State) lacksBeforeFree(w *causality.Warp, e *tensorOp, own bool) evidence.TensorLack {
	if w.SomeKnows(e.unit, int(e.by.Lane), e.at) {
		return evidence.LacksNothing
	}
	if async := d.AsyncOf(w); async != nil && async.tensor != nil {
		for _, told := range async.tensor.seen {
			switch {
			case !told.Includes(e.unit, int(e.by.Lane), e.at):
			case e.waits() && !told.Includes(d.tokenOf(e.by.Unit), int(e.by.Lane), *e.waited):
				return evidence.LacksBefore
			default:
				return evidence.LacksNothing
			}
		}
	}
	if *e.waited != 0 && !own && !w.SomeKnows(e.by.Unit, int(e.by.Lane), e.at) {
		return evidence.LacksBarrier
	}
	return evidence.LacksWait
}

// pipelined reports whether two operations of a thread execute one after the other (PTX ISA, "Pipelined tcgen05
// Instructions").
func pipelined(x, y abi.Pipe) bool {
	if x.Pair != y.Pair {
		return false
	}
	switch y.Kind {
	case abi.PipeMultiply:
		return x.Kind == abi.PipeMultiply && x.Shape == y.Shape || x.Kind >= abi.PipeCopy
	case abi.PipeCopyRows:
		return x.Kind == abi.PipeShift
	case abi.PipeShift:
		return x.Kind == abi.PipeMultiply
	}
	return false
}
