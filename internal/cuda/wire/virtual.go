//go:build linux

// Requests of virtual memory management, and about logical endpoints and multicast objects.

package wire

import "github.com/ptxsan/ptxsan/internal/order"

// virtual is what a request of virtual memory management asks for. The numbers are those of wire.h.
type virtual uint64

const (
	virtualReserve virtual = iota
	virtualUnreserve
	virtualRelease
	virtualMap
	virtualUnmap
	virtualAllow
	virtualAccess
	virtualRetain
	virtualCreate
	virtualProperties
)

// numbered reads what a request asks for, and its n numbers.
func numbered(f *fields, n int) (what uint64, numbers []uint64) {
	what, numbers = f.U64(), make([]uint64, n)
	for i := range numbers {
		numbers[i] = f.U64()
	}
	return what, numbers
}

// virtual executes the request.
func (c *connection) virtual(f *fields) ([]byte, error) {
	p, result, err := c.device, uint64(0), error(nil)
	what, a := numbered(f, 4)
	if f.Bad {
		return nil, nil
	}
	switch virtual(what) {
	case virtualReserve:
		result, err = p.Reserve(a[0], a[1])
	case virtualUnreserve:
		err = p.Unreserve(a[0], a[1])
	case virtualRelease:
		err = p.Release(a[0])
	case virtualMap:
		err = p.Map(a[0], a[1], a[2], a[3])
	case virtualUnmap:
		err = p.Unmap(a[0], a[1], c.in)
	case virtualAllow:
		err = p.SetAccess(a[0], a[1], uint32(a[2]), order.Device(a[3]))
	case virtualAccess:
		var access uint32
		access, err = p.Access(a[0], order.Device(a[1]))
		result = uint64(access)
	case virtualRetain:
		result, err = p.Retain(a[0])
	case virtualCreate:
		result, err = p.Create(a[0], order.Device(a[1]), f.Rest, c.in)
	case virtualProperties:
		return p.HandleProperties(a[0])
	default:
		f.Bad = true
	}
	return le.AppendUint64(nil, result), err
}

// endpoint is what a request about logical endpoints asks for. The numbers are those of wire.h.
type endpoint uint64

const (
	endpointReserve endpoint = iota
	endpointRelease
	endpointCreate
	endpointDestroy
	endpointQuery
	endpointBind
	endpointBindAddress
	endpointUnbind
)

// endpoint executes the request.
func (c *connection) endpoint(f *fields) ([]byte, error) {
	p, result, err := c.device, uint64(0), error(nil)
	what, a := numbered(f, 5)
	if f.Bad {
		return nil, nil
	}
	switch endpoint(what) {
	case endpointReserve:
		result, err = p.ReserveEndpoints(a[1])
	case endpointRelease:
		err = p.ReleaseEndpoints(a[0], a[1])
	case endpointCreate:
		err = p.CreateEndpoint(a[0], a[1])
	case endpointDestroy:
		err = p.DestroyEndpoint(a[0])
	case endpointQuery:
		result, err = p.QueryEndpoints(a[0], a[1])
	case endpointBind:
		err = p.Bind(a[0], a[1], a[2], a[3], a[4])
	case endpointBindAddress:
		err = p.BindAddress(a[0], a[1], a[2], a[3])
	case endpointUnbind:
		err = p.Unbind(a[0], a[1], a[2])
	default:
		f.Bad = true
	}
	return le.AppendUint64(nil, result), err
}

// multicast is what a request about multicast objects asks for. The numbers are those of wire.h.
type multicast uint64

const (
	multicastCreate multicast = iota
	multicastAdd
	multicastBind
	multicastBindAddress
	multicastUnbind
)

// multicast executes the request.
func (c *connection) multicast(f *fields) ([]byte, error) {
	p, result, err := c.device, uint64(0), error(nil)
	what, a := numbered(f, 5)
	if f.Bad {
		return nil, nil
	}
	switch multicast(what) {
	case multicastCreate:
		result, err = p.CreateMulticast(a[1], a[2], c.in)
	case multicastAdd:
		err = p.AddToMulticast(a[0], order.Device(a[1]))
	case multicastBind:
		err = p.BindMulticast(a[0], a[1], a[2], a[3], a[4])
	case multicastBindAddress:
		err = p.BindMulticastAddress(a[0], a[1], a[2], a[3])
	case multicastUnbind:
		err = p.UnbindMulticast(a[0], order.Device(a[1]), a[2], a[3])
	default:
		f.Bad = true
	}
	return le.AppendUint64(nil, result), err
}
