// Access to memory: addresses, loads and stores.

package hostir

import (
	"maps"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// address returns the value of getelementptr.
func (x *executor) address(in *llvm.Instr) memory.Value {
	if len(in.Args) == 0 {
		return memory.Value{}
	}
	return x.operand(in.Args[0]).Of(func(v memory.Value) memory.Value { return x.element(in, v) })
}

// element returns the address that getelementptr computes from one.
func (x *executor) element(in *llvm.Instr, v memory.Value) memory.Value {
	if v.To == nil {
		return memory.Value{}
	}
	t := in.Type
	for n, a := range in.Args[1:] {
		i := x.operand(a).AsSigned()
		if t == nil || i == nil || i.IsUnknown() || v.Offset == nil {
			v.Offset = nil
			return v
		}
		if k, ok := i.Int64(); ok {
			d, next, ok := llvm.Step(t, n, k)
			if !ok {
				v.Offset = nil
				return v
			}
			v.Offset, t = expr.Add(v.Offset, expr.Const(d)), next
			continue
		}
		if n > 0 {
			if t = t.Elem; t == nil {
				v.Offset = nil
				return v
			}
		}
		if t.Size() == 0 {
			v.Offset = nil
			return v
		}
		for _, of := range i.Vars() {
			x.indexing[of.Name] = true
		}
		v.Offset = expr.Add(v.Offset, expr.Mul(i, expr.Const(t.Size())))
	}
	return v
}

// load returns the value of a load. One that is atomic or volatile sees what others have written.
func (x *executor) load(in *llvm.Instr) memory.Value {
	if in.Type == nil || len(in.Args) == 0 {
		x.wild()
		return memory.Value{}
	}
	p := x.operand(in.Args[0])
	if in.Sync && (p.To == nil || x.st.Reachable(p.To)) {
		x.st.ForgetShared()
	}
	return x.loaded(p, in.Type)
}

func (x *executor) loaded(p memory.Value, t *llvm.Type) memory.Value {
	size := t.Size()
	if places := x.places(p, size, x.mostPlaces(p, t)); len(places) > 0 {
		for i := range places {
			places[i].Value = x.loadedAt(places[i].Value, t)
		}
		v := x.chosen(places)
		x.st.Lost(v)
		if p.To != nil && v.Known() { // an index out of the table is undefined
			last := expr.Const(sizeOf(p.To) - size)
			x.assume(expr.All(expr.Ge(p.Offset, expr.Const(0)), expr.Le(p.Offset, last)), facts.Overflow)
		}
		return v
	}
	return x.loadedAt(p, t)
}

// mostPlaces returns the limit of the places that a load may be from: of tables of known integers, more.
func (x *executor) mostPlaces(p memory.Value, t *llvm.Type) int {
	if p.To == nil || t.Kind != llvm.IntType || t.Bits < 8 {
		return maxPlaces
	}
	for at := int64(0); at+t.Size() <= sizeOf(p.To); at += t.Size() {
		if v, ok := x.st.Get(p.To, at, t.Size()); !ok || !v.Known() || v.Cond != nil || at/t.Size() >= maxTable {
			return maxPlaces
		}
	}
	return maxTable
}

// loadedAt returns the value of a load from one place.
func (x *executor) loadedAt(p memory.Value, t *llvm.Type) memory.Value {
	size := t.Size()
	if p.To == nil || p.To.Kind == memory.Device {
		return memory.Value{}
	}
	o, at, ok := placeOf(p)
	if !ok || size == 0 {
		x.st.EscapeAll(p.To) // it may be one of the addresses there
		return memory.Value{}
	}
	if v, ok := x.st.Get(o, at, size); ok {
		if !v.Something() {
			x.st.EscapeAll(o) // parts of addresses
		}
		if t.Kind == llvm.IntType && t.Bits == 1 && v.Cond == nil {
			return memory.Value{Cond: v.Bool(), Bits: 1}
		}
		return v
	}
	var v memory.Value
	switch {
	case t.Kind == llvm.IntType && t.Bits >= 8:
		v = x.leaf(x.hint(p.To, at), t.Bits, !p.To.Keep)
	case t.Kind == llvm.PointerType:
		o := x.object(memory.Foreign, x.hint(p.To, at), nil)
		v = memory.Value{To: o, Offset: expr.Const(0)}
	}
	if _, changes := x.st.Pending[p.To]; !changes {
		x.st.Put(p.To, at, size, v)
	}
	return v
}

// store executes a store.
func (x *executor) store(in *llvm.Instr) {
	if len(in.Args) < 2 || in.Args[0].Type == nil {
		x.wild()
		return
	}
	x.put(x.operand(in.Args[1]), in.Args[0].Type.Size(), x.operand(in.Args[0]))
}

// put stores a value at the target of a pointer. Where that is one of several, the others keep theirs.
func (x *executor) put(p memory.Value, size int64, v memory.Value) {
	places := x.places(p, size, maxPlaces)
	if len(places) == 0 {
		x.putAt(p, size, v)
		return
	}
	x.st.Lost(v)
	for i, c := range places {
		var others []*expr.Bool // of which one holds where this one does not
		for j, d := range places {
			if j != i {
				others = append(others, d.When)
			}
		}
		var old memory.Value
		if o, at, ok := placeOf(c.Value); ok {
			old, _ = x.st.Get(o, at, size)
		}
		x.st.Lost(old)
		x.putAt(c.Value, size, x.chosen([]memory.Case{{When: c.When, Value: v}, {When: expr.Any(others...), Value: old}}))
	}
}

// putAt stores a value at one place.
func (x *executor) putAt(p memory.Value, size int64, v memory.Value) {
	if p.To == nil {
		x.st.Lost(v)
		x.st.ForgetReachable()
		return
	}
	x.steps += len(x.st.Mem[p.To])
	if p.To.Kind == memory.Device {
		x.st.Lost(v)
		delete(x.st.Init, p.To)
		return
	}
	if x.st.Reachable(p.To) { // objects of pointers of unknown origin may be the same memory
		x.st.Lost(v)
		x.st.Forget(func(o *memory.Object) bool {
			return o != p.To && x.st.Reachable(o) && (o.Kind == memory.Foreign || p.To.Kind == memory.Foreign)
		})
	}
	maps.DeleteFunc(x.st.Pure, func(q memory.Question, _ memory.Value) bool { return q.Object == p.To })
	at, known := int64(0), false
	if p.Offset != nil {
		at, known = p.Offset.Int64()
	}
	if _, changes := x.st.Pending[p.To]; !known || size == 0 || changes {
		x.st.Lost(v)
		x.st.ForgetObject(p.To)
		return
	}
	x.st.Put(p.To, at, size, v)
}

// lose makes the target of a pointer unknown.
func (x *executor) lose(p memory.Value) {
	for _, v := range p.Each() {
		v.Offset = nil
		x.putAt(v, 0, memory.Value{})
		if v.To == nil || v.To.Kind == memory.Foreign {
			clear(x.st.Init)
		}
	}
}

// chosen returns a value that is one of several, each under its condition: a choice of pointers, or a number that depends
// on the conditions.
func (x *executor) chosen(cases []memory.Case) memory.Value {
	v := cases[len(cases)-1].Value
	if slices.ContainsFunc(cases, func(c memory.Case) bool { return isPointer(c.Value) }) {
		return memory.Choose(cases)
	}
	for i := len(cases) - 2; i >= 0; i-- {
		v = x.either(x.newFork(cases[i].When), cases[i].Value, v, nil, 0, 0)
	}
	return v
}

// maxPlaces limits the places that an access through one pointer may be to, maxTable the elements of a table of known
// integers.
const (
	maxPlaces = 8
	maxTable  = 32
)

// places returns the places to which a pointer may lead, each with its condition, if they are no more than a limit. No
// access leaves its object.
func (x *executor) places(p memory.Value, size int64, limit int) (list []memory.Case) {
	for _, c := range p.Cases {
		inner := x.places(c.Value, size, limit)
		if inner == nil {
			inner = []memory.Case{{When: expr.Truth(true), Value: c.Value}}
		}
		for _, d := range inner {
			list = append(list, memory.Case{When: expr.All(c.When, d.When), Value: d.Value})
		}
	}
	if p.Cases != nil || p.To == nil || p.To.Kind == memory.Device || p.To.Kind == memory.Foreign ||
		p.Offset == nil || size == 0 || isConstant(p.Offset) {
		return list
	}
	least, most := p.Offset.Range()
	if least == nil || least.Sign() < 0 {
		least = new(big.Int)
	}
	if end := sizeOf(p.To) - size; end >= 0 && (most == nil || most.Cmp(big.NewInt(end)) > 0) {
		most = big.NewInt(end)
	}
	if most == nil {
		return nil
	}
	k, terms := p.Offset.Linear()
	step := new(big.Int)
	for _, t := range terms {
		step.GCD(nil, nil, step, new(big.Int).Abs(t.Coef))
	}
	first := new(big.Int).Add(least, new(big.Int).Mod(new(big.Int).Sub(k, least), step))
	for at := first; at.Cmp(most) <= 0; at = new(big.Int).Add(at, step) {
		if len(list) == limit {
			return nil
		}
		list = append(list, memory.Case{
			When: expr.Eq(p.Offset, expr.Big(at)), Value: memory.Value{To: p.To, Offset: expr.Big(at)},
		})
	}
	return list
}

// sizeOf returns the size of an object of the host in bytes; -1 if it is unknown.
func sizeOf(o *memory.Object) int64 {
	if o.Type != nil && o.Type.Size() > 0 {
		return o.Type.Size()
	}
	if o.Size != nil {
		if n, ok := o.Size.Int64(); ok {
			return n
		}
	}
	return -1
}

// wild makes everything unknown, after code that is not understood.
func (x *executor) wild() {
	for o := range x.st.Mem {
		x.st.Escaped[o] = true
	}
	x.st.Forget(func(o *memory.Object) bool { return !o.Constant })
	clear(x.st.Init)
}
