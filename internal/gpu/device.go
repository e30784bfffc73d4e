// Devices: a GPU's primary context, and its memory.

package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"unsafe"
)

// Device is a GPU whose primary context is retained. It is not safe for concurrent use.
type Device struct {
	Name       string // such as "NVIDIA H100 80GB HBM3"
	Capability int    // compute capability times ten: 90 for sm_90
	Driver     string // CUDA version of the driver, such as 12.4
	Memory     uint64 // bytes

	d       *driver
	ordinal int32
	ctx     uintptr
	launch  uintptr // stream of kernels
	copies  uintptr // stream of copies, which run concurrently with kernels
	objects Objects
	host    map[uint64][]byte // what AllocHost has reserved, by address
	lost    error             // error after which the context is unusable; nil before
}

// Attributes and flags of cuda.h.
const (
	attributeMajor, attributeMinor = 75, 76
	streamNonBlocking              = 1
	attachGlobal                   = 1
	hostAllocDeviceMap             = 2
)

// Count returns the number of GPUs. The error is ErrNoDriver.
func Count() (int, error) {
	d, err := load()
	if err != nil {
		return 0, err
	}
	var n int32
	if err := d.check("cuDeviceGetCount", d.deviceGetCount(&n)); err != nil {
		return 0, err
	}
	return int(n), nil
}

// Capability returns the compute capability of a GPU, as 80. It creates no context.
func Capability(ordinal int) (int, error) {
	if err := Exists(ordinal); err != nil {
		return 0, err
	}
	d, err := load()
	if err != nil {
		return 0, err
	}
	dev := &Device{d: d}
	err = dev.describe(int32(ordinal))
	return dev.Capability, err
}

// Open retains the primary context of a GPU, counted from 0.
func Open(ordinal int) (*Device, error) {
	if err := Exists(ordinal); err != nil {
		return nil, err
	}
	d, err := load()
	if err != nil {
		return nil, err
	}
	dev := &Device{d: d}
	if err := dev.describe(int32(ordinal)); err != nil {
		return nil, err
	}
	if err := d.check("cuDevicePrimaryCtxRetain", d.primaryCtxRetain(&dev.ctx, dev.ordinal)); err != nil {
		return nil, err
	}
	return dev, dev.do(func() error {
		return errors.Join(
			d.check("cuStreamCreate", d.streamCreate(&dev.launch, streamNonBlocking)),
			d.check("cuStreamCreate", d.streamCreate(&dev.copies, streamNonBlocking)))
	})
}

// Named is Open for a name of a GPU.
func Named(name string) (*Device, error) {
	ordinal, err := Number(name)
	if err != nil {
		return nil, err
	}
	return Open(ordinal)
}

// Number returns the number of a GPU by its name: "gpu" for the first, or "gpu:" and its number.
func Number(name string) (int, error) {
	number, ok := strings.CutPrefix(name+":0", "gpu:")
	ordinal, err := strconv.Atoi(strings.TrimSuffix(number, ":0"))
	if !ok || err != nil {
		return 0, fmt.Errorf("device %q: expected emu, gpu, gpu:N with the number of a GPU, or both", name)
	}
	return ordinal, nil
}

// Exists returns an error if there is no driver, no device, or no device with this number.
func Exists(ordinal int) error {
	n, err := Count()
	switch {
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("%w: the driver knows no device", ErrNoDriver)
	case ordinal < 0 || ordinal >= n:
		return fmt.Errorf("there is no GPU %d: expected 0 to %d", ordinal, n-1)
	}
	return nil
}

// String describes the device.
func (dev *Device) String() string {
	return fmt.Sprintf("%s, sm_%d, %d MiB, CUDA %s", dev.Name, dev.Capability, dev.Memory>>20, dev.Driver)
}

// describe reads the properties of a device that a report includes.
func (dev *Device) describe(ordinal int32) error {
	var name [256]byte
	var major, minor, version int32
	d := dev.d
	if err := d.check("cuDeviceGet", d.deviceGet(&dev.ordinal, ordinal)); err != nil {
		return err
	}
	err := errors.Join(
		d.check("cuDeviceGetName", d.deviceGetName(&name[0], int32(len(name)), dev.ordinal)),
		d.check("cuDeviceGetAttribute", d.deviceGetAttribute(&major, attributeMajor, dev.ordinal)),
		d.check("cuDeviceGetAttribute", d.deviceGetAttribute(&minor, attributeMinor, dev.ordinal)),
		d.check("cuDeviceTotalMem", d.deviceTotalMem(&dev.Memory, dev.ordinal)),
		d.check("cuDriverGetVersion", d.driverGetVersion(&version)))
	name[len(name)-1] = 0
	dev.Name, dev.Capability = cString(&name[0]), int(10*major+minor)
	dev.Driver = fmt.Sprintf("%d.%d", version/1000, version%1000/10)
	return err
}

