// The values of a kernel as a graph: of registers, and of variables that only one thread accesses.

package steer

import (
	"maps"
	"slices"
	"sort"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Source is where a value comes from.
type Source struct {
	Inst *rewrite.Inst // nil for what is in a register that nothing has written
	// Order names what Inst returns that may differ between schedules whatever is in memory. It is empty for what Inst
	// has read from memory that threads share.
	Order string
	// Map says that what counts is the tensor map that Inst has read, not the tensor.
	Map bool
	// Found says that what counts is what Inst, a compare-and-swap, finds in memory.
	Found bool
	// Undefined says that what counts is what Inst returns where PTX leaves it undefined: a shuffle of a lane that does
	// not take part, or a load of local memory that the thread has not written.
	Undefined bool
	// Offset says that the value is that of the source, plus or minus numbers that come from no source.
	Offset bool
	// Param is the parameter of the kernel that counts. Grid says that what counts are the extents of the grid, or which
	// of its blocks a thread is in. Only [Launched] asks for these.
	Param *rewrite.Var
	Grid  bool
}

// Flow is the data flow of a kernel and of all functions that it may reach.
type Flow struct {
	Funcs []*rewrite.Func // the kernel first

	steered []Sink
	stores  map[*rewrite.Inst][]Source

	base  []int32 // by function, the node of its first value
	ssa   []*rewrite.SSA
	index map[*rewrite.Func]int
	vars  map[*rewrite.Var]int32
	local map[int32]bool                   // nodes of local memory
	into  [][]feed                         // by node of a variable, from vars on: what is written there
	first int32                            // the first node of a variable
	spins map[*rewrite.Block]spin          // the outermost spin loop with a block
	polls map[*rewrite.Inst]bool           // tests of mbarriers that decide nothing but waits
	met   map[*rewrite.Block]*rewrite.Inst // blocks where it depends on a test on which way a thread has come

	// hidden stands for what is written to memory of a thread at an unknown place, anywhere for what is read there,
	// nested for the parameters of grids that threads launch.
	hidden, anywhere, nested int32

	launched bool                   // values of the launch are sources, other than of addresses in global memory
	params   map[int32]*rewrite.Var // by node, the parameters of the kernel, if they are sources
	optional map[*rewrite.Inst]bool // then, branches that decide nothing but accesses that are optional
	// under has the optional branches that decide whether a thread comes to a block, behind those whose sides meet there.
	under, behind map[*rewrite.Block][]*rewrite.Inst

	seen, around visits
	plain        map[int32]bool // by node, whether its value comes from no source; as far as known
	steps        int            // of slices, up to mostSteps
}

// mostSteps is the number of steps after which slices are given up: a second. Slices of long functions with local memory
// share most of the code.
const mostSteps = 5_000_000

// Exceeded reports whether slices have been given up: nothing is known of what steers.
func (w *Flow) Exceeded() bool { return w.steps > mostSteps }

// feed is an operand of an instruction that writes it to a variable, or a variable that is copied.
type feed struct {
	in       *rewrite.Inst
	o        *rewrite.Operand
	node     int32
	returned bool // in is a call that returns the variable
}

type flowKey struct{}

// Of returns the data flow of a kernel, computed on first use. Several goroutines may use it.
func Of(kernel *rewrite.Func) *Flow {
	return kernel.Memo(flowKey{}, func() any { return newFlow(kernel, false) }).(*Flow)
}

func newFlow(kernel *rewrite.Func, launched bool) *Flow {
	w := &Flow{
		index: make(map[*rewrite.Func]int), vars: make(map[*rewrite.Var]int32), polls: make(map[*rewrite.Inst]bool),
		met: make(map[*rewrite.Block]*rewrite.Inst), plain: make(map[int32]bool), spins: make(map[*rewrite.Block]spin),
		local: make(map[int32]bool), params: make(map[int32]*rewrite.Var), launched: launched,
		optional: make(map[*rewrite.Inst]bool), under: make(map[*rewrite.Block][]*rewrite.Inst),
		behind: make(map[*rewrite.Block][]*rewrite.Inst),
	}
	w.Funcs = reached(kernel)
	for i, f := range w.Funcs {
		w.index[f] = i
		w.base, w.ssa = append(w.base, w.first), append(w.ssa, f.SSA())
		w.first += int32(len(f.SSA().Values))
	}
	w.hidden, w.anywhere, w.nested = w.variable(), w.variable(), w.variable()
	w.add(w.anywhere, feed{node: w.hidden})
	for _, f := range w.Funcs {
		w.declare(f)
	}
	each := func(calls bool) {
		for _, f := range w.Funcs {
			for _, in := range f.Insts {
				if _, ok := in.Call(); ok == calls {
					w.feeds(in)
				}
			}
		}
	}
	each(true) // it decides what stores may write
	each(false)
	nodes := int(w.first) + len(w.into)
	w.seen.last, w.around.last = make([]uint32, 2*nodes), make([]uint32, 2*nodes)
	if w.find(); !launched {
		w.seen, w.around, w.plain = visits{}, visits{}, nil
	}
	return w
}

// declare makes nodes for the variables of a function that belong to one thread, and finds its wait loops.
func (w *Flow) declare(f *rewrite.Func) {
	for _, list := range [][]*rewrite.Var{f.Params, f.Returns, f.Locals} {
		for _, v := range list {
			if v.Space != isa.SpaceLocal && v.Space != isa.SpaceParam && v.Space != isa.SpaceReg {
				continue
			}
			node := w.variable()
			w.vars[v] = node
			w.add(w.anywhere, feed{node: node})
			if f.Entry {
				w.add(node, feed{node: w.nested})
			}
			if w.launched && f == w.Funcs[0] && v.Space == isa.SpaceParam {
				w.params[node] = v
			}
			if v.Space == isa.SpaceLocal {
				w.add(node, feed{node: w.hidden})
				w.local[node], w.local[w.anywhere] = true, true
			}
		}
	}
	if slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool { return allocates(in) }) {
		w.local[w.hidden], w.local[w.anywhere] = true, true
	}
	if w.launched {
		w.findOptional(f)
	}
	tests := testsOf(f)
	in := spins(f, tests)
	polls, met := polls(f, tests, in)
	maps.Copy(w.spins, in)
	maps.Copy(w.polls, polls)
	maps.Copy(w.met, met)
}

