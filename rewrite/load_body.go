// The loader: bodies of functions.

package rewrite

import (
	"iter"

	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// funcLoader resolves one function.
type funcLoader struct {
	*loader
	f      *Func
	scope  *scope
	labels map[uint32]*Label // by index into Module.Labels
	unique map[string]*Label // labels of the whole function; nil for a name that is used twice
	locs   locState
	video  bool // the current instruction has selectors
	// lacking says that the current instruction has a special register that the table lacks.
	lacking bool
	over    bool      // more than MaxRegisters are named
	insts   []Inst    // the slab that Func.Insts points into
	unused  []Operand // remaining slab of operands
}

// fewOperands is the least size of a further slab of operands: collect does not count the elements of vectors and
// lists.
const fewOperands = 16

// operands takes n zero operands from the slab.
func (l *funcLoader) operands(n int) []Operand {
	if n > len(l.unused) {
		l.unused = make([]Operand, max(n, fewOperands))
	}
	list := l.unused[:n:n]
	l.unused = l.unused[n:]
	return list
}

// loadFunc resolves parameters and body. loc is a .loc before the function.
func (l *loader) loadFunc(f *Func, loc *ptxgrammar.Loc) {
	fl := &funcLoader{loader: l, f: f, scope: &scope{}}
	f.Returns = fl.declareParams(f.AST.Returns)
	f.Params = fl.declareParams(f.AST.Params)
	if !f.Defined() || l.unread[f.Name] {
		return
	}
	fl.locs = locState{mod: l.mod, read: l.ast.Blocks[f.AST.Body].Start}
	if loc != nil {
		fl.locs.enter(loc)
	}
	fl.labels, fl.unique = make(map[uint32]*Label), make(map[string]*Label)
	body := &l.ast.Blocks[f.AST.Body]
	n, operands := fl.collect(body)
	fl.insts, fl.unused = hugepage.Slice(make([]Inst, 0, n)), hugepage.Slice(make([]Operand, operands))
	f.Insts = make([]*Inst, 0, n)
	fl.block(body)
}

// declareParams declares formal parameters. Those in .reg space (PTX 1.x) are registers too.
func (l *funcLoader) declareParams(params []ptxgrammar.Var) []*Var {
	vars := make([]*Var, 0, len(params))
	for i := range params {
		v := l.newVar(&params[i], l.f)
		if v.Space == isa.SpaceReg {
			v.Reg = l.newReg(v.Name, v.AST)
			l.declare(v.AST, v.Reg)
		} else if v.Name != "" && v.Name != "_" {
			l.declare(v.AST, v)
		}
		vars = append(vars, v)
	}
	return vars
}

// declare declares a named symbol in the current scope.
func (l *funcLoader) declare(a *ptxgrammar.Var, s Symbol) {
	if !l.scope.add(a.Name, s) {
		l.errorf(a.NameAt.Start, "%q is already declared in this scope", a.Name)
	}
}

// MaxRegisters limits the registers of a function that instructions name: compilers write thousands at most.
const MaxRegisters = 1 << 18

func (l *funcLoader) newReg(name string, a *ptxgrammar.Var) *Reg {
	r := &Reg{Name: name, Type: a.Type, Vec: max(a.Vec, 1), Index: len(l.f.Regs), at: a.Start}
	if r.Index < MaxRegisters {
		l.f.Regs = append(l.f.Regs, r)
		return r
	}
	if !l.over {
		l.errorf(l.f.AST.NameAt.Start, "%s has more than %d registers, the limit", l.f.Name, MaxRegisters)
	}
	l.over = true
	return r
}

// collect makes the labels of a block and its nested blocks, so that branches may refer to later ones, and counts the
// instructions and operands.
func (l *funcLoader) collect(b *ptxgrammar.Block) (insts, operands int) {
	for _, s := range b.Stmts {
		switch s.Kind {
		case ptxgrammar.StmtInst:
			insts++
			operands += len(l.ast.InstOperands(&l.ast.Insts[s.Index]))
		case ptxgrammar.StmtBlock:
			i, o := l.collect(&l.ast.Blocks[s.Index])
			insts, operands = insts+i, operands+o
		case ptxgrammar.StmtLabel:
			name := l.ast.Labels[s.Index].Name
			lab := &Label{Name: name}
			l.labels[s.Index] = lab
			l.f.Labels = append(l.f.Labels, lab)
			if _, again := l.unique[name]; again {
				lab = nil
			}
			l.unique[name] = lab
		}
	}
	return insts, operands
}

// block resolves the statements of a block in a scope of its own.
func (l *funcLoader) block(b *ptxgrammar.Block) {
	l.scope = &scope{parent: l.scope}
	l.declareTargets(b)
	for _, s := range b.Stmts {
		if l.full() {
			break
		}
		switch s.Kind {
		case ptxgrammar.StmtDecl:
			d := &l.ast.Decls[s.Index]
			for i := range d.Vars {
				l.local(&d.Vars[i])
			}
		case ptxgrammar.StmtInst:
			l.inst(&l.ast.Insts[s.Index])
		case ptxgrammar.StmtLabel:
			l.labels[s.Index].Inst = len(l.f.Insts)
		case ptxgrammar.StmtBlock:
			l.block(&l.ast.Blocks[s.Index])
		case ptxgrammar.StmtLoc:
			l.locs.enter(&l.ast.Locs[s.Index])
		case ptxgrammar.StmtDirective, ptxgrammar.StmtFile, ptxgrammar.StmtEmpty:
			// targets and prototypes are declared in advance; other directives have no meaning here
		}
	}
	l.scope = l.scope.parent
}

// declareTargets declares the labels, prototypes and target lists of one scope.
func (l *funcLoader) declareTargets(b *ptxgrammar.Block) {
	var protos []*Proto
	var at []uint32
	for _, s := range b.Stmts {
		switch s.Kind {
		case ptxgrammar.StmtLabel:
			a := &l.ast.Labels[s.Index]
			if !l.scope.add(a.Name, l.labels[s.Index]) {
				l.errorf(a.Start, "label %q is already declared in this scope", a.Name)
			}
		case ptxgrammar.StmtDirective:
			d := &l.ast.Directives[s.Index]
			if d.Label == "" {
				continue
			}
			p := &Proto{AST: d, Name: d.Label, Targets: d.Names}
			if x := d.Prototype; x != nil {
				p.Returns, p.Params = x.Returns, x.Params
			}
			if !l.scope.add(p.Name, p) {
				l.errorf(d.Start, "%q is already declared in this scope", p.Name)
			}
			l.f.Protos = append(l.f.Protos, p)
			protos, at = append(protos, p), append(at, d.Start)
		}
	}
	for i, p := range protos {
		l.resolveTargets(p, at[i])
	}
}

// resolveTargets finds the labels or functions that a target list names.
func (l *funcLoader) resolveTargets(p *Proto, at uint32) {
	for _, name := range p.Targets {
		l.checkOrder(name, ptxgrammar.Range{Start: at, End: at})
		switch s := l.lookup(name).(type) {
		case *Label:
			p.Labels = append(p.Labels, s)
		case *Func:
			p.Funcs = append(p.Funcs, s)
		default:
			l.errorf(at, "undefined target %q in %q%s", name, p.Name, l.suggest(name))
		}
	}
}

// local handles a declaration inside a body.
func (l *funcLoader) local(a *ptxgrammar.Var) {
	switch {
	case a.Count > 0:
		l.checkVarType(a)
		if !l.scope.addRange(a) {
			l.errorf(a.NameAt.Start, "%s %s<%d> are already declared in this scope", rangeNoun(a), a.Name, a.Count)
		}
	case a.Space != isa.SpaceReg:
		v := l.newVar(a, l.f)
		l.checkVar(v)
		l.declare(a, v)
		l.f.Locals = append(l.f.Locals, v)
	default:
		l.checkVarType(a)
		l.declare(a, l.newReg(a.Name, a))
	}
}

// rangeNoun returns a word for what a range declares.
func rangeNoun(a *ptxgrammar.Var) string {
	if a.Space == isa.SpaceReg {
		return "registers"
	}
	return "variables"
}

// fromRange makes the register or variable that a range declares under a name. A range may declare billions, so only
// those mentioned are made.
func (l *funcLoader) fromRange(name string, a *ptxgrammar.Var) Symbol {
	if a.Space == isa.SpaceReg {
		return l.newReg(name, a)
	}
	v := l.newVar(a, l.f)
	v.Name = name
	l.f.Locals = append(l.f.Locals, v)
	return v
}

// lookup resolves a name: in the innermost scope first, then as a label of another scope of the function, then in the
// module. It makes symbols of ranges on first use.
func (l *funcLoader) lookup(name string) Symbol {
	for s := l.scope; s != nil; s = s.parent {
		if sym := s.names[name]; sym != nil {
			return sym
		}
		if r := s.inRange(name); r != nil {
			sym := l.fromRange(name, r)
			if s.names == nil {
				s.names = make(map[string]Symbol)
			}
			s.names[name] = sym
			return sym
		}
	}
	if lab := l.unique[name]; lab != nil {
		return lab
	}
	if sym, ok := l.mod.symbols[name]; ok {
		return sym
	}
	return nil
}

// suggest returns ", did you mean ...?" for an undefined name, or "". It searches only for the first few errors.
func (l *funcLoader) suggest(name string) string {
	if len(l.errs) >= 10 {
		return ""
	}
	if s := isa.Nearest(name, l.visible()); s != "" {
		return ", did you mean \"" + s + "\"?"
	}
	return ""
}

// visible yields all visible names, in no particular order.
func (l *funcLoader) visible() iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := l.scope; s != nil; s = s.parent {
			for name := range s.names {
				if !yield(name) {
					return
				}
			}
		}
		for name := range l.unique {
			if !yield(name) {
				return
			}
		}
		for name := range l.mod.symbols {
			if !yield(name) {
				return
			}
		}
	}
}

