// Devices of a process: which memory is whose, and which devices access it (CUDA Runtime API, "Peer Device Memory
// Access").

package cuda

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
)

// peers has, by device, those whose memory it accesses.
type peers map[order.Device]emu.Devices

// several reports whether the application has several devices.
func (o *Options) several() bool { return o.Devices > 1 }

// only returns the set of one device.
func only(d order.Device) emu.Devices { return emu.OnlyDevice(int(d)) }

// exists returns an error unless the application has a device.
func (p *Process) exists(d order.Device) error {
	if uint32(d) >= p.Devices() {
		return errorf(InvalidDevice, "there is no device %d", d)
	}
	return nil
}

// EnablePeer lets kernels of a device access memory of another one.
func (p *Process) EnablePeer(d, peer order.Device) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch err := p.exists(peer); {
	case err != nil:
		return err
	case peer == d:
		return errorf(InvalidDevice, "device %d is no peer of itself", d)
	case p.peers[d]&only(peer) != 0:
		return errorf(PeerAccessAlreadyEnabled, "device %d accesses memory of device %d already", d, peer)
	}
	p.peers[d] |= only(peer)
	return p.permitAll(peer)
}

// DisablePeer undoes EnablePeer.
func (p *Process) DisablePeer(d, peer order.Device) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch err := p.exists(peer); {
	case err != nil:
		return err
	case p.peers[d]&only(peer) == 0:
		return errorf(PeerAccessNotEnabled, "device %d does not access memory of device %d", d, peer)
	}
	p.peers[d] &^= only(peer)
	return p.permitAll(peer)
}

// accessing returns the device and those that access its memory.
func (p *Process) accessing(home order.Device) emu.Devices {
	devices := only(home)
	for d, of := range p.peers {
		if of&only(home) != 0 {
			devices |= only(d)
		}
	}
	return devices
}

// permitAll sets which devices may access the allocations and the variables of a device.
func (p *Process) permitAll(home order.Device) error {
	for _, a := range p.memory.list {
		if a.device == home {
			if err := p.permit(a); err != nil {
				return err
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(p.modules.byID)) {
		if m := p.modules.byID[id]; m.device == home {
			if err := p.permitVariables(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// permit sets which devices may access an allocation: its own one and those with peer access, or those with access to
// the pool. All may access memory of the host. The access to reserved addresses is that of what is mapped there.
func (p *Process) permit(a *allocation) error {
	if !p.opts.several() || a.shared != nil || a.reserved != nil || a.origin != OnDevice {
		return nil
	}
	return a.object.SetDevices(int(a.device), p.permitted(a))
}

// permitted returns the devices that access memory of a device.
func (p *Process) permitted(a *allocation) emu.Devices {
	if a.pool != 0 {
		return a.pool
	}
	return p.accessing(a.device)
}

// barred returns an error if kernels of a device cannot access memory, which there is at an address.
func (p *Process) barred(d order.Device, address uint64) error {
	home, devices := d, only(d)
	if a, v := p.memory.at(address), p.modules.variableAt(address); a == nil && v != nil && v.shared == nil {
		home, devices = v.device, p.accessing(v.device)
	} else if a != nil && a.reserved != nil {
		m := a.mappingAt(address)
		home, devices = m.of.device, m.access
	} else if a != nil && a.shared == nil && a.origin == OnDevice {
		home, devices = a.device, p.permitted(a)
	}
	if devices&only(d) != 0 {
		return nil
	}
	return errorf(InvalidValue, "0x%x is memory of device %d, to which device %d has no access "+
		"(cudaDeviceEnablePeerAccess; to memory of a pool, cudaMemPoolSetAccess; to mapped memory, cuMemSetAccess)",
		address, home, d)
}

// permitVariables sets which devices may access the variables of a module: its own one and those with peer access.
func (p *Process) permitVariables(m *module) error {
	if !p.opts.several() {
		return nil
	}
	return p.session.SetDevices(m.program, int(m.device), p.accessing(m.device))
}

// AllocOfPool allocates memory of a pool of the device home, to which other devices have access as well.
func (p *Process) AllocOfPool(size uint64, home order.Device, devices emu.Devices, in In) (uint64, error) {
	if err := p.exists(home); err != nil {
		return 0, err
	}
	in.Device = home
	address, err := p.Alloc(size, OnDevice, in, nil)
	if err != nil {
		return 0, err
	}
	return address, p.AllowPool(address, devices)
}

// AllowPool sets which devices may access an allocation of a pool, besides that of the pool.
func (p *Process) AllowPool(address uint64, devices emu.Devices) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.base != address || a.origin != OnDevice {
		return errorf(InvalidValue, "0x%x is not the address of memory of a pool", address)
	}
	a.pool = devices | only(a.device)
	return p.permit(a)
}

// resetDevice destroys what a process with several devices has on one of them. What is of the others stays, so that
// each object is freed by itself; a process with one device begins anew (Reset).
func (p *Process) resetDevice(d order.Device) error {
	if p.opts.Leaks {
		for _, a := range p.memory.unfreed() {
			if a.device == d {
				p.faults.left = append(p.faults.left, a)
			}
		}
	}
	if t := p.streams.tracker; t != nil {
		t.EndDevice(d)
	}
	for _, id := range slices.Sorted(maps.Keys(p.modules.byID)) {
		if m := p.modules.byID[id]; m.device == d {
			if err := p.unload(id, m); err != nil {
				return err
			}
		}
	}
	for _, a := range slices.Clone(p.memory.list) {
		if a.device == d && a.reserved == nil && a.origin != ImportedMemory {
			if err := p.free(a, In{Device: d, Sync: true}); err != nil {
				return err
			}
		}
	}
	delete(p.peers, d)
	for other := range p.peers {
		p.peers[other] &^= only(d)
	}
	for home := range order.Device(p.opts.Devices) {
		if err := p.permitAll(home); err != nil {
			return err
		}
	}
	return nil
}

// managedOf returns the addresses of the managed variables of an image that the process has loaded on another device,
// by name.
func (p *Process) managedOf(image []byte, d order.Device) map[string]uint64 {
	if !p.opts.several() {
		return nil
	}
	sum := sha256.Sum256(image)
	addresses := make(map[string]uint64)
	for _, m := range p.modules.byID {
		if m.device == d || m.image != sum {
			continue
		}
		maps.Copy(addresses, m.program.Managed)
		for name, v := range m.variables {
			if v.shared != nil {
				addresses[name] = v.address
			}
		}
	}
	return addresses
}

// deviceOf returns the device of a launch, and an error if its stream is of another one.
func (p *Process) deviceOf(k *Kernel, s order.Stream) (emu.Devices, error) {
	if !p.opts.several() {
		return 0, nil
	}
	d, t := k.module.device, p.streams.tracker
	if t != nil && t.DeviceOf(s) != d || t == nil && s != order.Default(d) {
		return 0, errorf(InvalidHandle, "the stream is not of device %d, on which the kernel has been loaded", d)
	}
	return only(d), nil
}
