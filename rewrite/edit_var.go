// Additional variables of a module.

package rewrite

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// NewVar is a module-scope variable to add.
type NewVar struct {
	// Name is a hint for a fresh name or, with Exact, the name itself.
	Name string
	// Exact requests one variable of that name in the module: if there is one with the same space, type and size, it is
	// used; if there is another, that is an error.
	Exact   bool
	Space   isa.Space // SpaceGlobal, SpaceShared or SpaceConst
	Type    isa.Type  // of an element
	Count   int       // number of elements of an array; 0 for a scalar
	Align   int       // in bytes, a power of two; 0 for that of the type
	Init    []uint64  // bits of the first elements; the rest is zero
	Visible bool      // other modules and the host can find it by name
}

var validName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9_$]*|[_$%][a-zA-Z0-9_$]+)$`) })

// AddVar adds a module-scope variable and returns its name.
func (e *Editor) AddVar(v NewVar) (name string, err error) {
	if err := v.check(); err != nil {
		return "", fmt.Errorf("variable %q: %w", v.Name, err)
	}
	name = v.Name
	if v.Exact {
		if s := e.newNames[name]; s != nil {
			return "", fmt.Errorf("variable %q: %q is renamed to that", name, s.SymbolName())
		}
		have, err := e.existing(&v)
		if have || err != nil {
			return name, err
		}
		if e.vars == nil {
			e.vars = make(map[string]*NewVar)
		}
		e.vars[name] = &v
	} else {
		name = e.FreshSymbol(v.Name)
	}
	e.AddGlobal(v.declaration(name))
	return name, nil
}

func (v *NewVar) check() error {
	switch {
	case !validName().MatchString(v.Name):
		return fmt.Errorf("not a PTX name")
	case v.Space != isa.SpaceGlobal && v.Space != isa.SpaceShared && v.Space != isa.SpaceConst:
		return fmt.Errorf("a module-scope variable cannot be in .%s", v.Space)
	case v.Type.Size() == 0 || v.Type.Size() > 8 && len(v.Init) > 0:
		return fmt.Errorf("type .%s is not possible here", v.Type)
	case v.Count < 0 || v.Align < 0 || v.Align&(v.Align-1) != 0:
		return fmt.Errorf("a count of %d and an alignment of %d are not possible", v.Count, v.Align)
	case len(v.Init) > max(v.Count, 1):
		return fmt.Errorf("%d initial values for %d elements", len(v.Init), max(v.Count, 1))
	case len(v.Init) > 0 && v.Space == isa.SpaceShared:
		return fmt.Errorf("shared memory has no initial value")
	}
	return nil
}

// existing reports whether the module or this editor already has the variable.
func (e *Editor) existing(v *NewVar) (bool, error) {
	if was := e.vars[v.Name]; was != nil {
		if was.declaration("") != v.declaration("") {
			return false, fmt.Errorf("variable %q is added twice, as %q and %q", v.Name, was.declaration(v.Name),
				v.declaration(v.Name))
		}
		return true, nil
	}
	s, taken := e.m.symbols[v.Name]
	if !taken {
		return false, nil
	}
	old, ok := s.(*Var)
	size := uint64(v.Type.Size() * max(v.Count, 1))
	if !ok || old.Space != v.Space || old.Type != v.Type || old.Size != size || old.AST.Linkage&ptxgrammar.Extern != 0 {
		return false, fmt.Errorf("%s: %q is something else than %q", symbolPosition(e.m, s), v.Name,
			v.declaration(v.Name))
	}
	return true, nil
}

// symbolPosition returns where a module-scope symbol is declared.
func symbolPosition(m *Module, s Symbol) ptxgrammar.Position {
	switch s := s.(type) {
	case *Func:
		return m.AST.File.Position(s.AST.NameAt.Start)
	case *Var:
		return m.AST.File.Position(s.AST.NameAt.Start)
	}
	panic("BUG: " + s.SymbolName() + " is not a module-scope symbol")
}

// declaration returns the variable's declaration in PTX.
func (v *NewVar) declaration(name string) string {
	var b strings.Builder
	if v.Visible {
		b.WriteString(".visible ")
	}
	fmt.Fprintf(&b, ".%s ", v.Space)
	if v.Align > 0 {
		fmt.Fprintf(&b, ".align %d ", v.Align)
	}
	fmt.Fprintf(&b, ".%s %s", v.Type, name)
	if v.Count > 0 {
		fmt.Fprintf(&b, "[%d]", v.Count)
	}
	for i, bits := range v.Init {
		if i == 0 {
			b.WriteString(" = ")
			if v.Count > 0 {
				b.WriteString("{")
			}
		} else {
			b.WriteString(", ")
		}
		b.WriteString(literal(bits, v.Type))
	}
	if v.Count > 0 && len(v.Init) > 0 {
		b.WriteString("}")
	}
	b.WriteString(";")
	return b.String()
}

// literal returns a constant with the given bits.
func literal(bits uint64, t isa.Type) string {
	switch t {
	case isa.F32:
		return fmt.Sprintf("0f%08X", uint32(bits))
	case isa.F64:
		return fmt.Sprintf("0d%016X", bits)
	}
	if t.Signed() {
		return fmt.Sprint(int64(t.Extend(bits)))
	}
	return fmt.Sprint(t.Truncate(bits))
}
