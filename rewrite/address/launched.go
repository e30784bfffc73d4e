package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Argument is the bytes of a parameter.
type Argument struct {
	Bytes []byte
	// Objects are the objects whose addresses the parameter has, by the offset of the
	// address in it: numbers from 1 on. The bytes there count from the object's beginning.
	Objects map[int64]uint64
}

// addressBytes is the size of an address in a parameter.
const addressBytes = 8

// value is size bytes of the parameter from off on. It reports whether they are a number or
// one whole address.
func (a *Argument) value(off int64, size int) (ParamValue, bool) {
	n, ok := NumberIn(a.Bytes, off, size)
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

// KernelLaunch is what a launch gives a kernel.
type KernelLaunch struct {
	Kernel      string
	Block, Grid [3]uint32
	Args        map[string]Argument // by the parameter's name; what is absent is not known
}

// param is LaunchValues.Param.
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

// object is the number of the object that a root is of, 0 for all variables, which differ
// from what the host allocates. It reports whether that is known: a number that is used as
// an address, zero included, may come to lie anywhere.
func (l *KernelLaunch) object(r Root) (uint64, bool) {
	if r.Kind == RootVar {
		return 0, true
	}
	v, ok := l.param(r.Var, r.At, addressBytes)
	return v.Object, ok && v.Object != 0
}

// Program is all that a host does with the kernels of a module. Nil stands for a host of
// which nothing is known.
type Program struct {
	launches map[string][]KernelLaunch
	host     Host
}

// NewProgram is a host that launches kernels, and writes nothing but plain numbers into
// memory: no addresses, and nothing that derives from them.
func NewProgram(launches []KernelLaunch) *Program {
	p := &Program{launches: make(map[string][]KernelLaunch)}
	for _, l := range launches {
		p.launches[l.Kernel] = append(p.launches[l.Kernel], l)
	}
	p.host = Host{Plain: true, Number: p.number}
	return p
}

// number reports whether a part of a parameter is a number in all launches.
func (p *Program) number(v *rewrite.Var, off int64, size int) bool {
	return !slices.ContainsFunc(p.launches[v.Func.Name], func(l KernelLaunch) bool {
		n, ok := l.param(v, off, size)
		return !ok || n.Object != 0
	})
}

// Launches reports whether the host launches a kernel.
func (p *Program) Launches(kernel string) bool { return p != nil && p.launches[kernel] != nil }

// Given is what is known of how a kernel is launched.
func (p *Program) Given(kernel string) Given {
	if !p.Launches(kernel) {
		return Given{}
	}
	launches := p.launches[kernel]
	out := Given{Host: &p.host}
	out.Distinct = func(a, b Root) bool {
		return proofRules.distinct(launches, a, b)
	}
	for i := range launches {
		out.Launches = append(out.Launches, launches[i].values())
	}
	return out
}

// Root is what exemptions rely on of the address that a kernel's instruction accesses: that it
// lies in the object of the root, or anywhere when its kind is RootUnknown.
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
