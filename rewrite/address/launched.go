// Launches as facts: what a host gives its kernels, as input of the proofs.

package address

import (
	"slices"

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

// value reads size bytes of the parameter at offset off. ok is false unless they are a number
// or one whole address.
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
	return LaunchValues{Block: l.Block, Grid: l.Grid, Param: l.param, Address: func(*rewrite.Var) (uint64, bool) { return 0, false }}
}

// distinct reports whether two roots are of different objects: of the host, or variables.
func (l *KernelLaunch) distinct(a, b Root) bool {
	x, known := l.object(a)
	y, too := l.object(b)
	return known && too && x != y
}

// object returns the number of the object that a root points into, 0 for every variable of the
// module: the host's objects are none of them. ok is false when the object is not known: a
// number that is used as an address, zero included, may point anywhere.
func (l *KernelLaunch) object(r Root) (uint64, bool) {
	if r.Kind == RootVar {
		return 0, true
	}
	v, ok := l.param(r.Var, r.At, addressBytes)
	return v.Object, ok && v.Object != 0
}

// Program describes a host program: all its launches of the kernels of a module. A nil
// Program is a host of which nothing is known.
type Program struct {
	launches map[string][]KernelLaunch
	host     host
}

// NewProgram returns the program with these launches. It is assumed to store only numbers in
// device memory: no addresses, and no values derived from addresses.
func NewProgram(launches []KernelLaunch) *Program {
	p := &Program{launches: make(map[string][]KernelLaunch)}
	for _, l := range launches {
		p.launches[l.Kernel] = append(p.launches[l.Kernel], l)
	}
	p.host = host{Plain: true, Number: p.number}
	return p
}

// number reports whether size bytes of a parameter at offset off are a number in all launches.
func (p *Program) number(v *rewrite.Var, off int64, size int) bool {
	return !slices.ContainsFunc(p.launches[v.Func.Name], func(l KernelLaunch) bool {
		n, ok := l.param(v, off, size)
		return !ok || n.Object != 0
	})
}

// Launches reports whether the host launches a kernel.
func (p *Program) Launches(kernel string) bool { return p != nil && p.launches[kernel] != nil }

// Given returns what the program's launches say about a kernel.
func (p *Program) Given(kernel string) Given {
	if !p.Launches(kernel) {
		return Given{}
	}
	launches := p.launches[kernel]
	out := Given{host: &p.host}
	out.Distinct = func(a, b Root) bool {
		return proofRules.distinct(launches, a, b)
	}
	for i := range launches {
		out.launches = append(out.launches, launches[i].values())
	}
	return out
}

// Root returns the root that exemptions rely on for an address operand of in: the address lies
// in the object of that root, or anywhere when the root's kind is RootUnknown.
func (p *Program) Root(in *rewrite.Inst, operand int) Root {
	r := rootsFor(in.Func, &p.host).Address(in, operand)
	if r.Kind == RootParam && !in.Func.Entry {
		return Root{}
	}
	return r
}

// distinctIn reports whether two roots are of different objects in each launch.
func distinctIn(launches []KernelLaunch, a, b Root) bool {
	return !slices.ContainsFunc(launches, func(l KernelLaunch) bool { return !l.distinct(a, b) })
}
