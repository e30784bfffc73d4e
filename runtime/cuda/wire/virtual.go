//go:build linux

// Requests of virtual memory management, and about logical endpoints.

package wire

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

// virtual executes the request.
func (c *connection) virtual(f *fields) ([]byte, error) {
	p, what := c.device, virtual(f.U64())
	var a [4]uint64
	for i := range a {
		a[i] = f.U64()
	}
	if f.Bad {
		return nil, nil
	}
	result, err := uint64(0), error(nil)
	switch what {
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
		err = p.SetAccess(a[0], a[1], uint32(a[2]))
	case virtualAccess:
		var access uint32
		access, err = p.Access(a[0])
		result = uint64(access)
	case virtualRetain:
		result, err = p.Retain(a[0])
	case virtualCreate:
		result, err = p.Create(a[0], f.Rest, c.in)
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
	p, what := c.device, endpoint(f.U64())
	var a [5]uint64
	for i := range a {
		a[i] = f.U64()
	}
	if f.Bad {
		return nil, nil
	}
	result, err := uint64(0), error(nil)
	switch what {
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
