// Objects: the allocations and variables of a device, by address.

package gpu

import (
	"cmp"
	"fmt"
	"slices"
)

// Object is a named piece of device memory.
type Object struct {
	Name string
	Addr uint64
	Size uint64 // bytes
	// Foreign says that the object is not freed by this package.
	Foreign bool
	// Host says that the object is memory of the host, which remains when the context is lost.
	Host bool
}

// Objects lists objects of a device, sorted by address.
type Objects []Object

func byAddress(o Object, addr uint64) int { return cmp.Compare(o.Addr, addr) }

// Add adds an object.
func (l *Objects) Add(o Object) {
	i, _ := slices.BinarySearchFunc(*l, o.Addr, byAddress)
	*l = slices.Insert(*l, i, o)
}

// Remove removes the object that starts at an address.
func (l *Objects) Remove(addr uint64) (Object, error) {
	i, ok := slices.BinarySearchFunc(*l, addr, byAddress)
	if !ok {
		return Object{}, fmt.Errorf("free of 0x%x: no allocation starts there", addr)
	}
	o := (*l)[i]
	*l = slices.Delete(*l, i, i+1)
	return o, nil
}

// Describe returns the name of the object that contains addr, and the offset in it.
func (l Objects) Describe(addr uint64) (name string, offset uint64, ok bool) {
	o, ok := l.Find(addr)
	if !ok {
		return "", 0, false
	}
	return o.Name, addr - o.Addr, true
}

// Find returns the object that contains addr.
func (l Objects) Find(addr uint64) (o Object, ok bool) {
	i, found := slices.BinarySearchFunc(l, addr, byAddress)
	if !found {
		i--
	}
	if i < 0 || addr-l[i].Addr >= max(l[i].Size, 1) {
		return Object{}, false
	}
	return l[i], true
}
