// What a parsed test must satisfy as a whole.

package litmus

import (
	"maps"
	"slices"
)

// check returns an error for accesses outside their location, for branches without a target, and for constants that do
// not fit.
func (t *Test) check() error {
	for _, th := range t.Threads {
		labels := map[string]bool{}
		for _, in := range th.Instructions {
			if in.Op == Label {
				if labels[in.Label] {
					return errorAt(in.Pos, `label "%s" is there twice`, in.Label)
				}
				labels[in.Label] = true
			}
		}
		for _, in := range th.Instructions {
			if (in.Op == Branch || in.Op == Goto) && !labels[in.Label] {
				return errorAt(in.Pos, `no label "%s" in thread %s`, in.Label, th.Name)
			}
			if err := in.checkAccess(); err != nil {
				return err
			}
			bits := t.registerBits()
			if in.Accesses() {
				bits = 8 * in.Size
			}
			if err := checkConstants(in.values(), bits); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkAccess returns an error for an access that the format has no meaning for.
func (in *Instruction) checkAccess() error {
	if !in.Accesses() {
		return nil
	}
	switch {
	case in.Off < 0 || in.Off > in.Loc.Size-in.Size:
		return errorAt(in.Pos, "%d bytes at %s+%d: %s has %d bytes", in.Size, in.Loc.Name, in.Off, in.Loc.Name,
			in.Loc.Size)
	case in.Off%in.Size != 0:
		return errorAt(in.Pos, "%d bytes at %s+%d: the offset is not a multiple of the size", in.Size, in.Loc.Name,
			in.Off)
	}
	return nil
}

// Wide reports whether registers have 64 bits: some access has. They have 32 otherwise.
func (t *Test) Wide() bool {
	for _, th := range t.Threads {
		for _, in := range th.Instructions {
			if in.Accesses() && in.Size == 8 {
				return true
			}
		}
	}
	return false
}

// registerBits is the size of registers.
func (t *Test) registerBits() int {
	if t.Wide() {
		return 64
	}
	return 32
}

// checkConstants returns an error for a constant that a number of bits represents neither as a signed nor as an
// unsigned number.
func checkConstants(values []Value, bits int) error {
	for _, v := range values {
		if least := int64(-1) << (bits - 1); v.Reg == "" && bits < 64 && (v.Num < least || v.Num >= -2*least) {
			return errorAt(v.Pos, "%d does not fit into %d bits, expected %d to %d", v.Num, bits, least, -2*least-1)
		}
	}
	return nil
}

// Registers returns the registers of a thread, sorted.
func (t *Thread) Registers() []string {
	all := map[string]bool{}
	for r := range t.Initial {
		all[r] = true
	}
	for _, in := range t.Instructions {
		if in.Dst != "" {
			all[in.Dst] = true
		}
		for _, v := range in.values() {
			if v.Reg != "" {
				all[v.Reg] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// values are all values that an instruction reads.
func (in *Instruction) values() []Value {
	list := slices.Clone(in.Args)
	for _, v := range []*Value{in.ID, in.Quorum} {
		if v != nil {
			list = append(list, *v)
		}
	}
	return list
}

// Variables are the variables of the final states: the registers of all threads, and the locations with memory of their
// own.
func (t *Test) Variables() (list []Variable) {
	for _, th := range t.Threads {
		for _, r := range th.Registers() {
			list = append(list, Variable{th.Name, r})
		}
	}
	for _, l := range t.Locations {
		if l.Of == nil {
			list = append(list, Variable{Name: l.Name})
		}
	}
	return list
}

// constant returns the value of a register that no instruction of the thread changes, or of a constant.
func (t *Thread) constant(v Value) (int64, bool) {
	if v.Reg == "" {
		return v.Num, true
	}
	for _, in := range t.Instructions {
		if in.Dst == v.Reg {
			return 0, false
		}
	}
	return t.Initial[v.Reg], true
}
