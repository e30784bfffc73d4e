// The symbolic execution of functions, blocks and instructions.

package hostir

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// Limits of the execution.
const (
	maxSteps    = 400_000 // instructions and pieces of memory, in the whole program
	maxCalls    = 16      // depth of calls
	maxLaunches = 5_000
	maxPath     = 400    // conditions on a path
	maxTerms    = 20_000 // terms of an expression
)

// executor executes the functions of a module.
type executor struct {
	*llvm.Module
	vars       map[string]*facts.Var
	leaves     []string // names of vars, in the order of creation
	decisions  map[string]*decision
	allocators map[*llvm.Function]bool
	indexing   map[string]bool // variables that select elements of arrays
	copies     map[string]int  // number of copies of each variable name
	buffers    map[string]bool
	statics    map[string]*memory.Object
	launches   []found
	seen       map[string]bool // launches found, as text
	done       map[*llvm.Function]bool
	reach      map[*llvm.Function]bool // functions that may launch
	config     []memory.Value          // configuration of the next launch: extents, shared memory
	at         *llvm.Instr             // current instruction
	args       []string                // arguments of the program; nil: unknown
	inMain     bool                    // the current function is main, or called from it
	open       bool                    // functions may be called from elsewhere
	foreign    bool                    // there are files of the program that are not read
	taken      map[arm]bool            // arms of branches that were executed
	last       map[*llvm.Block]int     // for executed blocks, the last instruction executed
	loops      map[*llvm.Loop]*aboutLoop
	aborts     map[*llvm.Block]bool // branches out of loops that end the program where a call of the runtime failed
	statuses   map[string]bool      // variables that are results of such calls
	later      bool                 // kernels, copies or functions of the host may run without a call that says so
	others     bool                 // it launches kernels in ways that are not read
	cut        bool                 // not every launch was reached
	partial    bool                 // launches are examples
	outside    bool                 // unknown values are input of the program: see fromOutside
	ends       []*memory.Node       // paths on which the program has ended in the iteration that is executed
	ids        int
	forks      int
	steps      int
	frame      *frame
	st         *memory.State
}

// arm is one target of a branch; -1 says that the branch was executed.
type arm struct {
	in  *llvm.Instr
	way int
}

// frame is an execution of a function.
type frame struct {
	f     *llvm.Function
	outer *frame
	site  *llvm.Instr // the call
	regs  map[string]memory.Value
	left  []edge // edges to its end
}

// edge is a path to a block, with the values of its phis, or to the end of a function, with its result.
type edge struct {
	st   *memory.State
	vals []memory.Value
}

func (x *executor) object(kind memory.ObjectKind, name string, t *llvm.Type) *memory.Object {
	x.ids++
	return &memory.Object{Kind: kind, ID: x.ids, Name: name, Type: t}
}

// leaf makes a variable of the facts: an unknown integer. Unless it comes from outside of the program, its computation
// was not followed.
func (x *executor) leaf(hint string, bits int64, signed bool) memory.Value {
	typ := "u"
	if signed {
		typ = "s"
	}
	if _, _, ok := facts.TypeRange(typ + strconv.FormatInt(bits, 10)); !ok {
		return memory.Value{}
	}
	name := cleanName(hint)
	for base := name; x.vars[name] != nil; {
		x.copies[base] = max(x.copies[base], 1) + 1
		name = base + "." + strconv.Itoa(x.copies[base])
	}
	v := facts.NewVar(name, typ+strconv.FormatInt(bits, 10))
	v.Lost, v.Site = !x.outside, x.here()
	x.vars[name] = &v
	x.leaves = append(x.leaves, name)
	return memory.Value{Num: v.Int(), Signed: signed, Bits: bits}
}

// cleanName returns a name that formulas can use.
func cleanName(hint string) string {
	var out []byte
	for _, c := range []byte(strings.TrimSuffix(hint, ".addr")) {
		if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
			len(out) > 0 && (c >= '0' && c <= '9' || c == '.') {
			out = append(out, c)
		}
	}
	if len(out) == 0 || len(out) > 60 {
		return "v"
	}
	return string(out)
}

// hint returns a name for the contents of an object.
func (x *executor) hint(o *memory.Object, at int64) string {
	if o.Type != nil && o.Type.Kind == llvm.StructType || at != 0 {
		return o.Name + "." + strconv.FormatInt(at, 10)
	}
	return o.Name
}

