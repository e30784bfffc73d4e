// Advice for launches of applications, as exec makes it.

package fix_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// executed returns the report of an application that does what a plan says. Of one with textures or tensor maps no
// launch is repeated.
func executed(t *testing.T, plan *session.Plan) *report.Report {
	t.Helper()
	if len(plan.File.Textures)+len(plan.File.TensorMaps) > 0 {
		return read(t, checked(t, plan))
	}
	o := &cuda.Options{Detectors: detectorsOf(t), Target: cuda.DefaultTarget}
	o.Repeat = func(ctx context.Context, plan *session.Plan, ran emu.Stats) *report.Report {
		return fix.Repeat(ctx, fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Detectors: o.Detectors}}}, ran)
	}
	p, err := cuda.NewProcess(o, 1)
	if err != nil {
		t.Fatal(err)
	}
	a := application{Process: p, plan: plan, addresses: make(map[string]uint64)}
	if err = a.run(); err != nil {
		t.Fatal(plan.File.Name, err)
	}
	rep := p.Report()
	if err = p.Close(); err != nil {
		t.Fatal(err)
	}
	return read(t, rep)
}

// application is a process that plays a plan.
type application struct {
	*cuda.Process
	plan      *session.Plan
	module    uint64
	addresses map[string]uint64
}

// now is a call that waits for what it does.
var now = cuda.In{Sync: true}

func (a *application) run() (err error) {
	if a.module, err = a.LoadModule(a.plan.Program.Module.AST.File.Src, cuda.In{}); err != nil {
		return err
	}
	file := a.plan.File
	for i := range file.Buffers {
		b := &file.Buffers[i]
		to, err := a.Alloc(b.Size(), cuda.OnDevice, now, nil)
		if err != nil {
			return err
		}
		a.addresses[b.Name] = to
		if err = b.Fill(func(offset uint64, p []byte) error { return a.Write(to+offset, p, now) }); err != nil {
			return err
		}
	}
	for i := range file.Globals {
		g := &file.Globals[i]
		to, size, err := a.Variable(a.module, g.Name)
		if err != nil {
			return err
		}
		word, _ := launch.TypeOf("u32")
		if err = g.Fill(word, size/4, func(offset uint64, p []byte) error { return a.Write(to+offset, p, now) }); err != nil {
			return err
		}
	}
	for i := range a.plan.Launches {
		if err := a.launch(i); err != nil {
			return err
		}
	}
	return a.Unload(a.module)
}

func (a *application) launch(i int) error {
	l, args := &a.plan.Launches[i], a.plan.File.Launches[i].Args
	k, err := a.Kernel(a.module, a.plan.KernelName(i))
	if err != nil {
		return err
	}
	var params []byte
	for n, p := range session.KernelParams(a.plan.Program.Module.Func(k.Name)) {
		bytes, wrong := args[n].Bytes(p, func(name string) uint64 { return a.addresses[name] })
		if wrong != nil {
			return wrong
		}
		params = append(append(params, make([]byte, int(k.Params[n].Offset)-len(params))...), bytes...)
	}
	err = a.Launch(&cuda.Launch{
		Kernel: k.ID, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster, Shared: uint32(l.Shared), Cooperative: l.Cooperative, Programmatic: l.Programmatic, Params: params, In: now,
	}, nil)
	if fault := (*cuda.Error)(nil); errors.As(err, &fault) {
		return nil // is in the report
	}
	return err
}
