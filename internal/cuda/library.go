// Functions of CUDA's libraries, as operations of streams.

package cuda

import (
	"context"
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// libraries holds what a process has done with CUDA's libraries (cuBLAS, cuFFT, ...): the handles and plans that it has
// made, the libraries that it has used, and the calls whose operands were checked for bounds and order.
type libraries struct {
	state library.State
	used  map[string]bool
	calls []report.LibraryCalls
}

// standIns returns the libraries for Report.Fidelity.
func (l *libraries) standIns() (list []report.StandIn) {
	for name := range l.used {
		why := "computed by the host, in double precision; rounding differs from that of NVIDIA's library"
		if name == "curand" {
			why += ", and random numbers are others of the same distribution"
		}
		list = append(list, report.StandIn{Library: library.Title(name), Why: why})
	}
	return list
}

// Library executes a function of one of CUDA's libraries, as an operation of its stream, and returns what the host
// gets. The host waits for it then.
func (p *Process) Library(function string, args []library.Arg, in In) (library.Results, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := &operand{p: p, name: library.CallName(function), in: in}
	results, err := p.libraries.state.Call(p.context(), function, args, m)
	if m.began {
		p.usesLibrary(library.Of(function), m.name)
	}
	p.streams.moved, p.streams.moving = nil, nil
	if len(results) > 0 && m.began && p.streams.tracker != nil {
		p.streams.tracker.HostWaits(order.ForOperation, in.Device, in.Stream, 0)
	}
	return results, p.outcome(m, err)
}

// usesLibrary records that a function of a library has been executed.
func (p *Process) usesLibrary(name, function string) {
	if p.libraries.used == nil {
		p.libraries.used = make(map[string]bool)
	}
	p.libraries.used[name] = true
	if !p.unwatched {
		p.libraries.calls = report.AddCalls(p.libraries.calls, report.LibraryCalls{Function: function, Calls: 1})
	}
}

// Lacks records that the process has called a function of a library that is not computed.
func (p *Process) Lacks(function, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unchecked.refused.Add(library.CallName(function), why)
}

// outcome returns CUDA's error of a call that has not been executed.
func (p *Process) outcome(m *operand, err error) error {
	refused, outcome := (*library.Error)(nil), (*Error)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused) && refused.Outcome == library.Unsupported:
		p.unchecked.refused.Add(m.name, refused.Why)
		return errorf(NotSupported, "%s", refused.Why)
	case errors.As(err, &refused):
		return errorf(InvalidValue, "%s", refused.Why)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return session.ErrInterrupted
	case errors.As(err, &outcome) && m.outside != nil:
		p.callFault(m.outside, m.in)
		return errorf(IllegalAddress, "%s: %s", m.name, outcome.Why)
	}
	return err
}

// callFault records a fault of a call.
func (p *Process) callFault(f *report.FaultEvent, in In) {
	call := p.sites.callAt(in.Path)
	f.Call, f.Source = &call, call.Source
	p.faults.list = append(p.faults.list, f)
	if p.opts.Finding != nil {
		p.opts.Finding(0, 1)
	}
}

// operand is the memory that a call of a library reads and writes.
type operand struct {
	p       *Process
	name    string
	in      In
	began   bool // the operation of the stream has begun
	outside *report.FaultEvent

	operation *order.Operation // nil without a tracker
}

// Holds implements library.Memory.
func (m *operand) Holds(address, size uint64) error {
	_, err := m.p.span(address, size)
	if err == nil && size > 0 && m.p.opts.several() {
		err = m.p.barred(m.device(), address)
	}
	if err != nil {
		m.outside = &report.FaultEvent{
			Class: "out-of-bounds", Kernel: m.name, Address: report.Hex(address), Space: "global", Size: int(size),
			Count:   1,
			Message: fmt.Sprintf("an operand of %s: %s", m.name, Why(err)),
		}
	}
	return err
}

// device returns the device that executes the operation.
func (m *operand) device() order.Device {
	if t := m.p.streams.tracker; t != nil {
		return t.DeviceOf(m.in.Stream)
	}
	return m.in.Device
}

// touch records that the operation reads or writes a range.
func (m *operand) touch(address, size uint64, write bool) error {
	if err := m.Holds(address, size); err != nil {
		return err
	}
	m.begin()
	m.p.streams.moving = m.operation
	m.p.streams.touch(address, size, write)
	return nil
}

// begin begins the operation, if it has not begun.
func (m *operand) begin() {
	s := m.p.streams
	if !m.began && s.tracker != nil {
		m.operation = s.another(m.name, m.in, order.RuleOf(order.Launch, order.AnyMemory, order.AnyMemory))
	}
	m.began = true
}

// Read implements library.Memory.
func (m *operand) Read(address uint64, to []byte) error {
	if err := m.touch(address, uint64(len(to)), false); err != nil {
		return err
	}
	m.p.unwritten(m.name, address, uint64(len(to)), m.in)
	return m.p.read(address, to)
}

// Write implements library.Memory.
func (m *operand) Write(address uint64, from []byte) error {
	if err := m.touch(address, uint64(len(from)), true); err != nil {
		return err
	}
	return m.p.write(address, from)
}
