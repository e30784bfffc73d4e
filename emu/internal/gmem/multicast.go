// Multicast objects (CUDA Driver API, "Multicast Object Management"): addresses that stand for memory of several
// devices.

package gmem

import (
	"fmt"
	"slices"
)

// Replica is memory that is bound to a multicast object: bytes at an offset of the object, at an address of their own.
type Replica struct {
	Offset, Addr, Size uint64
}

// Multicast is a multicast object, of which parts are mapped in reserved ranges.
type Multicast struct {
	Size     uint64
	Devices  int       // that the object is for
	Replicas []Replica // of all devices
}

// MapMulticast gives n bytes of a multicast object from byte first on the address addr in a reserved range, where there
// must be nothing. Unmap takes them back.
func (mm *Memory) MapMulticast(addr uint64, of *Multicast, first, n uint64) {
	a := mm.Find(addr)
	from := addr - a.Base
	i, _ := a.reserved.at(from)
	a.reserved.parts = slices.Insert(a.reserved.parts, i, part{from: from, to: from + n, multicast: of, first: first})
	mm.Forget()
}

// Behind returns the addresses of n bytes in the replicas behind a multicast address, or says why there are none.
// Behind another address there is only itself.
func (mm *Memory) Behind(addr, n uint64) (list []uint64, why string) {
	a := mm.Find(addr)
	if a == nil || a.reserved == nil {
		return []uint64{addr}, ""
	}
	i, in := a.reserved.at(addr - a.Base)
	if !in || a.reserved.parts[i].multicast == nil {
		return []uint64{addr}, ""
	}
	p := &a.reserved.parts[i]
	if p.devices == 0 || !mm.may(p.devices) {
		return nil, "is of a multicast object to which there is no access (cuMemSetAccess)"
	}
	off := addr - a.Base - p.from + p.first
	for _, r := range p.multicast.Replicas {
		if off-r.Offset < r.Size && n <= r.Size-(off-r.Offset) {
			list = append(list, r.Addr+off-r.Offset)
		}
	}
	if bound := len(list); bound < p.multicast.Devices {
		return nil, fmt.Sprintf("is of a multicast object for %d devices, of which %d have memory there that is mapped"+
			" (cuMulticastBindMem, cuMemMap)", p.multicast.Devices, bound)
	}
	return list, ""
}

// AsOwner calls access, which accesses a replica behind addr. Devices that may access a multicast object may access its
// replicas, whatever access they have to the memory of these.
func (mm *Memory) AsOwner(addr, replica uint64, access func()) {
	if addr != replica {
		running := mm.Running
		mm.Running = 0
		defer func() { mm.Running = running }()
	}
	access()
}
