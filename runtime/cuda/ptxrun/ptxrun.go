// Launches of PTX text on memory of the host.

//go:build linux

// Package ptxrun executes PTX kernels on the memory of its own process, for programs that replace CUDA's driver by a library of their
// own. A caller gives PTX text, a grid, a block and the values of the arguments; pointers are addresses of the host.
//
// The package must not know C types, nor the C interface, which is in cmd/libptxrun.
package ptxrun

import (
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strconv"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Runner executes launches. The zero value is ready for use; several goroutines may use it.
type Runner struct {
	// Detector names the detectors that check the launches, as --detector does; "" for none.
	Detector string
	// Output receives what kernels print, and a report of each launch with findings; nil for nothing.
	Output io.Writer

	mu      sync.Mutex
	devices map[cuda.Target]*device
	errors  int
}

// device is the emulated GPU for modules of one target.
type device struct {
	*cuda.Process
	kernels map[string]*cuda.Kernel // by the text of their module
	found   bool                    // something, in the current launch
}

// mostModules is the number of modules that stay loaded.
const mostModules = 256

// Launch describes a launch of the first kernel of a module.
type Launch struct {
	PTX         string
	Grid, Block emu.Dim3
	Shared      uint32 // dynamic shared memory in bytes
	// Args has a value for each parameter, of which the lowest bytes count. One that is an address of writable memory of the process is
	// one in the kernel, which may access all that is mapped there. Addresses within that memory are not translated.
	Args []uint64
}

// Run executes a launch to its end. The error is that of CUDA: a *cuda.Error, also for a kernel that faults.
func (r *Runner) Run(l *Launch) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	d, k, err := r.kernel(l.PTX)
	if err != nil {
		return err
	}
	if len(l.Args) != len(k.Params) {
		return fmt.Errorf("kernel %s has %d parameters, and the launch %d arguments", k.Name, len(k.Params), len(l.Args))
	}
	memory, err := hostMemory()
	if err != nil {
		return err
	}
	params, err := d.params(k, l.Args, memory)
	if err == nil {
		d.found = false
		err = d.Launch(&cuda.Launch{Kernel: k.ID, Grid: l.Grid, Block: l.Block, Shared: l.Shared, Params: params, In: cuda.In{Sync: true}}, r.Output)
	}
	if d.found {
		rep := d.Ended("")
		r.errors += rep.Count(report.Error)
		if r.Output != nil {
			_ = rep.WriteText(r.Output, report.TextOptions{}) // nobody could be told
		}
	}
	for _, m := range memory {
		if m.device == 0 {
			continue
		}
		if freed := d.Free(m.device, cuda.In{Sync: true}); err == nil {
			err = freed
		}
	}
	return err
}

// Errors returns the number of findings of severity error so far.
func (r *Runner) Errors() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.errors
}

var (
	targetOf = regexp.MustCompile(`(?m)^\s*\.target\s+sm_(\d+)`)
	entryOf  = regexp.MustCompile(`\.entry\s+([\w$%]+)`)
)

// kernel returns the first kernel of a module, and the device that has it.
func (r *Runner) kernel(text string) (*device, *cuda.Kernel, error) {
	target, entry := targetOf.FindStringSubmatch(text), entryOf.FindStringSubmatch(text)
	if target == nil || entry == nil {
		return nil, nil, fmt.Errorf("expected PTX with .target and .entry, found %.40q", text)
	}
	number, err := strconv.ParseUint(target[1], 10, 16)
	if err != nil {
		return nil, nil, fmt.Errorf(".target sm_%s: %w", target[1], err)
	}
	d, err := r.device(cuda.Target{Major: uint32(number / 10), Minor: uint32(number % 10)})
	if err != nil {
		return nil, nil, err
	}
	if k := d.kernels[text]; k != nil {
		return d, k, nil
	}
	if len(d.kernels) == mostModules {
		for _, k := range d.kernels {
			if err = d.Unload(k.Module); err != nil {
				return nil, nil, err
			}
		}
		clear(d.kernels)
	}
	id, err := d.LoadModule([]byte(text))
	if err != nil {
		return nil, nil, err
	}
	k, err := d.Kernel(id, entry[1])
	if err == nil {
		d.kernels[text] = k
	}
	return d, k, err
}

// device returns the device for modules of a target.
func (r *Runner) device(target cuda.Target) (*device, error) {
	if d := r.devices[target]; d != nil {
		return d, nil
	}
	name := r.Detector
	if name == "" {
		name = "precise"
	}
	list, err := session.ParseDetectors(name)
	if err != nil {
		return nil, err
	}
	d := &device{kernels: make(map[string]*cuda.Kernel)}
	opts := &cuda.Options{Detectors: list, Target: target, Emulator: emu.Config{Workers: runtime.NumCPU()}}
	opts.Watch = func(string) bool { return r.Detector != "" }
	opts.Finding = func(_, _ int) { d.found = true }
	if d.Process, err = cuda.NewProcess(opts, 1); err != nil {
		return nil, err
	}
	if r.devices == nil {
		r.devices = make(map[cuda.Target]*device)
	}
	r.devices[target] = d
	return d, nil
}

// params returns the parameters of a kernel, and makes the memory that its arguments point to the device's.
func (d *device) params(k *cuda.Kernel, args []uint64, memory []*mapped) ([]byte, error) {
	var block []byte
	for i, p := range k.Params {
		value := args[i]
		if p.Size > 8 {
			return nil, fmt.Errorf("parameter %d of kernel %s has %d bytes, expected at most 8", i+1, k.Name, p.Size)
		}
		if m := mappedAt(memory, value); m != nil && p.Size == 8 {
			if m.device == 0 {
				var err error
				if m.device, err = d.Alloc(m.end-m.start, cuda.ManagedMemory, cuda.In{Sync: true}, m.mapping); err != nil {
					return nil, err
				}
			}
			value += m.device - m.start
		}
		var bytes [8]byte
		binary.LittleEndian.PutUint64(bytes[:], value)
		block = append(append(block, make([]byte, int(p.Offset)-len(block))...), bytes[:p.Size]...)
	}
	return block, nil
}
