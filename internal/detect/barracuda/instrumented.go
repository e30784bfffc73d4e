// The detector of instrumented programs, which reads records from queues in device memory.

package barracuda

import (
	"errors"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Instrumented is a Detector of programs that the pass barracuda has instrumented. It reads the queues while the kernel
// runs.
type Instrumented struct {
	*Detector
	queues  *Queues
	from    *FromRecords
	failure error // error of reading the queues, which Collect returns
}

var _ detect.Polling = (*Instrumented)(nil)

// NewInstrumented makes an Instrumented.
func NewInstrumented(opts Options) (*Instrumented, error) {
	d, err := New(opts)
	if err != nil {
		return nil, err
	}
	i := &Instrumented{Detector: d}
	i.queues, err = NewQueues(DefaultQueues, DefaultCapacity,
		func(r *abi.BarracudaRecord) error { return i.from.Record(r) })
	return i, err
}

// Prepare implements detect.InKernel.
func (i *Instrumented) Prepare(dev abi.Device, shape detect.LaunchShape) error {
	i.failure, i.from = nil, NewFromRecords(shape, i.Op)
	if err := i.queues.Prepare(dev); err != nil {
		return err
	}
	i.Begin(detect.Launch{LaunchShape: shape})
	return nil
}

// Poll implements detect.Polling.
func (i *Instrumented) Poll(dev abi.Device) bool {
	if i.from == nil || i.failure != nil {
		return false
	}
	some, err := i.queues.Poll(dev)
	i.failure = err
	return some
}

// Collect implements detect.InKernel.
func (i *Instrumented) Collect(dev abi.Device) ([]detect.Race, error) {
	err := errors.Join(i.failure, i.queues.Finish(dev))
	i.from = nil
	return i.End(), err
}

// Dropped implements detect.InKernel. It is 0, since warps wait until a queue has room.
func (i *Instrumented) Dropped() uint64 { return 0 }
