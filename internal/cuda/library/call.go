// Calls: their arguments, operands in memory, and results.

package library

import (
	"context"
	"fmt"
	"math"
	"math/bits"
)

// Memory is memory of the device. Errors of its methods end a call.
type Memory interface {
	// Holds returns an error unless a range is in an allocation.
	Holds(address, size uint64) error
	// Read and Write copy a range, as a part of the operation.
	Read(address uint64, to []byte) error
	Write(address uint64, from []byte) error
}

// Outcome is why a call is not executed.
type Outcome uint8

// Outcomes.
const (
	Invalid     Outcome = iota // an argument does not make sense
	Unsupported                // NVIDIA's library has it, this one does not
)

// Error is the outcome of a call that has not been executed.
type Error struct {
	Outcome Outcome
	Why     string
}

func (e *Error) Error() string { return e.Why }

// Arg is an argument: a value, of up to two words, or the address on the device of a scalar.
type Arg struct {
	Words    [2]uint64
	OnDevice bool // Words[0] is an address of the scalar
}

// ArgSize is the size of an argument in a request: whether it is on the device, a reserved word, and the words.
const ArgSize = 24

// Args decodes the arguments of a request.
func Args(b []byte) (list []Arg) {
	for ; len(b) >= ArgSize; b = b[ArgSize:] {
		list = append(list, Arg{Words: [2]uint64{le.Uint64(b[8:]), le.Uint64(b[16:])}, OnDevice: le.Uint32(b) != 0})
	}
	return list
}

// State holds the objects that the functions of a process have made.
type State struct {
	objects map[uint64]any
	made    uint64
}

// call is a call in execution. Once it has an error, operands are empty, and nothing is stored.
type call struct {
	ctx     context.Context
	name    string
	typ     Type // that the name says
	wide    bool // integers have 64 bits
	args    []Arg
	memory  Memory
	state   *State
	results [][2]uint64 // for the host
	err     error
}

// Results are what the host gets, in the order of the parameters.
type Results [][2]uint64

// Call executes the call of a function. The error is an *Error, one of the memory, or that of the context.
func (s *State) Call(ctx context.Context, name string, args []Arg, m Memory) (Results, error) {
	f := Named(name)
	if f == nil || len(args) != len(f.Kinds) {
		return nil, &Error{Unsupported, name + " is not supported"}
	}
	c := &call{ctx: ctx, name: name, typ: f.Type, wide: f.Wide, args: args, memory: m, state: s}
	f.run(c)
	if c.err == nil {
		c.err = ctx.Err()
	}
	return c.results, c.err
}

func (c *call) fail(o Outcome, format string, a ...any) {
	if c.err == nil {
		c.err = &Error{o, c.name + ": " + fmt.Sprintf(format, a...)}
	}
}

// failed reports whether the call has an error, or is to end.
func (c *call) failed() bool {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	return c.err != nil
}

// next takes the next argument.
func (c *call) next() Arg {
	a := c.args[0]
	c.args = c.args[1:]
	return a
}

func (c *call) word() uint64 { return c.next().Words[0] }

// integer takes an integer.
func (c *call) integer() int { return int(int64(c.word())) }

// most limits dimensions, so that products of two do not overflow.
const most = math.MaxInt32

// count takes an integer that is not negative.
func (c *call) count() int {
	n := c.integer()
	if n < 0 || n > most {
		c.fail(Invalid, "a dimension or count is %d", n)
		return 0
	}
	return n
}

// element takes an element type.
func (c *call) element() Type {
	t := Type(c.word())
	if t.Size() == 0 {
		c.fail(Unsupported, "the element type %d is not supported", t)
		return F32
	}
	return t
}

// scalar takes a scalar of a type, from the host or the device.
func scalar[T number](c *call, t Type) T {
	a := c.next()
	var b [16]byte
	var out [1]T
	le.PutUint64(b[:], a.Words[0])
	le.PutUint64(b[8:], a.Words[1])
	if a.OnDevice && c.err == nil {
		c.err = c.memory.Read(a.Words[0], b[:t.Size()])
	}
	decode(t, b[:], out[:])
	return out[0]
}

// result gives the caller a scalar.
func result[T number](c *call, to Arg, t Type, v T) {
	var b [16]byte
	encode(t, []T{v}, b[:])
	c.give(to, b[:t.Size()])
}

