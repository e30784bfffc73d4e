// The reader as a whole.

package hostir

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
	"github.com/ptxsan/ptxsan/runtime/static/host"
)

// MaxFileBytes is the largest file of LLVM IR.
const MaxFileBytes = 64 << 20

// Is reports whether a text is LLVM IR.
func Is(text []byte) bool {
	head := string(text[:min(len(text), 4096)])
	for _, mark := range []string{"; ModuleID", "source_filename = ", "target triple = ", "target datalayout = "} {
		if strings.HasPrefix(head, mark) || strings.Contains(head, "\n"+mark) {
			return true
		}
	}
	return false
}

// Options of Scan.
type Options struct {
	// Part says that there is more host code, which may call functions of these files.
	Part bool
	// Args are the arguments of the program; nil: unknown.
	Args []string
}

// Scan returns the facts of all launches in a program. Each source is a file of LLVM IR. Notes of the result say what was left
// out.
func Scan(o Options, sources ...host.Source) *facts.File {
	src := host.Source{Name: "no host code"}
	texts := make([]string, len(sources))
	for i, s := range sources {
		texts[i] = string(s.Text)
		src = sources[0]
	}
	m := parse(texts)
	x := &executor{module: m, vars: make(map[string]*facts.Var), copies: make(map[string]int), buffers: make(map[string]bool), seen: make(map[string]bool), done: make(map[*function]bool), reach: make(map[*function]bool), args: o.Args, taken: make(map[arm]bool), last: make(map[*block]int)}
	x.findLaunchers()
	x.open = o.Part
	if main := m.functions["main"]; main != nil {
		x.root(main, true)
	} else {
		x.open = true
	}
	pointed := m.pointed()
	for _, f := range m.order {
		if _, isStub := kernelOf(f.name); !isStub && x.reach[f] && f.name != "main" && (x.open && !f.hidden || pointed[f.name]) {
			x.root(f, false)
		}
	}
	for _, f := range m.order {
		if _, isStub := kernelOf(f.name); !isStub && x.reach[f] && !x.done[f] && !x.unused(f, map[*function]bool{}) {
			x.root(f, false)
		}
	}
	out := new(facts.File)
	if m.instrs >= maxInstrs {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: only the first %d instructions were read", src.Name, maxInstrs))
	}
	if x.steps >= maxSteps {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: not all of the host code was executed: more than %d steps", src.Name, maxSteps))
	}
	x.cut = x.cut || x.steps >= maxSteps || len(x.launches) >= maxLaunches || m.instrs >= maxInstrs
	out.Launches, out.Never = x.covered()
	facts.Change(out.Launches, x.overwritten())
	out.Notes = append(out.Notes, host.Started(o.Args)...)
	return out
}

// findLaunchers finds the functions that may launch, directly or by calls.
func (x *executor) findLaunchers() {
	launches := func(f *function) bool {
		for name := range f.calls {
			if g := x.functions[name]; name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel" || g != nil && x.reach[g] {
				return true
			}
		}
		return false
	}
	for again := true; again; {
		again = false
		for _, f := range x.order {
			if !x.reach[f] && launches(f) {
				x.reach[f], again = true, true
			}
		}
	}
}

// pointed returns the functions whose address is used: they may be called with any arguments.
func (m *module) pointed() map[string]bool {
	out := make(map[string]bool)
	for _, f := range m.order {
		for _, b := range f.blocks {
			for _, in := range b.instrs {
				for _, a := range in.args {
					if a.kind == opGlobal {
						out[a.name] = true
					}
				}
			}
		}
	}
	return out
}

// root executes a function that nothing calls, with unknown parameters.
func (x *executor) root(f *function, isMain bool) {
	x.statics, x.pure = make(map[string]*object), make(map[string]value)
	x.st = &state{mem: make(map[*object][]cell), init: make(map[*object]facts.Contents), escaped: make(map[*object]bool)}
	x.frame = &frame{f: f, regs: make(map[string]value)}
	for _, name := range slices.Sorted(maps.Keys(x.globals)) {
		g := x.globals[name]
		if g.konst || isMain {
			x.initial(name, g)
		}
	}
	for _, p := range f.params {
		var v value
		switch {
		case p.byval != nil, p.typ != nil && p.typ.kind == tyPointer:
			o := x.object(foreign, p.name, p.byval)
			v = value{to: o, off: expr.Const(0)}
		case p.typ != nil && p.typ.kind == tyInt && p.typ.bits >= 8:
			v = x.fromOutside(func() value { return x.leaf(p.name, p.typ.bits, !f.unsigned()[p.name+".addr"]) })
		}
		x.frame.regs[p.name] = v
	}
	if x.inMain = isMain; isMain {
		x.start(f)
	}
	x.run()
}

