// Launches in parts, for detectors that can process parts separately.

package observe

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Divides implements emu.PartsListener.
func (e *Events) Divides(*rewrite.Func) bool {
	r, ok := e.receiver.(abi.PartsReceiver)
	return ok && e.to != nowhere{} && r.TakesParts()
}

// Divide implements emu.PartsListener.
func (e *Events) Divide(kernel *rewrite.Func, goroutines int) []emu.PartListener {
	e.Wait()
	list := make([]emu.PartListener, goroutines)
	for i, r := range e.receiver.(abi.PartsReceiver).Divide(goroutines) {
		list[i] = &partEvents{
			Events: Events{
				to: r, takesLoops: takesLoops(r), needs: e.needs, proxy: e.proxy, sites: e.sites, grid: e.grid, classes: make(map[abi.AccessClass]*abi.AccessClass),
				known: map[*rewrite.Func][]siteEvent{kernel: slices.Clone(e.known[kernel])},
			},
			part: r, begin: e.begin,
		}
	}
	return list
}

// Unite implements emu.PartsListener.
func (e *Events) Unite(ok bool) { e.receiver.(abi.PartsReceiver).Unite(ok) }

// partEvents translates the emulator's events of parts of a launch.
type partEvents struct {
	Events
	part  abi.PartReceiver // Events.to
	begin abi.Event        // EventKernelBegin of the launch
}

// BeginPart implements emu.PartListener.
func (e *partEvents) BeginPart(number uint64) {
	e.part.BeginPart(number)
	e.ev = e.begin
	e.part.Event(&e.ev)
}

// EndPart implements emu.PartListener.
func (e *partEvents) EndPart() bool {
	e.machine(abi.EventKernelEnd, 0)
	return e.part.EndPart()
}
