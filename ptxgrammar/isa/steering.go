// What instructions do with the values that steer them, as internal/steer asks.

package isa

// Prefetches reports whether the instruction loads no value: where it goes shows nowhere.
func (d *Decoded) Prefetches() bool { return d.Instr.Name == "prefetch" || d.Has("prefetch") }

// ActiveMask reports whether the result is the set of threads that happen to execute the instruction together.
func (d *Decoded) ActiveMask() bool { return d.Instr.Name == "activemask" }

// Fabric reports whether the instruction accesses memory of other devices.
func (d *Decoded) Fabric() bool { return d.Instr.Name == "fabric" }

// SizesCopy reports whether an operand, by its name, is the size of a copy, or of an allocation on the stack.
func (d *Decoded) SizesCopy(operand string) bool {
	return d.Instr.Name == "cp" || d.Fabric() || d.Instr.Name == "alloca" || d.Instr.Name == "st" && operand == "size"
}

// CancelsLaunch reports whether the instruction asks for the cancellation of a cluster that has not started.
func (d *Decoded) CancelsLaunch() bool { return d.Instr.Name == "clusterlaunchcontrol" }
