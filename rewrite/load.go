// The loader: declarations of a module.

package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// maxErrors is the number of errors after which Load stops.
const maxErrors = 50

// Load resolves the names of a syntax tree. The error is a
// ptxgrammar.ErrorList: undefined or duplicate names, unknown instructions,
// operands that do not fit, each with file:line:col.
//
// Module-scope names may be used before their declaration, and functions and
// extern variables declared more than once. Inside a function names are declared
// before use; labels are visible in their whole scope and, where the name is
// unique in the function, outside it.
//
// A module whose .version or .target is newer than the instruction table (isa.NewestVersion, isa.NewerTarget) is loaded
// as LoadNewer loads it, by Check as well.
func Load(m *ptxgrammar.Module) (*Module, error) { return loadTree(m, loadKnown, nil) }

// LoadNewer is Load for a module that may be of a PTX release newer than the instruction
// table: an instruction that the table lacks is kept as isa.Unknown describes it, and
// Module.Newer lists it.
func LoadNewer(m *ptxgrammar.Module) (*Module, error) { return loadTree(m, loadNewer, nil) }

// ErrNewer is wrapped by errors about constructs that a newer PTX release may have: LoadNewer accepts them.
var ErrNewer = errors.New("not in the instruction table")

// Newer returns notes about a module of a PTX release newer than the instruction table: one on its .version and
// .target, one on the instructions, directives and special registers that the table lacks. An instruction that the
// table lacks, or of which it lacks an operand, is Unknown.
func (m *Module) Newer() (notes []string) {
	if len(m.release) > 0 {
		notes = append(notes, m.release.Error())
	}
	if len(m.beyond) > 0 {
		notes = append(notes,
			m.beyond.Error()+": kept as it is; its accesses are not checked, and a thread that executes it stops with the fault unsupported")
	}
	return notes
}

// loadMode says what a module may contain.
type loadMode uint8

const (
	loadKnown  loadMode = iota // Load: known instructions
	loadNewer                  // LoadNewer: unknown instructions as well
	loadStrict                 // Check: what the manual allows
)

// loadTree is Load, LoadNewer or Check, without the instructions of the functions in unread.
func loadTree(m *ptxgrammar.Module, mode loadMode, unread map[string]bool) (*Module, error) {
	strict, newer := mode == loadStrict, mode == loadNewer || newerHeader(m)
	l := &loader{
		ast:      m,
		strict:   strict,
		newer:    newer,
		mod:      &Module{AST: m, symbols: make(map[string]Symbol), Files: make(map[int]string), newer: newer},
		unread:   unread,
		ops:      make(map[opKey]*isa.Decoded),
		declared: make(map[string]ptxgrammar.Range),
	}
	l.checkNewer()
	if strict {
		l.checkHeader()
		l.checkDirectives()
	}
	for i := range m.Files {
		l.mod.Files[m.Files[i].Index] = m.Files[i].Name
	}
	l.declareModule()
	l.resolveAliases()
	l.loadBodies()
	l.checkInits()
	if len(l.errs) == 0 {
		l.checkEdges()
	}
	if len(l.errs) > 0 {
		l.errs.Sort()
		return nil, l.errs
	}
	l.mod.beyond.Sort()
	return l.mod, nil
}

// loader builds a Module. Errors are collected so that one run names them all.
type loader struct {
	ast      *ptxgrammar.Module
	strict   bool
	newer    bool       // keep unknown instructions
	module   isa.Module // version and target, when strict
	mod      *Module
	errs     ptxgrammar.ErrorList
	unread   map[string]bool             // functions whose instructions are skipped
	ops      map[opKey]*isa.Decoded      // spellings already decoded
	mods     []string                    // scratch
	declared map[string]ptxgrammar.Range // where module-scope names are declared first
}

// errorf records a problem at a byte offset.
func (l *loader) errorf(off uint32, format string, args ...any) {
	if len(l.errs) < maxErrors {
		l.errs = append(l.errs, &ptxgrammar.Error{Pos: l.ast.File.Position(off), Msg: fmt.Sprintf(format, args...)})
	}
}

// newerf is errorf for constructs that a newer PTX release may have. In a module that may be of one, they are noted.
func (l *loader) newerf(off uint32, format string, args ...any) {
	list := &l.errs
	if l.newer {
		list = &l.mod.beyond
	}
	if len(*list) < maxErrors {
		*list = append(*list, &ptxgrammar.Error{
			Pos: l.ast.File.Position(off), Msg: fmt.Sprintf(format, args...),
			Limit: ErrNewer,
		})
	}
}

// full reports whether the limit of errors is reached.
func (l *loader) full() bool { return len(l.errs) >= maxErrors }

