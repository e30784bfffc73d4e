// Values in memory that streams write and wait for (CUDA Driver API, "Stream Memory Operations").

package cuda

import (
	"encoding/binary"

	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// ValueKind is what a stream does with a value in memory.
type ValueKind uint32

// Kinds: two that write, after a fence or without one, and the conditions that streams wait for
// (CUstreamWaitValue_flags). The numbers are those of wire.h.
const (
	WriteValue ValueKind = iota
	WriteUnfenced
	WaitAtLeast // the difference, as a signed number, is not negative
	WaitEqual
	WaitAnd // a bit is set in both
	WaitNor // a bit is set in neither
	valueKinds
)

// Value is an operation of a stream on a value in memory.
type Value struct {
	Kind           ValueKind
	Address, Value uint64
	Size           uint64 // 4 or 8 bytes
	// Stalled is called, as Launch.Stalled, while the value in memory is not what the stream waits for.
	Stalled func(changed bool) (again bool)
}

// StreamValue executes an operation on a value. A wait returns when the condition holds, or when Stalled says that nothing
// can change the value any more: then the order of streams is unknown from then on.
func (p *Process) StreamValue(v *Value, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v.Kind >= valueKinds || v.Size != 4 && v.Size != 8 || v.Address%v.Size != 0 {
		return errorf(InvalidValue, "a value of %d bytes at 0x%x", v.Size, v.Address)
	}
	if _, err := p.span(v.Address, v.Size); err != nil {
		return err
	}
	p.streams.start()
	if v.Kind > WriteUnfenced {
		return p.waitValue(v, in)
	}
	rule := order.RuleOf(order.WriteValue, order.AnyMemory, order.AnyMemory)
	if v.Kind == WriteUnfenced {
		rule = order.RuleOf(order.WriteValueUnfenced, order.AnyMemory, order.AnyMemory)
	}
	t := p.streams.tracker
	t.ValueWritten(t.Begin(in.Stream, p.streams.label("a write of a value", in)), v.Address, v.Size,
		rule.Device == order.Releases)
	return p.write(v.Address, binary.LittleEndian.AppendUint64(nil, v.Value)[:v.Size])
}

// waitValue makes a stream wait for a value.
func (p *Process) waitValue(v *Value, in In) error {
	s := p.streams
	o := s.tracker.Begin(in.Stream, s.label("a wait for a value", in))
	for {
		holds, err := p.holds(v)
		if err != nil {
			return err
		}
		if holds {
			s.tracker.ValueAwaited(o, v.Address, v.Size)
			return nil
		}
		if p.context().Err() != nil || !p.unlocked(v.Stalled) {
			p.unchecked.unsatisfied++
			return nil
		}
	}
}

// holds reports whether a value in memory is what a stream waits for.
func (p *Process) holds(v *Value) (bool, error) {
	var bytes [8]byte
	if err := p.read(v.Address, bytes[:v.Size]); err != nil {
		return false, err
	}
	unused := 64 - 8*v.Size
	have, want := binary.LittleEndian.Uint64(bytes[:])<<unused, v.Value<<unused
	switch v.Kind {
	case WaitAtLeast:
		return int64(have-want) >= 0, nil
	case WaitEqual:
		return have == want, nil
	case WaitAnd:
		return have&want != 0, nil
	}
	return ^(have|want)>>unused<<unused != 0, nil
}

// unsatisfiedNote says why races between streams are not looked for after a wait that was given up.
const unsatisfiedNote = report.Unchecked + "the order of streams: one waited for a value (cuStreamWaitValue32) that had not been written when " +
	"the program used the stream again; what a stream is given is executed at once"
