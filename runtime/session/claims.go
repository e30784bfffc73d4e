// What the verdicts about launches hold for: the listeners that find it out, and the claims that they make together.

package session

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/detect/labels"
	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// A claim says that the verdict about the one run of a launch holds for other schedules and contents (docs/holds.md).
// The detector precise makes it, together with two listeners beside it that only some programs need.

// claim is the claim for one launch.
type claim struct {
	report.Claim
	depends []report.Depends
	varies  bool // what the launch leaves in memory may differ between schedules
	// predicts says that two accesses are not ordered by what holds in every schedule, and did not race in the run.
	predicts bool
}

// claimants are the listeners beside the detector precise, of one program.
type claimants struct {
	// followed follows where values come from, if some of them steer; else it is nil.
	followed *labels.Listener
	events   *observe.Events // for it
}

// claims reports whether claims are made for launches.
func (o *Options) claims() bool {
	return o.Claims && o.GPU == nil && !o.InstrumentedOnly && !o.Sample.Samples() && o.Emulator.Memory == emu.SC &&
		len(o.Passes.Passes()) == 0 && slices.ContainsFunc(o.Detectors, claims)
}

// claims reports whether a detector knows what its verdicts depend on.
func claims(d *detectors.Detector) bool {
	o, ok := d.Options().(*detectors.PreciseOptions)
	return ok && o.Model == precise.ModelPTX && !o.Unused
}

// optionsOf returns the options of a detector, of one that makes claims with the recording for them.
func (s *Session) optionsOf(d *detectors.Detector) any {
	if o, ok := d.Options().(*detectors.PreciseOptions); ok && s.opts.claims() && claims(d) {
		recording := *o
		recording.Claims = true
		return &recording
	}
	return d.Options()
}

// join makes the listeners that the launches of the program need. It reports whether there are others than before.
func (c *claimants) join(l *loadedProgram, f *proofs.Facts) (changed bool) {
	s := l.run.s
	if !s.opts.claims() || l.run.inside != nil {
		return false
	}
	if s.labels == nil && slices.ContainsFunc(f.Order, detectors.Steered) {
		s.labels = labels.NewMemory()
		s.listenerChanged()
	}
	if s.labels == nil || c.followed != nil {
		return false
	}
	c.followed = detectors.Labels(l.program.Module, s.labels)
	c.events = observe.NewEvents(l.program.Module, c.followed.Needs(), c.followed)
	return true
}

// listeners returns the listeners.
func (c *claimants) listeners() (list []emu.Listener) {
	if c.events != nil {
		list = append(list, c.events)
	}
	return list
}

// begin begins a launch.
func (c *claimants) begin(l *loadedProgram, b *boundLaunch) error {
	if c.followed == nil {
		return nil
	}
	shape, err := l.shape(b, false)
	if err != nil {
		return err
	}
	c.followed.Begin(detect.Launch{
		Kernel: b.kernel.Name, LaunchShape: shape, Ranked: true, Regions: l.symbols(b).NamedRegions(),
	})
	return nil
}

// claim adds the claim for a launch, whose races the detector precise has found, to those of the session.
func (l *loadedProgram) claim(b *boundLaunch, symbols *symbolize.Symbolizer, races []*report.Race, stopped bool) {
	s := l.run.s
	i := slices.IndexFunc(l.dets, func(w *appliedDetector) bool { return claims(w.Detector) })
	if !s.opts.claims() || i < 0 {
		return
	}
	usual := l.dets[i].listener.(*precise.Detector)
	found, undecided := usual.Dependences()
	c := claim{Claim: report.Claim{Kernel: b.kernel.Name}}
	var independent []string
	if x := l.claimants.followed; x != nil {
		x.End()
		found = append(found, x.Dependences(labels.Order{})...)
		contents, of := []detect.Dependence(nil), 0
		independent, contents = x.Contents()
		found = append(found, contents...)
		_ = of
	} else {
		for _, r := range symbols.NamedRegions() {
			independent = append(independent, r.Name)
		}
	}
	c.Schedules, c.Contents = report.EverySchedule, independent
	symbols.Sites = l.dets[i].sites()
	for k := range found {
		d := symbols.Depends(&found[k])
		c.depends = append(c.depends, d)
		switch d.On {
		case detect.OnOrder:
			c.Schedules = report.ThisSchedule
		case detect.OnContents:
			c.Matter = append(c.Matter, d.Object)
		}
	}
	if why := l.undecided(b, usual, stopped); why != "" {
		undecided = why
	}
	c.Undecided = undecided
	s.claimed = append(s.claimed, c)
	follows := l.claimants.followed != nil && !s.opts.Application // the buffers of the first launch
	if undecided == "" && len(c.depends)+len(races) == 0 && !c.varies && !follows {
		if s.standing == nil {
			s.standing = make(map[likeness]bool)
		}
		s.standing[b.likeness()] = true
	}
}

// likeness identifies launches that access the same places of their objects if contents of memory steer nothing.
type likeness struct {
	kernel *rewrite.Func
	shape  string
	args   string
}

// likeness returns the likeness of a launch.
func (b *boundLaunch) likeness() likeness {
	args := b.facts().Args
	return likeness{b.kernel, fmt.Sprint(b.Grid, b.Block, b.cluster(), b.Shared, b.Cooperative), fmt.Sprint(args)}
}

// undecided returns why no claim is made for a launch, "" if one is.
func (l *loadedProgram) undecided(b *boundLaunch, usual *precise.Detector, stopped bool) string {
	s := l.run.s
	switch {
	case stopped:
		return "the launch did not end"
	case b.program.Module.Launches():
		return "threads launch kernels"
	case slices.Contains(s.programmatics, true):
		return "launches may overlap"
	case s.strayed != nil:
		return "an access went elsewhere than was proved"
	case len(usual.Losses) > 0:
		return "not checked: " + usual.Losses[0]
	}
	return ""
}

// addClaims adds the claims for the launches so far to a report.
func (s *Session) addClaims(rep *report.Report) {
	for i := range s.claimed {
		c := &s.claimed[i]
		rep.AddClaim(c.Claim, c.depends...)
	}
}
