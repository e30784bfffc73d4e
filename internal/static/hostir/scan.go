// The reader as a whole.

package hostir

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
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
	m := llvm.Parse(texts, leavesGlobals)
	x := &executor{
		Module: m, vars: make(map[string]*facts.Var), copies: make(map[string]int), buffers: make(map[string]bool),
		seen: make(map[string]bool), done: make(map[*llvm.Function]bool), reach: make(map[*llvm.Function]bool),
		args: o.Args, taken: make(map[arm]bool),
		last: make(map[*llvm.Block]int), loops: make(map[*llvm.Loop]*aboutLoop), partial: o.Partial,
		decisions: make(map[string]*decision), indexing: make(map[string]bool),
		allocators: make(map[*llvm.Function]bool), aborts: make(map[*llvm.Block]bool), statuses: make(map[string]bool),
	}
	x.noteCalls()
	x.cut = o.Differs != "" || x.others
	x.findLaunchers()
	x.roots()
	out := new(facts.File)
	if m.Instrs >= llvm.MaxInstrs {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: only the first %d instructions were read", src.Name,
			llvm.MaxInstrs))
	}
	if x.steps >= maxSteps {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: not all of the host code was executed: more than %d steps",
			src.Name, maxSteps))
	}
	if o.Differs != "" {
		out.Notes = append(out.Notes, o.Differs)
	}
	x.cut = x.cut || x.steps >= maxSteps || len(x.launches) >= maxLaunches || m.Instrs >= llvm.MaxInstrs
	out.Main = m.Functions["main"] != nil
	if o.Partial {
		for _, l := range x.launches {
			out.Launches = append(out.Launches, l.Launch)
		}
		return out
	}
	out.Launches, out.Never = x.covered()
	if !x.open && o.Differs == "" && x.whole() {
		out.Never = append(out.Never, x.unlaunched()...)
	}
	slices.Sort(out.Never)
	out.Never = slices.Compact(out.Never)
	facts.Change(out.Launches, overwritten(x.Module))
	if hasVariables(m) && o.Differs == "" && x.whole() && x.single() {
		for _, l := range out.Launches {
			l.First = true
		}
	}
	if o.Args != nil {
		out.Notes = append(out.Notes,
			(&facts.Launch{Started: o.Args}).Start()+": launches that it does not reach then are left out")
	}
	return out
}

// roots executes the functions at which the program starts: main, and those that other code may call.
func (x *executor) roots() {
	main := x.Functions["main"]
	x.foreign = callsElsewhere(x.Module)
	x.open = main == nil || x.foreign
	if main != nil {
		x.root(main, true)
	}
	pointed := pointed(x.Module)
	for _, f := range x.Order {
		if _, isStub := kernelOf(f.Name); !isStub && x.reach[f] && f.Name != "main" &&
			(x.open && !f.Hidden || pointed[f.Name]) {
			x.root(f, false)
		}
	}
	for _, f := range x.Order {
		if _, isStub := kernelOf(f.Name); !isStub && x.reach[f] && !x.done[f] &&
			!x.unused(f, map[*llvm.Function]bool{}) {
			x.root(f, false)
		}
	}
}

// callsElsewhere reports whether the program calls functions of C++ that neither these files nor the library have.
func callsElsewhere(m *llvm.Module) bool {
	for _, f := range m.Order {
		for name := range f.Calls {
			if plain := unprefixed(name); m.Functions[name] == nil && strings.HasPrefix(plain, "_Z") &&
				!ofStandard(plain) {
				return true
			}
		}
	}
	return false
}

// findLaunchers finds the functions that may launch, directly or by calls.
func (x *executor) findLaunchers() {
	launches := func(f *llvm.Function) bool {
		for name := range f.Calls {
			if g := x.Functions[name]; launchFunctions[runtimeName(name)] || g != nil && x.reach[g] {
				return true
			}
		}
		return false
	}
	for again := true; again; {
		again = false
		for _, f := range x.Order {
			if !x.reach[f] && launches(f) {
				x.reach[f], again = true, true
			}
		}
	}
}

// pointed returns the functions whose address is used: they may be called with any arguments.
func pointed(m *llvm.Module) map[string]bool {
	out := make(map[string]bool)
	for _, f := range m.Order {
		out[f.Name] = m.Mentioned[unprefixed(f.Name)] && !starts(m, f)
	}
	for _, f := range m.Order {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, a := range in.Args {
					if a.Kind == llvm.OpGlobal {
						out[a.Name] = true
					}
				}
			}
		}
	}
	return out
}

