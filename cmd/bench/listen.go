// Detectors that listen, and listeners that do nothing.

package main

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// deaf is the name of the listener that ignores all notifications.
const deaf = "deaf"

// deafListener is notified of accesses and does nothing.
type deafListener struct{ emu.NopListener }

// Interest implements emu.Listener.
func (deafListener) Interest() emu.Interest {
	return emu.Interest{Needs: abi.Needs{Shared: true, Lanes: true}}
}

// idle is a detector that does nothing. It measures the cost of notifying a detector.
type idle struct{ needs abi.Needs }

func (idle) Begin(detect.Launch) {}
func (idle) Event(*abi.Event)    {}
func (idle) Accesses(*abi.Batch) {}
func (idle) End() []detect.Race  { return nil }
func (d idle) Needs() abi.Needs  { return d.needs }

// idles are the detectors that do nothing, with values of accesses and without.
var idles = map[string]abi.Needs{
	"values": {Values: true, Shared: true},
	"idle":   {Shared: true},
}

// listenerNames returns the values of -listener, sorted: detectors that can listen, and listeners that do nothing.
func listenerNames() []string {
	names := append(slices.Collect(maps.Keys(idles)), deaf)
	for _, name := range session.DetectorNames() {
		if d, err := session.ParseDetectors(name); err == nil && d[0].Listens() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// open opens a session for a setup. For a detector inside the kernel, it only runs the instrumented program.
func open(how setup) (*session.Session, error) {
	o := session.Options{Emulator: how.config}
	needs, does := idles[how.detector]
	var err error
	switch {
	case how.detector == deaf:
		o.Emulator.Listener = deafListener{}
	case !does && how.detector != "":
		o.Detectors, err = session.ParseDetectors(how.detector)
	case does:
		var d *session.Detector
		d, err = session.NewDetector(how.detector, func() (detect.Detector, error) { return idle{needs}, nil })
		o.Detectors = []*session.Detector{d}
	}
	if err != nil {
		return nil, err
	}
	o.InstrumentedOnly = len(o.Detectors) > 0 && !o.Detectors[0].Listens()
	return session.Open(o)
}