// declareModule declares module-scope variables and functions, in two steps, since a body or an initialiser may refer
// to later symbols.
func (l *loader) declareModule() {
	for _, it := range l.ast.Items {
		switch it.Kind {
		case ptxgrammar.ItemDecl:
			d := &l.ast.Decls[it.Index]
			for i := range d.Vars {
				l.declareGlobal(&d.Vars[i])
			}
		case ptxgrammar.ItemFunc:
			l.declareFunc(&l.ast.Funcs[it.Index])
		}
	}
	for _, it := range l.ast.Items {
		if it.Kind != ptxgrammar.ItemFunc {
			continue
		}
		a := &l.ast.Funcs[it.Index]
		if f, ok := l.mod.symbols[a.Name].(*Func); ok && f.AST == a {
			l.mod.Funcs = append(l.mod.Funcs, f)
		}
	}
}

// declareGlobal declares a module-scope variable. Extern declarations may be repeated and followed by the definition;
// .common ones may be repeated.
func (l *loader) declareGlobal(a *ptxgrammar.Var) {
	if a.Space == isa.SpaceReg || a.Space == isa.SpaceParam {
		l.errorf(a.Start, ".%s variable %q outside a function", a.Space, a.Name)
		return
	}
	if a.Count > 0 {
		l.errorf(a.NameAt.Start, "%s<%d> outside a function: expected a declaration for each variable", a.Name, a.Count)
		return
	}
	v := l.newVar(a, nil)
	l.checkVar(v)
	old, taken := l.mod.symbols[a.Name]
	if !taken {
		l.declared[a.Name] = a.NameAt
		l.mod.symbols[a.Name] = v
		l.mod.Globals = append(l.mod.Globals, v)
		return
	}
	was, ok := old.(*Var)
	switch {
	case !ok:
		l.duplicate(a.NameAt, a.Name, old)
	case !sameVar(was, v):
		l.errorf(a.NameAt.Start, "%q was declared differently at line %d", a.Name, l.line(was.AST.NameAt))
	case a.Linkage&(ptxgrammar.Extern|ptxgrammar.Common) != 0 && a.Init < 0:
		// a repetition adds nothing
	case was.AST.Linkage&ptxgrammar.Extern != 0:
		*was = *v // the definition of what was declared
	default:
		l.duplicate(a.NameAt, a.Name, old)
	}
}

// sameVar compares space and type; one of the two arrays may be unsized.
func sameVar(a, b *Var) bool {
	return a.Space == b.Space && a.Type == b.Type && a.Vec == b.Vec && len(a.Dims) == len(b.Dims) &&
		(a.Size == b.Size || a.Size == 0 || b.Size == 0)
}

// declareFunc declares a function. Declarations may be repeated, definitions may not.
func (l *loader) declareFunc(a *ptxgrammar.Func) {
	old, taken := l.mod.symbols[a.Name]
	if !taken {
		l.declared[a.Name] = a.NameAt
		l.mod.symbols[a.Name] = &Func{Module: l.mod, AST: a, Name: a.Name, Entry: a.Entry}
		return
	}
	f, ok := old.(*Func)
	switch {
	case !ok || f.Defined() && a.Body >= 0:
		l.duplicate(a.NameAt, a.Name, old)
	case f.Entry != a.Entry || len(f.AST.Params) != len(a.Params) || len(f.AST.Returns) != len(a.Returns):
		l.errorf(a.NameAt.Start, "%q was declared differently at line %d", a.Name, l.line(f.AST.NameAt))
	case a.Body >= 0:
		f.AST = a
	}
}

func (l *loader) duplicate(at ptxgrammar.Range, name string, first Symbol) {
	var where ptxgrammar.Range
	switch s := first.(type) {
	case *Var:
		where = s.AST.NameAt
	case *Func:
		where = s.AST.NameAt
	default:
		l.errorf(at.Start, "%q is already declared in this scope", name)
		return
	}
	l.errorf(at.Start, "%q is already declared at line %d", name, l.line(where))
}

// line returns the 1-based line where a range starts.
func (l *loader) line(r ptxgrammar.Range) int { return l.ast.File.Line(r.Start) }

// resolveAliases links both names of .alias directives.
func (l *loader) resolveAliases() {
	for _, it := range l.ast.Items {
		if it.Kind != ptxgrammar.ItemDirective {
			continue
		}
		d := &l.ast.Directives[it.Index]
		if d.Name != ".alias" || len(d.Names) != 2 {
			continue
		}
		l.checkOrder(d.Names[0], d.Range)
		l.checkOrder(d.Names[1], d.Range)
		alias, target := l.mod.Func(d.Names[0]), l.mod.Func(d.Names[1])
		switch {
		case alias == nil:
			l.errorf(d.Start, "undefined function %q in .alias", d.Names[0])
		case target == nil || !target.Defined():
			l.errorf(d.Start, "%q in .alias is not a function defined in this module", d.Names[1])
		case alias.Defined():
			l.errorf(d.Start, "%q in .alias has a body of its own", d.Names[0])
		default:
			alias.Alias = target
		}
	}
}

