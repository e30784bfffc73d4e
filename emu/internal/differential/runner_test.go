// Running the kernel of a program on the emulator.

package differential

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxSteps is far more than any program needs.
const maxSteps = 50_000_000

// Load makes a module from PTX.
func Load(name string, text []byte) (*rewrite.Module, error) {
	ast, err := ptxgrammar.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return rewrite.Load(ast)
}

// A Runner runs programs of one module on one machine.
type Runner struct{ m *emu.Machine }

// NewRunner makes a machine for the module.
func NewRunner(mod *rewrite.Module, cfg emu.Config) (*Runner, error) {
	cfg.MaxSteps = maxSteps
	m, err := emu.New(mod, cfg)
	if err != nil {
		return nil, err
	}
	return &Runner{m}, nil
}

// Run runs a program and returns the resulting memory. A fault is an error.
func (r *Runner) Run(ctx context.Context, p *Program) ([]byte, error) {
	var params []byte
	var addrs []uint64
	for _, content := range [][]byte{p.Input(), p.Memory()} {
		addr, err := r.m.Alloc(p.Kernel(), uint64(len(content)))
		if err != nil {
			return nil, err
		}
		if err := r.m.Write(addr, content); err != nil {
			return nil, err
		}
		addrs = append(addrs, addr)
		params = binary.LittleEndian.AppendUint64(params, addr)
	}
	if err := r.launch(ctx, p, append(params, p.Params()...)); err != nil {
		return nil, err
	}
	memory := make([]byte, memorySize)
	if err := r.m.Read(addrs[1], memory); err != nil {
		return nil, err
	}
	for _, addr := range addrs {
		if err := r.m.Free(addr); err != nil {
			return nil, err
		}
	}
	return Result(memory), nil
}

func (r *Runner) launch(ctx context.Context, p *Program, params []byte) error {
	res, err := r.m.Launch(ctx, emu.LaunchConfig{
		Kernel: p.Kernel(), Params: params,
		Grid: emu.Dim3{X: uint32(p.Grid), Y: 1, Z: 1}, Block: emu.Dim3{X: uint32(p.Block), Y: 1, Z: 1},
	})
	if err != nil {
		return err
	}
	if len(res.Faults) > 0 {
		return res.Faults[0]
	}
	return nil
}

// Describe describes the first difference between two results.
func Describe(got, want []byte) string {
	for i := 0; i+8 <= len(want); i += 8 {
		g, w := binary.LittleEndian.Uint64(got[i:]), binary.LittleEndian.Uint64(want[i:])
		if g == w {
			continue
		}
		if i < maxThreads*8 {
			return fmt.Sprintf("thread %d of the launch computed %#x, the reference %#x", i/8, g, w)
		}
		return fmt.Sprintf("cells at %d hold %#x, in the reference %#x", i-maxThreads*8, g, w)
	}
	return "no difference"
}
