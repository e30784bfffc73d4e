// Allocation and clearing of the detector's device memory.

package iguard

import "github.com/ptxsan/ptxsan/runtime/abi"

// largeRegion is the size in bytes from which a region is reallocated rather than overwritten.
const largeRegion = 4 << 20

// provide makes region i at least size bytes long and zero.
func (g *Detector) provide(dev abi.Device, i int, size uint64) error {
	r := &g.regions[i]
	if size <= r.size {
		freer, ok := dev.(abi.Freer)
		if !ok || size <= largeRegion {
			return g.writeZeros(dev, r.addr, size)
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
