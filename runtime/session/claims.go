// What the verdicts about launches hold for: the listeners that find it out, and the claims that they make together.

package session

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/detect/labels"
	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
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
}

// claimants are the listeners beside the detector precise, of one program.
type claimants struct {
	// enforced knows what orders accesses in every schedule, if kernels have strong accesses; else it is nil.
	enforced *appliedDetector
	// followed follows where values come from, if some of them steer; else it is nil.
	followed *labels.Listener
	events   *observe.Events // for followed
	tracks   bool            // which local memory has been written
	undefined
}

// undefined is what instructions of a launch have returned that PTX leaves undefined, in words by their numbers.
type undefined struct {
	mu    sync.Mutex
	words map[uint32]string
}

// leaves returns a function that records that an instruction has returned something undefined.
func (c *claimants) leaves(what string) func(in *rewrite.Inst) {
	return func(in *rewrite.Inst) {
		c.mu.Lock()
		defer c.mu.Unlock()
		n := detectors.Definition(in)
		if c.words == nil {
			c.words = make(map[uint32]string)
		}
		c.words[n] = what
		if c.followed != nil {
			c.followed.Undefined(n, what)
		}
	}
}

// watch sets what the emulator says about undefined values.
func (c *claimants) watch(cfg *emu.Config) {
	cfg.Absent = c.leaves("what a shuffle reads from a lane that does not take part")
	if c.tracks {
		cfg.Unwritten = c.leaves("local memory that the thread has not written")
	}
}

