//go:build linux

// Requests of NCCL.

package wire

import (
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

// step is what a request of NCCL does. The numbers are those of nccl_communicator.c.
type step uint32

const (
	stepID      step = iota // makes a unique id
	stepJoin                // unique id, number of ranks, rank; handle
	stepSplit               // handle, color, key; handle, 0 for none
	stepState               // handle; the state
	stepReady               // handle; the state, when all ranks have joined
	stepDestroy             // handle; when its operations have ended
	stepAbort               // handle
	stepCall                // handle, operations
)

// step returns what the request does.
func (c *connection) step() step {
	f := c.rest
	return step(f.U64())
}

// awaitsRanks reports whether a request has to wait for other ranks.
func (c *connection) awaitsRanks() bool {
	f := c.rest
	switch what, handle := step(f.U64()), f.U64(); what {
	case stepReady:
		s, err := c.device.CommunicatorState(handle)
		return err == nil && !s.Ready
	case stepDestroy:
		return c.device.HasPending(handle)
	}
	return false
}

// communicator executes a request that is not an operation of a stream.
func (c *connection) communicator(f *fields) ([]byte, error) {
	p := c.device
	switch step(f.U64()) {
	case stepID:
		return le.AppendUint64(nil, p.CommunicatorID()), nil
	case stepJoin:
		handle, err := p.JoinCommunicator(f.U64(), f.U32(), f.U32(), c.in)
		return le.AppendUint64(nil, handle), err
	case stepSplit:
		handle, err := p.SplitCommunicator(f.U64(), int32(f.U32()), int32(f.U32()))
		return le.AppendUint64(nil, handle), err
	case stepState, stepReady:
		s, err := p.CommunicatorState(f.U64())
		return communicatorState(s), err
	case stepDestroy:
		return nil, p.LeaveCommunicator(f.U64(), false)
	case stepAbort:
		return nil, p.LeaveCommunicator(f.U64(), true)
	}
	f.Bad = true
	return nil, nil
}

// communicatorState encodes the state of a communicator.
func communicatorState(s cuda.CommunicatorState) (out []byte) {
	for _, v := range []uint32{number[s.Ready], uint32(s.Ranks), uint32(s.Rank), uint32(s.Device)} {
		out = le.AppendUint32(out, v)
	}
	return out
}

// setCollectives makes an operation the calls of a rank that the request has.
func (c *connection) setCollectives(o *cuda.Operation) {
	f := &c.rest
	f.U64() // the step
	handle := f.U64()
	var calls []cuda.CollectiveCall
	for len(f.Rest) > 0 && !f.Bad {
		calls = append(calls, f.collectiveCall())
	}
	if f.Bad {
		return
	}
	group, err := c.device.Collectives(handle, calls, c.in)
	if err != nil {
		o.Text, o.Execute = "an operation of NCCL", func(*cuda.Others) error { return err }
		return
	}
	group.Stopped = o.StoppedBy
	o.Text, o.Waits, o.WaitsFor, o.Execute = group.Name(), true, group.Waits, group.Execute
}

// collectiveCall decodes an operation.
func (f *fields) collectiveCall() cuda.CollectiveCall {
	return cuda.CollectiveCall{
		Function: library.Collective(f.U32()), Type: library.Element(f.U32()), Op: library.Reduction(f.U32()),
		Peer: f.U32(), From: f.U64(), To: f.U64(), Count: f.U64(),
		Scale: library.Arg{Words: [2]uint64{f.U64()}, OnDevice: f.U64() != 0},
	}
}
