// Launches as facts: the arguments and sizes of launches, as input of the proofs.

package address

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Argument is the value of a kernel's parameter in one launch.
type Argument struct {
	Bytes []byte
	// Objects maps the offset of each address in the parameter to the number of the object
	// that it points into, counted from 1. Bytes holds at that offset the distance from the
	// object's beginning.
	Objects map[int64]uint64
}

// addressBytes is the size of an address in a parameter.
const addressBytes = 8

// value returns size bytes of the parameter at offset off. ok is false unless they are a number or one whole address.
func (a *Argument) value(off int64, size int) (ParamValue, bool) {
	n, ok := ParamNumber(a.Bytes, off, size)
	if !ok {
		return ParamValue{}, false
	}
	for at, object := range a.Objects {
		switch {
		case at == off && size == addressBytes:
			return ParamValue{Number: n, Object: object}, true
		case at < off+int64(size) && off < at+addressBytes:
			return ParamValue{}, false
		}
	}
	return ParamValue{Number: n}, true
}

// KernelLaunch describes one launch of a kernel.
type KernelLaunch struct {
	Kernel      string
	Block, Grid [3]uint32
	Args        map[string]Argument // by the parameter's name; parameters not in it are unknown
}

// param implements LaunchValues.Param.
func (l *KernelLaunch) param(v *rewrite.Var, off int64, size int) (ParamValue, bool) {
	a := l.Args[v.Name]
	return a.value(off, size)
}

func (l *KernelLaunch) values() LaunchValues {
	return LaunchValues{
		Block: l.Block, Grid: l.Grid, Param: l.param,
		Address: func(*rewrite.Var) (uint64, bool) { return 0, false },
	}
}

// distinct reports whether two roots belong to different objects of the host, or variables.
func (l *KernelLaunch) distinct(a, b Root) bool {
	x, known := l.object(a)
	y, too := l.object(b)
	return known && too && x != y
}

// object returns the number of the object that a root points into. It is 0 for every variable of the module, none of
// which is an object of the host. ok is false if the object is unknown: a number used as an address, zero included, may
// point anywhere.
func (l *KernelLaunch) object(r Root) (uint64, bool) {
	if r.Kind == RootVar {
		return 0, true
	}
	v, ok := l.param(r.Var, r.At, addressBytes)
	return v.Object, ok && v.Object != 0
}

// Program describes a host program: all its launches of the kernels of a module. A nil Program is an unknown host.
type Program struct {
	kernels map[string]*kernelLaunches
	host    host
}

// kernelLaunches holds the launches of one kernel.
type kernelLaunches struct {
	list    []KernelLaunch // empty if there are launches of which nothing is known
	numbers string         // identifies what is known of the arguments, and which parts of them are addresses
}

// NewProgram returns the program with these launches. It is assumed to store only numbers in
// device memory: no addresses, and no values derived from addresses.
func NewProgram(launches []KernelLaunch) *Program {
	byKernel := make(map[string][]KernelLaunch)
	for _, l := range launches {
		byKernel[l.Kernel] = append(byKernel[l.Kernel], l)
	}
	var p *Program
	for kernel, list := range byKernel {
		p = p.With(kernel, list)
	}
	return cmp.Or(p, newProgram())
}

func newProgram() *Program {
	p := &Program{kernels: make(map[string]*kernelLaunches)}
	p.host = host{Plain: true, Number: p.number, Numbers: p.numbers}
	return p
}

// With returns the program with launches in place of those of one kernel; that kernel's launches are unknown if
// launches is empty.
func (p *Program) With(kernel string, launches []KernelLaunch) *Program {
	out := newProgram()
	if p != nil {
		maps.Copy(out.kernels, p.kernels)
	}
	out.kernels[kernel] = &kernelLaunches{launches, numbersOf(launches)}
	return out
}

// numbersOf returns text that identifies which bytes of the parameters are numbers in all launches.
func numbersOf(launches []KernelLaunch) string {
	if len(launches) == 0 {
		return "unknown"
	}
	sizes, addresses := make(map[string]int), make(map[string]map[int64]bool)
	for name, a := range launches[0].Args {
		sizes[name], addresses[name] = len(a.Bytes), make(map[int64]bool)
	}
	for _, l := range launches {
		for name := range sizes {
			a, known := l.Args[name]
			if !known {
				delete(sizes, name)
				continue
			}
			sizes[name] = min(sizes[name], len(a.Bytes))
			for at := range a.Objects {
				addresses[name][at] = true
			}
		}
	}
	var id strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		fmt.Fprintf(&id, "%s:%d%v;", name, sizes[name], slices.Sorted(maps.Keys(addresses[name])))
	}
	return id.String()
}

// number reports whether size bytes of a parameter at offset off are a number in all launches.
func (p *Program) number(v *rewrite.Var, off int64, size int) bool {
	k := p.kernels[v.Func.Name]
	return k == nil || len(k.list) > 0 && !slices.ContainsFunc(k.list, func(l KernelLaunch) bool {
		n, ok := l.param(v, off, size)
		return !ok || n.Object != 0
	})
}

// numbers implements host.Numbers.
func (p *Program) numbers(kernel string) (id string, known bool) {
	if k := p.kernels[kernel]; k != nil {
		return k.numbers, true
	}
	return "", false
}

// Launches reports whether the host launches a kernel.
func (p *Program) Launches(kernel string) bool { return p != nil && p.kernels[kernel] != nil }

// Memory returns the contents of memory that proofs about the kernels of a module assume. A proof about a kernel
// depends on its own launches, and on others only through this value. Values can be compared.
func (p *Program) Memory(m *rewrite.Module) any { return contentsOf(m, &p.host).lies }

// Given returns the facts of the program's launches about a kernel.
func (p *Program) Given(kernel string) Given {
	if !p.Launches(kernel) {
		return Given{}
	}
	launches := p.kernels[kernel].list
	out := Given{host: &p.host}
	if len(launches) == 0 {
		return out
	}
	out.Distinct = func(a, b Root) bool {
		return proofRules.distinct(launches, a, b)
	}
	for i := range launches {
		out.launches = append(out.launches, launches[i].values())
	}
	return out
}

// Root returns the root that exemptions assume for an address operand of in: the address lies in the object of that
// root, or anywhere if the root's kind is RootUnknown.
func (p *Program) Root(in *rewrite.Inst, operand int) Root {
	r := rootsFor(in.Func, &p.host).Address(in, operand)
	if r.Kind == RootParam && !in.Func.Entry || operand == in.Access.Addr && in.Access.Replicas {
		return Root{}
	}
	return r
}

// distinctIn reports whether two roots belong to different objects in each launch.
func distinctIn(launches []KernelLaunch, a, b Root) bool {
	return !slices.ContainsFunc(launches, func(l KernelLaunch) bool { return !l.distinct(a, b) })
}
