// Reserved address ranges, and memory that is mapped in them.

package session

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
)

// Handle is memory of the emulated devices of a session without an address: see emu.Device.Map.
type Handle struct{ on map[*run]*emu.Handle }

// emulated calls a function with each device of the session, which must be emulated.
func (s *Session) emulated(do func(*run, devices.EmulatedDevice) error) error {
	for _, r := range s.runs {
		d, ok := r.dev.(devices.EmulatedDevice)
		if !ok {
			return badinput.Errorf("memory is mapped on emulated devices only")
		}
		if err := do(r, d); err != nil {
			return badinput.Wrap(err)
		}
	}
	return nil
}

// Reserve reserves a range of addresses, of which parts get memory by Map. Align is a power of two.
func (s *Session) Reserve(name string, size uint64, align uint32) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes, _ := launch.TypeOf("u8")
	o := &Object{s: s, name: name, elem: bytes, size: size}
	return o, s.add(o, func(r *run) (addr uint64, err error) {
		d, ok := r.dev.(devices.EmulatedDevice)
		if !ok {
			return 0, badinput.Errorf("addresses are reserved on emulated devices only")
		}
		return d.Reserve(name, size, align)
	})
}

// NewHandle makes memory without an address. The name is that in messages.
func (s *Session) NewHandle(name string, size uint64) (*Handle, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &Handle{on: make(map[*run]*emu.Handle)}
	return h, s.emulated(func(r *run, d devices.EmulatedDevice) (err error) {
		h.on[r], err = d.NewHandle(name, size)
		return err
	})
}

// EndHandle frees the memory of a handle, of which nothing may be mapped.
func (s *Session) EndHandle(h *Handle) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulated(func(r *run, d devices.EmulatedDevice) error {
		d.EndHandle(h.on[r])
		return nil
	})
}

// Map gives a part of a reserved range, where there must be no memory, size bytes of a handle from byte first on.
func (o *Object) Map(offset uint64, h *Handle, first, size uint64) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.emulated(func(r *run, d devices.EmulatedDevice) error {
		d.Map(o.at(r)+offset, h.on[r], first, size)
		return nil
	})
}

// MapMulticast maps size bytes of a multicast object from byte first on: see emu.Device.MapMulticast.
func (o *Object) MapMulticast(offset uint64, of *emu.Multicast, first, size uint64) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.emulated(func(r *run, d devices.EmulatedDevice) error {
		d.MapMulticast(o.at(r)+offset, of, first, size)
		return nil
	})
}

// SetDevices says which devices of the application may access the object, which is memory of the device home.
func (o *Object) SetDevices(home int, by emu.Devices) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.emulated(func(r *run, d devices.EmulatedDevice) error {
		d.SetDevices(o.at(r), home, by)
		return nil
	})
}

// SetDevices says which devices of the application may access the variables of a loaded program, which is on the device
// home.
func (s *Session) SetDevices(p *Program, home int, by emu.Devices) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulated(func(r *run, _ devices.EmulatedDevice) error {
		r.loaded[p].placed.(devices.EmulatedMachine).SetDevices(home, by)
		return nil
	})
}

// Unmap undoes a Map, or without a handle a MapMulticast. The handle has the contents from then on, if keep is set.
func (o *Object) Unmap(offset, size uint64, h *Handle, first uint64, keep bool) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.emulated(func(r *run, d devices.EmulatedDevice) error {
		var into *emu.Handle
		if keep {
			into = h.on[r]
		}
		return d.Unmap(o.at(r)+offset, size, into, first)
	})
}

// Allow says which devices of the application may access mapped memory of a reserved range.
func (o *Object) Allow(offset, size uint64, allowed emu.Devices) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.emulated(func(r *run, d devices.EmulatedDevice) error {
		d.Allow(o.at(r)+offset, size, allowed)
		return nil
	})
}
