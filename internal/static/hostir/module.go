// The reader of modules: types, variables, functions with their blocks, and positions.

package hostir

import (
	"math/big"
	"strconv"
	"strings"
)

// module is a file of LLVM IR.
type module struct {
	types     map[string]*typ
	globals   map[string]*global
	functions map[string]*function
	order     []*function
	places    map[string]place  // DILocation, by number
	scopes    map[string]string // maps scopes to files, and files to themselves
	names     map[string]string // of subprograms
	files     map[string]string // names of files
	instrs    int
	prefix    string          // prefix for names that are private to the current file
	own       map[string]bool // names private to the current file
	mentioned map[string]bool // in initial values
	inCode    map[string]bool // globals in instructions, see name
	addressed map[string]bool // globals in instructions that do more than load and store them
	ctors     [][]ctor        // of each file: functions that run before main
	later     bool            // kernels, copies or functions of the host may run without a call that says so
	others    bool            // it launches kernels in ways that are not read
}

// place is a position in the source.
type place struct {
	line, col int
	scope     string
}

// global is a variable of the module.
type global struct {
	name   string
	typ    *typ
	konst  bool
	hidden bool // other files do not know it
	init   operand
	// shadow says that the initial value is undef, as of what clang makes for a variable in device memory.
	shadow bool
}

// function is a function with its body.
type function struct {
	name    string
	params  []param
	blocks  []*block
	byLabel map[string]*block
	hidden  bool   // it cannot be called from elsewhere
	unread  bool   // not all of it was read
	sub     string // its DISubprogram
	flow    *flow  // computed on first execution
	signs   map[string]bool
	calls   map[string]bool
}

// param is a parameter; byval is the type of a struct that is passed by value.
type param struct {
	name  string
	typ   *typ
	byval *typ
}

// block is a basic block.
type block struct {
	label  string
	instrs []*instr
	index  int // in reverse postorder
}

// instr is an instruction.
type instr struct {
	op      string
	name    string // of the result
	typ     *typ   // type of the result, or of what is stored or addressed
	pred    string // for a comparison
	nsw     bool
	inexact bool // of floating-point numbers: more may be done to them than is written, or in another order
	sync    bool // an atomic or volatile access
	args    []operand
	callee  operand
	labels  []string // for a branch, a switch or a phi
	index   []int    // for extractvalue and insertvalue
	debug   string
}

type operandKind uint8

const (
	opOther  operandKind = iota // not understood, undef, poison
	opLocal                     // %name
	opGlobal                    // @name
	opInt
	opReal
	opNull
	opZero // zeroinitializer
	opText // a string without its terminating zero
	opList // a struct or an array
)

// operand is a value with its type.
type operand struct {
	kind   operandKind
	typ    *typ
	name   string
	num    *big.Int
	real   float64
	offset int64 // for a constant getelementptr, in bytes
	byval  *typ
	list   []element // for a struct or an array
}

// element is an operand at an offset in bytes.
type element struct {
	operand
	at int64
}

// maxInstrs limits the instructions that are read.
const maxInstrs = 2_000_000

// parse parses files of LLVM IR as one program.
func parse(texts []string) *module {
	m := &module{
		globals: make(map[string]*global), functions: make(map[string]*function),
		places: make(map[string]place), scopes: make(map[string]string), names: make(map[string]string),
		files: make(map[string]string), mentioned: make(map[string]bool), inCode: make(map[string]bool),
		addressed: make(map[string]bool),
	}
	for i, text := range texts {
		if i > 0 {
			m.prefix = strconv.Itoa(i) + ":"
		}
		m.types, m.own = make(map[string]*typ), make(map[string]bool)
		first := len(m.order)
		m.read(text)
		m.rename(m.order[first:])
	}
	return m
}

// rename gives names that are private to a file a unique prefix.
func (m *module) rename(list []*function) {
	if m.prefix == "" {
		return
	}
	for _, f := range list {
		for name := range m.own {
			if f.calls[name] {
				delete(f.calls, name)
				f.calls[m.prefix+name] = true
			}
		}
		for _, b := range f.blocks {
			for _, in := range b.instrs {
				m.renameOperand(&in.callee)
				for i := range in.args {
					m.renameOperand(&in.args[i])
				}
			}
		}
	}
}

func (m *module) renameOperand(o *operand) {
	for i := range o.list {
		m.renameOperand(&o.list[i].operand)
	}
	if o.kind == opGlobal && m.own[o.name] {
		o.name = m.prefix + o.name
	}
}