// assume adds a condition to the path.
func (x *executor) assume(c *expr.Bool, class facts.Class) {
	if v, ok := c.Const(); ok && v || memory.Depth(x.st.Path) >= maxPath {
		return
	}
	parts := []*expr.Bool{c}
	if c.Kind() == expr.KindAll {
		parts = c.Parts()
	}
	for _, p := range parts {
		if p.Uniform() && p.Size() < maxTerms {
			x.st.Path = &memory.Node{
				Before: x.st.Path, Depth: memory.Depth(x.st.Path) + 1,
				Condition: facts.Condition{That: p, Class: class, Site: x.here()},
			}
		}
	}
}

// site returns the position of an instruction in the source.
func (x *executor) site(in *llvm.Instr) facts.Pos {
	if in == nil {
		return facts.Pos{}
	}
	p, ok := x.Places[in.Debug]
	if !ok || p.Line < 1 {
		return facts.Pos{}
	}
	file := p.Scope
	if f, ok := x.Scopes[file]; ok {
		file = f
	}
	return facts.Pos{File: x.Files[file], Line: p.Line, Col: max(p.Col, 1)}
}

// here returns the position of the current instruction, or of the call of the library's function that it is in.
func (x *executor) here() facts.Pos {
	fr, at := x.frame, x.at
	for ; fr.outer != nil && ofLibrary(fr.f); fr, at = fr.outer, fr.site {
	}
	return x.site(at)
}

// ofLibrary reports whether a function is one of the C++ library, the CUDA runtime or Thrust.
func ofLibrary(f *llvm.Function) bool {
	name, scopes := baseName(f.Name)
	if len(scopes) > 0 && scopes[0] == "thrust" {
		return true
	}
	return ofStandard(unprefixed(f.Name)) || len(scopes) == 0 && (strings.HasPrefix(name, "cuda") || name == "dim3")
}

// run executes a function with its parameters in x.frame.regs, and returns its result; ok is false if it does not
// return.
func (x *executor) run() (result memory.Value, ok bool) {
	fr := x.frame
	fl := fr.f.Shape()
	x.done[fr.f] = true
	if len(fl.Order) == 0 || fl.Tangled {
		x.cut = x.cut || x.reach[fr.f]
		x.st.ForgetShared()
		return memory.Value{}, true
	}
	in := map[*llvm.Block][]edge{fl.Order[0]: {{st: x.st}}}
	x.region(&region{blocks: fl.Order, in: in})
	if len(fr.left) == 0 {
		return memory.Value{}, false
	}
	last := x.joinEdges(fr.left, 1)
	x.st = last.st
	x.st.End(fr)
	return last.vals[0], true
}

// operand returns the value of an operand.
func (x *executor) operand(o llvm.Operand) memory.Value {
	bits := int64(0)
	if o.Type != nil && o.Type.Kind == llvm.IntType {
		bits = o.Type.Bits
	}
	switch o.Kind {
	case llvm.OpLocal:
		return x.frame.regs[o.Name]
	case llvm.OpInt:
		if bits == 1 {
			return memory.Value{Cond: expr.Truth(o.Num.Sign() != 0), Bits: 1}
		}
		return memory.NewConstant(o.Num, bits)
	case llvm.OpReal:
		return memory.Value{Real: &o.Real}
	case llvm.OpZero:
		if bits > 0 {
			return memory.NewConstant(new(big.Int), bits)
		}
	case llvm.OpGlobal:
		if x.Functions[o.Name] != nil {
			return memory.Value{Function: o.Name}
		}
		return memory.Value{To: x.static(o.Name), Offset: expr.Const(o.Offset)}
	case llvm.OpText:
		return memory.Value{Text: &o.Name}
	case llvm.OpNull:
		if x.args != nil {
			return memory.NewConstant(new(big.Int), 64)
		}
		return memory.Value{Null: true}
	case llvm.OpList:
		var v memory.Value
		for _, e := range o.List {
			c := x.operand(e.Operand)
			if e.Kind == llvm.OpZero {
				c = memory.NewConstant(new(big.Int), 8*e.Type.Size())
			}
			if c.Something() {
				v.Parts = append(v.Parts, memory.Cell{At: e.At, Size: e.Type.Size(), Value: c})
			}
		}
		return v
	case llvm.OpOther:
	}
	return memory.Value{}
}

// named reports whether code knows a variable of the module only by its name.
func (x *executor) named(name string, g *llvm.Global) bool {
	name = unprefixed(name)
	return (g.Hidden || !x.open) && !x.Addressed[name] && !x.Mentioned[name]
}

// static returns the memory of a variable of the module.
func (x *executor) static(name string) *memory.Object {
	o := x.statics[name]
	if o == nil {
		plain, _ := baseName(name)
		o = x.object(memory.Static, plain, nil)
		if g := x.Globals[name]; g != nil {
			o.Type, o.Constant, o.Hidden, o.Named = g.Type, g.Constant, g.Hidden, x.named(name, g)
		}
		x.statics[name] = o
	}
	return o
}
