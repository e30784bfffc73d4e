// The symbolic execution of functions, blocks and instructions.

package hostir

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
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
	*module
	vars     map[string]*facts.Var
	leaves   []string       // names of vars, in the order of creation
	copies   map[string]int // number of copies of each variable name
	buffers  map[string]bool
	statics  map[string]*object
	launches []*facts.Launch
	seen     map[string]bool // launches found, as text
	done     map[*function]bool
	reach    map[*function]bool // functions that may launch
	config   []value            // configuration of the next launch: extents, shared memory
	at       *instr             // current instruction
	args     []string           // arguments of the program; nil: unknown
	inMain   bool               // the current function is main, or called from it
	open     bool               // functions may be called from elsewhere
	foreign  bool               // there are files of the program that are not read
	taken    map[arm]bool       // arms of branches that were executed
	last     map[*block]int     // for executed blocks, the last instruction executed
	cut      bool               // not every launch was reached
	partial  bool               // launches are examples
	outside  bool               // unknown values are input of the program: see fromOutside
	ids      int
	forks    int
	steps    int
	frame    *frame
	st       *state
}

// arm is one target of a branch; -1 says that the branch was executed.
type arm struct {
	in  *instr
	way int
}

// frame is an execution of a function.
type frame struct {
	f     *function
	outer *frame
	site  *instr // the call
	regs  map[string]value
	left  []edge // edges to its end
}

// edge is a path to a block, with the values of its phis, or to the end of a function, with its result.
type edge struct {
	st   *state
	vals []value
}

func (x *executor) object(kind objectKind, name string, t *typ) *object {
	x.ids++
	return &object{kind: kind, id: x.ids, name: name, typ: t}
}

// leaf makes a variable of the facts: an unknown integer. Unless it comes from outside of the program, its computation
// was not followed.
func (x *executor) leaf(hint string, bits int64, signed bool) value {
	typ := "u"
	if signed {
		typ = "s"
	}
	if _, _, ok := facts.TypeRange(typ + strconv.FormatInt(bits, 10)); !ok {
		return value{}
	}
	name := cleanName(hint)
	for base := name; x.vars[name] != nil; {
		x.copies[base] = max(x.copies[base], 1) + 1
		name = base + "." + strconv.Itoa(x.copies[base])
	}
	v := facts.NewVar(name, typ+strconv.FormatInt(bits, 10))
	v.Lost = !x.outside
	x.vars[name] = &v
	x.leaves = append(x.leaves, name)
	return value{num: v.Int(), signed: signed, bits: bits}
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
func (x *executor) hint(o *object, at int64) string {
	if o.typ != nil && o.typ.kind == tyStruct || at != 0 {
		return o.name + "." + strconv.FormatInt(at, 10)
	}
	return o.name
}

// assume adds a condition to the path.
func (x *executor) assume(c *expr.Bool, class facts.Class) {
	if v, ok := c.Const(); ok && v || depth(x.st.path) >= maxPath {
		return
	}
	parts := []*expr.Bool{c}
	if c.Kind() == expr.KindAll {
		parts = c.Parts()
	}
	for _, p := range parts {
		if p.Uniform() && p.Size() < maxTerms {
			x.st.path = &node{
				before: x.st.path, depth: depth(x.st.path) + 1,
				Condition: facts.Condition{That: p, Class: class, Site: x.here()},
			}
		}
	}
}

// site returns the position of an instruction in the source.
func (x *executor) site(in *instr) facts.Pos {
	if in == nil {
		return facts.Pos{}
	}
	p, ok := x.places[in.debug]
	if !ok || p.line < 1 {
		return facts.Pos{}
	}
	file := p.scope
	if f, ok := x.scopes[file]; ok {
		file = f
	}
	return facts.Pos{File: x.files[file], Line: p.line, Col: max(p.col, 1)}
}

// here returns the position of the current instruction, or of the call of the function of CUDA's headers that it is in.
func (x *executor) here() facts.Pos {
	fr, at := x.frame, x.at
	for fr.outer != nil {
		name, scopes := baseName(fr.f.name)
		if !strings.HasPrefix(name, "cuda") || len(scopes) > 0 {
			break
		}
		fr, at = fr.outer, fr.site
	}
	return x.site(at)
}

// run executes a function with its parameters in x.frame.regs, and returns its result; ok is false if it does not
// return.
func (x *executor) run() (result value, ok bool) {
	fr := x.frame
	fl := fr.f.shape()
	x.done[fr.f] = true
	if len(fl.order) == 0 || fl.tangled {
		x.cut = x.cut || x.reach[fr.f]
		x.st.forgetShared()
		return value{}, true
	}
	in := map[*block][]edge{fl.order[0]: {{st: x.st}}}
	x.region(&region{blocks: fl.order, in: in})
	if len(fr.left) == 0 {
		return value{}, false
	}
	last := x.joinEdges(fr.left, 1)
	x.st = last.st
	x.st.end(fr)
	return last.vals[0], true
}

// operand returns the value of an operand.
func (x *executor) operand(o operand) value {
	bits := int64(0)
	if o.typ != nil && o.typ.kind == tyInt {
		bits = o.typ.bits
	}
	switch o.kind {
	case opLocal:
		return x.frame.regs[o.name]
	case opInt:
		if bits == 1 {
			return value{cond: expr.Truth(o.num.Sign() != 0), bits: 1}
		}
		return constant(o.num, bits)
	case opReal:
		return value{real: &o.real}
	case opZero:
		if bits > 0 {
			return constant(new(big.Int), bits)
		}
	case opGlobal:
		if x.functions[o.name] != nil {
			return value{fn: o.name}
		}
		return value{to: x.static(o.name), off: expr.Const(o.offset)}
	case opText:
		return value{text: &o.name}
	case opNull:
		if x.args != nil {
			return constant(new(big.Int), 64)
		}
		return value{null: true}
	case opList:
		var v value
		for _, e := range o.list {
			c := x.operand(e.operand)
			if e.kind == opZero {
				c = constant(new(big.Int), 8*e.typ.size())
			}
			if c.something() {
				v.parts = append(v.parts, cell{e.at, e.typ.size(), c})
			}
		}
		return v
	case opOther:
	}
	return value{}
}

// named reports whether code knows a variable of the module only by its name.
func (x *executor) named(name string, g *global) bool {
	name = unprefixed(name)
	return (g.hidden || !x.open) && !x.addressed[name] && !x.mentioned[name]
}

// static returns the memory of a variable of the module.
func (x *executor) static(name string) *object {
	o := x.statics[name]
	if o == nil {
		plain, _ := baseName(name)
		o = x.object(static, plain, nil)
		if g := x.globals[name]; g != nil {
			o.typ, o.konst, o.hidden, o.named = g.typ, g.konst, g.hidden, x.named(name, g)
		}
		x.statics[name] = o
	}
	return o
}
