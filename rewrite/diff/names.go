// Scopes of names in the code that is compared.

package diff

import (
	"strconv"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// symbol is a name declared by a function. It is not visible outside and may be renamed. Different scopes may have
// symbols of the same name.
type symbol struct {
	name  string
	class symbolClass
	used  int // number of mentions other than in declarations
}

// symbolClass is the kind of a symbol. Only symbols of the same class can replace each other.
type symbolClass uint8

const (
	classReg   symbolClass = iota
	classLabel             // branch targets, prototypes and target lists
	classVar               // parameters and variables
	numClasses
)

// scopes resolves names inside a function.
type scopes struct {
	symbols []symbol
	stack   []scope // outermost first
}

// scope is one pair of braces. The outermost holds the parameters.
type scope struct {
	names  map[string]int
	ranges map[string]nameRange // .reg .b32 %r<10>, by prefix
}

// nameRange is a declared range of names.
type nameRange struct {
	count int
	class symbolClass
}

func (s *scopes) push() {
	s.stack = append(s.stack, scope{make(map[string]int), make(map[string]nameRange)})
}
func (s *scopes) pop() { s.stack = s.stack[:len(s.stack)-1] }

// declare declares a name in the innermost scope.
func (s *scopes) declare(name string, class symbolClass) {
	s.stack[len(s.stack)-1].names[name] = len(s.symbols)
	s.symbols = append(s.symbols, symbol{name: name, class: class})
}

// declareVar declares a variable, register or range of registers. External variables keep their names.
func (s *scopes) declareVar(v *ptxgrammar.Var) {
	switch {
	case v.Name == "" || v.Name == "_" || v.Linkage&ptxgrammar.Extern != 0:
	case v.Count > 0:
		s.stack[len(s.stack)-1].ranges[v.Name] = nameRange{v.Count, classOf(v)}
	default:
		s.declare(v.Name, classOf(v))
	}
}

func classOf(v *ptxgrammar.Var) symbolClass {
	if v.Space == isa.SpaceReg {
		return classReg
	}
	return classVar
}

// lookup returns the index of the symbol with a name, -1 for a name from outside of the function.
func (s *scopes) lookup(name string) int {
	for i := len(s.stack) - 1; i >= 0; i-- {
		sc := &s.stack[i]
		if n, ok := sc.names[name]; ok {
			return n
		}
		if class, ok := sc.inRange(name); ok {
			n := len(s.symbols)
			s.symbols = append(s.symbols, symbol{name: name, class: class})
			sc.names[name] = n
			return n
		}
	}
	return -1
}

// inRange returns the class of the name if a range of the scope has it. The prefix of a
// range may end in digits.
func (sc *scope) inRange(name string) (class symbolClass, ok bool) {
	if len(sc.ranges) == 0 {
		return 0, false
	}
	for at := len(name) - 1; at > 0 && at >= len(name)-10 && digit(name[at]); at-- {
		if name[at] == '0' && at < len(name)-1 {
			continue // numbers have no leading zeros
		}
		r := sc.ranges[name[:at]]
		if n, err := strconv.Atoi(name[at:]); err == nil && n < r.count {
			return r.class, true
		}
	}
	return 0, false
}

// registers returns the number of registers that are mentioned.
func (s *scopes) registers() int {
	n := 0
	for i := range s.symbols {
		if s.symbols[i].class == classReg && s.symbols[i].used > 0 {
			n++
		}
	}
	return n
}
