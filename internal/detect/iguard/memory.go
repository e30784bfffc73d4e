// Allocation and clearing of the detector's device memory.

package iguard

import (
	"errors"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Sizes in bytes. Up to smallRegion, zeros are written. From largeRegion on, a device that cannot zero memory
// reallocates it.
const (
	smallRegion = 64 << 10
	largeRegion = 4 << 20
)

// cleared returns how many of the first bytes of region i, of size bytes, the device library needs to be zero. Of an
// entry only the accessor is read before the library has written it: its flags say what the other sides hold.
func cleared(i int, size uint64) uint64 {
	if i == regionEntries {
		return size / abi.IGuardEntryBytes * abi.IGuardSideBytes
	}
	return size
}

// provide makes region i at least size bytes long, and zero as far as needed.
func (g *Detector) provide(dev abi.Device, i int, size uint64) error {
	r := &g.regions[i]
	if size <= r.size {
		n := cleared(i, size)
		if n > smallRegion {
			if z, ok := dev.(abi.Zeroer); ok {
				if err := z.Zero(r.addr, n); !errors.Is(err, errors.ErrUnsupported) {
					return err
				}
			}
		}
		freer, ok := dev.(abi.Freer)
		if !ok || n <= largeRegion {
			return g.writeZeros(dev, r.addr, n)
		}
		if err := freer.Free(r.addr); err != nil {
			return err
		}
	}
	addr, err := dev.Alloc(regionNames[i], size)
	if err != nil {
		return err
	}
	*r = region{addr, size}
	return nil
}

func (g *Detector) writeZeros(dev abi.Device, addr, size uint64) error {
	const most = 1 << 20
	if n := min(size, most); n > uint64(len(g.zeros)) {
		g.zeros = make([]byte, n)
	}
	for size > 0 {
		n := min(size, uint64(len(g.zeros)))
		if err := dev.Write(addr, g.zeros[:n]); err != nil {
			return err
		}
		addr, size = addr+n, size-n
	}
	return nil
}
