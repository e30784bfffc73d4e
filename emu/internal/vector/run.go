// Runs: sequences of instructions that one handler executes.

package vector

import (
	"strings"
	"sync"
)

// run is a sequence of operations with a handler. Registers have numbers in it.
type run struct {
	steps []step
	keeps uint64 // set of registers: the results that the handler stores
	lone  bool   // the handler is for one lane; for more, the run has those of its first operation
}

// step is an operation of a run.
type step struct {
	op               Op
	sources, results []operand
}

// operand is a field of an instruction with a register of the run.
type operand struct {
	in     field
	number int
}

// field is a field of Inst.
type field uint8

const (
	fieldA field = iota
	fieldB
	fieldC
	fieldD
	fieldE
)

// field returns the value of a field.
func (in *Inst) field(f field) uint32 { return [...]uint32{in.A, in.B, in.C, in.D, in.E}[f] }

// runsFrom has the runs by the handler of their first operation.
var runsFrom = sync.OnceValue(func() map[uintptr][]Op {
	from := map[uintptr][]Op{}
	for i := range runs {
		first := find(runs[i].steps[0].op).full
		from[first] = append(from[first], Op(numOps+i))
	}
	return from
})

// Combine has runs in a program executed by one handler each. All instructions have been made by Set, and their
// operands are final. The program may be entered at each, as before. onlyReads reports whether a program reads the
// value that the instruction with that PC writes to register r at just so many places.
func Combine(code []Inst, onlyReads func(pc, r uint32, places int) bool) {
	if !Available() {
		return
	}
	from := runsFrom()
	for i := range code { // the instructions after this one have the handlers of their operations
		whole, lone := code[i].handlers, uintptr(0)
		for _, op := range from[code[i].handlers.full] {
			r := &runs[op-numOps]
			found := lone != 0
			if !r.lone {
				found = whole != code[i].handlers
			}
			if found || !r.begins(code[i:], onlyReads) {
				continue
			}
			if r.lone {
				lone = find(op).one
			} else {
				whole = find(op)
			}
		}
		if code[i].handlers = whole; lone != 0 {
			code[i].handlers.one = lone
		}
	}
}

// maxRegisters is the maximum number of registers of a run.
const maxRegisters = 48

// binding says what the registers of a run are in a program.
type binding struct {
	is                   [maxRegisters]uint32 // by number
	bound, written, lost uint64               // sets of numbers: known, results so far, overwritten since
	by, reads            [maxRegisters]int    // of results: the step that writes it, and places in the run that read it
}

// begins reports whether a program begins with the run, and reads no result elsewhere that the handler does not store.
func (r *run) begins(code []Inst, onlyReads func(pc, r uint32, places int) bool) bool {
	if len(code) < len(r.steps) {
		return false
	}
	var b binding
	for i := range r.steps {
		s, in := &r.steps[i], &code[i]
		if in.handlers != find(s.op) {
			return false
		}
		for _, o := range s.sources {
			if !b.read(o.number, in.field(o.in)) {
				return false
			}
		}
		for k, o := range s.results {
			b.writes(o.number, in.field(o.in))
			b.by[o.number] = i
			if k == 0 && len(s.results) > 1 && s.op != Unpack64 { // two instructions of the program: the second reads this
				b.reads[o.number]++
			}
			if s.op != Branch && strings.HasSuffix(s.op.String(), "Branch") { // the branch reads this
				b.reads[o.number]++
			}
		}
	}
	for n, reg := range b.is {
		if (b.written&^r.keeps)>>n&1 != 0 && !onlyReads(code[b.by[n]].PC, reg, b.reads[n]) {
			return false
		}
	}
	return true
}

// read reports whether register reg holds what the run calls number: the result that it is, or what it was before the
// run.
func (b *binding) read(number int, reg uint32) bool {
	b.reads[number]++
	if b.bound>>number&1 != 0 {
		return b.lost>>number&1 == 0 && b.is[number] == reg
	}
	for n, other := range b.is {
		if b.written>>n&1 != 0 && other == reg {
			return false
		}
	}
	b.is[number], b.bound = reg, b.bound|1<<number
	return true
}

// writes has register reg hold number from now on.
func (b *binding) writes(number int, reg uint32) {
	for n, other := range b.is {
		if b.bound>>n&1 != 0 && other == reg {
			b.lost |= 1 << n
		}
	}
	b.is[number] = reg
	b.bound, b.written, b.lost = b.bound|1<<number, b.written|1<<number, b.lost&^(1<<number)
}
