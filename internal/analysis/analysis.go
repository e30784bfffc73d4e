// Package analysis finds data races in kernels for every input, as `ptxsan analyze` does. It combines the static
// detector (internal/static), launch facts from host code (internal/static/hostcode), facts files and launch files
// (internal/factfile), and reports (runtime/report).
//
// [Run] analyses the kernels of a program once for each place that launches them. If no launches are known, it analyses
// each kernel for any launch. A race has a witness: a launch in which two threads race. It is executed, and a race that
// no execution shows is a possible one. [Outcome.Witness] returns it as a launch file for `ptxsan check`. If a pair
// depends on synchronisation, asynchronous copies or similar operations that the static analysis does not decide, the
// launch is executed, and a race in the execution proves that the pair races.
//
// The package must not know command lines, and opens no files except those of its cache.
package analysis

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Options says what is analysed, and under which assumptions.
type Options struct {
	Chosen func(kernel string) bool // reports whether a kernel is analysed; nil for all
	Facts  []*facts.File            // facts about launches; without any, every launch is possible
	File   *launch.File             // a file whose launches are among Facts; nil for none. It is executed for possible pairs
	Drop   map[facts.Class]bool     // classes of facts that are ignored
	Budget int64                    // work units for a kernel; 0 is static.DefaultBudget
	Cache  *Cache                   // nil for none
	Step   func(what string)        // called with a description of each step; nil for none
	Only   func(*facts.Given) bool  // selects launches; nil for every launch
	// Disjoint says that pointer parameters without known facts do not alias.
	Disjoint bool
	// Proofs records refutations, or holds those of an earlier analysis; see static.Proofs. Then nothing is executed,
	// and no results are kept. Nil for neither.
	Proofs *static.Proofs
	// NoWrap says that no size that depends on parameters or host code exceeds its register.
	NoWrap bool
	// Without has the names of rules of the analysis that are not applied: see static.Rules.
	Without []string
}

// Outcome is the result of an analysis.
type Outcome struct {
	Report *report.Report
	found  []*finding
	made   []Made // with Options.Proofs
	prog   *session.Program
	byFile map[*static.Pair]*launch.File // pairs that race in an execution of the launch file in the options
	played int                           // number of launches of that file that were executed
	places map[*rewrite.Inst]*report.Source
	shown  map[*static.Result][]*report.FaultEvent // see fault
	names  map[string]string                       // of variables in the source, by those in the PTX
	rules  map[string]bool                         // see Applied
	wants  map[string]bool                         // what may decide more pairs: see static.Pair.Wanted
}

// Applied returns the names of the rules that said something of a pair, of static.Rules, but of results that were kept.
func (out *Outcome) Applied() []string { return slices.Sorted(maps.Keys(out.rules)) }

// Made is the result of an analysis with Options.Proofs, for a kernel and a place that launches it.
type Made struct {
	Kernel *rewrite.Func
	Given  *facts.Given // of the place
	Result *static.Result
	Proof  *report.Proof
}

// Made returns the results of an analysis with Options.Proofs.
func (out *Outcome) Made() []Made { return out.made }

// finding is a race with the origin of its witness.
type finding struct {
	race   *report.Race
	pair   *static.Pair
	given  *facts.Given
	kernel *rewrite.Func
}

