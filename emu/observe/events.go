// The events of the emulator for a detector.

package observe

import (
	"maps"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe/internal/relay"
	"github.com/ptxsan/ptxsan/internal/sample"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Events is a listener that passes the events of a module to a receiver, without those of some instructions and blocks.
// One Events may serve several launches.
type Events struct {
	to       abi.Receiver
	needs    abi.Needs
	receiver abi.Receiver // the receiver passed to NewEvents
	beside   *relay.Relay // relay to the receiver, nil if that is called directly
	module   *rewrite.Module
	ignored  map[*rewrite.Inst]bool // the argument of the last IgnoreSites
	executed map[*rewrite.Inst]bool // instructions that have made an access
	sampled  *sample.Launch         // Watch
	steps    func(*rewrite.Inst) bool
	step     func(*emu.Step)
	over     func() bool // Unless
}

// NewEvents returns a listener that passes the events of a module to a receiver: those in needs.
func NewEvents(m *rewrite.Module, needs abi.Needs, to abi.Receiver) *Events {
	return &Events{to: to, needs: needs, receiver: to, module: m, executed: make(map[*rewrite.Inst]bool)}
}

// Interest implements emu.Listener.
func (e *Events) Interest() emu.Interest {
	return emu.Interest{
		Needs: e.needs, Site: e.NeedsSite, Parts: e.parts,
		Block: func(block uint64) bool {
			e.sampled.BeginBlock(block)
			return e.sampled.Has(block)
		},
		First: func(in *rewrite.Inst) { e.executed[in] = true },
		Steps: e.steps, Step: e.step,
	}
}

// Steps has step called before each instruction for which needed holds, on the goroutine of the emulator. The receiver
// may get the events from before it later. Steps must be called before the machine is made.
func (e *Events) Steps(needed func(*rewrite.Inst) bool, step func(*emu.Step)) {
	e.steps = needed
	e.step = func(s *emu.Step) {
		if e.to != (nowhere{}) && !e.isOver() {
			step(s)
		}
	}
}

// Unless has events and steps discarded while a function returns true, which the goroutine of the emulator calls.
func (e *Events) Unless(over func() bool) { e.over = over }

// isOver reports whether events are to be discarded.
func (e *Events) isOver() bool { return e.over != nil && e.over() }

// Event implements abi.Receiver.
func (e *Events) Event(ev *abi.Event) {
	if !e.isOver() {
		e.to.Event(ev)
	}
}

// Accesses implements abi.Receiver.
func (e *Events) Accesses(b *abi.Batch) {
	if !e.isOver() {
		e.to.Accesses(b)
	}
}

// TakesLoops implements abi.LoopReceiver.
func (e *Events) TakesLoops() bool { return takesLoops(e.receiver) }

// takesLoops reports whether a receiver takes batches with loops.
func takesLoops(to abi.Receiver) bool {
	r, ok := to.(abi.LoopReceiver)
	return ok && r.TakesLoops()
}

// parts implements emu.Interest.Parts.
func (e *Events) parts(*rewrite.Func) abi.PartsReceiver {
	r, ok := e.receiver.(abi.PartsReceiver)
	if !ok || e.to == (nowhere{}) || !r.TakesParts() {
		return nil
	}
	return partsRelay{r, e}
}

// partsRelay is a receiver of a launch in parts. Before these, it gets everything that a relay has for it.
type partsRelay struct {
	abi.PartsReceiver
	events *Events
}

// Divide implements abi.PartsReceiver.
func (d partsRelay) Divide(goroutines int) []abi.PartReceiver {
	d.events.Wait()
	return d.PartsReceiver.Divide(goroutines)
}

// Sites returns the table that Event.Site refers to: Sites()[i].ID is i+1.
func (e *Events) Sites() []abi.Site { return sites.Table(e.module) }

// IgnoreSites omits the events of accesses by the instructions in the set, and only those. It reports whether the set
// differs from the previous one. It must be called before the machine is made.
func (e *Events) IgnoreSites(ignored map[*rewrite.Inst]bool) (changed bool) {
	if maps.Equal(e.ignored, ignored) {
		return false
	}
	e.ignored = maps.Clone(ignored)
	return true
}

// Ignored returns the number of instructions whose accesses are omitted.
func (e *Events) Ignored() int { return len(e.ignored) }

// NeedsSite reports whether accesses by an instruction cause events.
func (e *Events) NeedsSite(in *rewrite.Inst) bool { return !e.ignored[in] }

// ShareExecuted makes Executed of both the answer for the instructions of either, which are of one module.
func (e *Events) ShareExecuted(with *Events) { e.executed = with.executed }

// Executed reports whether an instruction has made an access.
func (e *Events) Executed(in *rewrite.Inst) bool { return e.executed[in] }

// Watch chooses the observed blocks of the next launch, nil for all. For the other blocks there are only the events by
// which threads synchronise, which includes strong accesses but no weak accesses. Grids that threads launch are
// observed as a whole.
//
// No race is invented: a detector knows of every operation by which the accesses that it compares can be ordered,
// whichever block makes it. Weak accesses order nothing (PTX ISA, "Release and Acquire Patterns").
func (e *Events) Watch(l *sample.Launch) { e.sampled = l }
