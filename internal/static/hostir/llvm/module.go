// The reader of modules: types, variables, functions with their blocks, and positions.

package llvm

import (
	"math/big"
	"strconv"
	"strings"
)

// Module is a file of LLVM IR.
type Module struct {
	types     map[string]*Type
	Globals   map[string]*Global
	Functions map[string]*Function
	Order     []*Function
	Places    map[string]place  // DILocation, by number
	Scopes    map[string]string // maps scopes to files, and files to themselves
	Names     map[string]string // of subprograms
	Files     map[string]string // names of files
	Instrs    int
	prefix    string                   // prefix for names that are private to the current file
	own       map[string]bool          // names private to the current file
	Mentioned map[string]bool          // in initial values
	InCode    map[string]bool          // globals in instructions, see name
	Addressed map[string]bool          // globals in instructions that do more than load and store them
	Ctors     [][]ctor                 // of each file: functions that run before main
	reading   func(callee string) bool // a call of it does not change the globals that its instruction names
}

// place is a position in the source.
type place struct {
	Line, Col int
	Scope     string
}

// Global is a variable of the module.
type Global struct {
	name     string
	Type     *Type
	Constant bool
	Hidden   bool // other files do not know it
	Init     Operand
	// Shadow says that the initial value is undef, as of what clang makes for a variable in device memory.
	Shadow bool
}

// Function is a function with its body.
type Function struct {
	Name    string
	Params  []param
	Blocks  []*Block
	ByLabel map[string]*Block
	Hidden  bool   // it cannot be called from elsewhere
	Unread  bool   // not all of it was read
	Sub     string // its DISubprogram
	Flow    *flow  // computed on first execution
	signs   map[string]bool
	Calls   map[string]bool
}

// param is a parameter; byval is the type of a struct that is passed by value.
type param struct {
	Name  string
	Type  *Type
	Byval *Type
}

// Block is a basic block.
type Block struct {
	Label  string
	Instrs []*Instr
	index  int // in reverse postorder
}

// Instr is an instruction.
type Instr struct {
	Op      string
	Name    string // of the result
	Type    *Type  // type of the result, or of what is stored or addressed
	Pred    string // for a comparison
	Nsw     bool
	Inexact bool // of floating-point numbers: more may be done to them than is written, or in another order
	Sync    bool // an atomic or volatile access
	Args    []Operand
	Callee  Operand
	Labels  []string // for a branch, a switch or a phi
	Index   []int    // for extractvalue and insertvalue
	Debug   string
}

// operandKind is the kind of an operand.
type operandKind uint8

// Kinds of operands.
const (
	OpOther  operandKind = iota // not understood, undef, poison
	OpLocal                     // %name
	OpGlobal                    // @name
	OpInt
	OpReal
	OpNull
	OpZero // zeroinitializer
	OpText // a string without its terminating zero
	OpList // a struct or an array
)

// Operand is a value with its type.
type Operand struct {
	Kind   operandKind
	Type   *Type
	Name   string
	Num    *big.Int
	Real   float64
	Offset int64 // for a constant getelementptr, in bytes
	byval  *Type
	List   []element // for a struct or an array
}

// element is an operand at an offset in bytes.
type element struct {
	Operand
	At int64
}

// MaxInstrs limits the instructions that are read.
const MaxInstrs = 2_000_000

// Parse parses files of LLVM IR as one program. Calls of the functions for which reading returns true do not change
// the globals that they name.
func Parse(texts []string, reading func(callee string) bool) *Module {
	m := &Module{
		Globals: make(map[string]*Global), Functions: make(map[string]*Function),
		Places: make(map[string]place), Scopes: make(map[string]string), Names: make(map[string]string),
		Files: make(map[string]string), Mentioned: make(map[string]bool), InCode: make(map[string]bool),
		Addressed: make(map[string]bool), reading: reading,
	}
	for i, text := range texts {
		if i > 0 {
			m.prefix = strconv.Itoa(i) + ":"
		}
		m.types, m.own = make(map[string]*Type), make(map[string]bool)
		first := len(m.Order)
		m.read(text)
		m.rename(m.Order[first:])
	}
	return m
}

// rename gives names that are private to a file a unique prefix.
func (m *Module) rename(list []*Function) {
	if m.prefix == "" {
		return
	}
	for _, f := range list {
		for name := range m.own {
			if f.Calls[name] {
				delete(f.Calls, name)
				f.Calls[m.prefix+name] = true
			}
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				m.renameOperand(&in.Callee)
				for i := range in.Args {
					m.renameOperand(&in.Args[i])
				}
			}
		}
	}
}

func (m *Module) renameOperand(o *Operand) {
	for i := range o.List {
		m.renameOperand(&o.List[i].Operand)
	}
	if o.Kind == OpGlobal && m.own[o.Name] {
		o.Name = m.prefix + o.Name
	}
}

// read reads a file.
func (m *Module) read(text string) {
	var f *Function
	pending := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); len(line) > maxLine {
			if f != nil {
				f.Unread = true
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
		case f != nil && m.Instrs >= MaxInstrs:
			f.Unread = true
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
func (m *Module) typeOf(name string) *Type {
	t := m.types[name]
	if t == nil {
		t = new(Type)
		m.types[name] = t
	}
	return t
}

// named reads the definition of a named type.
func (m *Module) named(line string) {
	r := &reader{m: m, ts: tokens(line)}
	name := r.next().text
	if r.accept("=") && r.accept("type") {
		to := m.typeOf(name)
		if t := r.typ(); t != nil && to.Kind == otherType && to.layout.state == 0 {
			*to = *t
		}
	}
}

// global reads a variable.
func (m *Module) global(line string) {
	r := &reader{m: m, ts: tokens(line)}
	g := &Global{name: r.next().text}
	for _, t := range r.ts[1:] {
		if t.kind == tokGlobal {
			m.Mentioned[t.text] = true
		}
	}
	for r.more() && !r.peek().is("global") && !r.peek().is("constant") {
		if t := r.next(); t.is("internal") || t.is("private") {
			m.own[g.name], g.Hidden = true, true
		} else if t.is("external") && m.Globals[g.name] != nil {
			return
		}
	}
	g.Constant = r.next().is("constant")
	if g.Type = r.typ(); g.Type == nil {
		return
	}
	g.Shadow = r.peek().is("undef")
	g.Init = r.value(g.Type)
	m.renameOperand(&g.Init)
	if g.name == "llvm.global_ctors" {
		m.Ctors = append(m.Ctors, ctorsOf(g.Init))
		return
	}
	if m.own[g.name] {
		g.name = m.prefix + g.name
	}
	m.Globals[g.name] = g
}

// metadata reads a position or a scope.
func (m *Module) metadata(line string) {
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
		m.Places[number] = place{l, c, m.prefix + strings.TrimPrefix(attribute(fields, "scope"), "!")}
	case "!DIFile":
		m.Files[number] = attribute(fields, "filename")
	case "!DISubprogram", "!DILexicalBlock", "!DILexicalBlockFile":
		m.Scopes[number] = m.prefix + strings.TrimPrefix(attribute(fields, "file"), "!")
		m.Names[number] = attribute(fields, "name")
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
