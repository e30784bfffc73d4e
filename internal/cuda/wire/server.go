//go:build linux

// Package wire serves CUDA devices to the processes of an application over a socket: the
// drop-in libraries in each process (internal/cuda/shim) send a request for each call that
// needs the device, and wait for the reply. The emulator and all findings are on this side,
// so that a crash of the application loses nothing, a fork copies nothing, and the
// application's memory holds no second runtime.
//
// It must not know what the operations do (internal/cuda), nor who started the application.
package wire

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ptxsan/ptxsan/internal/cuda"
	standin "github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/internal/cuda/socket"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Server serves a device to each process that connects.
type Server struct {
	opts   *cuda.Options
	socket *socket.Server

	mu        sync.Mutex
	processes []*cuda.Process
	noted     map[string]bool
	programs  programs
}

// Listen makes a server at a path, which must not exist.
func Listen(path string, o *cuda.Options) (*Server, error) {
	l, err := socket.Listen(path)
	if err != nil {
		return nil, err
	}
	own := *o
	own.Group = cuda.NewGroup()
	return &Server{opts: &own, socket: l, noted: make(map[string]bool)}, nil
}

// Serve serves until Close.
func (s *Server) Serve() { s.socket.Serve(s.process) }

// Close ends the service: no process can connect any more, and it waits for the connected ones. Cancel the context to
// avoid waiting. It returns the first internal error of any process.
func (s *Server) Close() error { return s.socket.Close() }

// Processes returns the devices of all processes, in the order of connection.
func (s *Server) Processes() []*cuda.Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*cuda.Process(nil), s.processes...)
}

// process serves one process until it ends.
func (s *Server) process(c *net.UnixConn) error {
	fd, err := takeOver(c)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	p, err := s.newProcess()
	if err != nil {
		return err
	}
	defer p.Close()
	defer whileConnected(fd, p.Until())()
	p.SetGone(func() bool { return hungUp(fd, 0) })
	conn := &connection{server: s, device: p, fd: fd, pause: firstPause}
	conn.pending = cuda.NewPending(p, conn.ended)
	defer func() {
		p.TakeTurn()
		defer p.GiveTurn()
		conn.pending.Close()
	}()
	if peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED); err == nil {
		conn.pid = int(peer.Pid)
		p.RunsAs(conn.pid, s.programs.of(conn.pid))
		if s.opts.Alone && parentOf(int(peer.Pid)) != os.Getpid() {
			p.Unwatched()
		}
	}
	conn.input = bufio.NewReaderSize(conn, mostBytes)
	for {
		if err := conn.serve(); err != nil {
			return err
		}
	}
}

// grace is how long a kernel goes on after its process has ended. Kernels that wait for the host end by themselves.
const grace = time.Second

// whileConnected calls end if the other side of a socket is closed, up to a call of the function that it returns.
func whileConnected(fd int, end func()) (stop func()) {
	closed, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(closed)
		hungUp(fd, -1)
		select {
		case <-stopped:
		case <-time.After(grace):
			end()
		}
	}()
	return func() {
		close(stopped)
		_ = unix.Shutdown(fd, unix.SHUT_RDWR) // it may be shut down already
		<-closed
		end()
	}
}

// hungUp reports whether the other side of a socket is closed. It waits for that for some milliseconds, without end if
// they are negative.
func hungUp(fd, most int) bool {
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}, most)
		if err != unix.EINTR {
			return n > 0 || err != nil
		}
	}
}

// takeOver returns the socket of a connection, and closes the connection. A reply must not wait for Go's poller, nor
// may each message wake it, so the socket must not be registered with the poller, as that of an os.File would be.
func takeOver(c *net.UnixConn) (fd int, err error) {
	defer c.Close()
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	failed := raw.Control(func(of uintptr) { fd, err = unix.FcntlInt(of, unix.F_DUPFD_CLOEXEC, 0) })
	if err = errors.Join(failed, err); err != nil {
		return 0, err
	}
	if err = unix.SetNonblock(fd, false); err != nil {
		unix.Close(fd)
		return 0, err
	}
	return fd, nil
}

