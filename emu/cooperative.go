package emu

import "fmt"

// Cooperative launches: all blocks are resident at a time, so that they can wait for each
// other, and the driver provides a workspace in device memory, which holds the barrier of
// the grid that cooperative_groups::this_grid().sync() uses. Its header reads the
// address of the workspace from two special registers.
const (
	workspaceHigh = "%envreg1"
	workspaceLow  = "%envreg2"
	workspaceSize = 4096
)

// cooperate makes a launch cooperative. All launches on a device use one workspace, one
// after the other; every launch finds it zeroed.
func (m *Machine) cooperate(l *launch) error {
	name := l.kernel.src.Name
	if l.total > uint64(l.limit) {
		return fmt.Errorf("kernel %s: a cooperative launch needs all of its %d blocks resident, only %d may be", name, l.total, l.limit)
	}
	if err := m.AllocWorkspace(); err != nil {
		return fmt.Errorf("kernel %s: %w", name, err)
	}
	l.workspace = m.workspace
	return m.Write(l.workspace, make([]byte, workspaceSize))
}

// AllocWorkspace allocates the workspace of cooperative launches, unless there is one. The
// first cooperative launch does otherwise; a host that has to know all allocations
// before, such as a detector's, calls it.
func (d *Device) AllocWorkspace() error {
	if d.workspace != 0 {
		return nil
	}
	addr, err := d.Alloc("workspace of cooperative launches", workspaceSize)
	if err != nil {
		return fmt.Errorf("workspace of cooperative launches: %w", err)
	}
	d.workspace = addr
	d.SetInitialised(addr)
	return nil
}

// likelyCause is what to say of a fault that looks like that of grid.sync() in a
// launch that is not cooperative: its workspace is at 0, which the header traps for,
// and other code accesses.
func (l *launch) likelyCause(class string, addr uint64) string {
	nowhere := class == "trap" || class == "out-of-bounds" && addr < workspaceSize
	if l.workspace != 0 || !nowhere || !l.kernel.readsWorkspace() {
		return ""
	}
	return "; perhaps by grid.sync() in a launch that is not cooperative: set cooperative: true"
}

// readsWorkspace reports whether fn, or what it calls directly, reads where the workspace
// is.
func (fn *function) readsWorkspace() bool {
	seen := map[*function]bool{fn: true}
	for work := []*function{fn}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range f.specials {
			if s.reg.name == workspaceHigh || s.reg.name == workspaceLow {
				return true
			}
		}
		for _, callee := range f.calls {
			if !seen[callee] {
				seen[callee] = true
				work = append(work, callee)
			}
		}
	}
	return false
}
