// Fat binaries that an application registers with NVIDIA's runtime, which may load them in ways that the shim does not
// see. The runtime gets instrumented PTX, and a module is adopted when one of its kernels is launched. Also libraries,
// which the driver loads in other contexts by itself.

package attached

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/embed"
	"github.com/ptxsan/ptxsan/internal/fatbin"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// numberVariable is the variable of registered PTX that holds its number (attached_module.c).
const numberVariable = "__ptxsan_module"

// errRegistered says that an image was instrumented when it was registered.
var errRegistered = errors.New("the image is instrumented")

// register instruments the image of a fat binary. The reply is a fat binary with only the instrumented PTX.
func (p *process) register(image []byte) (int32, []byte, error) {
	p.loads++
	program, err := cuda.ReadProgram(p.loads, image, p.opts.Target)
	var made []byte
	if err == nil {
		made, err = p.text(program)
	}
	if err == nil {
		made, err = embed.New(program.Module.AST.File.Name, numbered(made, p.loads), fatbin.Uncompressed)
	}
	if err != nil {
		p.note("module %d is not checked: %v", p.loads, why(err))
		return resultPassed, nil, nil
	}
	p.registered[p.loads] = program
	return resultDone, made, nil
}

// numbered adds the variable with the number of the module, on the line of the address size.
func numbered(ptx []byte, number uint64) []byte {
	line := []byte(".address_size 64")
	variable := fmt.Appendf(nil, "%s .visible .global .align 8 .u64 %s = %d;", line, numberVariable, number)
	return bytes.Replace(ptx, line, variable, 1)
}

// text returns the instrumented PTX of a program, which is the same each time.
func (p *process) text(program *session.Program) ([]byte, error) {
	w := &writer{}
	s, err := session.Open(session.Options{
		Detectors: p.opts.Detectors, Emulator: p.opts.Emulator, Refuted: true,
		GPU: w,
	})
	if err == nil {
		err = s.Load(program)
	}
	if err == nil {
		err = s.Ready()
	}
	return w.ptx, err
}

// writer is a GPU that records the PTX to be compiled.
type writer struct {
	gpu.Runner
	ptx []byte
}

func (w *writer) Compile(ptx []byte) (gpu.Code, error) {
	w.ptx = ptx
	return nil, nil
}

// adopt adds a module that the runtime has loaded from a registered image. The reply is its number, and the names of
// its kernels, each with a zero byte.
func (p *process) adopt(handle, number, loaded uint64) (int32, []byte, error) {
	program := p.registered[number]
	c, err := p.context(handle)
	if err != nil || program == nil {
		return resultPassed, nil, ignored(err)
	}
	c.device.loaded = loaded
	m, err := c.take(program)
	c.device.loaded = 0
	if err != nil {
		if !broken(err) {
			p.note("module %d is not checked: %v", number, err)
		}
		return resultPassed, nil, ignored(err)
	}
	p.loads++
	p.modules[p.loads] = m
	reply := le.AppendUint64(nil, p.loads)
	for _, k := range program.Module.Kernels() {
		reply = append(append(reply, k.Name...), 0)
	}
	return resultDone, reply, nil
}

// in returns a module in a context: the driver loads a library into each context that uses it.
func (p *process) in(m *module, id, handle uint64) (*module, error) {
	c, err := p.context(handle)
	if err != nil || c == m.context {
		return m, err
	}
	if other := m.others[c]; other != nil {
		return other, nil
	}
	loaded, err := p.line.numbers(commandModule, []uint64{id}, nil, 1)
	if err != nil {
		return nil, fmt.Errorf("its module is that of another context: %w", err)
	}
	c.device.loaded = loaded[0]
	other, err := c.take(m.program)
	c.device.loaded = 0
	if err != nil {
		return nil, err
	}
	if m.others == nil {
		m.others = make(map[*gpuContext]*module)
	}
	m.others[c] = other
	return other, nil
}