// parentOf returns the parent of a process, 0 if unknown.
func parentOf(pid int) (parent int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// 17 (name) S 12 ...: the name may contain anything
	_, rest, _ := strings.Cut(string(text[bytes.LastIndexByte(text, ')')+1:]), " ")
	if fields := strings.Fields(rest); len(fields) > 1 {
		parent, _ = strconv.Atoi(fields[1])
	}
	return parent
}

// newProcess makes the device of the next process.
func (s *Server) newProcess() (*cuda.Process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := cuda.NewProcess(s.opts, len(s.processes)+1)
	if err == nil {
		s.processes = append(s.processes, p)
	}
	return p, err
}

// connection is the socket of one process.
type connection struct {
	server *Server
	device *cuda.Process
	fd     int
	pid    int // process id, 0 if unknown
	request
	pending *cuda.Pending
	pause   time.Duration // time after which pending operations look at memory again by themselves
	waits   waits
	fault   error  // of an operation that was answered before its end; not yet reported to the application
	passed  int    // file descriptor to send with the next result, 0 for none
	why     string // why the last request has failed, "" if it has not
	ranges  string // of the program, in which it launches, "" for none
	input   *bufio.Reader
	head    [headerSize]byte
	body    []byte
	out     []byte
}

// request is an unanswered request.
type request struct {
	what   op
	thread uint32 // that repeats the request because it has to wait, 0 for the first time
	// contended says that other threads wait for the connection.
	contended bool
	in        cuda.In
	rest      fields
}

// spin is the time to poll for a request before sleeping, if there is more than one processor: waking up takes as long.
const spin = 40 * time.Microsecond

// readSoon reads data that arrives soon; the error is EAGAIN if none does.
func (c *connection) readSoon(p []byte) (int, error) {
	for begin := time.Now(); ; {
		n, _, err := syscall.Recvfrom(c.fd, p, syscall.MSG_DONTWAIT)
		if err != syscall.EAGAIN || runtime.NumCPU() == 1 || time.Since(begin) > spin {
			return n, err
		}
		_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) // cannot fail
	}
}

