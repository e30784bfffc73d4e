// Devices that a process sees (CUDA Programming Guide, "CUDA Environment Variables", CUDA_VISIBLE_DEVICES).

package cuda

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/order"
)

// Visible makes the devices of a list, the value of CUDA_VISIBLE_DEVICES, those of the process, numbered in this order.
// It must come before everything else that concerns the devices. In an application with a single device, all see that
// one. The error is NoDevice if none is left.
func (p *Process) Visible(list string) error {
	if !p.opts.several() {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.visible = p.opts.visible(list)
	if len(p.visible) == 0 {
		return errorf(NoDevice, "CUDA_VISIBLE_DEVICES is %q, which none of the %d devices is", list, p.opts.Devices)
	}
	own := *p.opts
	own.Devices = uint32(len(p.visible))
	p.opts = &own
	if p.streams.tracker != nil {
		p.streams.nameDevices()
	}
	return nil
}

// visible returns the devices of a list, which ends where there is no such device. A device twice is an error, for
// which there are none.
func (o *Options) visible(list string) (devices []order.Device) {
	for _, word := range strings.Split(list, ",") {
		d, found := o.deviceOf(strings.TrimSpace(word))
		if slices.Contains(devices, d) && found {
			return nil
		}
		if !found {
			break
		}
		devices = append(devices, d)
	}
	return devices
}

// deviceOf returns the device of a number, or of the beginning of a UUID.
func (o *Options) deviceOf(word string) (d order.Device, found bool) {
	if n, err := strconv.ParseUint(word, 10, 32); err == nil {
		return order.Device(n), n < uint64(o.Devices)
	}
	if strings.HasPrefix(word, "MIG-") {
		o.note("CUDA_VISIBLE_DEVICES: %s is an instance of a device (MIG), of which there are none here", word)
	}
	if !strings.HasPrefix(word, "GPU-") {
		return 0, false
	}
	for d := range order.Device(o.Devices) {
		if strings.HasPrefix(fmt.Sprintf("GPU-70747873-616e-2065-6d75-6c61746f72%02x", d), word) {
			return d, true
		}
	}
	return 0, false
}

// nameDevices tells the tracker which device of the machine each one is, so that those of other processes can be
// compared with them.
func (s *streams) nameDevices() {
	for d, machine := range s.p.visible {
		s.tracker.NameDevice(order.Device(d), machine)
	}
}
