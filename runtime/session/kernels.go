// Kernels by name: as in the PTX, demangled, or matching a pattern.

package session

import (
	"fmt"
	"io"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// KernelList returns a module's kernels as text.
func KernelList(mod *rewrite.Module) string {
	var names []string
	for _, k := range mod.Kernels() {
		names = append(names, report.Demangle(k.Name))
	}
	if len(names) == 0 {
		return "the module has no kernels"
	}
	return "kernels: " + strings.Join(names, ", ")
}

// kernel is a kernel of a program, with its parameters as launches see them.
type kernel struct {
	*rewrite.Func
	params []launch.Param
}

// kernel returns the kernel that a launch names. Results are cached.
func (p *Program) kernel(l *Launch) (*kernel, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.kernels[l.Kernel]; k != nil {
		return k, nil
	}
	f, err := findKernel(p.Module, l)
	if err != nil {
		return nil, err
	}
	k := &kernel{Func: f}
	for _, v := range f.Params {
		k.params = append(k.params, kernelcode.ParamOf(v))
	}
	p.kernels[l.Kernel] = k
	return k, nil
}

// findKernel returns the kernel that a launch names. A PTX name takes precedence; a demangled name must be unique.
func findKernel(mod *rewrite.Module, l *Launch) (*rewrite.Func, error) {
	var found []*rewrite.Func
	for _, k := range mod.Kernels() {
		if k.Name == l.Kernel {
			return k, nil
		}
		for _, n := range report.NamesOf(k.Name)[1:] {
			if n == l.Kernel {
				found = append(found, k)
				break
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, l.kernelErrorf("no kernel %q in %s; %s", l.Kernel, mod.AST.File.Name, KernelList(mod))
	}
	var names []string
	for _, k := range found {
		names = append(names, k.Name)
	}
	return nil, l.kernelErrorf("%q is the name of %d kernels; expected one of: %s", l.Kernel, len(found),
		strings.Join(names, ", "))
}

// DescribeNeeds writes what a launch of a kernel has to provide.
func DescribeNeeds(w io.Writer, k *rewrite.Func) {
	fmt.Fprintf(w, "kernel %s needs:\n", report.Demangle(k.Name))
	for i, p := range kernelcode.KernelParams(k) {
		note := ": a number"
		switch {
		case p.Pointer:
			note = ": the name of a buffer"
		case p.Shared:
			note = ": an address in shared memory, as a number"
		case p.Array:
			note = ": a list of its fields"
		}
		fmt.Fprintf(w, "  argument %d: %s%s%s\n", i, kernelcode.DescribeParam(p), kernelcode.PointerNote(p), note)
	}
	if len(k.Params) == 0 {
		fmt.Fprintf(w, "  no arguments\n")
	}
	if kernelcode.UsesDynamicShared(k) || kernelcode.SharedParams(kernelcode.KernelParams(k)) > 0 {
		fmt.Fprintf(w, "  shared: bytes of dynamic shared memory\n")
	}
}