// read reads a file.
func (m *module) read(text string) {
	var f *function
	pending := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); len(line) > maxLine {
			if f != nil {
				f.unread = true
			}
			continue
		}
		if pending != "" || opens(line) {
			pending += " " + line
			if !strings.Contains(line, "]") && !strings.Contains(line, "unwind label") && len(pending) < maxLine {
				continue
			}
			line, pending = pending, ""
		}
		switch {
		case strings.HasPrefix(line, "define "):
			f = m.define(line)
		case strings.HasPrefix(line, "}"):
			f = nil
		case f != nil && m.instrs >= maxInstrs:
			f.unread = true
		case f != nil:
			m.body(f, line)
		case strings.HasPrefix(line, "@"):
			m.global(line)
		case strings.HasPrefix(line, "%"):
			m.named(line)
		case strings.HasPrefix(line, "!"):
			m.metadata(line)
		}
	}
}

// opens reports whether an instruction continues in the next line.
func opens(line string) bool {
	t := strings.TrimLeft(line, " ")
	return strings.HasPrefix(t, "switch ") && !strings.Contains(t, "]") ||
		(strings.HasPrefix(t, "invoke ") || strings.Contains(t, " = invoke ")) && !strings.Contains(t, "unwind label")
}

// typeOf returns a named type.
func (m *module) typeOf(name string) *typ {
	t := m.types[name]
	if t == nil {
		t = new(typ)
		m.types[name] = t
	}
	return t
}

// named reads the definition of a named type.
func (m *module) named(line string) {
	r := &reader{m: m, ts: tokens(line)}
	name := r.next().text
	if r.accept("=") && r.accept("type") {
		to := m.typeOf(name)
		if t := r.typ(); t != nil && to.kind == tyOther && to.layout.state == 0 {
			*to = *t
		}
	}
}

// global reads a variable.
func (m *module) global(line string) {
	r := &reader{m: m, ts: tokens(line)}
	g := &global{name: r.next().text}
	for _, t := range r.ts[1:] {
		if t.kind == tokGlobal {
			m.mentioned[t.text] = true
		}
	}
	for r.more() && !r.peek().is("global") && !r.peek().is("constant") {
		if t := r.next(); t.is("internal") || t.is("private") {
			m.own[g.name], g.hidden = true, true
		} else if t.is("external") && m.globals[g.name] != nil {
			return
		}
	}
	g.konst = r.next().is("constant")
	if g.typ = r.typ(); g.typ == nil {
		return
	}
	g.shadow = r.peek().is("undef")
	g.init = r.value(g.typ)
	m.renameOperand(&g.init)
	if g.name == "llvm.global_ctors" {
		m.ctors = append(m.ctors, ctorsOf(g.init))
		return
	}
	if m.own[g.name] {
		g.name = m.prefix + g.name
	}
	m.globals[g.name] = g
}

// metadata reads a position or a scope.
func (m *module) metadata(line string) {
	number, rest, ok := strings.Cut(line[1:], " = ")
	if !ok {
		return
	}
	number = m.prefix + number
	kind, fields, ok := strings.Cut(strings.TrimPrefix(rest, "distinct "), "(")
	if !ok {
		return
	}
	switch kind {
	case "!DILocation":
		l, _ := strconv.Atoi(attribute(fields, "line"))
		c, _ := strconv.Atoi(attribute(fields, "column"))
		m.places[number] = place{l, c, m.prefix + strings.TrimPrefix(attribute(fields, "scope"), "!")}
	case "!DIFile":
		m.files[number] = attribute(fields, "filename")
	case "!DISubprogram", "!DILexicalBlock", "!DILexicalBlockFile":
		m.scopes[number] = m.prefix + strings.TrimPrefix(attribute(fields, "file"), "!")
		m.names[number] = attribute(fields, "name")
	}
}

// attribute returns the value of name: in the fields of metadata.
func attribute(fields, name string) string {
	for _, lead := range []string{"", ", "} {
		key := lead + name + ": "
		i := strings.Index(fields, key)
		if i < 0 || lead == "" && i != 0 {
			continue
		}
		v := fields[i+len(key):]
		if strings.HasPrefix(v, `"`) {
			v, _, _ = strings.Cut(v[1:], `"`)
			return v
		}
		return v[:strings.IndexAny(v+",", ",)")]
	}
	return ""
}
