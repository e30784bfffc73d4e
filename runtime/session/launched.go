// Reduction of a module to what the launches can reach: only that is resolved, checked, instrumented and decoded.

package session

import (
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Launched returns a module without the functions that the launches of a file cannot reach. Otherwise it is the same
// for them, with the same lines. All of the module has been parsed; the rules beyond the grammar are checked only where
// they matter for the launches.
func Launched(tree *ptxgrammar.Module, f *launch.File) (*ptxgrammar.Module, error) {
	var kernels []string
	for i := range f.Launches {
		named := kernelsNamed(tree, f.Launches[i].Kernel)
		if len(named) == 0 {
			return tree, nil // for an error that lists all kernels
		}
		kernels = append(kernels, named...)
	}
	text := rewrite.OnlyReachable(tree, kernels)
	if text == nil {
		return tree, nil
	}
	return ptxgrammar.Parse(tree.File.Name, text)
}

// kernelsNamed returns the kernels that a launch may mean, by PTX or demangled name.
func kernelsNamed(tree *ptxgrammar.Module, name string) (found []string) {
	for i := range tree.Funcs {
		if f := &tree.Funcs[i]; f.Entry && f.Name == name {
			return []string{name}
		}
	}
	for i := range tree.Funcs {
		f := &tree.Funcs[i]
		if !f.Entry {
			continue
		}
		for _, n := range report.NamesOf(f.Name)[1:] {
			if n == name {
				found = append(found, f.Name)
			}
		}
	}
	return found
}