// Close releases the context. Memory and modules of the device become invalid.
func (dev *Device) Close() error {
	return dev.d.check("cuDevicePrimaryCtxRelease", dev.d.primaryCtxRelease(dev.ordinal))
}

// do calls f with the device's context current on the OS thread. After an error that has destroyed the context, it
// returns that error.
func (dev *Device) do(f func() error) error {
	if dev.lost != nil {
		return fmt.Errorf("the GPU cannot be used any more: %w", dev.lost)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := dev.d.check("cuCtxSetCurrent", dev.d.ctxSetCurrent(dev.ctx)); err != nil {
		return err
	}
	return f()
}

// Alloc reserves zeroed memory.
func (dev *Device) Alloc(name string, size uint64) (uint64, error) {
	var addr uint64
	err := dev.do(func() error {
		if err := dev.d.check("cuMemAlloc", dev.d.memAlloc(&addr, max(size, 1))); err != nil {
			return fmt.Errorf("%s: %d bytes: %w", name, size, err)
		}
		if err := dev.d.check("cuMemsetD8Async", dev.d.memsetD8(addr, 0, size, dev.copies)); err != nil {
			return err
		}
		return dev.d.check("cuStreamSynchronize", dev.d.streamSynchronize(dev.copies))
	})
	if err != nil {
		return 0, err
	}
	dev.objects.Add(Object{Name: name, Addr: addr, Size: size})
	return addr, nil
}

// AllocSparse reserves zeroed memory of which little will be accessed: its pages are created when a kernel accesses
// them. The driver migrates them, so that the memory may exceed that of the GPU.
func (dev *Device) AllocSparse(name string, size uint64) (uint64, error) {
	var addr uint64
	err := dev.do(func() error {
		if err := dev.d.check("cuMemAllocManaged", dev.d.memAllocManaged(&addr, max(size, 1),
			attachGlobal)); err != nil {
			return fmt.Errorf("%s: %d bytes: %w", name, size, err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	dev.objects.Add(Object{Name: name, Addr: addr, Size: size})
	return addr, nil
}

// AllocHost implements Runner. Unified addressing, which all 64-bit systems have, gives the memory one address for host
// and GPU.
func (dev *Device) AllocHost(name string, size uint64) (uint64, error) {
	var p unsafe.Pointer
	err := dev.do(func() error {
		if err := dev.d.check("cuMemHostAlloc", dev.d.memHostAlloc(&p, max(size, 1), hostAllocDeviceMap)); err != nil {
			return fmt.Errorf("%s: %d bytes: %w", name, size, err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	memory := unsafe.Slice((*byte)(p), size)
	clear(memory)
	addr := uint64(uintptr(p))
	if dev.host == nil {
		dev.host = make(map[uint64][]byte)
	}
	dev.host[addr] = memory
	dev.objects.Add(Object{Name: name, Addr: addr, Size: size, Foreign: true, Host: true})
	return addr, nil
}

// Free frees memory, but for that of AllocHost, which the driver frees with the context.
func (dev *Device) Free(addr uint64) error {
	if o, err := dev.objects.Remove(addr); err != nil || o.Foreign {
		return err
	}
	return dev.do(func() error { return dev.d.check("cuMemFree", dev.d.memFree(addr)) })
}

// Describe returns the name of the allocation or variable that contains addr, and the offset in it.
func (dev *Device) Describe(addr uint64) (name string, offset uint64, ok bool) {
	return dev.objects.Describe(addr)
}

// Write copies from host to device memory, also while a kernel runs.
func (dev *Device) Write(addr uint64, p []byte) error {
	return dev.copy(p, func(q unsafe.Pointer) error {
		return dev.d.check("cuMemcpyHtoD", dev.d.memcpyHtoDAsync(addr, q, uint64(len(p)), dev.copies))
	})
}

// Read copies from device to host memory, also while a kernel runs.
func (dev *Device) Read(addr uint64, p []byte) error {
	if o, ok := dev.objects.Find(addr); ok && o.Host {
		if n := copy(p, dev.host[o.Addr][addr-o.Addr:]); n < len(p) {
			return fmt.Errorf("%d bytes at 0x%x: only %d are in %s", len(p), addr, n, o.Name)
		}
		return nil
	}
	return dev.copy(p, func(q unsafe.Pointer) error {
		return dev.d.check("cuMemcpyDtoH", dev.d.memcpyDtoHAsync(q, addr, uint64(len(p)), dev.copies))
	})
}

// copy starts a copy from or to p and waits for it to complete.
func (dev *Device) copy(p []byte, start func(unsafe.Pointer) error) error {
	if len(p) == 0 {
		return nil
	}
	var pin runtime.Pinner
	pin.Pin(&p[0])
	defer pin.Unpin()
	return dev.do(func() error {
		if err := start(unsafe.Pointer(&p[0])); err != nil {
			return err
		}
		return dev.d.check("cuStreamSynchronize", dev.d.streamSynchronize(dev.copies))
	})
}
