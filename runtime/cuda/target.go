// The GPU model of the device, and its properties.

package cuda

import (
	"cmp"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
)

// Target is the compute capability of the device.
type Target struct{ Major, Minor uint32 }

// DefaultTarget is the default: the architecture for which most current programs have code.
var DefaultTarget = Target{8, 0}

// ParseTarget reads an architecture, such as sm_80.
func ParseTarget(text string) (Target, error) {
	var n uint32
	if _, err := fmt.Sscanf(text, "sm_%d", &n); err != nil || n < 30 || n > 199 {
		return Target{}, fmt.Errorf("expected an architecture such as sm_80, found %q", text)
	}
	return Target{n / 10, n % 10}, nil
}

// Properties are the properties of a device that applications query.
type Properties struct {
	Name                                  string
	Target                                Target
	Multiprocessors, ThreadsPerMulti      uint32
	Memory                                uint64 // in bytes, as the others
	SharedPerBlock, SharedOptin, SharedSM uint64
	Registers                             uint32 // per block
	Version                               uint32 // of CUDA: 1000 times the major number plus 10 times the minor one
}

// Properties returns the properties of the device. It has few multiprocessors, because applications derive the size of their
// grids from them.
func (p *Process) Properties() Properties {
	optin, sm := uint64(99<<10), uint64(100<<10)
	if t := p.opts.Target.Major; t >= 9 && t < 12 {
		optin, sm = 227<<10, 228<<10
	}
	return Properties{
		Name: fmt.Sprintf("ptxsan emulated GPU (sm_%d%d)", p.opts.Target.Major, p.opts.Target.Minor), Target: p.opts.Target,
		Multiprocessors: 4, ThreadsPerMulti: 2048, Memory: p.limit(),
		SharedPerBlock: 48 << 10, SharedOptin: optin, SharedSM: sm, Registers: 65536, Version: 13050,
	}
}

// limit returns the size of the device's memory in bytes.
func (p *Process) limit() uint64 {
	return cmp.Or(p.opts.Emulator.MemoryLimit, emu.DefaultMemoryLimit)
}
