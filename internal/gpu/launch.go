// Launches: starting a kernel, waiting for its end, and its faults.

package gpu

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

// Launch is one launch of a kernel.
type Launch struct {
	Kernel               string
	Grid, Block, Cluster [3]uint32 // Cluster is zero for the kernel's required extent, or none
	Shared               uint32    // dynamic shared memory, bytes
	Cooperative          bool
	Params               []byte // the parameters, laid out as the PTX declares them
}

// Fault is the reason why a kernel was stopped. Class is out-of-bounds, misaligned, assert, trap or timeout. The
// context of the device is lost with it.
type Fault struct{ Class, Message string }

func (f *Fault) Error() string { return f.Message }

// classes maps driver errors that a kernel causes to classes of faults.
var classes = map[result]string{
	illegalAddress: "out-of-bounds", misaligned: "misaligned", assertFailed: "assert", launchTimeout: "timeout",
	illegalOpcode: "trap", invalidSpace: "out-of-bounds", invalidCounter: "trap", launchFailed: "trap",
}

// launchConfig is CUlaunchConfig.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	_           uint32
	stream      uintptr
	attributes  *launchAttribute
	count       uint32
	_           uint32
}

// launchAttribute is CUlaunchAttribute.
type launchAttribute struct {
	id    uint32
	_     uint32
	value [16]uint32
}

// Launch attributes, function attributes and parameter kinds of cuda.h.
const (
	attributeCooperative, attributeCluster = 2, 4
	attributeStaticShared                  = 1
	attributeDynamicShared                 = 8
	staticLimit                            = 48 << 10 // dynamic shared memory that needs no attribute
	paramEnd, paramPointer, paramSize      = 0, 1, 2
)

// Run launches a kernel and waits for its end. Unless poll is nil, Run calls it repeatedly while the kernel runs, and
// poll may read and write memory. The error is a *Fault when the kernel was stopped, and that of the context when the
// context ended first: the kernel keeps running then, and the device is lost.
func (m *Module) Run(ctx context.Context, l Launch, poll func() error) error {
	err := m.dev.do(func() error { return m.start(&l) })
	var refused *Error
	if errors.As(err, &refused) && classes[result(refused.Code)] != "" { // the driver waits for the end of the kernel
		return m.dev.fault(result(refused.Code))
	}
	if err != nil {
		return err
	}
	return m.dev.wait(ctx, poll)
}

// start adds a launch to the stream of kernels.
func (m *Module) start(l *Launch) error {
	f, err := m.kernel(l.Kernel)
	if err != nil {
		return err
	}
	d := m.dev.d
	if l.Shared > staticLimit {
		if err := d.check("cuFuncSetAttribute", d.funcSetAttribute(f, attributeDynamicShared,
			int32(l.Shared))); err != nil {
			return err
		}
	}
	params := append(l.Params, 0) // so that there is a first byte
	size := uint64(len(l.Params))
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&params[0])
	pin.Pin(&size)
	extra := [...]uintptr{
		paramPointer, uintptr(unsafe.Pointer(&params[0])), paramSize, uintptr(unsafe.Pointer(&size)),
		paramEnd,
	}
	pin.Pin(&extra[0])
	if !l.Cooperative && l.Cluster == [3]uint32{} {
		g, b := l.Grid, l.Block
		return d.check("cuLaunchKernel", d.launchKernel(f, g[0], g[1], g[2], b[0], b[1], b[2], l.Shared, m.dev.launch,
			nil, unsafe.Pointer(&extra[0])))
	}
	if d.launchKernelEx == nil {
		return errors.New("cooperative launches and clusters need a driver of CUDA 11.8 or newer")
	}
	attributes := l.attributes()
	pin.Pin(&attributes[0])
	config := launchConfig{
		grid: l.Grid, block: l.Block, shared: l.Shared, stream: m.dev.launch,
		attributes: &attributes[0], count: uint32(len(attributes)),
	}
	return d.check("cuLaunchKernelEx", d.launchKernelEx(&config, f, nil, unsafe.Pointer(&extra[0])))
}

// attributes returns the attributes of a launch that is cooperative or has clusters.
func (l *Launch) attributes() (list []launchAttribute) {
	if l.Cooperative {
		list = append(list, launchAttribute{id: attributeCooperative, value: [16]uint32{1}})
	}
	if l.Cluster != [3]uint32{} {
		a := launchAttribute{id: attributeCluster}
		copy(a.value[:], l.Cluster[:])
		list = append(list, a)
	}
	return list
}

// Pauses between checks of a running kernel.
const (
	firstPause = 10 * time.Microsecond
	lastPause  = time.Millisecond
)

// wait waits until the stream of kernels is empty.
func (dev *Device) wait(ctx context.Context, poll func() error) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		var r result
		if err := dev.do(func() error { r = dev.d.streamQuery(dev.launch); return nil }); err != nil {
			return err
		}
		if r == success {
			return nil
		}
		if r != notReady {
			return dev.fault(r)
		}
		if poll != nil {
			if err := poll(); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			dev.lost = fmt.Errorf("a kernel still runs: %w", context.Cause(ctx))
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// fault returns the error of a kernel that the driver has stopped.
func (dev *Device) fault(r result) error {
	err := dev.d.check("the kernel was ended", r)
	dev.lost = err
	if f := FaultOf(int(r), dev.d.text(r)); f != nil {
		return f
	}
	return err
}
