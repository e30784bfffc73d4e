// The GPU model of the device, and its properties.

package cuda

import (
	"cmp"
	"fmt"
	"os"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
	"github.com/ptxsan/ptxsan/internal/fatbin"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Target is the compute capability of the device.
type Target struct{ Major, Minor uint32 }

// DefaultTarget is the architecture of the device for programs that have no code of their own for a later one.
var DefaultTarget = Target{8, 0}

// mostScanned is the size of the largest executable file whose code is looked at, in bytes.
const mostScanned = 512 << 20

// TargetOf returns the device for an executable file: the highest architecture that its code is for, of those that are
// known, at least DefaultTarget; or the first one on which kernels have the attributes with which the file launches
// them, if it has PTX, which is for later devices, too. Code in libraries does not count: those of frameworks have it
// for every device.
func TargetOf(executable string) Target {
	highest, portable := DefaultTarget, false
	if info, err := os.Stat(executable); err != nil || info.Size() > mostScanned {
		return highest
	}
	data, err := os.ReadFile(executable)
	if err != nil {
		return highest
	}
	file, err := fatbin.Open(executable, data)
	if err != nil {
		return highest
	}
	for _, m := range file.Modules {
		for _, e := range m.Entries {
			t, err := ParseTarget(e.Target())
			portable = portable || e.Kind == fatbin.KindPTX
			if err == nil && !isa.NewerTarget(e.Target()) &&
				(t.Major > highest.Major || t.Major == highest.Major && t.Minor > highest.Minor) {
				highest = t
			}
		}
	}
	if highest.Major < dependentSince && portable && callsite.Calls(executable, attributed) {
		return Target{Major: dependentSince}
	}
	return highest
}

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
	Devices                               uint32 // with these properties
}

// MaxMultiprocessors is the greatest number of multiprocessors that a device may report.
const MaxMultiprocessors = 1024

// MaxDevices is the greatest number of devices that an application may have.
const MaxDevices = 16

// DefaultMultiprocessors is how many a device reports: few, because applications derive the size of their grids from them.
const DefaultMultiprocessors = 4

// Devices returns how many devices the process has.
func (p *Process) Devices() uint32 { return max(p.opts.Devices, 1) }

// Properties returns the properties of each of the devices.
func (p *Process) Properties() Properties {
	optin, sm := uint64(99<<10), uint64(100<<10)
	if t := p.target.Major; t >= 9 && t < 12 {
		optin, sm = 227<<10, 228<<10
	}
	return Properties{
		Name: fmt.Sprintf("ptxsan emulated GPU (sm_%d%d)", p.target.Major, p.target.Minor), Target: p.target,
		Multiprocessors: cmp.Or(p.opts.Multiprocessors, DefaultMultiprocessors), ThreadsPerMulti: 2048, Memory: p.opts.limit(),
		SharedPerBlock: 48 << 10, SharedOptin: optin, SharedSM: sm, Registers: 65536, Version: 13050,
		Devices: p.Devices(),
	}
}

// limit returns the size of the device's memory in bytes.
func (o *Options) limit() uint64 {
	return cmp.Or(o.Emulator.MemoryLimit, emu.LongMemoryLimit)
}
