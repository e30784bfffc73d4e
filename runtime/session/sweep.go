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
	// fits says that the shape of the launch is the given one: that threads wait for ever or are not where others wait is a
	// finding then.
	fits bool
	// doubtful says that nothing shows that a kernel is for such a launch: what it alone shows is a warning.
	doubtful bool
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

// sweptNumbers are the changes of sizes: none is a multiple of a warp; fewer, but a multiple; several rounds for each thread.
var sweptNumbers = []struct {
	what   string
	change func(n uint64) uint64
	less   bool // than the given ones
}{
	{"sizes less 14, which fill no warp", func(n uint64) uint64 { return n - 14 }, true},
	{"three quarters of the sizes", func(n uint64) uint64 { return n / 4 * 3 }, true},
	{"two and a half times the sizes, less 14", func(n uint64) uint64 { return n*5/2 - 14 }, false},
}

// variations returns the variations of a plan: of its numbers, and of its blocks. Those of a template leave out what its kernels are
// not for: sizes that the threads exceed, if no kernel compares the one with the other, and other blocks than are known. Its blocks
// come with other contents of what the kernels only read, and are doubtful if nothing in the kernels shows for which they are.
func variations(p *Plan) (list []variation) {
	guarded := !p.File.Guessed || p.launches(guards)
	for _, n := range sweptNumbers {
		if n.less && !guarded {
			continue
		}
		if f := p.File.WithNumbers(n.change); f != nil {
			list = append(list, variation{plan: p.Of(f), what: n.what, fits: true})
		}
	}
	contents := ""
	if f := p.File.WithSmall(p.OnlyRead); f != nil && p.File.Guessed {
		p, contents = p.Of(f), ", buffers of random numbers up to 7"
		list = append(list, variation{plan: p, what: contents[len(", "):]})
	}
	if p.File.Shaped {
		return list
	}
	doubtful := len(p.OtherBlocks()) == 0
	for _, n := range BlockSizes {
		if q := p.Reshaped(n); q != nil && !oneThread(p.File) {
			list = append(list, variation{plan: q, what: fmt.Sprintf("blocks of %d threads", n) + contents, doubtful: doubtful})
		}
	}
	return list
}

// OtherBlocks returns the numbers of threads of a block for which the kernels are, too, as far as that is known: none for a template
// whose blocks are known, or whose kernels do not show for which block they are.
func (p *Plan) OtherBlocks() []uint32 {
	if p.File.Guessed && (p.File.Shaped || !p.launches(anyBlock)) {
		return nil
	}
	return BlockSizes
}

// OtherNumbers returns the plan with other sizes than those of a template, if its kernels compare the places of their threads with
// numbers; nothing for launches that are given.
func (p *Plan) OtherNumbers() (list []*Plan) {
	if !p.File.Guessed || !p.launches(guards) {
		return nil
	}
	for _, n := range sweptNumbers {
		if f := p.File.WithNumbers(n.change); f != nil {
			list = append(list, p.Of(f))
		}
	}
	return list
}

// oneThread reports whether a template is for blocks of one thread, since its kernels do not tell threads apart.
func oneThread(f *launch.File) bool {
	return f.Guessed && !slices.ContainsFunc(f.Launches, func(l launch.Launch) bool { return l.Block != [3]uint32{1, 1, 1} })
}

// Sweep runs variations of the plan, and adds what they show to its report. A fault of memory is no finding: the buffers and numbers
// of the file may not fit. It returns the first plan, this one or a variation, that has shown an error; nil without any.
func (p *Plan) Sweep(ctx context.Context, rep *report.Report, run func(*Plan) (*report.Report, error)) (shown *Plan, err error) {
	if rep.Count(report.Error) > 0 {
		shown = p
	}
	for _, v := range variations(p) {
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

// name names the variation in the findings of its report that others do not show, and makes warnings of what it shows, if it is
// doubtful: what another one shows as an error stays one when the reports are merged.
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
