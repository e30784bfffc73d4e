// Parts of memory that a program divides into regions: see emu.Device.Divide.

package session

import "github.com/ptxsan/ptxsan/runtime/session/internal/devices"

// Divide makes size bytes of the object from an offset on a heap, which has the name in messages: kernels may access only
// regions of it. Undivide undoes that.
func (o *Object) Divide(offset, size uint64, name string) error {
	return o.onDevices(func(d devices.EmulatedDevice, at uint64) { d.Divide(at+offset, size, name) })
}

// Undivide undoes Divide.
func (o *Object) Undivide(offset uint64) error {
	return o.onDevices(func(d devices.EmulatedDevice, at uint64) { d.Undivide(at + offset) })
}

// Region makes size bytes from an offset on a region of a heap, and EndRegion ends it.
func (o *Object) Region(offset, size uint64, name string) error {
	return o.onDevices(func(d devices.EmulatedDevice, at uint64) { d.Region(at+offset, size, name) })
}

// EndRegion undoes Region.
func (o *Object) EndRegion(offset uint64) error {
	return o.onDevices(func(d devices.EmulatedDevice, at uint64) { d.EndRegion(at + offset) })
}

// NameRegion names the region or the heap that begins at an offset.
func (o *Object) NameRegion(offset uint64, name string) error {
	return o.onDevices(func(d devices.EmulatedDevice, at uint64) { d.NameRegion(at+offset, name) })
}

// onDevices calls a function with each device, and with the address of the object there.
func (o *Object) onDevices(do func(d devices.EmulatedDevice, at uint64)) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.emulated(func(r *run, d devices.EmulatedDevice) error {
		do(d, o.at(r))
		return nil
	})
}
