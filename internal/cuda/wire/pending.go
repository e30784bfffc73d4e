//go:build linux

// Requests while operations are pending: which are executed at once, which later, and which the application waits for.

package wire

import (
	"errors"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/socket"
	"github.com/ptxsan/ptxsan/internal/order"
)

// Intervals at which the threads of kernels look at memory that the host may have changed without a request.
const (
	firstPause = 50 * time.Microsecond
	lastPause  = 5 * time.Millisecond
)

// when is when a request is executed.
type when uint8

const (
	now   when = iota
	later      // and the application goes on
	wait       // and the application waits
)

const (
	// rounds is how often pending operations go on before the next request is received, if memory changes each time.
	rounds = 16
	// hostTurn is how long operations that let others go on wait for host code that goes on to make its next request. Host
	// code that takes longer may meet other states of operations in another run.
	hostTurn = 20 * time.Millisecond
)

// next waits for the next request. Meanwhile the pending operations go on.
func (c *connection) next() error {
	for n := 1; !c.pending.Empty(); n++ {
		if c.pending.Paused && !c.pending.HostWaits {
			if c.comes(hostTurn) {
				break
			}
			c.pending.HostWaits = true
		}
		pause := c.pause
		if c.look() {
			if pause = 0; n%rounds != 0 {
				continue
			}
		}
		if c.comes(pause) {
			break
		}
		c.pause = min(2*c.pause, lastPause)
	}
	return c.receive()
}

// look has the pending operations go on, in the turn of the process. It reports whether anything has changed.
func (c *connection) look() (changed bool) {
	c.takeTurn()
	defer c.device.GiveTurn()
	if changed = c.pending.Look(); changed {
		c.changed()
	}
	return changed
}

// takeTurn waits for the turn of the process among those that it has joined.
func (c *connection) takeTurn() {
	if c.device.TakeTurn() {
		c.noticed()
		c.pending.Changed()
	}
}

// comes waits for a request, for at most most.
func (c *connection) comes(most time.Duration) bool {
	if c.input.Buffered() > 0 {
		return true
	}
	timeout := unix.NsecToTimespec(int64(most))
	n, err := unix.Ppoll([]unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLIN}}, &timeout, nil)
	return n > 0 || err != nil && !errors.Is(err, unix.EINTR) // the read returns the error
}

// changed records that the process may have changed memory, so that pending operations can go on.
func (c *connection) changed() {
	c.device.Acted()
	c.noticed()
}

// noticed records that memory may have changed.
func (c *connection) noticed() {
	c.pause = firstPause
	c.waits.restart()
}

// ended takes the result of an operation that has been answered before its end.
func (c *connection) ended(err error) {
	if c.fault == nil {
		c.fault = err
	}
	if len(c.waits.calls) > 0 { // one of them may end now
		c.pending.HostWaits, c.pending.AllWait = false, false
	}
	c.stops(err)
}

// stops ends the pending operations if an error is a fault after which the device is not usable.
func (c *connection) stops(err error) {
	if outcome := (*cuda.Error)(nil); errors.As(err, &outcome) && outcome.Stops() {
		c.pending.Abort()
	}
}

// schedule says when the request is executed.
func (c *connection) schedule() when {
	q := c.pending
	if c.what == opCollective && c.awaitsRanks() {
		return wait
	}
	if q.Empty() && !c.awaitsOthers() {
		return now
	}
	behind := func(is when) when {
		switch {
		case !q.Before(c.in.Stream):
			return now
		case q.Full():
			return wait
		}
		return is
	}
	ofDevice := func(d order.Device) when {
		if q.BeforeDevice(d) {
			return wait
		}
		return now
	}
	switch c.what {
	case opHello, opModule, opKernels, opFunction, opVariable, opAlloc, opManaged, opUnwritten, opPointer, opMemory,
		opMissing, opFailed, opHandled, opCrash, opRange, opHost, opTexture, opTensorMap, opMoveTensorMap:
		return now
	case opShare:
		if f := c.rest; c.device.Joined() && f.U64() != shareClose {
			return now
		}
	case opLaunch, opStreamValue:
		return behind(later)
	case opCollective:
		if c.step() != stepCall {
			return now
		}
		return behind(later)
	case opWrite, opCopy, opFill:
		if c.in.Sync {
			return behind(wait)
		}
		return behind(later)
	case opRead, opLibrary:
		return behind(wait)
	case opFree:
		if !c.in.Sync {
			return behind(wait)
		}
		f := c.rest
		if home, ok := c.device.Home(f.U64()); ok {
			return ofDevice(home)
		}
	case opReset, opPeer:
		return ofDevice(c.in.Device)
	case opReference:
		if !q.Resident() {
			return now
		}
	case opOrder:
		if what, _, _ := c.order(); what == cuda.OrderDevice {
			return ofDevice(c.in.Device)
		}
		return c.scheduleOrder(behind)
	}
	return wait
}

// awaitsOthers reports whether the request waits for an event that another process has not recorded yet.
func (c *connection) awaitsOthers() bool {
	what, _, token := c.order()
	return c.what == opOrder && c.device.Joined() && !c.pending.Recorded(token) &&
		(what == cuda.OrderEvent || what == cuda.OrderEventDone || what == cuda.OrderWait)
}

