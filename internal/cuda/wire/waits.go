//go:build linux

// Calls of the application that wait for pending operations, and whether anybody is left who could let these go on.

package wire

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ptxsan/ptxsan/internal/cuda"
)

// waits is what is known of the application's waiting since memory has last changed.
type waits struct {
	calls map[uint32]*waitingCall // by thread
	since time.Time
	all   bool // all threads waited at the latest request
}

// waitingCall is a call that waits: the application repeats its request.
type waitingCall struct {
	text  string
	times int
}

const (
	// enough is how often each waiting call repeats its request, without another request in between and with all other
	// threads found waiting each time, before nobody is left who acts.
	enough = 3
	// patience is how long the application may wait or poll without a change of memory while a thread of it is in a
	// system call or runs, or another process shares memory of the device: these may still change it.
	patience = 10 * time.Second
	// rankPatience is how long it may wait for other processes to become ranks of a communicator.
	rankPatience = 5 * time.Minute
)

// restart forgets how long calls have waited, as memory may have changed.
func (w *waits) restart() {
	w.since = time.Time{}
	w.recount()
}

// recount forgets how often calls have waited, as a thread may go on.
func (w *waits) recount() {
	for _, call := range w.calls {
		call.times = 0
	}
}

// hold answers a request that has to wait: the application repeats it.
func (c *connection) hold() error {
	w := &c.waits
	if w.since.IsZero() {
		w.since = time.Now()
	}
	result := again
	if c.isQuery() {
		result = cuda.NotReady
	} else if c.thread != 0 {
		call := w.calls[c.thread]
		if call == nil {
			call = &waitingCall{text: c.waiting()}
			if w.calls == nil {
				w.calls = make(map[uint32]*waitingCall)
			}
			w.calls[c.thread] = call
		}
		call.times++
	}
	all := c.thread != 0 && !c.contended && c.allWait()
	if !all {
		w.recount()
	}
	if (w.enough() || time.Since(w.since) > patience) && !c.awaitsProcesses() {
		c.pending.Deadlocked(w.texts())
		c.changed()
	}
	certain := all && w.all // a thread may wait for the connection since this request was sent
	w.all = all
	c.pending.HostWaits, c.pending.AllWait = certain, certain
	return c.answer(nil, &cuda.Error{Result: result})
}

// awaitsProcesses reports whether the application, which waits, may go on by what another process of it does, as a rank
// of a communicator.
func (c *connection) awaitsProcesses() bool {
	c.device.SetStuck(true)
	awaits, join := c.device.AwaitsProcesses()
	return awaits || join && !c.alone() && time.Since(c.waits.since) < rankPatience
}

// alone reports whether the application has no other processes.
func (c *connection) alone() bool {
	if parentOf(c.pid) != os.Getpid() {
		return false
	}
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", c.pid))
	return err == nil && !slices.ContainsFunc(lists, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && len(text) > 0
	})
}

// heard is called for each request that does not have to wait.
func (c *connection) heard() {
	c.waits.all = false
	c.device.SetStuck(false)
	delete(c.waits.calls, c.thread)
	c.waits.recount()
}

// enough reports whether all waiting calls have waited long enough.
func (w *waits) enough() bool {
	for _, call := range w.calls {
		if call.times < enough {
			return false
		}
	}
	return len(w.calls) > 0
}

// allWait reports whether all threads of the application wait, for pending operations or for each other, and no other
// process may change the memory of the device.
func (c *connection) allWait() bool {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", c.pid))
	return err == nil && !c.device.Joined() && !slices.ContainsFunc(threads, func(t os.DirEntry) bool {
		id, _ := strconv.ParseUint(t.Name(), 10, 32)
		return c.waits.calls[uint32(id)] == nil && !waitsForThread(c.pid, t.Name())
	})
}

// waitsForThread reports whether a thread of a process waits for another one, and not for a time only: a lock, a
// condition, or the end of a thread.
func waitsForThread(pid int, thread string) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/syscall", pid, thread))
	call := bytes.Fields(text) // the number of the system call and its arguments; "running" without one
	const timeout = 4
	return err == nil && len(call) > timeout && string(call[0]) == strconv.Itoa(unix.SYS_FUTEX) &&
		string(call[timeout]) == "0x0"
}

// texts says what the application waits for.
func (w *waits) texts() (list []string) {
	for _, thread := range slices.Sorted(maps.Keys(w.calls)) {
		list = append(list, w.calls[thread].text)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(text string) bool { return text == "" })
}

// waiting says what the call waits for that makes the request, "" for one of a host function, which is an operation.
func (c *connection) waiting() string {
	const host = "the host waits for "
	switch what, stream, _ := c.order(); {
	case c.what == opOrder && what == cuda.OrderFunctionRuns:
		return ""
	case c.what == opCollective:
		return host + "other ranks of a communicator"
	case c.what == opOrder && what == cuda.OrderEvent:
		return host + "an event"
	case c.what == opOrder && what != cuda.OrderDevice, c.what == opWrite, c.what == opRead, c.what == opCopy,
		c.what == opFill, c.what == opLibrary, c.what == opLaunch:
		if c.what != opOrder {
			stream = c.in.Stream
		}
		return host + c.device.StreamName(stream)
	}
	return host + "all streams" + c.device.OfDevice(c.in.Device)
}
