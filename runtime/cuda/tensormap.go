// Tensor maps of a process: what cuTensorMapEncodeTiled and the others of the driver API make.

package cuda

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/gpu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// EncodeTensorMap is the bytes of a tensor map. The error is an *Error.
func (p *Process) EncodeTensorMap(t *gpu.TensorMap) ([]byte, error) {
	described, err := session.DescribeTensorMap(t)
	if err != nil {
		return p.tensorMap(nil, err)
	}
	return p.tensorMap(described.Encode())
}

// MoveTensorMap is the bytes of a tensor map with another address. The error is an *Error.
func (p *Process) MoveTensorMap(bytes []byte, address uint64) ([]byte, error) {
	if len(bytes) != emu.TensorMapSize {
		return nil, errorf(InvalidValue, "a tensor map of %d bytes", len(bytes))
	}
	return p.tensorMap(emu.MoveTensorMap(bytes, address))
}

// tensorMap is a tensor map, or why there is none, which people are told: CUDA has one number for all reasons.
func (p *Process) tensorMap(bytes []byte, err error) ([]byte, error) {
	if err != nil {
		p.note("%v; the application got the error \"invalid value\"", err)
		return nil, errorf(InvalidValue, "%v", err)
	}
	return bytes, nil
}
