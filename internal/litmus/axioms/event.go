// Events: what instructions do to memory, and the values that they write.

package axioms

import "github.com/ptxsan/ptxsan/internal/litmus"

// kind is what an event is.
type kind uint8

const (
	read kind = iota
	write
	fence
	proxyFence
	barrier
)

// event is an operation of an execution. An atomic operation is a read and, unless it is a compare-and-swap that fails,
// a write.
type event struct {
	kind     kind
	thread   int // -1 for initial values
	index    int // in the execution
	strong   bool
	acquires bool
	releases bool
	sc       bool // a fence.sc
	scope    string
	proxy    litmus.Proxy
	at       *litmus.Location // the location with the memory
	address  *litmus.Location // the generic virtual address
	lo, hi   int              // bytes of the location
	rmw      *event           // the other half of an atomic operation
	red      bool             // a half of a reduction, whose read forms no acquire pattern
	value    *value           // that a write writes
	depends  []*event         // reads that decide whether the event happens
	barrier  rendezvous
	waits    bool // at the barrier
	in       *litmus.Instruction
}

func (e *event) memory() bool { return e.kind <= write }

// overlaps reports whether two events access common bytes.
func (e *event) overlaps(f *event) bool {
	return e.memory() && f.memory() && e.at == f.at && e.lo < f.hi && f.lo < e.hi
}

// sameBytes reports whether two memory operations overlap completely, by one virtual address.
func (e *event) sameBytes(f *event) bool {
	return e.at == f.at && e.address == f.address && e.lo == f.lo && e.hi == f.hi
}

// value is what an instruction computes from constants and reads.
type value struct {
	fn   string // "" for a constant, "read" for what a read has read, else the function of an instruction
	num  int64
	read *event
	a, b *value
}

func constant(n int64) *value { return &value{num: n} }

func (v *value) isConstant() bool { return v.fn == "" }

// reads appends the reads that a value depends on.
func (v *value) reads(list []*event) []*event {
	switch {
	case v == nil || v.fn == "":
		return list
	case v.fn == "read":
		return append(list, v.read)
	}
	return v.b.reads(v.a.reads(list))
}

// eval computes a value from those of reads. Registers have 32 bits, or 64 if wide.
func (v *value) eval(wide bool, of func(*event) int64) int64 {
	switch v.fn {
	case "":
		return v.num
	case "read":
		return of(v.read)
	}
	return apply(v.fn, v.a.eval(wide, of), v.b.eval(wide, of), wide)
}

// apply computes a function of two values.
func apply(fn string, a, b int64, wide bool) int64 {
	var n int64
	switch fn {
	case "add":
		n = a + b
	case "sub":
		n = a - b
	case "mul":
		n = a * b
	case "div":
		if b != 0 {
			n = a / b
		}
	case "and":
		n = a & b
	case "or":
		n = a | b
	case "xor":
		n = a ^ b
	case "min":
		n = min(a, b)
	case "max":
		n = max(a, b)
	case "exch", "cas": // of the old and the new value
		n = b
	default:
		panic("BUG: function " + fn)
	}
	return narrow(n, wide)
}

func narrow(n int64, wide bool) int64 {
	if wide {
		return n
	}
	return int64(int32(n))
}

// compare evaluates the comparison of a branch.
func compare(fn string, a, b int64) bool {
	switch fn {
	case "eq":
		return a == b
	case "ne":
		return a != b
	case "lt":
		return a < b
	case "gt":
		return a > b
	case "le":
		return a <= b
	case "ge":
		return a >= b
	}
	panic("BUG: comparison " + fn)
}

// loaded returns what a register holds after a load of a size: 32 bits are signed, less are not.
func loaded(bits uint64, size int) int64 {
	switch size {
	case 4:
		return int64(int32(bits))
	case 8:
		return int64(bits)
	}
	return int64(bits & (1<<(8*size) - 1))
}

// accesses returns the events of an access. The last is the write, if there is one; its value is still missing.
func accesses(thread int, in *litmus.Instruction, succeeds bool) []*event {
	e := event{
		thread: thread, in: in, proxy: in.Proxy, at: in.Loc.Memory(), address: generic(in.Loc), lo: in.Off,
		hi:     in.Off + in.Size,
		strong: in.Sem != "weak", scope: in.Scope,
	}
	if in.Sem == "volatile" { // as relaxed.sys (PTX ISA, "Operation types")
		e.scope = "sys"
	}
	r, w := e, e
	r.kind, r.acquires = read, in.Op != litmus.Red && (in.Sem == "acquire" || in.Sem == "acq_rel")
	w.kind, w.releases = write, in.Sem == "release" || in.Sem == "acq_rel"
	switch {
	case in.Op == litmus.Load:
		return []*event{&r}
	case in.Op == litmus.Store:
		return []*event{&w}
	case !succeeds:
		return []*event{&r}
	}
	r.rmw, w.rmw = &w, &r
	r.red, w.red = in.Op == litmus.Red, in.Op == litmus.Red
	return []*event{&r, &w}
}

// generic returns the generic virtual address of a location: that of the memory that a texture, surface or constant is
// for. A generic alias has an address of its own.
func generic(l *litmus.Location) *litmus.Location {
	for l.Of != nil && l.Proxy != litmus.Generic {
		l = l.Of
	}
	return l
}