// claims reports whether claims are made for launches.
func (o *Options) claims() bool {
	return o.Claims && o.GPU == nil && !o.InstrumentedOnly && o.Emulator.Memory == emu.SC &&
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

// claiming returns the detector of the program that makes claims, nil if there is none.
func (l *loadedProgram) claiming() *appliedDetector {
	if i := slices.IndexFunc(l.dets, func(w *appliedDetector) bool { return claims(w.Detector) }); i >= 0 &&
		l.run.s.opts.claims() {
		return l.dets[i]
	}
	return nil
}

// join makes the listeners that the launches of the program need. It reports whether they need other events than
// before.
func (c *claimants) join(l *loadedProgram, f *proofs.Facts) (changed bool, err error) {
	usual, s := l.claiming(), l.run.s
	if usual == nil {
		return false, nil
	}
	if c.enforced == nil && slices.ContainsFunc(f.Order, detectors.NeedsEnforced) {
		e, exempts, wrong := detectors.NewEnforced(s.optionsOf(usual.Detector).(*detectors.PreciseOptions),
			l.program.Module)
		if wrong != nil {
			return false, wrong
		}
		c.enforced = &appliedDetector{Detector: usual.Detector, listener: e, enforced: e, exempts: exempts}
	}
	if c.enforced != nil {
		if changed, err = c.enforced.follow(s, l.program, f); err != nil {
			return false, err
		}
	}
	if !c.tracks && slices.ContainsFunc(f.Order, detectors.ReadsLocal) {
		c.tracks, changed = true, true
	}
	if s.labels == nil && slices.ContainsFunc(f.Order, detectors.Steered) {
		s.labels, s.unfollowed = labels.NewMemory(), s.carried
		s.listenerChanged()
	}
	if s.labels != nil && c.followed == nil {
		c.followed, changed = detectors.Labels(l.program.Module, s.labels), true
		c.events = observe.NewEvents(l.program.Module, c.followed.Needs(), c.followed)
	}
	return changed, nil
}

// listeners returns the listeners.
func (c *claimants) listeners() (list []emu.Listener) {
	if c.enforced != nil {
		list = append(list, c.enforced.events)
	}
	if c.events != nil {
		list = append(list, c.events)
	}
	return list
}

// begin begins a launch.
func (c *claimants) begin(l *loadedProgram, b *boundLaunch) error {
	if l.claiming() == nil {
		return nil
	}
	c.words = nil
	if c.enforced != nil {
		if err := c.enforced.prepare(l, b); err != nil {
			return err
		}
		c.enforced.enforced.Prepare(b.kernel)
		needs := detectors.NeedsEnforced(b.kernel) && !l.run.s.refused[b.kernel]
		if c.enforced.muted = c.enforced.muted || !needs; c.enforced.muted {
			c.enforced.events.Mute(true)
		}
	}
	if c.followed == nil {
		return nil
	}
	if c.events.Mute(b.beside); b.beside {
		return nil
	}
	c.events.Watch(b.sampled)
	shape, err := l.shape(b, false)
	if err != nil {
		return err
	}
	regions := l.symbols(b).NamedRegions()
	if s := l.run.s; s.unfollowed {
		s.labels.Unfollowed(regions)
		s.unfollowed = false
	}
	l.run.s.labels.Unwritten = func(base uint64) bool {
		o := l.run.buffers[base]
		return o != nil && o.neverWritten()
	}
	c.followed.Begin(detect.Launch{Kernel: b.kernel.Name, LaunchShape: shape, Ranked: true, Regions: regions})
	return nil
}

// claimer collects what the claim for a launch depends on.
type claimer struct {
	*loadedProgram
	b       *boundLaunch
	symbols *symbolize.Symbolizer
	races   []detect.Race // that the detector precise has found
	claim
}

// claim adds the claim for a launch to those of the session.
func (l *loadedProgram) claim(b *boundLaunch, symbols *symbolize.Symbolizer, races []detect.Race, stopped bool) {
	usual := l.claiming()
	symbols.Sites = usual.sites()
	c := &claimer{loadedProgram: l, b: b, symbols: symbols, races: races}
	c.Kernel, c.Schedules = b.kernel.Name, report.EverySchedule
	var dependent, first map[uint32]bool
	switch w := l.claimants.enforced; {
	case w != nil && !w.muted:
		dependent = c.enforced(w)
		first = w.enforced.First()
	case l.run.s.refused[b.kernel]:
		c.Schedules, dependent = report.ThisSchedule, detectors.StrongSites(b.kernel)
	default:
		c.ask(usual.listener.(*precise.Detector))
	}
	c.varies = len(dependent) > 0 || detectors.Varies(l.program.Module, b.kernel)
	c.steered(labels.Order{Results: dependent, Memory: dependent, First: first})
	c.equal()
	c.apart()
	if c.Schedules == report.ThisSchedule { // whatever else was not found out
		c.Undecided = ""
	}
	c.Undecided = cmp.Or(c.undecided(usual.listener.(*precise.Detector), stopped), c.Undecided)
	c.remember()
	s := l.run.s
	s.claims.AddClaim(c.Claim, c.depends...)
	s.varies = s.varies || c.varies
	if c.Schedules == report.ThisSchedule && c.Undecided == "" { // the claim for all launches of the kernel is the weakest
		if s.refused == nil {
			s.refused = make(map[*rewrite.Func]bool)
		}
		s.refused[b.kernel] = true
	}
	follows := l.claimants.followed != nil && !s.opts.Application // what memory contains comes from the first launch
	if c.Undecided == "" && len(c.depends)+len(races) == 0 && (!c.varies || s.opts.Application) && !follows {
		s.stands(b, c.varies)
	}
}

// remember makes later launches depend on what this one does where it may do something else: in other schedules, or
// with other contents. What a branch decides reaches memory without being stored.
func (c *claimer) remember() {
	s := c.run.s
	followed := c.claimants.followed != nil
	if c.Schedules == report.ThisSchedule || c.Undecided != "" || len(c.races) > 0 || c.varies && !followed {
		s.stray(c.loadedProgram, c.b)
	}
	for _, object := range c.Matter {
		if !slices.Contains(s.matter, object) {
			s.matter = append(s.matter, object)
		}
	}
	c.Contents = slices.DeleteFunc(c.Contents, func(object string) bool { return slices.Contains(s.matter, object) })
}

// stray records that what a launch has written may depend on the order of threads. It may have written anywhere, unless
// the verdict about an equal launch holds: then its addresses come from its arguments and its code alone.
func (s *Session) stray(l *loadedProgram, b *boundLaunch) {
	if s.labels == nil {
		s.carried = true
		return
	}
	params, kept, passed := KernelParams(b.kernel), make(map[uint64]bool), make(map[uint64]bool)
	for i := range b.args {
		for _, o := range b.args[i].objects {
			at := o.at(l.run)
			passed[at] = true
			if !params[i].Changed && !params[i].Array {
				kept[at] = true
			}
		}
	}
	unused := unusedVariables(b.kernel)
	s.labels.Unfollowed(slices.DeleteFunc(l.symbols(b).NamedRegions(), func(r detect.Region) bool {
		reached := passed[r.Base] || l.run.buffers[r.Base] == nil && !unused[r.Name]
		return kept[r.Base] || b.stands && !reached
	}))
}

// read records that the host has read from an object. What depends on the order of threads may be in all that it writes
// from then on.
func (s *Session) read(o *Object, offset uint64, size int) {
	if s.opts.claims() && !s.informed {
		s.informed = s.carried || s.labels != nil && s.labels.DependsOnOrder(o.at(s.first())+offset, uint64(size))
	}
}

// wrote records that the host writes to an object.
func (s *Session) wrote(o *Object, offset uint64, size int) {
	switch {
	case s.labels == nil:
	case s.informed:
		s.labels.Unfollowed([]detect.Region{{Base: o.at(s.first()), Size: o.size}})
	default:
		s.labels.Wrote(o.at(s.first())+offset, uint64(size))
	}
}

// depend adds a reason why the claim is not wider.
func (c *claimer) depend(list ...detect.Dependence) {
	for i := range list {
		d := c.symbols.Depends(&list[i])
		c.depends = append(c.depends, d)
		switch d.On {
		case detect.OnOrder:
			c.Schedules = report.ThisSchedule
		case detect.OnContents:
			c.Matter = append(c.Matter, d.Object)
		}
	}
}

// ask adds what a detector knows of the launch.
func (c *claimer) ask(d detect.Claiming) {
	list, undecided := d.Dependences()
	c.depend(list...)
	c.Undecided = cmp.Or(c.Undecided, undecided)
}

// enforced adds what the detector of enforced order has found, and returns the operations whose results depend on the
// order. A race that only this detector has found is one of another schedule.
func (c *claimer) enforced(w *appliedDetector) map[uint32]bool {
	for _, r := range w.listener.End() {
		if !slices.ContainsFunc(c.races, func(x detect.Race) bool { return samePair(&x, &r) }) {
			c.depend(detect.Dependence{On: detect.OnOrder, Seed: r.First.Site, Sink: r.Second.Site})
			if s := c.run.s; !s.opts.Application { // which cannot run again
				s.predicted = append(s.predicted, c.symbols.Race(&r))
			}
		}
	}
	c.ask(w.enforced)
	if n := extent(c.b.Grid); n > 1 && w.enforced.WaitsInGlobal(c.b.kernel) {
		c.Resident = int(min(n, 1<<31))
	}
	if w.enforced.Overflowed { // what it has not looked at may depend on the order as well
		return detectors.StrongSites(c.b.kernel)
	}
	return w.enforced.OrderDependent()
}

// samePair reports whether two races are of the same instructions.
func samePair(a, b *detect.Race) bool {
	return a.First.Site == b.First.Site && a.Second.Site == b.Second.Site ||
		a.First.Site == b.Second.Site && a.Second.Site == b.First.Site
}

// steered adds which contents and operations steer, given the operations whose results depend on the order.
func (c *claimer) steered(o labels.Order) {
	c.Contents = c.objects()
	x := c.claimants.followed
	if x == nil {
		list, stored := detectors.Undefined(c.program.Module, c.b.kernel, c.claimants.words)
		c.depend(list...)
		c.varies = c.varies || stored
		return
	}
	x.End()
	c.depend(x.Dependences(o)...)
	independent, matter := x.Contents()
	c.Contents = slices.DeleteFunc(c.Contents, func(name string) bool { return !slices.Contains(independent, name) })
	c.depend(matter...)
}

// objects returns the names of the objects in memory of which contents are claimed: those of a launch file, or those that
// the arguments of an application's launch lead to, if any do.
func (c *claimer) objects() (names []string) {
	passed := make(map[uint64]bool)
	for i := range c.b.args {
		for _, o := range c.b.args[i].objects {
			passed[o.at(c.run)] = true
		}
	}
	unused := unusedVariables(c.b.kernel)
	for _, r := range c.symbols.NamedRegions() {
		if (!c.run.s.opts.Application || len(passed) == 0 || passed[r.Base]) && !unused[r.Name] {
			names = append(names, r.Name)
		}
	}
	return names
}

// unusedVariables returns the names of the module's variables that a kernel's code does not name: headers of libraries
// have many.
func unusedVariables(kernel *rewrite.Func) map[string]bool {
	unused := make(map[string]bool)
	for _, v := range kernel.Module.Globals {
		unused[report.Variable(v.Name)] = true
	}
	for _, v := range kernelcode.Variables(kernel) {
		delete(unused, report.Variable(v.Name))
	}
	return unused
}

// equal adds the stores that do not race only because they store equal values: with other contents they might not.
func (c *claimer) equal() {
	loaded := func(site uint32) bool {
		if x := c.claimants.followed; x != nil {
			return x.RestsOnContents(site)
		}
		return detectors.StoresLoaded(c.program.Module, c.b.kernel, site)
	}
	for i := range c.races {
		if r := &c.races[i]; loaded(r.First.Site) || loaded(r.Second.Site) {
			c.depend(detect.Dependence{
				On: detect.OnContents, Sink: r.Second.Site, Seed: r.First.Site, What: "{seed} and {sink} store equal values",
			})
			c.Contents = nil
		}
	}
}

// apart adds what holds only as long as lanes execute together, or a thread comes late enough.
func (c *claimer) apart() {
	for i := range c.races {
		if r := &c.races[i]; r.Severity == detect.Info && r.Kind == detect.IntraWarp && r.First.Site == r.Second.Site {
			c.depend(detect.Dependence{
				On: detect.OnOrder, Seed: r.First.Site,
				What: "lanes of a warp execute {seed} together; one by one, they race",
			})
		}
	}
	for _, site := range detectors.Peeks(c.b.kernel) {
		c.depend(detect.Dependence{On: detect.OnOrder, Seed: site, What: "{seed} is not repeated until the phase is complete"})
	}
}

// claimNothing is called instead of claim for a launch that ran beside others, or of which blocks were left out. why says
// which.
func (l *loadedProgram) claimNothing(b *boundLaunch, why string) {
	if e := l.claimants.enforced; e != nil && !e.muted {
		e.listener.End()
	}
	if l.claimants.followed != nil {
		l.claimants.followed.End()
	}
	s := l.run.s
	s.claims.AddClaim(report.Claim{Kernel: b.kernel.Name, Holds: report.Holds{Undecided: why}})
	s.varies = true
	s.stray(l, b)
}

// undecided returns why no claim is made for a launch, "" if one is.
func (c *claimer) undecided(usual *precise.Detector, stopped bool) string {
	s := c.run.s
	switch {
	case stopped:
		return "the launch did not end"
	case c.b.program.Module.Launches():
		return "threads launch kernels"
	case slices.Contains(s.programmatics, true):
		return "launches may overlap"
	case s.strayed != nil:
		return "an access went elsewhere than was proved"
	case detectors.TooLong(c.b.kernel):
		return "its code is too long"
	case len(usual.Losses) > 0:
		return "not checked: " + usual.Losses[0]
	}
	return ""
}

// addClaims adds the claims for the launches so far to a report.
func (s *Session) addClaims(rep *report.Report) {
	for _, c := range s.claims.Claims {
		rep.AddClaim(*c)
	}
	for _, d := range s.claims.Depends {
		again := *d
		rep.Depends = append(rep.Depends, &again)
	}
}

// forgetKernels drops what is known of the kernels of a program.
func (s *Session) forgetKernels(p *Program) {
	maps.DeleteFunc(s.refused, func(k *rewrite.Func, _ bool) bool { return k.Module == p.Module })
	maps.DeleteFunc(s.standing, func(l likeness, _ verdict) bool { return l.kernel.Module == p.Module })
}
