// Sweeps: the launches of a file with other sizes of blocks and other numbers.

package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// variation is a plan that differs from the given one.
type variation struct {
	plan *Plan
	what string
	// fits says that the shape of the launch is the given one: that threads wait for ever or are not where others wait
	// is a finding then.
	fits bool
	// doubtful says that nothing shows that a kernel is for such a launch: what it alone shows is a warning.
	doubtful bool
	small    bool // buffers have small numbers in place of zeros
}

// launches reports whether one of the plan's kernels has a property.
func (p *Plan) launches(has func(*rewrite.Func) bool) bool {
	for i := range p.Launches {
		if has(p.Program.Module.Func(p.KernelName(i))) {
			return true
		}
	}
	return false
}

// sweptNumbers are the changes of sizes: none and one; one less and one more, and others that leave a rest of a warp,
// of a block or of a tile; fewer, but a multiple; several rounds for each thread.
var sweptNumbers = []struct {
	what    string
	least   uint64 // number that is changed: smaller ones are steps, radii or modes rather than sizes
	guarded bool   // for kernels that compare the places of their threads with numbers
	change  func(n uint64) uint64
}{
	{"sizes less 14, which fill no warp", 32, true, func(n uint64) uint64 { return n - 14 }},
	{"three quarters of the sizes", 32, true, func(n uint64) uint64 { return n / 4 * 3 }},
	{"two and a half times the sizes, less 14", 32, false, func(n uint64) uint64 { return n*5/2 - 14 }},
	{"sizes less 1", 4, true, func(n uint64) uint64 { return n - 1 }},
	{"sizes plus 1", 4, true, func(n uint64) uint64 { return n + 1 }},
	{"sizes of 1", 4, true, func(uint64) uint64 { return 1 }},
	{"sizes of 0", 4, true, func(uint64) uint64 { return 0 }},
}

// variations returns the variations of a plan: of its numbers, and of its blocks. Those of a template leave out what
// its kernels are not for: sizes that the threads exceed, if no kernel compares the one with the other, and other
// blocks than are known. Its blocks come with other contents of what the kernels only read, and are doubtful if nothing
// in the kernels shows for which they are. Launches of host code vary in their contents, and in numbers if all is asked
// for; the template beside them varies in all.
func variations(p *Plan, all bool) (list []variation) {
	if p.File.Guess != nil {
		if all {
			list = p.otherNumbers()
		}
		list = append(list, p.otherContents()...)
		if beside := p.beside(); beside != nil {
			list = append(list, variation{plan: beside, what: guessedLaunch})
			for _, v := range variations(beside, all) {
				v.what = guessedLaunch + ": " + v.what
				list = append(list, v)
			}
		}
		return list
	}
	list = p.otherNumbers()
	contents := ""
	for _, v := range p.otherContents() {
		list = append(list, v)
		if contents == "" && v.small {
			p, contents = v.plan, ", "+v.what
		}
	}
	if p.File.Shaped {
		return list
	}
	doubtful := len(p.OtherBlocks()) == 0
	for _, n := range BlockSizes {
		if q := p.Reshaped(n); q != nil && !oneThread(p.File) {
			what := fmt.Sprintf("blocks of %d threads", n) + contents
			list = append(list, variation{plan: q, what: what, doubtful: doubtful})
		}
	}
	return list
}

// guessedLaunch names the template beside launches of host code.
const guessedLaunch = "guessed sizes in place of those of the host code"

// beside returns the plan of the template beside launches of host code, for the same kernels, of which the same ones
// are reported; nil if there is none.
func (p *Plan) beside() *Plan {
	if p.File.Guess == nil {
		return nil
	}
	other, err := NewPlan(p.Program, p.File.Guess, 0)
	if err != nil {
		return nil
	}
	reported := make(map[string]bool)
	for i := range p.Launches {
		reported[p.KernelName(i)] = reported[p.KernelName(i)] || !p.Launches[i].Unreported
	}
	other.mark(func(kernel string) bool { return reported[kernel] })
	return other.Only(func(kernel string) bool {
		_, ok := reported[kernel]
		return ok
	})
}

// otherNumbers returns the variations of the numbers.
func (p *Plan) otherNumbers() (list []variation) {
	guarded := !p.File.Guessed || p.launches(guards)
	for _, n := range sweptNumbers {
		if n.guarded && !guarded {
			continue
		}
		if f := p.File.WithNumbers(n.least, n.change); f != nil {
			list = append(list, variation{plan: p.Of(f), what: n.what, fits: true})
		}
	}
	return list
}

// otherContents returns the variations of guessed contents: small numbers, and floating-point numbers on either side of
// those that the kernels compare with.
func (p *Plan) otherContents() (list []variation) {
	readOnly := func(b *launch.Buffer) bool { return p.OnlyRead(b.Name) }
	if f := p.File.WithSmall(readOnly); f != nil {
		list = append(list, variation{plan: p.Of(f), what: "buffers of random numbers up to 7", small: true})
	}
	floats := func(b *launch.Buffer) bool { return b.Type.Float() && readOnly(b) }
	for _, in := range p.beyond() {
		if f := p.File.WithContents(in, floats); f != nil {
			what := fmt.Sprintf("buffers of random numbers from %.3g to %.3g", in.Min.Float64(), in.Max.Float64())
			list = append(list, variation{plan: p.Of(f), what: what})
		}
	}
	return list
}

