// Tensor maps of a process: the results of cuTensorMapEncodeTiled and related functions of the driver API.

package cuda

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// EncodeTensorMap returns the bytes of a tensor map. The error is an *Error.
func (p *Process) EncodeTensorMap(t *gpu.TensorMap) ([]byte, error) {
	described, err := session.DescribeTensorMap(t)
	if err != nil {
		return p.opts.tensorMap(nil, err)
	}
	return p.opts.tensorMap(described.Encode())
}

// MoveTensorMap returns the bytes of a tensor map with another address. The error is an *Error.
func (p *Process) MoveTensorMap(bytes []byte, address uint64) ([]byte, error) {
	if len(bytes) != emu.TensorMapSize {
		return nil, errorf(InvalidValue, "a tensor map of %d bytes", len(bytes))
	}
	return p.opts.tensorMap(emu.MoveTensorMap(bytes, address))
}

// tensorMap returns a tensor map or an *Error. It notes the reason of an error, since CUDA has one number for all
// reasons.
func (o *Options) tensorMap(bytes []byte, err error) ([]byte, error) {
	if err != nil {
		o.note("%v; the application got the error \"invalid value\"", err)
		return nil, errorf(InvalidValue, "%v", err)
	}
	return bytes, nil
}