// allocates reports whether an instruction allocates memory on the stack of the thread.
func allocates(in *rewrite.Inst) bool {
	return in.Instr.Calc == isa.CalcAddress && in.Effects().Has(isa.ReadsClock)
}

// none is no node.
const none = -1

// node returns the node of a variable, none if it does not belong to one thread.
func (w *Flow) node(v *rewrite.Var) int32 {
	if n, ok := w.vars[v]; ok {
		return n
	}
	return none
}

func (w *Flow) variable() int32 {
	w.into = append(w.into, nil)
	return w.first + int32(len(w.into)) - 1
}

// add records what is written to the variable of a node.
func (w *Flow) add(node int32, what feed) {
	if node != none {
		at := &w.into[node-w.first]
		*at = append(*at, what)
	}
}

// feeds records what an instruction writes to variables.
func (w *Flow) feeds(in *rewrite.Inst) {
	if c, ok := in.Call(); ok {
		w.call(in, &c)
		return
	}
	a := in.Access
	if a.Kind < isa.AccessStore || a.Value < 0 {
		return
	}
	to, _ := w.places(in)
	for _, node := range to {
		for n := range in.Operands {
			if in.Role(n) == isa.RoleSrc {
				w.add(node, feed{in: in, o: &in.Operands[n]})
			}
		}
	}
}