// Run analyses the kernels of a program. When the time of the context is over, what was not decided is left open, and
// there is no error.
func Run(ctx context.Context, p *session.Program, o Options) (*Outcome, error) {
	out := &Outcome{
		prog: p, byFile: make(map[*static.Pair]*launch.File),
		places: make(map[*rewrite.Inst]*report.Source), names: make(map[string]string),
		shown: make(map[*static.Result][]*report.FaultEvent), rules: make(map[string]bool),
		wants:  make(map[string]bool),
		Report: &report.Report{Tool: report.Tool{Name: "ptxsan", Version: session.Version}, Detector: "hgrd"},
	}
	out.Report.Proofs = []*report.Proof{}
	matched := make(map[*facts.Launch]bool)
	for _, k := range p.Module.Kernels() {
		if !k.Defined() || o.Chosen != nil && !o.Chosen(k.Name) {
			continue
		}
		if err := out.kernel(ctx, k, &o, matched); err != nil {
			return nil, err
		}
	}
	out.Report.Wanted = out.wanted(&o)
	if err := out.strays(&o, matched); err != nil {
		return nil, err
	}
	if why := overlapping(p.Module, o.File); why != "" {
		out.Report.Notes = append(out.Report.Notes,
			"launches are not compared with each other, and may overlap here ("+why+"): for races between them, ptxsan check with a launch file")
	}
	out.finish()
	return out, nil
}

// overlapping returns why launches may overlap: a launch of the file that says so, or a kernel that orders itself with
// other grids; empty if nothing says so.
func overlapping(m *rewrite.Module, file *launch.File) string {
	if file != nil {
		for i := range file.Launches {
			if l := file.Launches[i]; l.Programmatic {
				return l.KernelPos.String() + ": programmatic"
			}
		}
	}
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			if in.OrdersGrids() {
				return in.Position().String() + ": " + in.Opcode()
			}
		}
	}
	return ""
}

// strays handles launches of kernels that the program does not have: an error if a user has written the kernel's name.
func (out *Outcome) strays(o *Options, matched map[*facts.Launch]bool) error {
	for _, f := range o.Facts {
		out.Report.Notes = append(out.Report.Notes, f.Notes...)
		for _, l := range f.Launches {
			if matched[l] || o.Chosen != nil {
				continue
			}
			if l.KernelPos != l.Site {
				return &session.InputError{Err: fmt.Errorf("%s: no kernel %q in %s; %s", l.KernelPos, l.Kernel,
					out.prog.Module.AST.File.Name, session.KernelList(out.prog.Module))}
			}
			out.Report.Notes = append(out.Report.Notes,
				fmt.Sprintf("%s: launches %s, which is not in %s", l.Site, l.Kernel, out.prog.Module.AST.File.Name))
		}
	}
	return nil
}

// inBlocks returns a launch of a kernel with its grid in blocks, if the kernel's launches count clusters. The block is
// the one that the kernel requires, as without the launch.
func inBlocks(k *rewrite.Func, l *facts.Launch) *facts.Launch {
	if !emu.InClusters(k) {
		return l
	}
	in, cluster := *l, emu.RequiredCluster(k)
	for i, n := range [3]uint32{cluster.X, cluster.Y, cluster.Z} {
		if in.Grid[i] != nil {
			in.Grid[i] = expr.Mul(in.Grid[i], expr.Const(int64(n)))
		}
		in.Block[i] = nil
	}
	return &in
}

