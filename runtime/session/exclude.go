// Kernels whose races are not reported.

package session

import "path"

// Exclude takes the kernels whose names match one of the globs out of a plan: they run, but
// their races are not reported. Each glob must match a kernel, and a launch must be left. The
// error is an *InputError.
func (p *Plan) Exclude(globs []string) error {
	mod := p.Program.Module
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil {
			return inputErrorf("%q is not a glob: %w", glob, err)
		}
		found := false
		for _, k := range mod.Kernels() {
			found = found || MatchKernel(glob, k.Name)
		}
		if glob == "" || !found {
			return inputErrorf("%q matches no kernel; %s", glob, KernelList(mod))
		}
	}
	left := false
	for i := range p.Launches {
		l := &p.Launches[i]
		for _, glob := range globs {
			l.Unreported = l.Unreported || MatchKernel(glob, p.KernelName(i))
		}
		left = left || !l.Unreported
	}
	if !left {
		return inputErrorf("no launch is left to check")
	}
	return nil
}