// places returns the nodes of memory of one thread that an instruction with an access may write or read, and whether
// the access may be to memory that threads share.
func (w *Flow) places(in *rewrite.Inst) (nodes []int32, shared bool) {
	a := in.Access
	shared = a.Space != isa.SpaceLocal && a.Space != isa.SpaceParam
	if shared && a.Space != isa.SpaceNone && a.Space != isa.SpaceGlobal || a.Indirect {
		return nil, shared
	}
	root := address.RootsOf(in.Func).Address(in, a.Addr)
	unknown := root.Kind == address.RootUnknown || root.Kind == address.RootAbsolute ||
		root.Kind == address.RootParam && in.Func != w.Funcs[0]
	switch {
	case root.Kind == address.RootVar && w.vars[root.Var] != 0:
		return []int32{w.vars[root.Var]}, false
	case a.Space == isa.SpaceGlobal: // a pointer to the parameters of a grid that the thread launches
		if unknown && a.Kind >= isa.AccessStore && w.launches() {
			return []int32{w.nested}, true
		}
		return nil, true
	case !unknown:
		return nil, shared
	case a.Kind < isa.AccessStore:
		return []int32{w.anywhere}, shared
	case w.launches():
		return []int32{w.hidden, w.nested}, shared
	}
	return []int32{w.hidden}, shared
}

// launches reports whether threads may launch grids.
func (w *Flow) launches() bool { return len(w.into[w.nested-w.first]) > 0 }

// call records that arguments reach the parameters of the functions that may be called.
func (w *Flow) call(in *rewrite.Inst, c *rewrite.Call) {
	for i := range c.Args {
		for _, f := range w.callees(c) {
			if i < len(f.Params) {
				w.pass(in, &c.Args[i], w.node(f.Params[i]))
			}
		}
		if launchesGrid(c) {
			w.pass(in, &c.Args[i], w.nested)
		}
	}
	for i := range c.Returns {
		v, ok := c.Returns[i].Sym.(*rewrite.Var)
		if !ok {
			continue
		}
		w.add(w.node(v), feed{in: in, node: none, returned: true})
		for _, f := range w.callees(c) {
			if i < len(f.Returns) {
				w.add(w.node(v), feed{in: in, node: w.node(f.Returns[i])})
			}
		}
	}
}

// pass records that an argument reaches a variable.
func (w *Flow) pass(in *rewrite.Inst, arg *rewrite.Operand, to int32) {
	if v, ok := arg.Sym.(*rewrite.Var); ok && w.vars[v] != 0 {
		w.add(to, feed{in: in, node: w.vars[v]})
		return
	}
	w.add(to, feed{in: in, o: arg})
}

// callees returns the functions that a call may execute and that have bodies.
func (w *Flow) callees(c *rewrite.Call) []*rewrite.Func {
	return slices.DeleteFunc(targets(w.Funcs[0].Module, c), func(f *rewrite.Func) bool { return !f.Defined() })
}

// targets returns the functions that a call may execute.
func targets(m *rewrite.Module, c *rewrite.Call) []*rewrite.Func {
	switch {
	case c.Func != nil && c.Func.Alias != nil:
		return []*rewrite.Func{c.Func.Alias}
	case c.Func != nil:
		return []*rewrite.Func{c.Func}
	case c.Proto != nil && len(c.Proto.Funcs) > 0:
		return slices.Clone(c.Proto.Funcs)
	}
	return slices.DeleteFunc(slices.Clone(m.Funcs), func(f *rewrite.Func) bool { return f.Entry })
}

// reached returns the functions that a kernel may execute, itself first, and all kernels and what they may execute if
// it may launch grids.
func reached(kernel *rewrite.Func) []*rewrite.Func {
	list, in := []*rewrite.Func{kernel}, map[*rewrite.Func]bool{kernel: true}
	add := func(f *rewrite.Func) {
		if f.Defined() && !in[f] {
			in[f], list = true, append(list, f)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, inst := range list[i].Insts {
			c, ok := inst.Call()
			if !ok {
				continue
			}
			for _, f := range targets(kernel.Module, &c) {
				add(f)
			}
			if launchesGrid(&c) {
				for _, f := range kernel.Module.Funcs {
					if f.Entry {
						add(f)
					}
				}
			}
		}
	}
	return list
}

// of returns the index of the function of a node, and the node's index among the function's values.
func (w *Flow) of(node int32) (function int, value int32) {
	i := sort.Search(len(w.base), func(i int) bool { return w.base[i] > node }) - 1
	return i, node - w.base[i]
}
