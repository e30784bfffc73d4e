package main

import (
	"context"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/detect/scord"
)

// deaf is the name of the listener that ignores what the emulator tells.
const deaf = "deaf"

// deafListener listens to nothing.
type deafListener struct{ emu.NopListener }

// Accesses implements emu.BatchListener.
func (deafListener) Accesses(*emu.Accesses) {}

// Interest implements emu.Listener.
func (deafListener) Interest() emu.Interest {
	return emu.Interest{Needs: emu.Needs{Shared: true, Lanes: true}}
}

// idle is a detector that finds nothing: what it costs to tell a detector.
type idle struct{ needs detect.Needs }

func (idle) Begin(detect.Launch)   {}
func (idle) Event(*abi.Event)      {}
func (idle) Accesses(*abi.Batch)   {}
func (idle) End() []detect.Race    { return nil }
func (d idle) Needs() detect.Needs { return d.needs }

// listeners are the detectors that can listen, as cmd/ptxsan makes them when nothing
// else is asked for, and those that do nothing, with values and without.
var listeners = map[string]func() (detect.Detector, error){
	"precise": func() (detect.Detector, error) { return precise.New(precise.DefaultOptions()) },
	"values":  func() (detect.Detector, error) { return idle{detect.Needs{Values: true, Shared: true}}, nil },
	"idle":    func() (detect.Detector, error) { return idle{detect.Needs{Shared: true}}, nil },
	"scord":   func() (detect.Detector, error) { return scord.New(scord.DefaultOptions()) },
}

// listenerNames are the values of -listener, sorted.
func listenerNames() []string {
	names := append(slices.Collect(maps.Keys(listeners)), deaf)
	slices.Sort(names)
	return names
}

// newListeningDevice is newDevice with a detector that listens, none when the name
// is empty.
func newListeningDevice(ctx context.Context, prog *program, pr *problem, name string, cfg emu.Config) (*device, error) {
	switch name {
	case deaf:
		cfg.Listener = deafListener{}
		fallthrough
	case "":
		return newDevice(ctx, prog, pr, cfg)
	}
	l, err := listeners[name]()
	if err != nil {
		return nil, err
	}
	events := observe.NewEvents(prog.mod, emu.Needs(detect.NeedsOf(l)), l.Event)
	if name != "idle" && name != "values" {
		events.IgnoreSites(prog.unseen())
	}
	if b, ok := l.(detect.Batching); ok {
		events.EmitBatches(b.Accesses)
	}
	cfg.Listener = events
	d, err := newDevice(ctx, prog, pr, cfg)
	if err != nil {
		return nil, err
	}
	d.listener = l
	return d, nil
}

// unseen are the accesses that detectors need not hear of: reads of memory that a kernel only
// reads, and accesses of what a thread has for itself.
func (p *program) unseen() map[*rewrite.Inst]bool {
	out := make(map[*rewrite.Inst]bool)
	for _, k := range p.mod.Kernels() {
		for in, why := range k.Exempt(p.given.Given(k.Name)) {
			out[in] = why == rewrite.ExemptRead || why == rewrite.ExemptOwn
		}
	}
	return out
}