// give gives the caller the bytes of a result, on the host or the device.
func (c *call) give(to Arg, value []byte) {
	var b [16]byte
	copy(b[:], value)
	switch {
	case c.failed():
	case to.OnDevice:
		c.err = c.memory.Write(to.Words[0], value)
	default:
		c.results = append(c.results, [2]uint64{le.Uint64(b[:]), le.Uint64(b[8:])})
	}
}

// giveWord gives the host an integer.
func (c *call) giveWord(v uint64) {
	if !c.failed() {
		c.results = append(c.results, [2]uint64{v})
	}
}

// object takes an object of a kind that an earlier call has made.
func object[T any](c *call) (out T) {
	id := c.word()
	out, ok := c.state.objects[id].(T)
	if !ok {
		c.fail(Invalid, "an object, of number %d, does not exist", id)
	}
	return out
}

// make keeps an object, and gives the caller its number.
func (c *call) make(o any) {
	s := c.state
	if c.failed() {
		return
	}
	if s.objects == nil {
		s.objects = make(map[uint64]any)
	}
	s.made++
	s.objects[s.made] = o
	c.giveWord(s.made)
}

// destroy removes an object.
func destroy(c *call) { delete(c.state.objects, c.word()) }

// ref is an operand in memory: an address, and how far columns or elements are apart.
type ref struct {
	address uint64
	step    int
	typ     Type
}

// ref takes a pointer and a step.
func (c *call) ref() ref {
	address := c.word()
	return ref{address, c.integer(), c.typ}
}

// typed takes a pointer, an element type and a step.
func (c *call) typed() ref {
	address, t := c.word(), c.element()
	return ref{address, c.integer(), t}
}

// extent returns the bytes of n items, step elements apart, of which the last has width elements. They must be in an
// allocation, which limits what a call takes.
func (c *call) extent(r ref, n, step, width int) bool {
	high, low := bits.Mul64(uint64(n-1), uint64(step))
	total, carry := bits.Add64(low, uint64(width), 0)
	over, size := bits.Mul64(total, uint64(r.typ.Size()))
	if high|carry|over != 0 {
		c.fail(Invalid, "%d items that are %d elements apart are too many", n, step)
		return false
	}
	if c.err == nil {
		c.err = c.memory.Holds(r.address, size)
	}
	return c.err == nil
}

// load reads contiguous elements.
func load[T number](c *call, r ref, out []T) {
	b := make([]byte, len(out)*r.typ.Size())
	if c.err == nil {
		c.err = c.memory.Read(r.address, b)
	}
	decode(r.typ, b, out)
}

// save writes contiguous elements.
func save[T number](c *call, r ref, in []T) {
	b := make([]byte, len(in)*r.typ.Size())
	encode(r.typ, in, b)
	if c.err == nil {
		c.err = c.memory.Write(r.address, b)
	}
}

// at returns the operand that begins some elements later.
func (r ref) at(elements int) ref {
	r.address += uint64(elements) * uint64(r.typ.Size())
	return r
}

// elements calls f with the operand of each element of a vector: its first one is the last in memory if the step is
// negative.
func (r ref) elements(n int, f func(i int, e ref)) {
	first := 0
	if r.step < 0 {
		first = (1 - n) * r.step
	}
	for i := range n {
		f(i, r.at(first+i*r.step))
	}
}

// spans checks the length of a vector, which must not be empty.
func (c *call) spans(r ref, n int) bool {
	if r.step == 0 {
		c.fail(Invalid, "the elements of a vector are 0 elements apart")
	}
	return c.err == nil && c.extent(r, n, max(r.step, -r.step), 1)
}

// vector reads a vector.
func vector[T number](c *call, r ref, n int) []T {
	if n == 0 || !c.spans(r, n) {
		return nil
	}
	out := make([]T, n)
	if r.step == 1 {
		load(c, r, out)
		return out
	}
	r.elements(n, func(i int, e ref) { load(c, e, out[i:i+1]) })
	return out
}

// saveVector writes a vector.
func saveVector[T number](c *call, r ref, in []T) {
	if len(in) == 0 || c.failed() || !c.spans(r, len(in)) {
		return
	}
	if r.step == 1 {
		save(c, r, in)
		return
	}
	r.elements(len(in), func(i int, e ref) { save(c, e, in[i:i+1]) })
}
