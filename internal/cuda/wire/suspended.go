//go:build linux

// Requests that arrive while a launch waits for the host: which of them wait for the end of the launch, and for how
// long.

package wire

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/order"
)

// suspension is the state of a launch that waits for the host.
type suspension struct {
	answered bool          // the launch has been answered
	pending  bool          // the current request waits for the launch
	waited   time.Time     // start of the application's waiting without a change of memory; zero while it does not wait
	pause    time.Duration // time after which the threads look at memory again by themselves
	err      error         // of the connection
}

// patience is the time that an application may wait for a launch that waits for the host: one of its threads waits, and
// others may still let the kernel continue.
const patience = 10 * time.Second

// Intervals at which the kernel's threads look at memory that the host may have changed without a request.
const (
	firstPause = 50 * time.Microsecond
	lastPause  = 5 * time.Millisecond
)

// stalled serves the application while a launch waits for it, until a request has to wait for the launch, or the
// launch's threads should look at memory again. It reports whether the kernel may continue.
func (c *connection) stalled(changed bool) bool {
	l := &c.launch
	switch {
	case !l.answered:
		l.answered = true
		l.err = c.answer(nil, nil)
		c.body = nil // the launch still uses its own
	case l.pending && !c.putOff(changed):
		return false
	}
	if l.pending = false; changed {
		l.pause = firstPause
	}
	for l.err == nil && c.comes(l.pause) {
		if l.err = c.receive(); l.err != nil {
			break
		}
		if c.awaits() {
			l.pending = true
			return true
		}
		if c.what != opRead && c.what != opOrder && c.what != opFailed && c.what != opHandled { // these cannot let a thread of the kernel continue
			l.waited = time.Time{}
		}
		payload, err := c.execute()
		l.err = c.answer(payload, err)
	}
	l.pause = min(2*l.pause, lastPause)
	return l.err == nil
}

// stallable returns what lets the application continue while the request waits for it, nil if an earlier one does so.
func (c *connection) stallable() func(changed bool) bool {
	if c.launch.answered {
		return nil
	}
	return c.stalled
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

// putOff answers the request that waits for an unfinished launch: the application must repeat it. It reports whether
// the launch may still end.
func (c *connection) putOff(changed bool) bool {
	l := &c.launch
	query := c.isQuery()
	if changed || l.waited.IsZero() {
		l.waited = time.Now()
	}
	if time.Since(l.waited) > patience || !query && alone(c.pid) {
		if c.what == opLaunch && !c.device.WaitsForValue() {
			c.device.Overtaken()
		}
		return false
	}
	result := again
	if query {
		result = cuda.NotReady
	}
	l.err = c.answer(nil, &cuda.Error{Result: result})
	return true
}

// alone reports whether a process has a single thread, so that no other can change what a kernel waits for.
func alone(pid int) bool {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	return err == nil && len(threads) == 1
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

// prepares are requests that are in no stream and change no memory of another operation, but modules and textures,
// which a running kernel may use.
var prepares = []op{opModule, opKernels, opTexture, opReference, opManaged, opUnwritten}

// awaitsValue reports whether the request makes a stream wait for a value.
func (c *connection) awaitsValue() bool {
	f := c.rest
	return f.value().Kind > cuda.WriteUnfenced
}

// awaits reports whether the request has to wait for the launch.
func (c *connection) awaits() bool {
	switch {
	case c.what == opStreamValue && c.awaitsValue():
		return true
	case c.what == opLaunch, c.what == opStreamValue:
		return c.what == opLaunch && !c.device.WaitsForValue() || c.device.Awaits(c.in.Stream)
	case c.device.WaitsForValue() && slices.Contains(prepares, c.what):
		return false
	}
	switch c.what {
	case opHello, opFunction, opVariable, opAlloc, opPointer, opMemory, opMissing, opFailed, opHandled, opHost,
		opTensorMap, opMoveTensorMap:
		return false
	case opWrite, opRead, opCopy, opFill, opLibrary:
		return c.device.Awaits(c.in.Stream)
	case opOrder:
		return c.device.OrderAwaits(c.order())
	}
	return true
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