// inst resolves one instruction and appends it to the function.
func (l *funcLoader) inst(a *ptxgrammar.Inst) {
	l.insts = append(l.insts, Inst{AST: a, Func: l.f, Index: len(l.f.Insts), Loc: l.locs.cur})
	in := &l.insts[len(l.insts)-1]
	l.f.Insts = append(l.f.Insts, in)
	at := l.ast.InstRange(a).Start
	in.Line = l.ast.File.Line(at)
	l.guard(in)
	ops := l.ast.InstOperands(a)
	if in.Decoded = l.decode(a, len(ops)); in.Decoded == nil {
		return
	}
	l.video = in.Instr.Class == isa.ClassVideo
	in.Operands = l.operands(len(ops))
	ok := true
	for i := range ops {
		ok = l.operand(&in.Operands[i], &ops[i], in.Role(i)) && ok
	}
	l.spreadSpecials(in)
	errs := len(l.errs)
	if l.lacking {
		l.lacking = false
		in.Decoded = isa.Unknown(in.Instr.Name, in.Mods, len(ops))
	}
	if ok && !in.Unknown() {
		l.checkOperands(in)
	}
	if ok && l.strict && len(l.errs) == errs {
		l.checkTypes(in)
	}
	if l.strict {
		l.checkRequirement(in)
	}
}

// guard resolves the guard predicate.
func (l *funcLoader) guard(in *Inst) {
	name := l.ast.Guard(in.AST)
	if name == "" {
		return
	}
	at := l.ast.GuardRange(in.AST).Start
	switch r := l.lookup(name).(type) {
	case *Reg:
		if r.Type != isa.Pred {
			l.errorf(at, "guard %q is a .%s register, expected a predicate", name, r.Type)
		}
		in.Guard, in.GuardNot = r, in.AST.GuardNot
	case nil:
		l.errorf(at, "undefined predicate %q%s", name, l.suggest(name))
	default:
		l.errorf(at, "guard %q is not a register", name)
	}
}