// Read reads from the socket.
func (c *connection) Read(p []byte) (int, error) {
	for {
		n, err := c.readSoon(p)
		if errors.Is(err, syscall.EAGAIN) {
			n, err = syscall.Read(c.fd, p)
		}
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// send writes a whole frame, with the file descriptor to pass if there is one.
func (c *connection) send(p []byte) error {
	var rights []byte
	if c.passed != 0 {
		rights = syscall.UnixRights(c.passed)
		c.passed = 0
	}
	for len(p) > 0 {
		n, err := syscall.SendmsgN(c.fd, p, rights, nil, syscall.MSG_NOSIGNAL)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		p, rights = p[n:], nil
	}
	return nil
}

// frame begins a frame of a reply in c.out.
func (c *connection) frame(kind uint32, result cuda.Result, payload []byte) []byte {
	c.out = le.AppendUint32(c.out[:0], kind)
	c.out = le.AppendUint32(c.out, uint32(result))
	c.out = le.AppendUint64(c.out, uint64(len(payload)))
	c.out = append(c.out, payload...)
	return c.out
}

// Write sends output of a kernel.
func (c *connection) Write(text []byte) (int, error) {
	if err := c.send(c.frame(frameOutput, 0, text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// receive reads the next request.
func (c *connection) receive() error {
	if _, err := io.ReadFull(c.input, c.head[:]); err != nil {
		return err
	}
	word, size, thread := le.Uint32(c.head[:]), uint64(le.Uint32(c.head[8:])), le.Uint32(c.head[12:])
	what, device := op(word&(1<<deviceBit-1)), order.Device(word>>deviceBit)
	if size > what.limit() || uint32(device) >= c.device.Devices() {
		return socket.ErrProtocol
	}
	if uint64(cap(c.body)) < size {
		c.body = make([]byte, size)
	}
	c.body = c.body[:size]
	if _, err := io.ReadFull(c.input, c.body); err != nil {
		return err
	}
	c.request = request{
		what: what, thread: thread &^ othersWait, contended: thread&othersWait != 0,
		rest: fields{socket.Fields{Rest: c.body}},
	}
	c.in = c.rest.in(le.Uint32(c.head[4:]))
	c.in.Device = device
	return nil
}

// serve answers one request.
func (c *connection) serve() error {
	if err := c.next(); err != nil {
		return err
	}
	c.takeTurn()
	defer c.device.GiveTurn()
	c.in.Path = c.device.Interpreted(c.in.Path)
	if c.fault != nil && c.hearsOfFaults() {
		err := c.fault
		c.fault = nil
		return c.answer(nil, err)
	}
	at := c.schedule()
	if at == wait {
		return c.hold()
	}
	if c.heard(); !c.passive() {
		c.changed()
		c.pending.Changed()
	}
	c.pending.HostWaits, c.pending.AllWait = false, false
	if at == later || c.what == opLaunch || c.what == opStreamValue || c.what == opCollective && c.step() == stepCall {
		return c.submit(at)
	}
	payload, err := c.execute()
	return c.answer(payload, err)
}

// answer sends the reply to the request.
func (c *connection) answer(payload []byte, err error) error {
	if c.rest.Bad {
		return socket.ErrProtocol
	}
	result := cuda.Success
	c.why = ""
	if err != nil {
		c.why = cuda.Why(err)
		if result, err = c.resultOf(err); err != nil {
			return err
		}
	}
	if c.what == opModule { // images are large, and rare
		c.body = nil
	}
	if changes := c.device.Protect(); len(changes) > 0 {
		passed := c.passed // sent with the result
		c.passed = 0
		if err = c.send(c.frame(frameProtect, 0, ranges(changes))); err != nil {
			return err
		}
		c.passed = passed
	}
	passed := c.passed
	err = c.send(c.frame(frameResult, result, payload))
	if passed != 0 {
		syscall.Close(passed)
	}
	return err
}

// resultOf returns the result of an error for the application; an internal error ends the connection.
func (c *connection) resultOf(err error) (cuda.Result, error) {
	var outcome *cuda.Error
	switch {
	case errors.As(err, &outcome):
		return outcome.Result, nil
	case errors.Is(err, session.ErrInterrupted):
		return cuda.LaunchTimeout, nil
	}
	return 0, err
}

// exportTable is the function by which NVIDIA's runtime reaches into NVIDIA's driver. Behind it is the file that calls
// it, unless that is the program.
const exportTable = "cuGetExportTable of "

// noteMissing notes that a function is not implemented.
func (c *connection) noteMissing(name string) {
	library, function, _ := strings.Cut(strings.ToValidUTF8(name, "?"), ":")
	text := library + ": " + function + " is not supported here; the application got the error \"not supported\""
	if file, ok := strings.CutPrefix(function, exportTable); ok && library == "libcuda" {
		program, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", c.pid)) // empty for a process that has ended
		holds, version := runtimeIn(cmp.Or(file, program))
		if !holds {
			return // it asks whether the driver has a table, and goes without
		}
		text = c.unredirected(cmp.Or(file, program), version)
		c.device.Unredirected(text)
	}
	if name := strings.TrimPrefix(library, "lib"); standin.Has(name) {
		c.device.Lacks(function, text)
		return
	}
	c.server.note(text)
}

// note calls Options.Note, once for each text.
func (s *Server) note(text string) {
	s.mu.Lock()
	known := s.noted[text]
	s.noted[text] = true
	s.mu.Unlock()
	if !known && s.opts.Note != nil {
		s.opts.Note(text)
	}
}
