package main

import (
	"context"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// listeners are the detectors that can listen, as cmd/ptxsan makes them when nothing
// else is asked for.
var listeners = map[string]func() (detect.Detector, error){
	"precise": func() (detect.Detector, error) { return precise.New(precise.DefaultOptions()) },
	"scord":   func() (detect.Detector, error) { return detect.NewScoRD(detect.DefaultScoRDOptions()) },
}

// newListeningDevice is newDevice with a detector that listens, none when the name
// is empty.
func newListeningDevice(ctx context.Context, prog *program, pr *problem, name string, cfg emu.Config) (*device, error) {
	if name == "" {
		return newDevice(ctx, prog, pr, cfg)
	}
	l, err := listeners[name]()
	if err != nil {
		return nil, err
	}
	needs := detect.NeedsOf(l)
	events := observe.NewEvents(prog.mod, needs.Values, l.Event)
	if !needs.Shared {
		events.IgnoreShared()
	}
	if !needs.Branches {
		events.IgnoreBranches()
	}
	cfg.Listener = events
	d, err := newDevice(ctx, prog, pr, cfg)
	if err != nil {
		return nil, err
	}
	d.listener = l
	return d, nil
}
