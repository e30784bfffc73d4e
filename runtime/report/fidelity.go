// Fidelity: what of a run was computed otherwise than on a device.

package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Fidelity is what of a run was not exactly what a device does. What it does not list has the results that the PTX
// manual defines.
type Fidelity struct {
	// Memory is the memory model of the run: "sc" (loads return the last value that was written) or "ptx" (loads return
	// what the manual's model allows).
	Memory string `json:"memory"`
	// Instructions lists the instructions of the launched kernels that are approximated or refused.
	Instructions []*Inexact `json:"instructions,omitempty"`
	// Libraries has CUDA's libraries, and PyTorch, if the host's processor executed their functions by other code.
	Libraries []StandIn `json:"libraries,omitempty"`
}

// Inexact is a kind of instructions that behave otherwise than on a device.
type Inexact struct {
	What string `json:"what"` // an opcode with its modifiers, or a special register
	// Refused says that a thread that executes one stops with a fault. Otherwise the result is approximate, as Why says.
	Refused bool           `json:"refused,omitempty"`
	Why     string         `json:"why"`
	Kernels map[string]int `json:"kernels"` // by the name in the PTX, the number of such instructions in the code
	First   Operation      `json:"first"`
}

// StandIn is a library of which another implementation was executed.
type StandIn struct {
	Library string `json:"library"`
	Why     string `json:"why"`
}

// AddFidelity adds what was not exact in another part of the run.
func (r *Report) AddFidelity(f *Fidelity) {
	if f == nil {
		return
	}
	if r.Fidelity == nil {
		r.Fidelity = &Fidelity{Memory: f.Memory}
	}
	for _, d := range f.Instructions {
		r.Fidelity.add(d)
	}
	for _, l := range f.Libraries {
		if !slices.Contains(r.Fidelity.Libraries, l) {
			r.Fidelity.Libraries = append(r.Fidelity.Libraries, l)
		}
	}
}

// add adds instructions to those of the same kind.
func (f *Fidelity) add(d *Inexact) {
	i := slices.IndexFunc(f.Instructions, func(x *Inexact) bool {
		return x.What == d.What && x.Refused == d.Refused && x.Why == d.Why
	})
	if i < 0 {
		again := *d
		again.Kernels = maps.Clone(d.Kernels)
		f.Instructions = append(f.Instructions, &again)
		return
	}
	of := f.Instructions[i].Kernels
	for kernel, n := range d.Kernels { // another process, or another module, may have the same kernel
		of[kernel] = max(of[kernel], n)
	}
}

// complete checks what the rest of the package assumes.
func (f *Fidelity) complete() error {
	if f == nil {
		return nil
	}
	if memoryModels[f.Memory] == "" {
		return fmt.Errorf("the memory model of fidelity is %q, expected sc or ptx", f.Memory)
	}
	if slices.ContainsFunc(f.Instructions, func(d *Inexact) bool { return d == nil || len(d.Kernels) == 0 }) {
		return errors.New("instructions of fidelity have no kernels")
	}
	return nil
}

// sort sorts refused instructions before others, and both by names.
func (f *Fidelity) sort() {
	slices.SortStableFunc(f.Instructions, func(a, b *Inexact) int {
		if a.Refused != b.Refused {
			if a.Refused {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Why, b.Why))
	})
	slices.SortFunc(f.Libraries, func(a, b StandIn) int { return cmp.Compare(a.Library, b.Library) })
}

// memoryModels says what the memory models are.
var memoryModels = map[string]string{
	"sc":  "loads return the last value that was written (--memory ptx: what the PTX manual's model allows)",
	"ptx": "loads return what the PTX manual's model allows",
}

// fidelity writes what was not exact, if that is wanted.
func (t *text) fidelity(r *Report) {
	f := r.Fidelity
	if f == nil || !t.Fidelity {
		return
	}
	t.line("FIDELITY: memory model %s: %s", f.Memory, memoryModels[f.Memory])
	for _, d := range f.Instructions {
		how, where := "approximated", ""
		if d.Refused {
			how = "refused"
		}
		count := 0
		for kernel, n := range d.Kernels {
			count, where = count+n, Simple(kernel)
		}
		if n := len(d.Kernels); n > 1 {
			where = plural(uint64(n), "kernel")
		}
		t.line("FIDELITY: %s: %s at %s (%s in %s): %s",
			how, d.What, d.First.at(), plural(uint64(count), "instruction"), where, d.Why)
	}
	for _, l := range f.Libraries {
		t.line("FIDELITY: %s: %s", l.Library, l.Why)
	}
	t.line("FIDELITY: all else: as the PTX manual defines it")
}
