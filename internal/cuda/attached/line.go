// The connection to the shim in an application: requests of the shim, and commands that it executes before it gets the
// result of a request. The numbers are those of attached.h.

package attached

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"

	"github.com/ptxsan/ptxsan/internal/cuda/socket"
)

// request is the kind of a request of the shim.
type request uint32

const (
	requestHello request = iota
	requestLoad
	requestUnload
	requestLaunch
	requestAlloc
	requestFree
	requestGone
	requestPassed
	requestRegister
	requestAdopt
)

// command is an operation of the driver that the shim executes in the thread and the context of the request.
type command uint32

const (
	commandResult command = iota // the end of a request, not a command
	commandCompile
	commandUnload
	commandAlloc
	commandAllocManaged
	commandFree
	commandRead
	commandWrite
	commandSymbol
	commandShared
	commandRun
	commandWait
	commandDescribe
	commandModule
	commandAllocHost
	commandReadHost
)

// Results of requests: either done, or the shim passes the application's call to the driver.
const (
	resultDone   = 0
	resultPassed = 1
)

// Maximal sizes of frames. Images of modules are large, everything else is small.
const (
	headSize    = 16
	mostImage   = 1 << 30
	mostRequest = 64 << 10
	chunk       = 4 << 20
)

func mostOfRequest(number uint32) uint64 {
	if r := request(number); r == requestLoad || r == requestRegister {
		return mostImage
	}
	return mostRequest
}

func mostOfReply(uint32) uint64 { return chunk + mostRequest }

var le = binary.LittleEndian

// line is the connection of one process.
type line struct{ conn net.Conn }

// receive reads a frame: a number, and a body whose size most limits.
func (l *line) receive(most func(number uint32) uint64) (number uint32, body []byte, err error) {
	var head [headSize]byte
	if _, err = io.ReadFull(l.conn, head[:]); err != nil {
		return 0, nil, err
	}
	size := le.Uint64(head[8:])
	if number = le.Uint32(head[:]); size > most(number) {
		return 0, nil, socket.ErrProtocol
	}
	body = make([]byte, size)
	_, err = io.ReadFull(l.conn, body)
	return number, body, err
}

// send writes a frame.
func (l *line) send(kind command, status int32, body ...[]byte) error {
	var head [headSize]byte
	le.PutUint32(head[:], uint32(kind))
	le.PutUint32(head[4:], uint32(status))
	frame := net.Buffers{head[:]}
	size := 0
	for _, part := range body {
		size += len(part)
		frame = append(frame, part)
	}
	le.PutUint64(head[8:], uint64(size))
	_, err := frame.WriteTo(l.conn)
	return err
}

// driverError is an error of the driver for a command.
type driverError struct {
	code int
	text string
}

func (e *driverError) Error() string {
	if e.text == "" {
		return fmt.Sprintf("CUDA error %d", e.code)
	}
	return e.text
}

// do makes the shim execute a command. The error is a *driverError, or one of the connection.
func (l *line) do(c command, words []uint64, data []byte) ([]byte, error) {
	var args []byte
	for _, w := range words {
		args = le.AppendUint64(args, w)
	}
	if err := l.send(c, 0, args, data); err != nil {
		return nil, err
	}
	status, reply, err := l.receive(mostOfReply)
	switch {
	case err != nil:
		return nil, err
	case status != 0:
		return nil, &driverError{int(int32(status)), string(reply)}
	}
	return reply, nil
}

// numbers is do for a command whose reply is a list of numbers.
func (l *line) numbers(c command, words []uint64, data []byte, count int) ([]uint64, error) {
	reply, err := l.do(c, words, data)
	if err != nil {
		return nil, err
	}
	if len(reply) != 8*count {
		return nil, socket.ErrProtocol
	}
	list := make([]uint64, count)
	for i := range list {
		list[i] = le.Uint64(reply[8*i:])
	}
	return list, nil
}
