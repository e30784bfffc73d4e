// Selection of the launches of a plan whose races are reported.

package session

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
)

// LaunchSelection selects the launches of a plan whose races are reported: launches of kernels that match Kernel and no glob of
// Exclude, by mangled or demangled name, without the first Skip, and at most Count, 0 for all. The other launches are executed,
// too.
type LaunchSelection struct {
	Kernel      string
	Exclude     []string
	Skip, Count int
}

// Select restricts the reported races to some launches. There must be at least one, since a check of nothing must not look clean.
// The error is an *InputError in terms of flags.
func (p *Plan) Select(which LaunchSelection) error {
	mod := p.Program.Module
	if _, err := KernelsMatching(mod, which.Kernel, "--kernel"); err != nil {
		return err
	}
	for _, glob := range which.Exclude {
		found, err := KernelsMatching(mod, glob, "--kernel-exclude:")
		if err == nil && glob == "" {
			err = inputErrorf("--kernel-exclude: %q matches no kernel; %s", glob, KernelList(mod))
		}
		if err != nil || len(found) == 0 {
			return err
		}
	}
	if which.Skip < 0 || which.Count < 0 {
		return inputErrorf("--launch-skip, --launch-count: expected a number from 0 on, found %d", min(which.Skip, which.Count))
	}
	if len(p.Launches) > 0 && !p.mark(func(kernel string) bool { return MatchKernel(which.Kernel, kernel) }) {
		return inputErrorf("--kernel %q matches no launch of %s", which.Kernel, p.File.Name)
	}
	excluded := func(kernel string) bool {
		return slices.ContainsFunc(which.Exclude, func(glob string) bool { return MatchKernel(glob, kernel) })
	}
	if len(p.Launches) > 0 && !p.mark(func(kernel string) bool { return MatchKernel(which.Kernel, kernel) && !excluded(kernel) }) {
		return inputErrorf("--kernel-exclude: no launch is left to check")
	}
	return p.count(which.Skip, which.Count)
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
		return inputErrorf("--launch-skip %d: no launch is left to check: there are %d", skip, n)
	}
	return nil
}

// KernelsMatching returns the kernels that the glob of a flag selects. It is an error to select none.
func KernelsMatching(mod *rewrite.Module, glob, flag string) (out []*rewrite.Func, err error) {
	if _, err := path.Match(glob, ""); err != nil {
		return nil, &InputError{fmt.Errorf("%s: %q is not a glob: %w", strings.TrimSuffix(flag, ":"), glob, err)}
	}
	for _, k := range mod.Kernels() {
		if MatchKernel(glob, k.Name) {
			out = append(out, k)
		}
	}
	if len(out) == 0 && glob != "" {
		return nil, inputErrorf("%s %q matches no kernel; %s", flag, glob, KernelList(mod))
	}
	return out, nil
}
