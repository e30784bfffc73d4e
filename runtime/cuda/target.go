// The GPU that the device passes for, and its properties.

package cuda

import (
	"cmp"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
)

// Target is the GPU that the device passes for.
type Target struct{ Major, Minor uint32 }

// DefaultTarget is what is emulated unless somebody wants another: what most programs of
// today have code for.
var DefaultTarget = Target{8, 0}

// ParseTarget reads an architecture, such as sm_80.
func ParseTarget(text string) (Target, error) {
	var n uint32
	if _, err := fmt.Sscanf(text, "sm_%d", &n); err != nil || n < 30 || n > 199 {
		return Target{}, fmt.Errorf("expected an architecture such as sm_80, found %q", text)
	}
	return Target{n / 10, n % 10}, nil
}

// Properties are what applications ask of a device.
type Properties struct {
	Name                                  string
	Target                                Target
	Multiprocessors, ThreadsPerMulti      uint32
	Memory                                uint64 // bytes, as the others
	SharedPerBlock, SharedOptin, SharedSM uint64
	Registers                             uint32 // of a block
	Version                               uint32 // of CUDA, 1000 times the major number and 10 times the minor one
}

// Properties describes the device. There are few multiprocessors, because applications size
// their grids by them.
func (p *Process) Properties() Properties {
	optin, sm := uint64(99<<10), uint64(100<<10)
	if t := p.opts.Target.Major; t >= 9 && t < 12 {
		optin, sm = 227<<10, 228<<10
	}
	return Properties{
		Name: fmt.Sprintf("ptxsan emulated GPU (sm_%d%d)", p.opts.Target.Major, p.opts.Target.Minor), Target: p.opts.Target,
		Multiprocessors: 4, ThreadsPerMulti: 2048, Memory: p.limit(),
		SharedPerBlock: 48 << 10, SharedOptin: optin, SharedSM: sm, Registers: 65536, Version: 12080,
	}
}

// limit is how much memory the device has, in bytes.
func (p *Process) limit() uint64 {
	return cmp.Or(p.opts.Emulator.MemoryLimit, emu.DefaultMemoryLimit)
}
