// Comparing a run on a GPU with one on the emulator.

package session

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
)

// CheckBoth checks the plan on a session of the emulator and then, with the same options, on a GPU. The report is that
// of the emulator; its expectations include that both show the same faults, findings and buffers.
func (p *Plan) CheckBoth(ctx context.Context, emulated *Session, dev gpu.Runner) (*report.Report, error) {
	o := emulated.opts
	o.GPU = dev
	real, err := Open(o)
	if err != nil {
		return nil, err
	}
	rep, err := p.Check(ctx, emulated)
	if err != nil {
		return nil, err
	}
	other, err := p.Check(ctx, real)
	if err != nil {
		return nil, err
	}
	var list expectations
	for _, e := range other.Expect {
		list.add("GPU: "+e.What, e.Want, e.Got)
	}
	list.add("GPU: fault", faultClass(rep), faultClass(other))
	list.add("GPU: findings", set(collect(rep, raceID)), set(collect(other, raceID)))
	if len(rep.Faults) == 0 && len(other.Faults) == 0 {
		for i := range p.File.Buffers {
			name := p.File.Buffers[i].Name
			diff, err := sameContents(emulated.Object(name), real.Object(name))
			if err != nil {
				return nil, err
			}
			list.add("GPU: buffer "+name, "as on the emulator", diff)
		}
	}
	rep.Device, rep.Expect = "emulator and "+other.Device, slices.Concat(rep.Expect, list)
	return rep, nil
}

func raceID(x *report.Race) string { return x.ID }

// sameContents compares the contents of two buffers of the same size, and returns the result as text.
func sameContents(a, b *Object) (string, error) {
	x, y := make([]byte, a.size), make([]byte, b.size)
	if err := a.Read(0, x); err != nil {
		return "", err
	}
	if err := b.Read(0, y); err != nil {
		return "", err
	}
	if bytes.Equal(x, y) {
		return "as on the emulator", nil
	}
	at := 0
	for x[at] == y[at] {
		at++
	}
	size := max(a.elem.Size(), 1)
	first := at / size * size
	return fmt.Sprintf("from element %d on: bytes %x, on the emulator %x", at/size, y[first:min(first+size, len(y))],
		x[first:min(first+size, len(x))]), nil
}

// CheckGPU returns an error for options that only the emulator supports.
func (o *Options) CheckGPU() error {
	switch e := &o.Emulator; {
	case len(o.Detectors) > 1 || len(o.Detectors) == 1 && o.Detectors[0].Listens():
		return badinput.Errorf("on a GPU one detector inside the kernel can run (iguard, ldetector, collide, barracuda<instrumented>), found %s: those that listen need the emulator", detectors.Names(o.Detectors))
	case e.Record != nil || e.Replay != nil || o.Timeline != nil || e.Listener != nil || o.SaveTrace != nil:
		return badinput.Errorf("schedules, traces and timelines need the emulator: expected --device emu")
	case e.Uninitialised || e.Variables || e.Synccheck || e.LateAsync || e.NoMemcheck:
		return badinput.Errorf("checks of memory and synchronisation need the emulator: expected --device emu")
	}
	return nil
}