// kernel analyses one kernel for all its launches.
func (out *Outcome) kernel(ctx context.Context, k *rewrite.Func, o *Options, matched map[*facts.Launch]bool) error {
	params := session.KernelParams(k)
	var givens []*facts.Given
	samples := make(map[*facts.Given]*facts.Given)
	for _, f := range o.Facts {
		for _, l := range f.Launches {
			if !report.Denotes(l.Kernel, k.Name) || len(l.Args) > len(params) {
				continue
			}
			matched[l] = true
			g := o.given(inBlocks(k, l), k)
			if o.Only != nil && !o.Only(g) {
				continue
			}
			givens = append(givens, g)
			if s := inBlocks(k, l).Sampled(); s != nil && !o.Drop[facts.Values] && o.Proofs == nil {
				samples[g] = o.given(s, k)
			}
		}
	}
	if givens == nil && neverLaunched(o.Facts, k) {
		out.Report.Notes = append(out.Report.Notes,
			fmt.Sprintf("%s: host code reaches no launch of it; it is not analysed", report.Demangle(k.Name)))
		return nil
	}
	if givens == nil {
		g := facts.Nothing()
		g.Disjoint = o.Disjoint
		g.Unfollowed = facts.Join(o.Facts).Main
		givens = []*facts.Given{g}
		if len(o.Facts) > 0 {
			out.Report.Notes = append(out.Report.Notes,
				fmt.Sprintf("%s: no launch is known of it; it is analysed for any launch", report.Demangle(k.Name)))
		}
	}
	worst := make(map[sides]*finding)
	var order []sides
	for _, g := range givens {
		r, err := out.analyze(ctx, k, g, o)
		if err != nil {
			return err
		}
		shown, err := out.sample(ctx, k, samples[g], r, o)
		if err != nil {
			return err
		}
		out.fail(out.shown[r])
		for _, name := range r.Applied {
			out.rules[name] = true
		}
		proof := proofOf(k, g, r, out.shown[r])
		if out.Report.Proofs = append(out.Report.Proofs, proof); o.Proofs != nil {
			out.made = append(out.made, Made{k, g, r, proof})
		}
		out.Report.Stats.Sites += r.Accesses
		for _, p := range r.Pairs {
			for _, what := range p.Wanted {
				out.wants[what] = true
			}
			key := sidesOf(p)
			have := worst[key]
			if p.Verdict == static.Clean || faulted(p, out.shown[r]) || have != nil && have.pair.Verdict >= p.Verdict {
				continue
			}
			if have == nil {
				order = append(order, key)
			}
			worst[key] = &finding{pair: p, given: g, kernel: k}
			if shown[p] {
				worst[key].given = samples[g]
			}
		}
	}
	for _, key := range order {
		out.found = append(out.found, worst[key])
	}
	return nil
}

// sides identifies a pair: two instructions, or one and an event.
type sides struct {
	first, second *rewrite.Inst
	event         detect.Event
}

func sidesOf(p *static.Pair) sides { return sides{p.First.Inst, p.Second.Inst, p.Second.Event} }

// given returns the known facts of a launch under the assumptions of the options.
func (o *Options) given(l *facts.Launch, k *rewrite.Func) *facts.Given {
	g := l.Given(o.Drop, widths(session.KernelParams(k)))
	g.Changed = changed(k.Module, l.Changed)
	if g.Disjoint = o.Disjoint; o.NoWrap {
		g.NoWrap()
	}
	return g
}

// changed returns the variables of a module that names denote: in the PTX, or in the source without namespaces.
func changed(m *rewrite.Module, names []string) (list []string) {
	plain := func(name string) string {
		name, _, _ = strings.Cut(report.Variable(name), ".")
		return name
	}
	for _, v := range m.Globals {
		if slices.ContainsFunc(names, func(name string) bool {
			return name == facts.AnyVariable || name == v.Name || plain(name) == plain(v.Name)
		}) {
			list = append(list, v.Name)
		}
	}
	return list
}

// neverLaunched reports whether a kernel is launched only by host code that is unreachable.
func neverLaunched(list []*facts.File, k *rewrite.Func) bool {
	return slices.ContainsFunc(facts.Join(list).Never, func(name string) bool { return report.Denotes(name, k.Name) })
}