// mostBeyond is the number of contents beyond numbers that kernels compare with.
const mostBeyond = 4

// beyond returns contents on either side of the floating-point numbers that kernels compare with, but those that small
// numbers from 0 on are on.
func (p *Plan) beyond() (list []launch.Init) {
	add := func(from, to float64) {
		in := launch.Init{Kind: launch.InitRandom, Seed: 1, Min: launch.Float(from), Max: launch.Float(to)}
		same := func(have launch.Init) bool { return have.Min == in.Min && have.Max == in.Max }
		if len(list) < mostBeyond && !slices.ContainsFunc(list, same) {
			list = append(list, in)
		}
	}
	for i := range p.Launches {
		for _, c := range comparedReals(p.Program.Module.Func(p.KernelName(i))) {
			switch {
			case c > 0:
				add(1.5*c, 2*c)
			case c < 0:
				add(2*c, 1.5*c)
			default:
				add(-2, -1)
			}
		}
	}
	return list
}

// OtherBlocks returns the numbers of threads of a block for which the kernels are, too, as far as that is known: none
// for a template whose blocks are known, or whose kernels do not show for which block they are.
func (p *Plan) OtherBlocks() []uint32 {
	if p.File.Guessed && (p.File.Shaped || !p.launches(anyBlock)) {
		return nil
	}
	return BlockSizes
}

// OtherNumbers returns the plan with other sizes than those of a template, if its kernels compare the places of their
// threads with numbers; nothing for launches that are given.
func (p *Plan) OtherNumbers() (list []*Plan) {
	if !p.File.Guessed || !p.launches(guards) {
		return nil
	}
	for _, n := range sweptNumbers {
		if f := p.File.WithNumbers(n.least, n.change); f != nil {
			list = append(list, p.Of(f))
		}
	}
	return list
}

// oneThread reports whether a template is for blocks of one thread, since its kernels do not tell threads apart.
func oneThread(f *launch.File) bool {
	return f.Guessed && !slices.ContainsFunc(f.Launches,
		func(l launch.Launch) bool { return l.Block != [3]uint32{1, 1, 1} })
}

// Sweep runs variations of the plan, and adds what they show to its report; all says that they are asked for, so that
// numbers of host code are changed, too. A fault of memory is no finding: the buffers and
// numbers of the file may not fit. It returns the first plan, this one or a variation, that has shown an error; nil
// without any.
func (p *Plan) Sweep(
	ctx context.Context, rep *report.Report, all bool, run func(*Plan) (*report.Report, error),
) (shown *Plan, err error) {
	if rep.Count(report.Error) > 0 {
		shown = p
	}
	for _, v := range variations(p, all) {
		other, err := run(v.plan)
		if wrong := new(InputError); errors.As(err, &wrong) { // a number that its parameter cannot hold
			continue
		}
		if p.File.Guessed && ctx.Err() != nil && !errors.Is(err, ErrInterrupted) {
			rep.Notes = append(rep.Notes, report.Unchecked+"other guesses than those of the template: the time is over")
			break
		}
		if err != nil {
			return shown, err
		}
		if faults := other.Faults; len(faults) > 0 && (!v.fits || !waits(faults)) {
			if !p.File.Guessed {
				rep.Notes = append(rep.Notes, report.Unchecked+v.what+": "+faults[0].Headline())
				continue
			}
			if other = other.Without(other.Faulted); other == nil { // each kernel of a template is by itself
				continue
			}
		}
		if v.name(other, rep); shown == nil && other.Count(report.Error) > 0 {
			shown = v.plan
		}
		rep.Merge(other)
	}
	rep.Finish()
	return shown, nil
}

// waits reports whether all faults are of threads that wait for others.
func waits(faults []*report.FaultEvent) bool {
	return !slices.ContainsFunc(faults, func(f *report.FaultEvent) bool {
		return !slices.Contains([]string{"barrier-divergence", "deadlock", "livelock"}, f.Class)
	})
}

// name names the variation in the findings of its report that others do not show, and makes warnings of what it shows,
// if it is doubtful: what another one shows as an error stays one when the reports are merged.
func (v variation) name(rep, others *report.Report) {
	for _, x := range rep.Races {
		if v.doubt(x); !others.Shows(x) {
			x.Variation = v.what
		}
	}
	for _, f := range rep.Faults {
		f.Variation = v.what
	}
}

// doubt makes a warning of an error that a doubtful variation has shown.
func (v variation) doubt(x *report.Race) {
	for _, y := range x.Each() {
		if v.doubtful && y.Severity == report.Error {
			y.Severity = report.Warning
		}
	}
}

// sweptSteps is the limit of warp instructions of a variation of a template.
const sweptSteps = 1_000_000

// LimitSweep prepares options for the variations of a template, of which some may never end.
func (o *Options) LimitSweep() {
	cfg := &o.Emulator
	if cfg.Stdout = nil; cfg.MaxSteps == 0 || cfg.MaxSteps > sweptSteps {
		cfg.MaxSteps = sweptSteps
	}
}
