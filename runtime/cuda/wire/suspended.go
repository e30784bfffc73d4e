//go:build linux

// Requests that come while a launch waits for the host: those that have to wait for the end of the
// launch, and for how long they may.

package wire

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ptxsan/ptxsan/runtime/cuda"
	"github.com/ptxsan/ptxsan/runtime/cuda/order"
)

// suspended is what becomes of a launch that waits for the host.
type suspended struct {
	answered bool          // the launch has been answered
	pending  bool          // the request of the connection waits for the launch
	waited   time.Time     // since when the application waits, and nothing changes; zero while it does not
	pause    time.Duration // after which the threads look again by themselves
	err      error         // of the connection
}

// patience is how long an application may wait for a launch that waits for the host: one thread of it
// waits, and others may still let the kernel go on.
const patience = 10 * time.Second

// Between two looks of the kernel's threads at memory that the host may have changed without a request.
const (
	firstPause = 50 * time.Microsecond
	lastPause  = 5 * time.Millisecond
)

// stalled serves the application while a launch waits for it, until a request has to wait for the launch, or
// it is time for its threads to look at memory. It reports whether the kernel may go on.
func (c *connection) stalled(changed bool) bool {
	l := &c.launch
	switch {
	case !l.answered:
		l.answered = true
		l.err = c.answer(nil, nil)
		c.body = nil // the launch still has its own
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
		if c.what != opRead && c.what != opOrder { // these let no thread of the kernel go on
			l.waited = time.Time{}
		}
		payload, err := c.execute()
		l.err = c.answer(payload, err)
	}
	l.pause = min(2*l.pause, lastPause)
	return l.err == nil
}

// comes waits for a request, for some time.
func (c *connection) comes(most time.Duration) bool {
	if c.input.Buffered() > 0 {
		return true
	}
	timeout := unix.NsecToTimespec(int64(most))
	n, err := unix.Ppoll([]unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLIN}}, &timeout, nil)
	return n > 0 || err != nil && !errors.Is(err, unix.EINTR) // reading has the error
}

// putOff answers the request that waits for the launch, which has not ended: the application is to ask again. It
// reports whether there is hope.
func (c *connection) putOff(changed bool) bool {
	l := &c.launch
	query := c.isQuery()
	if changed || l.waited.IsZero() {
		l.waited = time.Now()
	}
	if time.Since(l.waited) > patience || !query && alone(c.pid) {
		return false
	}
	result := again
	if query {
		result = cuda.NotReady
	}
	l.err = c.answer(nil, &cuda.Error{Result: result})
	return true
}

// alone reports whether a process has one thread: nobody else is there to change what a kernel waits for.
func alone(pid int) bool {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	return err == nil && len(threads) == 1
}

// order is what a request of the kind orders.
func (c *connection) order() (what cuda.Order, stream order.Stream, token uint64) {
	f := c.rest
	return cuda.Order(f.U32()), order.Stream(f.U32()), f.U64()
}

// isQuery reports whether the request asks how far a stream or an event is.
func (c *connection) isQuery() bool {
	what, _, _ := c.order()
	return c.what == opOrder && (what == cuda.OrderStreamDone || what == cuda.OrderEventDone)
}

// awaits reports whether the request has to wait for the launch.
func (c *connection) awaits() bool {
	switch c.what {
	case opHello, opFunction, opVariable, opAlloc, opPointer, opMemory, opMissing, opHost, opTensorMap, opMoveTensorMap:
		return false
	case opWrite, opRead, opCopy, opFill:
		return c.device.Awaits(c.in.Stream)
	case opOrder:
		return c.device.OrderAwaits(c.order())
	}
	return true
}

// hearsOfFaults reports whether the request tells the application of faults of kernels that have ended.
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