// analyze analyses a kernel under one set of facts, or returns a cached result.
func (out *Outcome) analyze(ctx context.Context, k *rewrite.Func, g *facts.Given, o *Options) (*static.Result, error) {
	opt := static.Options{
		Budget: o.Budget, Contents: true, NoWrap: o.NoWrap, Believe: true, Partial: true,
		Without: o.Without,
	}
	name := report.Demangle(k.Name)
	if g.Site != "" {
		name += " launched at " + g.Site
	}
	if o.Step != nil {
		o.Step("analyzing " + name)
		opt.Progress = func(done, all int) { o.Step(fmt.Sprintf("analyzing %s: %d of %d pairs", name, done, all)) }
	}
	if o.Proofs != nil {
		opt.Proofs, opt.ProofOnly = o.Proofs, true
		return static.Analyze(ctx, k, g, opt)
	}
	r, events, ok := o.Cache.load(k, g, o)
	if !ok {
		var err error
		deciding, done := beforeEnd(ctx)
		r, err = static.Analyze(deciding, k, g, opt)
		if done(); err != nil {
			return nil, err
		}
		if o.Step != nil && len(r.Tries) > 0 {
			o.Step("executing launches of " + name)
		}
		if !r.Late {
			if err = out.try(ctx, k, g, r, o); err != nil && !late(ctx) {
				return nil, err
			}
		}
		out.confirm(ctx, k, g, r)
		if events, err = out.fault(ctx, k, g, r); err != nil && !late(ctx) {
			return nil, err
		}
		if r.Late = r.Late || late(ctx); !r.Late {
			o.Cache.store(k, g, o, r, events)
		}
	}
	out.shown[r] = events
	if !r.Late {
		if err := out.play(ctx, k, g, r, o); err != nil && !late(ctx) {
			return nil, err
		}
	}
	if r.Late || late(ctx) {
		out.Report.Notes = append(out.Report.Notes,
			report.Unchecked+name+": the time is over, and what is not decided is left open")
	}
	return r, nil
}

// beforeEnd returns a context that leaves a tenth of the remaining time, in which witnesses are executed.
func beforeEnd(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, end.Add(-time.Until(end)/10))
}

// late reports whether the time of a context is over.
func late(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }

// widths returns the bits of parameters that are integers, 0 for others.
func widths(params []launch.Param) []int {
	var out []int
	for _, p := range params {
		w := 8 * int(p.Size)
		if p.Type.Float() || p.Array {
			w = 0
		}
		out = append(out, w)
	}
	return out
}

// proofOf summarises the result for a kernel, of which executions have shown some faults.
func proofOf(k *rewrite.Func, g *facts.Given, r *static.Result, shown []*report.FaultEvent) *report.Proof {
	p := &report.Proof{
		Kernel: k.Name, Site: g.Site, Pairs: len(r.Pairs) + r.Rest, Possible: r.Rest,
		Verdict: report.Clean, Needed: r.Needed, Notes: r.Notes,
	}
	for _, x := range r.Pairs {
		switch {
		case faulted(x, shown):
			p.Faulted++
		case x.Verdict == static.Racy:
			p.Racy++
		case x.Verdict == static.Possible:
			p.Possible++
		default:
			p.Proved++
		}
	}
	switch {
	case r.Verdict == static.Racy:
		p.Verdict = report.Racy
	case len(shown) > 0 && p.Possible == 0 && !r.Apart && !r.Late:
		p.Verdict = report.Fault
	case r.Verdict == static.Possible:
		p.Verdict = report.Unknown
	}
	if len(r.Divided) > 0 {
		p.Notes = append(slices.Clone(p.Notes),
			"open: whether all threads of a block come to the barrier at "+strings.Join(r.Divided,
				", ")+" (barrier divergence)")
	}
	if len(r.Missed) > 0 {
		p.Notes = append(slices.Clone(p.Notes),
			"open: whether all threads that it waits for come to the barrier at "+strings.Join(r.Missed,
				", ")+" (barrier divergence)")
	}
	if g.Start != "" && len(p.Needed) > 0 {
		p.Needed = append(slices.Clone(p.Needed), "arguments: "+g.Start)
		slices.Sort(p.Needed)
	}
	if p.Needed == nil {
		p.Needed = []string{}
	}
	return p
}

// finish completes the report. Races precede possible ones, so that a pair of lines with both is shown as a race.
func (out *Outcome) finish() {
	sort.SliceStable(out.found, func(i, j int) bool { return out.found[i].pair.Verdict > out.found[j].pair.Verdict })
	out.list()
	for _, f := range out.found {
		f.race = out.raceOf(f)
		out.Report.Races = append(out.Report.Races, f.race)
	}
	out.Report.Finish()
}