// loadBodies resolves the parameters and bodies of all functions, in source order so that a module-level .loc carries
// over.
func (l *loader) loadBodies() {
	var top *ptxgrammar.Loc
	for _, it := range l.ast.Items {
		if l.full() {
			return
		}
		switch it.Kind {
		case ptxgrammar.ItemLoc:
			top = &l.ast.Locs[it.Index]
		case ptxgrammar.ItemFunc:
			a := &l.ast.Funcs[it.Index]
			if f, ok := l.mod.symbols[a.Name].(*Func); ok && f.AST == a {
				l.loadFunc(f, top)
			}
			top = nil
		}
	}
}

// checkInits checks initialisers once all names are declared.
func (l *loader) checkInits() {
	check := func(vars []*Var) {
		for _, v := range vars {
			var err *ptxgrammar.Error
			if errors.As(v.checkInit(l.mod), &err) && !l.full() {
				l.errs = append(l.errs, err)
			}
			if v.AST.Init >= 0 && l.strict {
				l.ast.WalkOperand(&l.ast.Operands[v.AST.Init], func(o *ptxgrammar.Operand) bool {
					if o.Kind == ptxgrammar.OperandName {
						l.checkOrder(l.ast.Name(o), l.ast.OperandRange(o))
					}
					return true
				})
			}
		}
	}
	check(l.mod.Globals)
	for _, f := range l.mod.Funcs {
		check(f.Locals)
	}
}

// newVar makes the view of a variable, with its size and alignment.
func (l *loader) newVar(a *ptxgrammar.Var, f *Func) *Var {
	v := &Var{AST: a, Name: a.Name, Space: a.Space, Type: a.Type, Vec: max(a.Vec, 1), Dims: a.Dims, Func: f}
	elem := uint64(v.Type.Size()) * uint64(v.Vec)
	v.Align = a.Align
	if v.Align == 0 {
		v.Align = max(int(elem), 1)
	}
	if dynamicOfMLIR(a) {
		v.Dims = []int64{-1}
	}
	v.Size = l.arraySize(v, elem)
	return v
}

// dynamicOfMLIR reports whether a variable is MLIR's name for the dynamic shared memory of a kernel (gpu.dynamic_shared_memory).
// It is an array without elements, which LLVM writes as one variable inside of the kernel.
func dynamicOfMLIR(a *ptxgrammar.Var) bool {
	return a.Space == isa.SpaceShared && len(a.Dims) == 0 && strings.HasPrefix(a.Name, "__dynamic_shmem__")
}

// maxVarSize limits the size of a declaration, so that sums of offsets cannot overflow.
const maxVarSize = 1 << 48

// arraySize returns the size in bytes of a variable with the given element size. An
// unsized first dimension is taken from the initialiser (PTX ISA 5.4.2), without
// one the size is 0.
func (l *loader) arraySize(v *Var, elem uint64) uint64 {
	size := elem
	for i, d := range v.Dims {
		if d < 0 && i == 0 && v.AST.Init >= 0 {
			d = int64(l.initLen(v.AST))
			v.Dims = append([]int64{d}, v.Dims[1:]...)
		}
		if d < 0 && i == 0 {
			return 0
		}
		if d < 0 {
			l.errorf(v.AST.Start, "only the first dimension of %q may be left open", v.Name)
			return 0
		}
		if d > 0 && size > maxVarSize/uint64(d) {
			l.errorf(v.AST.Start, "%q is larger than %d bytes", v.Name, uint64(maxVarSize))
			return 0
		}
		size *= uint64(d)
	}
	return size
}

// initLen returns the number of elements in the outermost braces of an initialiser.
func (l *loader) initLen(a *ptxgrammar.Var) int {
	o := &l.ast.Operands[a.Init]
	if o.Kind != ptxgrammar.OperandVector {
		return 1
	}
	return len(l.ast.Children(o))
}

// Kernels returns the defined entries in source order.
func (m *Module) Kernels() []*Func {
	return slices.DeleteFunc(slices.Clone(m.Funcs), func(f *Func) bool { return !f.Entry || !f.Defined() })
}

// Lookup returns the module-scope symbol of that name.
func (m *Module) Lookup(name string) (Symbol, bool) { s, ok := m.symbols[name]; return s, ok }

// Launches reports whether kernels of a module may launch others (CUDA C++ Programming Guide, "CUDA Dynamic
// Parallelism").
func (m *Module) Launches() bool {
	for _, name := range []string{"cudaLaunchDevice", "cudaLaunchDeviceV2"} {
		if _, ok := m.Lookup(name); ok {
			return true
		}
	}
	return false
}

// Func returns the function of that name, nil when there is none.
func (m *Module) Func(name string) *Func { f, _ := m.symbols[name].(*Func); return f }

// Source returns the text of the module. Do not modify.
func (m *Module) Source() []byte { return m.AST.File.Src }
