// Advice for the races of a launch: the launch is repeated with its memory as it was before.

package cuda

import (
	"errors"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Limits of the launches of a process that are kept until they have ended, and repeated if they race.
const (
	mostKept     = 8 << 20 // bytes of memory
	mostThreads  = 1 << 20
	mostRepeated = 32 // launches
)

// adviceSet is the advice for the races of a process.
type adviceSet struct {
	findings report.Report
	seen     map[string]bool // races for which advice has been looked for, by identity
	repeated int             // launches
}

// keep describes the launch that is about to begin: for Options.Save, and to repeat it if it races. The result is nil
// if it will not be repeated.
func (p *Process) keep(k *Kernel, l *Launch, args []any) (*savedLaunch, error) {
	repeats := p.opts.Repeat != nil && p.advised.repeated < mostRepeated &&
		extents(l.Grid)*extents(l.Block) <= mostThreads
	most := uint64(mostKept)
	switch {
	case !p.watched(k) || !repeats && p.opts.Save == "":
		return nil, nil
	case p.opts.Save != "":
		most = launch.DefaultMaxBytes
	}
	s, err := p.describe(k, l, args, most)
	switch {
	case errors.Is(err, errMulticast) && p.opts.Save != "":
		p.opts.note("launch %d, of kernel %s, is not saved: %v", p.selector.launches, report.Demangle(k.Name), err)
		return nil, nil
	case p.opts.Save == "" && (errors.Is(err, errTooLarge) || errors.Is(err, errMulticast)):
		return nil, nil
	}
	if err == nil && p.opts.Save != "" {
		err = s.write()
	}
	if err != nil || !repeats || s.size > mostKept {
		return nil, err
	}
	return s, nil
}

// extents returns the product of extents, which may be any numbers.
func extents(d emu.Dim3) float64 { return float64(d.X) * float64(d.Y) * float64(d.Z) }

// advise repeats a launch that has ended, if it has shown new races and no other was executed meanwhile, to find advice
// for them.
func (p *Process) advise(s *savedLaunch, l *Launch, res *session.Result) {
	if s == nil || l.overtaken || !p.advised.news(res.Races) {
		return
	}
	p.advised.repeated++
	plan, err := s.plan()
	if err != nil { // it has what launch files cannot describe
		return
	}
	if rep := p.opts.Repeat(p.context(), plan, res.Stats); rep != nil {
		rep.Advised()
		p.advised.findings.Races = append(p.advised.findings.Races, rep.Races...)
	}
}

// news reports whether there are races among those of a launch that no launch before has shown.
func (a *adviceSet) news(races []*report.Race) (found bool) {
	var rep report.Report
	for _, x := range races {
		race := *x
		rep.Races = append(rep.Races, &race)
	}
	rep.Finish()
	for _, id := range rep.Identities(report.Error) {
		if found = found || !a.seen[id]; a.seen == nil {
			a.seen = make(map[string]bool)
		}
		a.seen[id] = true
	}
	return found
}

// plan returns the launch as one that can be repeated here, with only the code that it can reach.
func (s *savedLaunch) plan() (*session.Plan, error) {
	file, err := launch.Parse("launch.yaml", []byte(s.text()), launch.Options{})
	if err != nil {
		return nil, err
	}
	file.Hold(s.files)
	program := s.kernel.module.program
	tree := program.Module.AST
	if text := rewrite.OnlyReachable(tree, []string{s.kernel.Name}); text != nil {
		if program, err = session.Parse(tree.File.Name, text); err != nil {
			return nil, err
		}
	}
	return session.NewPlan(program, file, 0)
}

// described describes the kernel's parameters, once.
func (k *Kernel) described() []launch.Param {
	if k.params == nil && len(k.Params) > 0 {
		k.params = session.KernelParams(k.function)
	}
	return k.params
}
