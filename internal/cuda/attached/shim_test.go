// A shim in Go, with the emulator for a driver, that fails where the tests ask for it.

package attached

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/socket"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// kernel has all threads of a block store to one word.
const kernel = `.version 7.5
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [out];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, %tid.x;
	st.global.u32 [%rd2], %r1;
	ret;
}
`

// shim is the application's side of a connection.
type shim struct {
	*testing.T
	conn    net.Conn
	device  *emu.Device
	machine *emu.Machine // that was compiled last
	out     uint64       // the argument of launches
	// fail makes a command fail, with the driver's number and words.
	fail func(command) (int32, string)
	ran  int
	// faults makes kernels end with a fault.
	faults bool
}

// serve makes a server and a shim that is connected to it. The function ends both, and returns the report and
// the notes.
func serve(t *testing.T, o cuda.Options) (*shim, func() (*report.Report, []string)) {
	t.Helper()
	var err error
	var notes []string
	if o.Detectors == nil {
		o.Detectors = detectors(t, "iguard")
	}
	o.Target = cuda.DefaultTarget
	o.Note = func(text string) { notes = append(notes, text) }
	path := filepath.Join(t.TempDir(), "socket")
	server, err := Listen(path, &o)
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := &shim{T: t, conn: conn, device: emu.NewDevice(emu.Config{}), fail: func(command) (int32, string) { return 0, "" }}
	if s.out, err = s.device.Alloc("out", 4); err != nil {
		t.Fatal(err)
	}
	return s, func() (*report.Report, []string) {
		conn.Close()
		if err := server.Close(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
		rep := session.NewReport(o.Detectors, &o.Emulator)
		for _, r := range server.Reports() {
			rep.Merge(r)
		}
		rep.Finish()
		return rep, notes
	}
}

func detectors(t *testing.T, list string) []*session.Detector {
	t.Helper()
	parsed, err := session.ParseDetectors(list)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func words(list ...uint64) (out []byte) {
	for _, w := range list {
		out = le.AppendUint64(out, w)
	}
	return out
}

func (s *shim) write(number uint32, body []byte) {
	head := le.AppendUint64(le.AppendUint64(nil, uint64(number)), uint64(len(body)))
	_, _ = s.conn.Write(append(head, body...)) // an end of the connection shows when a reply is read
}

// request sends a request and obeys until the result comes.
func (s *shim) request(r request, body []byte) (status int32, reply []byte, err error) {
	s.write(uint32(r), body)
	for {
		var head [headSize]byte
		if _, err = io.ReadFull(s.conn, head[:]); err != nil {
			return 0, nil, err
		}
		reply = make([]byte, le.Uint64(head[8:]))
		if _, err = io.ReadFull(s.conn, reply); err != nil {
			return 0, nil, err
		}
		c := command(le.Uint32(head[:]))
		if c == commandResult {
			return int32(le.Uint32(head[4:])), reply, nil
		}
		if code, text := s.fail(c); code != 0 {
			s.write(uint32(code), []byte(text))
			continue
		}
		answer, err := s.obey(c, reply)
		if code := driverCode(0); errors.As(err, &code) {
			s.write(uint32(code), nil)
			continue
		}
		if err != nil {
			s.Errorf("command %d: %v", c, err)
			s.write(1, nil)
			continue
		}
		s.write(0, answer)
	}
}

// driverCode is an error by the driver's number.
type driverCode uint32

const (
	errNotFound       driverCode = 500
	errIllegalAddress driverCode = 700
)

func (c driverCode) Error() string { return fmt.Sprintf("CUDA error %d", uint32(c)) }

// lost fails all commands as a driver does when a fault has destroyed the context. What is no call of the driver goes
// on.
func lost(c command) (int32, string) {
	if c == commandReadHost {
		return 0, ""
	}
	return int32(errIllegalAddress), "CUDA_ERROR_ILLEGAL_ADDRESS"
}

// obey executes a command.
func (s *shim) obey(c command, args []byte) ([]byte, error) {
	f := socket.Fields{Rest: args}
	switch c {
	case commandDescribe:
		return append(words(12080, 80), "a GPU"...), nil
	case commandCompile:
		program, err := session.Parse("k.ptx", bytes.TrimRight(args, "\x00"))
		if err == nil {
			s.machine, err = s.device.Load(program.Module, emu.Config{})
		}
		return words(7), err
	case commandAlloc, commandAllocManaged, commandAllocHost:
		addr, err := s.device.Alloc("detector", f.U64())
		return words(addr), err
	case commandFree:
		return nil, s.device.Free(f.U64())
	case commandRead, commandReadHost:
		addr, p := f.U64(), make([]byte, f.U64())
		return p, s.device.Read(addr, p)
	case commandWrite:
		addr := f.U64()
		f.U64()
		return nil, s.device.Write(addr, f.Rest)
	case commandSymbol:
		f.U64()
		addr, size, ok := s.machine.Symbol(string(bytes.TrimRight(f.Rest, "\x00")))
		if !ok {
			return nil, errNotFound
		}
		return words(addr, size), nil
	case commandShared:
		return words(0), nil
	case commandRun:
		s.ran++
		_, err := s.machine.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Params: words(s.out)})
		if err == nil && s.faults {
			s.fail, err = lost, errIllegalAddress
		}
		return nil, err
	}
	return nil, nil
}

// failing is a function that has a command fail, and others as before.
func failing(before func(command) (int32, string), code int32, text string, commands ...command) func(command) (int32, string) {
	return func(c command) (int32, string) {
		if slices.Contains(commands, c) {
			return code, text
		}
		return before(c)
	}
}

const contextHandle = 5

// load loads the kernel. The number is 0 for one that is passed on.
func (s *shim) load(image string) uint64 {
	s.Helper()
	status, reply, err := s.request(requestLoad, append(words(contextHandle), image...))
	if err != nil {
		s.Fatal(err)
	}
	if status != resultDone {
		return 0
	}
	return le.Uint64(reply)
}

// launch launches the kernel. The outcome is -1 where the launch is passed on.
func (s *shim) launch(module uint64) int64 {
	s.Helper()
	body := append(words(module, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, contextHandle), "k"...)
	status, reply, err := s.request(requestLaunch, body)
	if err != nil {
		s.Fatal(err)
	}
	if status != resultDone {
		return -1
	}
	return int64(le.Uint64(reply))
}
