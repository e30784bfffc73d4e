// Devices of an application: which of them may access memory.

package gmem

import (
	"fmt"
	"math/bits"
)

// Devices is a set of devices, a bit for each.
type Devices uint64

// AllDevices is the set of all devices.
const AllDevices = ^Devices(0)

// OnlyDevice returns the set of one device.
func OnlyDevice(number int) Devices { return 1 << number }

// may reports whether threads of the running launch may access memory that a set of devices may access. A launch of a
// program with a single device has no device.
func (mm *Memory) may(d Devices) bool { return mm.Running == 0 || d&mm.Running != 0 }

// SetDevices says which devices may access the allocation that starts at addr, which is memory of the device home. At
// first, all may.
func (mm *Memory) SetDevices(addr uint64, home int, d Devices) {
	a := mm.Find(addr)
	a.home, a.barred = home, ^d
	mm.Forget()
}

// foreign says why the running launch may not access an allocation at all, "" if it may.
func (mm *Memory) foreign(a *Allocation) string {
	if mm.may(^a.barred) {
		return ""
	}
	return fmt.Sprintf(", memory of device %d, to which %s has no peer access (cudaDeviceEnablePeerAccess; to memory of "+
		"a pool, cudaMemPoolSetAccess)", a.home, mm.runningDevice())
}

// runningDevice names the device of the running launch, "" in a program with a single device.
func (mm *Memory) runningDevice() string {
	if mm.Running == 0 {
		return ""
	}
	return fmt.Sprintf("device %d", bits.TrailingZeros64(uint64(mm.Running)))
}
