// Selection of the launches of a plan whose races are reported.

package session

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
)

// LaunchSelection selects the launches of a plan whose races are reported: launches of kernels that Kernels chooses and
// no pattern of Exclude selects, without the first Skip, and at most Count, 0 for all. The other launches are executed,
// too.
type LaunchSelection struct {
	Kernels, Exclude report.Filter
	Skip, Count      int
}

// Select restricts the reported races to some launches. There must be at least one, since a check of nothing must not
// look clean. The error is an *InputError in terms of flags.
func (p *Plan) Select(which LaunchSelection) error {
	mod := p.Program.Module
	if _, err := KernelsMatching(mod, which.Kernels, "--kernel"); err != nil {
		return err
	}
	if _, err := KernelsMatching(mod, which.Exclude, "--kernel-exclude"); err != nil {
		return err
	}
	if which.Skip < 0 || which.Count < 0 {
		return badinput.Errorf("--launch-skip, --launch-count: expected a number from 0 on, found %d",
			min(which.Skip, which.Count))
	}
	if len(p.Launches) > 0 && !p.mark(which.Kernels.Chooses) {
		return badinput.Errorf("--kernel %s matches no launch of %s", quoted(which.Kernels), p.File.Name)
	}
	chosen := func(kernel string) bool { return which.Kernels.Chooses(kernel) && !which.Exclude.Names(kernel) }
	if len(p.Launches) > 0 && !p.mark(chosen) {
		return badinput.Errorf("--kernel-exclude: no launch is left to check")
	}
	return p.count(which.Skip, which.Count)
}

// quoted returns patterns as text.
func quoted(patterns report.Filter) string {
	var list []string
	for _, pattern := range patterns {
		list = append(list, fmt.Sprintf("%q", pattern))
	}
	return strings.Join(list, ", ")
}

// mark reports only races of launches whose kernel a function accepts, and reports whether there are any.
func (p *Plan) mark(accepts func(kernel string) bool) bool {
	any := false
	for i := range p.Launches {
		p.Launches[i].Unreported = !accepts(p.KernelName(i))
		any = any || !p.Launches[i].Unreported
	}
	return any
}

// count deselects the first skip launches, and those after the next count.
func (p *Plan) count(skip, count int) error {
	if skip == 0 && count == 0 {
		return nil
	}
	n, left := 0, 0
	for i := range p.Launches {
		l := &p.Launches[i]
		if l.Unreported {
			continue
		}
		n++
		if l.Unreported = n <= skip || count > 0 && n > skip+count; !l.Unreported {
			left++
		}
	}
	if left == 0 {
		return badinput.Errorf("--launch-skip %d: no launch is left to check: there are %d", skip, n)
	}
	return nil
}

// KernelsMatching returns the kernels that the patterns of a flag choose. It is an error if one of them selects none.
func KernelsMatching(mod *rewrite.Module, patterns report.Filter, flag string) (out []*rewrite.Func, err error) {
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, &InputError{Err: fmt.Errorf("%s: %q is not a glob: %w", flag, pattern, err)}
		}
		if !slices.ContainsFunc(mod.Kernels(), func(k *rewrite.Func) bool { return report.Selects(pattern, k.Name) }) {
			return nil, badinput.Errorf("%s %q matches no kernel; %s", flag, pattern, KernelList(mod))
		}
	}
	for _, k := range mod.Kernels() {
		if patterns.Chooses(k.Name) {
			out = append(out, k)
		}
	}
	return out, nil
}