// initial sets the initial value of a variable of the module.
func (x *executor) initial(name string, g *global) {
	var v value
	switch g.init.kind {
	case opInt:
		v = constant(g.init.num, g.typ.bits)
	case opZero:
		v = value{num: expr.Const(0), signed: true, bits: 8 * g.typ.size()}
	case opGlobal:
		x.frame.regs[""] = value{}
		v = x.operand(g.init)
	case opText, opList:
		if x.args == nil {
			return
		}
		v = x.operand(g.init)
	case opLocal, opNull, opOther:
		return
	}
	if size := g.typ.size(); size > 0 {
		x.st.put(x.static(name), 0, size, v)
	}
}

// maxVariants is the limit of different launches at one place.
const maxVariants = 24

// site is a place in the text that launches a kernel.
type site struct {
	at     facts.Pos
	kernel string
}

// covered returns the launches. It adds a launch without facts for each place in the text that was not reached, or not in every
// possible way, or in too many ways. It also returns the kernels of places that the program never reaches.
func (x *executor) covered() (out []*facts.Launch, never []string) {
	count := make(map[site]int)
	for _, l := range x.launches {
		count[site{l.Site, l.Kernel}]++
	}
	for _, l := range x.launches {
		if !x.cut && count[site{l.Site, l.Kernel}] <= maxVariants {
			out = append(out, l)
		}
	}
	done := make(map[site]bool)
	for _, f := range x.order {
		if _, isStub := kernelOf(f.name); isStub {
			continue
		}
		for _, s := range x.sites(f, &never) {
			if n := count[s]; done[s] || !x.cut && n > 0 && n <= maxVariants {
				continue
			}
			done[s] = true
			out = append(out, &facts.Launch{Kernel: s.kernel, Site: s.at, KernelPos: s.at, Unfollowed: true})
		}
	}
	slices.Sort(never)
	return out, slices.Compact(never)
}

// sites returns the reachable places in a function that launch a kernel. It adds the kernels of unreachable ones to never.
func (x *executor) sites(f *function, never *[]string) (list []site) {
	live, unused := x.live(f), x.unused(f, map[*function]bool{})
	for _, b := range f.blocks {
		for i, in := range b.instrs {
			name := in.callee.name
			if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") && len(in.args) > 0 {
				name = in.args[0].name
			}
			kernel, ok := kernelOf(name)
			if ok = ok && in.callee.kind == opGlobal; ok && (unused || live.without(b, i)) {
				*never = append(*never, kernel)
			} else if ok {
				list = append(list, site{x.site(in), kernel})
			}
		}
	}
	return list
}

// mark is the sizes of the lists that an iteration of a loop extends.
type mark struct {
	launches, vars int
	buffers        map[string]bool
	pure           map[string]value
}

func (x *executor) mark() mark {
	return mark{len(x.launches), len(x.leaves), maps.Clone(x.buffers), maps.Clone(x.pure)}
}

// undo removes what an iteration of a loop made, except for variables that bindings use.
func (x *executor) undo(m mark, list []*binding) {
	for _, l := range x.launches[m.launches:] {
		delete(x.seen, textOf(l))
	}
	x.launches = x.launches[:m.launches]
	keep := make(map[string]bool)
	for _, b := range list {
		if b.leaf.num != nil {
			keep[b.leaf.num.Variable().Name] = true
		}
	}
	names := append([]string(nil), x.leaves[m.vars:]...)
	x.leaves = x.leaves[:m.vars]
	for _, name := range names {
		if keep[name] {
			x.leaves = append(x.leaves, name)
			continue
		}
		delete(x.vars, name)
		base, _, _ := strings.Cut(name, ".")
		delete(x.copies, base)
		delete(x.copies, name)
	}
	x.buffers, x.pure = m.buffers, m.pure
}