// scheduleOrder is schedule for calls that order operations.
func (c *connection) scheduleOrder(behind func(when) when) when {
	what, stream, token := c.order()
	c.in.Stream = stream
	switch what {
	case cuda.OrderCreate, cuda.OrderBranch, cuda.OrderFunctionEnds:
		return now
	case cuda.OrderFunctionRuns:
		if token != 0 && c.pending.FunctionWaits(token) {
			return wait
		}
		return now
	case cuda.OrderStream, cuda.OrderStreamDone:
		return behind(wait)
	case cuda.OrderEvent, cuda.OrderEventDone:
		if c.pending.Recorded(token) {
			return now
		}
		return wait
	case cuda.OrderWait:
		if !c.pending.Recorded(token) {
			return later
		}
	case cuda.OrderRecord, cuda.OrderRecordLet, cuda.OrderRecordStarted, cuda.OrderRecordBegun:
		if !c.pending.Recorded(token) {
			return later
		}
	case cuda.OrderEndEvent:
		o := c.pending.Recorder(token)
		if o == nil {
			return now
		}
		c.in.Stream = o.Stream
	}
	return behind(later)
}

// order returns the order that a request makes.
func (c *connection) order() (what cuda.Order, stream order.Stream, token uint64) {
	f := c.rest
	return cuda.Order(f.U32()), order.Stream(f.U32()), f.U64()
}

// isQuery reports whether the request queries the progress of a stream or an event.
func (c *connection) isQuery() bool {
	what, _, _ := c.order()
	return c.what == opOrder && (what == cuda.OrderStreamDone || what == cuda.OrderEventDone)
}

// operation returns the operation that the request asks for.
func (c *connection) operation() *cuda.Operation {
	o := &cuda.Operation{Stream: c.in.Stream}
	switch c.what {
	case opLaunch:
		c.launches(o)
		return o
	case opStreamValue:
		c.usesValue(o)
		return o
	case opCollective:
		c.setCollectives(o)
		return o
	case opWrite, opCopy:
		o.Text = "a copy"
	case opFill:
		o.Text = "a fill"
	case opOrder:
		what, _, token := c.order()
		switch o.Text = "a call"; what {
		case cuda.OrderRecord, cuda.OrderRecordLet, cuda.OrderRecordStarted, cuda.OrderRecordBegun:
			o.Text, o.Records = "the record of an event", token
		case cuda.OrderWait, cuda.OrderEndEvent:
			o.Text, o.Awaits = "the wait for an event", token
		case cuda.OrderFunction:
			o.Text, o.Function = "a host function", token
		}
	}
	r := c.request
	o.Execute = func(*cuda.Others) error {
		outer := c.request
		defer func() { c.request = outer }()
		c.request = r
		if _, err := c.execute(); !c.rest.Bad {
			return err
		}
		return socket.ErrProtocol
	}
	return o
}

// launches makes an operation a launch.
func (c *connection) launches(o *cuda.Operation) {
	l := c.rest.launch()
	l.Range = c.ranges
	if c.rest.Bad {
		return
	}
	l.In, l.Stopped = c.in, o.StoppedBy
	o.Kernel, o.Waits = c.device.KernelName(l.Kernel), c.device.Overlaps()
	o.Text = "the launch of kernel " + o.Kernel
	o.Execute = func(by *cuda.Others) error {
		l.Context, l.Stalled, l.Pause, l.PauseAfter = by.Context, by.Stalled, by.Pause, by.PauseAfter
		return c.device.Launch(l, c)
	}
}

// usesValue makes an operation one of a stream on a value.
func (c *connection) usesValue(o *cuda.Operation) {
	v, in := c.rest.value(), c.in
	o.Text, o.Waits = "a write of a value", v.Kind > cuda.WriteUnfenced
	if o.Waits {
		o.Text = "a wait for a value"
	}
	o.Execute = func(by *cuda.Others) error {
		v.Stalled = by.Stalled
		return c.device.StreamValue(v, in)
	}
}

// submit has an operation begin, now or later, and answers the request.
func (c *connection) submit(at when) error {
	if at == later {
		c.in.Path, c.in.Python = c.in.Path+c.device.Interpreted(c.in.Python), "" // while the thread is in its call
	}
	o := c.operation()
	if c.rest.Bad {
		return socket.ErrProtocol
	}
	ended, err := c.pending.Add(o)
	if !ended {
		c.body = nil // the operation still uses its own
	}
	if o.WaitsFor != nil { // the next call that waits for the operation has its error, as of a kernel
		c.ended(err)
		err = nil
	}
	c.stops(err)
	if o.Function != 0 {
		err = &cuda.Error{Result: functionLater}
	}
	return c.answer(nil, err)
}

// passive reports whether the request changes nothing that pending operations may wait for.
func (c *connection) passive() bool {
	return slices.Contains([]op{opRead, opOrder, opFailed, opHandled, opCrash, opPointer, opMemory}, c.what) ||
		c.what == opCollective && c.step() == stepState
}

// hearsOfFaults reports whether the result of the request tells the application about faults of ended kernels.
func (c *connection) hearsOfFaults() bool {
	switch c.what {
	case opWrite, opRead, opCopy, opFill:
		return true
	case opOrder:
		what, _, _ := c.order()
		return what == cuda.OrderStream || what == cuda.OrderDevice || what == cuda.OrderEvent || c.isQuery()
	}
	return false
}
