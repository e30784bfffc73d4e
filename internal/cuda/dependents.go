// Launches that may overlap the one before in their stream (programmatic dependent launch), or those of other devices.

package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// dependentSince is the major compute capability from which on devices have programmatic dependent launch (CUDA
// Programming Guide, "Programmatic Dependent Launch and Synchronization").
const dependentSince = 9

// attributed are the functions that launch a kernel with attributes, such as programmatic stream serialization. For
// graphs, the shim announces programmatic edges before their first launch (OrderOverlaps).
var attributed = []string{
	"cudaLaunchKernelExC", "cudaLaunchKernelExC_ptsz", "cuLaunchKernelEx", "cuLaunchKernelEx_ptsz",
}

// dependents is what is known of a process's launches that may overlap others. They are observed from when the process
// can make one, since a race is with an earlier launch.
type dependents struct {
	possible   bool                  // launches may overlap the one before in their stream, or those of other devices
	expected   bool                  // some do, a kernel orders grids, or the process uses several devices
	devices    map[order.Device]bool // that the process uses
	threads    uint64                // of launches so far while that is possible, and not expected
	files      map[string]bool       // of the process, whose code has been looked at
	later      bool                  // a module is for devices on which launches may overlap, and this one is not
	before     string                // the kernel of the latest operation, if that is a launch before the first stream
	unobserved []report.NotChecked   // launches that may overlap one that was not observed
}

// mostForeseen is the number of threads of the launches that are observed because overlaps are possible, without being
// expected. Programs launch kernels with attributes for other reasons, too, and observation slows them down.
const mostForeseen = 1 << 18

// depends records that the process launches kernels that overlap others, or has kernels made for that.
func (s *streams) depends() {
	s.start()
	s.dependents.possible, s.dependents.expected = true, true
}

// uses records that a call is about a device. If it is the second one, launches may overlap those of the first.
func (s *streams) uses(d order.Device) {
	if !s.p.opts.several() || s.dependents.devices[d] {
		return
	}
	s.dependents.devices[d] = true
	if len(s.dependents.devices) > 1 {
		s.depends()
	}
}

// loaded observes launches from now on if a kernel of a new module orders grids, or the process can launch kernels with
// attributes: in the module, the instructions may be missing.
func (s *streams) loaded(m *rewrite.Module) {
	d := &s.dependents
	switch {
	case s.p.target.Major < dependentSince:
		d.later = d.later || slices.ContainsFunc(m.AST.Target, func(word string) bool {
			t, err := ParseTarget(word)
			return err == nil && t.Major >= dependentSince
		})
	case d.expected:
	case m.OrdersGrids():
		s.depends()
	case !d.possible && s.launchesWithAttributes():
		s.start()
		d.possible = true
	}
}

// foresee counts the threads of a launch. It ends the observation if the process only may launch kernels with
// programmatic stream serialization, and has not done so within mostForeseen threads.
func (s *streams) foresee(l *Launch) {
	d := &s.dependents
	if !d.possible || d.expected || d.threads > mostForeseen {
		return
	}
	if d.threads += l.Grid.Count() * l.Block.Count(); d.threads <= mostForeseen {
		return
	}
	s.watch.Rest()
	s.p.session.ListenerChanged()
}

// observed reports whether launches are observed because they may overlap others.
func (d *dependents) observed() bool { return d.expected || d.possible && d.threads <= mostForeseen }

// newDependents returns what is known of a new process, or, after a reset, of one whose modules are gone.
func newDependents(o *Options) dependents {
	return dependents{
		possible: o.several(), devices: make(map[order.Device]bool), files: make(map[string]bool),
	}
}

// reset forgets what modules have told, all of which are gone.
func (d *dependents) reset(o *Options) {
	unobserved := d.unobserved
	*d = newDependents(o)
	d.unobserved = unobserved
}

// launchesWithAttributes reports whether a file that the process has loaded since the last call has code for that.
func (s *streams) launchesWithAttributes() bool {
	if s.p.sites.code == nil {
		return false
	}
	for _, file := range s.p.sites.code.Files() {
		if s.dependents.files[file] || isDropIn(file) || strings.HasPrefix(stem(file), "ptxsan-") {
			continue
		}
		s.dependents.files[file] = true
		if callsite.Calls(file, attributed) {
			return true
		}
	}
	return false
}

// leaveUnobserved records the launches that a launch may overlap and that were not observed.
func (s *streams) leaveUnobserved(kernel string, g *order.Grid, dependent bool) {
	d := &s.dependents
	before := []string{d.before}
	if d.before == "" || !dependent || g.Stream != 0 {
		before = nil
	}
	for _, p := range g.Prerequisites {
		if !s.watch.Relates(p.On) {
			before = append(before, p.On.Label.(label).kernel)
		}
	}
	for _, name := range before {
		if !s.p.unwatched {
			d.unobserved = append(d.unobserved, report.NotChecked{
				Kernel: kernel, Launches: 1, Required: true,
				Why: fmt.Sprintf("the launch of %s before, which it may overlap, was not observed: races of the two may be missing",
					report.Simple(name)),
			})
		}
	}
	d.before = ""
}

// leaveToLater records a launch that may overlap the one before on the devices that the program's modules are for, but
// not on this one.
func (s *streams) leaveToLater(kernel string) {
	if d := &s.dependents; d.later && !s.p.unwatched {
		d.unobserved = append(d.unobserved, report.NotChecked{
			Kernel: kernel, Launches: 1, Required: true,
			Why: fmt.Sprintf("it may overlap the launch before on a device of compute capability %d.0, for which a module is, "+
				"and this device has %d.%d (--arch sm_%d0): races of the two may be missing",
				dependentSince, s.p.target.Major, s.p.target.Minor, dependentSince),
		})
	}
}

// Depends reports whether launches may overlap earlier ones on which they depend, so that the order of all operations
// matters.
func (p *Process) Depends() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.streams.dependents.possible
}