// root executes a function that nothing calls, with unknown parameters.
func (x *executor) root(f *llvm.Function, isMain bool) {
	x.statics = make(map[string]*memory.Object)
	x.st = memory.NewState()
	x.frame, x.at = &frame{f: f, regs: make(map[string]memory.Value)}, nil
	if isMain {
		x.beforeMain()
	} else {
		for _, name := range slices.Sorted(maps.Keys(x.Globals)) {
			if g := x.Globals[name]; g.Constant {
				x.initial(name, g)
			}
		}
	}
	for _, p := range f.Params {
		var v memory.Value
		switch {
		case p.Byval != nil, p.Type != nil && p.Type.Kind == llvm.PointerType:
			o := x.object(memory.Foreign, p.Name, p.Byval)
			v = memory.Value{To: o, Offset: expr.Const(0)}
		case p.Type != nil && p.Type.Kind == llvm.IntType && p.Type.Bits >= 8:
			before := x.outside
			x.outside = x.open && !f.Hidden || isMain // other code may call it with any value
			v = x.leaf(p.Name, p.Type.Bits, !f.Unsigned()[p.Name+".addr"])
			x.outside = before
		}
		x.frame.regs[p.Name] = v
	}
	if x.inMain = isMain; isMain {
		commandLine{x}.start(f)
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
	x.unite()
	count := x.count()
	for _, l := range x.launches {
		if !x.cut && count[site{l.Site, l.Kernel}] <= maxVariants {
			out = append(out, l.Launch)
		}
	}
	done := make(map[site]bool)
	for _, f := range x.Order {
		if _, isStub := kernelOf(f.Name); isStub {
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

// count returns the number of launches at each place.
func (x *executor) count() map[site]int {
	count := make(map[site]int)
	for _, l := range x.launches {
		count[site{l.Site, l.Kernel}]++
	}
	return count
}

// unite puts the alternatives of a launch together at places with too many launches.
func (x *executor) unite() {
	count, seen := x.count(), make(map[string]bool)
	all := x.launches
	x.launches = nil
	for _, l := range all {
		if l.whole != nil && count[site{l.Site, l.Kernel}] > maxVariants {
			text := textOf(l.whole)
			if l = (found{Launch: l.whole}); seen[text] {
				continue
			}
			seen[text] = true
		}
		x.launches = append(x.launches, l)
	}
}

// sites returns the reachable places in a function that launch a kernel, or give its address to code that may. It adds
// the kernels of unreachable ones to never.
func (x *executor) sites(f *llvm.Function, never *[]string) (list []site) {
	live, unused := x.live(f), x.unused(f, map[*llvm.Function]bool{})
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			for _, kernel := range kernels(in) {
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
func kernels(in *llvm.Instr) (list []string) {
	name := runtimeName(in.Callee.Name)
	if strings.HasPrefix(name, "__cudaRegister") || strings.HasPrefix(name, "cudaFunc") ||
		strings.HasPrefix(name, "cudaOccupancy") {
		return nil
	}
	for _, o := range append([]llvm.Operand{in.Callee}, in.Args...) {
		if kernel, ok := kernelOf(o.Name); ok && o.Kind == llvm.OpGlobal {
			list = append(list, kernel)
		}
	}
	return list
}

// whole reports whether all of the program was read, and it launches kernels only in ways that are read.
func (x *executor) whole() bool {
	return !x.others && x.Instrs < llvm.MaxInstrs && !slices.ContainsFunc(x.Order,
		func(f *llvm.Function) bool { return f.Unread })
}

// unlaunched returns the kernels that no code names.
func (x *executor) unlaunched() (never []string) {
	used := make(map[string]bool)
	for _, f := range x.Order {
		if _, isStub := kernelOf(f.Name); isStub {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, kernel := range kernels(in) {
					used[kernel] = true
				}
			}
		}
	}
	for _, f := range x.Order {
		if kernel, isStub := kernelOf(f.Name); isStub && !used[kernel] && !x.Mentioned[unprefixed(f.Name)] {
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
		delete(x.seen, textOf(l.Launch))
	}
	x.launches = x.launches[:m.launches]
	keep := make(map[string]bool)
	for _, b := range list {
		for _, n := range []*expr.Int{b.leaf.Num, b.times.Num} {
			if n != nil {
				keep[n.Variable().Name] = true
			}
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
		delete(x.decisions, name)
		delete(x.statuses, name)
		base, _, _ := strings.Cut(name, ".")
		delete(x.copies, base)
		delete(x.copies, name)
	}
	x.buffers = m.buffers
}
