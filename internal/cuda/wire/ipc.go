//go:build linux

// Requests about memory and events that processes share.

package wire

// What a request about them asks for. The numbers are those of wire.h.
const (
	shareExport      = iota // address; number of the handle
	shareOpen               // number of the handle; address
	shareClose              // address
	shareExportEvent        // event; number of the handle
	shareOpenEvent          // number of the handle, event
)

// share executes the request.
func (c *connection) share(f *fields) (reply []byte, err error) {
	p, result := c.device, uint64(0)
	what, a := numbered(f, 2)
	if f.Bad {
		return nil, nil
	}
	switch what {
	case shareExport:
		result, err = p.Export(a[0])
	case shareOpen:
		result, err = p.Import(a[0], c.in)
	case shareClose:
		err = p.CloseImported(a[0])
	case shareExportEvent:
		result, err = p.ExportEvent(a[0])
	case shareOpenEvent:
		err = p.OpenEvent(a[0], a[1])
	default:
		f.Bad = true
	}
	return le.AppendUint64(nil, result), err
}
