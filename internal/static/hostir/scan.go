// The reader as a whole.

package hostir

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
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

// Source is a file of LLVM IR.
type Source struct {
	Name string
	Text []byte
}

// Options of Scan.
type Options struct {
	// Args are the arguments of the program; nil: unknown.
	Args []string
	// Differs is a reason why the program may not be what the files say, as a note; then nothing is known of its
	// launches.
	Differs string
	// Partial keeps launches of which not every way is known, and those of a program that may be another one: they are
	// examples, and nothing follows from them for others.
	Partial bool
}

// Scan returns the facts of all launches in a program. Notes of the result say what was left out.
func Scan(o Options, sources ...Source) *facts.File {
	src := Source{Name: "no host code"}
	texts := make([]string, len(sources))
	for i, s := range sources {
		texts[i] = string(s.Text)
		src = sources[0]
	}
	m := parse(texts)
	x := &executor{
		module: m, vars: make(map[string]*facts.Var), copies: make(map[string]int), buffers: make(map[string]bool),
		seen: make(map[string]bool),
		done: make(map[*function]bool), reach: make(map[*function]bool), args: o.Args, taken: make(map[arm]bool),
		last: make(map[*block]int),
		cut:  o.Differs != "" || m.others, partial: o.Partial,
	}
	x.findLaunchers()
	x.roots()
	out := new(facts.File)
	if m.instrs >= maxInstrs {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: only the first %d instructions were read", src.Name, maxInstrs))
	}
	if x.steps >= maxSteps {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: not all of the host code was executed: more than %d steps",
			src.Name, maxSteps))
	}
	if o.Differs != "" {
		out.Notes = append(out.Notes, o.Differs)
	}
	x.cut = x.cut || x.steps >= maxSteps || len(x.launches) >= maxLaunches || m.instrs >= maxInstrs
	out.Main = m.functions["main"] != nil
	if o.Partial {
		out.Launches = x.launches
		return out
	}
	out.Launches, out.Never = x.covered()
	if !x.open && o.Differs == "" && m.whole() {
		out.Never = append(out.Never, x.unlaunched()...)
	}
	slices.Sort(out.Never)
	out.Never = slices.Compact(out.Never)
	facts.Change(out.Launches, x.overwritten())
	if o.Args != nil {
		out.Notes = append(out.Notes,
			(&facts.Launch{Started: o.Args}).Start()+": launches that it does not reach then are left out")
	}
	return out
}

// roots executes the functions at which the program starts: main, and those that other code may call.
func (x *executor) roots() {
	main := x.functions["main"]
	x.foreign = x.callsElsewhere()
	x.open = main == nil || x.foreign
	if main != nil {
		x.root(main, true)
	}
	pointed := x.pointed()
	for _, f := range x.order {
		if _, isStub := kernelOf(f.name); !isStub && x.reach[f] && f.name != "main" &&
			(x.open && !f.hidden || pointed[f.name]) {
			x.root(f, false)
		}
	}
	for _, f := range x.order {
		if _, isStub := kernelOf(f.name); !isStub && x.reach[f] && !x.done[f] && !x.unused(f, map[*function]bool{}) {
			x.root(f, false)
		}
	}
}

// callsElsewhere reports whether the program calls functions of C++ that neither these files nor the library have.
func (m *module) callsElsewhere() bool {
	for _, f := range m.order {
		for name := range f.calls {
			if plain := unprefixed(name); m.functions[name] == nil && strings.HasPrefix(plain, "_Z") &&
				!ofStandard(plain) {
				return true
			}
		}
	}
	return false
}

// findLaunchers finds the functions that may launch, directly or by calls.
func (x *executor) findLaunchers() {
	launches := func(f *function) bool {
		for name := range f.calls {
			if g := x.functions[name]; launchFunctions[runtimeName(name)] || g != nil && x.reach[g] {
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
		out[f.name] = m.mentioned[unprefixed(f.name)] && !m.starts(f)
	}
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
	x.statics = make(map[string]*object)
	x.st = newState()
	x.frame = &frame{f: f, regs: make(map[string]value)}
	if isMain {
		x.beforeMain()
	} else {
		for _, name := range slices.Sorted(maps.Keys(x.globals)) {
			if g := x.globals[name]; g.konst {
				x.initial(name, g)
			}
		}
	}
	for _, p := range f.params {
		var v value
		switch {
		case p.byval != nil, p.typ != nil && p.typ.kind == tyPointer:
			o := x.object(foreign, p.name, p.byval)
			v = value{to: o, off: expr.Const(0)}
		case p.typ != nil && p.typ.kind == tyInt && p.typ.bits >= 8:
			before := x.outside
			x.outside = x.open && !f.hidden || isMain // other code may call it with any value
			v = x.leaf(p.name, p.typ.bits, !f.unsigned()[p.name+".addr"])
			x.outside = before
		}
		x.frame.regs[p.name] = v
	}
	if x.inMain = isMain; isMain {
		x.start(f)
	}
	x.run()
}

// maxVariants is the limit of different launches at one place.
const maxVariants = 24

// site is a place in the text that launches a kernel.
type site struct {
	at     facts.Pos
	kernel string
}

// covered returns the launches. It adds a launch without facts for each place in the text that was not reached, or not
// in every possible way, or in too many ways. It also returns the kernels of places that the program never reaches.
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
	return out, never
}

// sites returns the reachable places in a function that launch a kernel, or give its address to code that may. It adds
// the kernels of unreachable ones to never.
func (x *executor) sites(f *function, never *[]string) (list []site) {
	live, unused := x.live(f), x.unused(f, map[*function]bool{})
	for _, b := range f.blocks {
		for i, in := range b.instrs {
			for _, kernel := range in.kernels() {
				if unused || live.without(b, i) {
					*never = append(*never, kernel)
				} else {
					list = append(list, site{x.site(in), kernel})
				}
			}
		}
	}
	return list
}

// kernels returns the kernels that an instruction launches, or whose address it uses otherwise than to ask the runtime
// about them.
func (in *instr) kernels() (list []string) {
	name := runtimeName(in.callee.name)
	if strings.HasPrefix(name, "__cudaRegister") || strings.HasPrefix(name, "cudaFunc") ||
		strings.HasPrefix(name, "cudaOccupancy") {
		return nil
	}
	for _, o := range append([]operand{in.callee}, in.args...) {
		if kernel, ok := kernelOf(o.name); ok && o.kind == opGlobal {
			list = append(list, kernel)
		}
	}
	return list
}

// whole reports whether all of the program was read, and it launches kernels only in ways that are read.
func (m *module) whole() bool {
	return !m.others && m.instrs < maxInstrs && !slices.ContainsFunc(m.order,
		func(f *function) bool { return f.unread })
}

// unlaunched returns the kernels that no code names.
func (x *executor) unlaunched() (never []string) {
	used := make(map[string]bool)
	for _, f := range x.order {
		if _, isStub := kernelOf(f.name); isStub {
			continue
		}
		for _, b := range f.blocks {
			for _, in := range b.instrs {
				for _, kernel := range in.kernels() {
					used[kernel] = true
				}
			}
		}
	}
	for _, f := range x.order {
		if kernel, isStub := kernelOf(f.name); isStub && !used[kernel] && !x.mentioned[unprefixed(f.name)] {
			never = append(never, kernel)
		}
	}
	return never
}

// mark is the sizes of the lists that an iteration of a loop extends.
type mark struct {
	launches, vars int
	buffers        map[string]bool
}

func (x *executor) mark() mark {
	return mark{len(x.launches), len(x.leaves), maps.Clone(x.buffers)}
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
	x.buffers = m.buffers
}
