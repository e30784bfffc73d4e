// Launch facts as producers make them and as the file holds them.

package facts

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
)

// Pos is a place in a file, counted from 1. The zero value is no place.
type Pos struct {
	File      string
	Line, Col int
}

// String is file:line:col, "" for no place.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// File is the launch facts of a program.
type File struct {
	Launches []*Launch
	Never    []string // kernels that host code launches at places to which it does not come
	Notes    []string // what a producer could not make sense of
}

// Launch is what is known of one place in host code that launches a kernel. Expressions are
// over its Vars, by their plain names; a nil expression is not known.
type Launch struct {
	Kernel      string // in the PTX, demangled with or without parameters, or as in the source
	KernelPos   Pos    // where the file names it
	Site        Pos    // of the launch in host code
	Function    string // of the host that launches
	Vars        []Var
	Grid, Block [3]*expr.Int
	Cluster     [3]*expr.Int // blocks of a cluster; nil: as the kernel requires, or no clusters
	Shared      *expr.Int    // dynamic shared memory, bytes
	// First says that no kernel of the module has run before, and that nothing has written to its
	// variables: they hold what the module says.
	First bool
	// Unfollowed says that host code launches here in ways that its reader did not execute: there are facts, and
	// nobody knows them. A race that needs certain values is then none for certain.
	Unfollowed bool
	Started    []string // the arguments of the program that the facts are of; nil: any
	Args       []Arg    // of the first parameters; further ones are not known
	Buffers    []Buffer
	Requires   []Condition
	// Sample is of launches that there are among these for certain: those in which it holds, and in which buffers hold what
	// their Sample says. Races that they show are races; no proof uses it.
	Sample []Condition
}

// Start says in words with which arguments the program is started, "" where that is not known.
func (l *Launch) Start() string {
	switch {
	case l.Started == nil:
		return ""
	case len(l.Started) == 0:
		return "the program is started without arguments"
	}
	var list []string
	for _, a := range l.Started {
		if !plainWord().MatchString(a) {
			a = strconv.Quote(a)
		}
		list = append(list, a)
	}
	return "the program is started with the arguments " + strings.Join(list, " ")
}

// plainWord matches an argument that is written without quotes.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./,:=+@%-]+$`) })

// Var is a variable of the host, with the values that its type can hold.
type Var struct {
	Name   string
	Type   string // s32, u64, …; "" when it is not known
	Lo, Hi *big.Int
}

// Arg is a kernel argument. With neither an Int, a Buffer nor Fields it is not known.
type Arg struct {
	Int    *expr.Int
	Type   string    // of the C expression, when it is signed: Int is in its range
	Buffer string    // a pointer into that allocation
	Offset *expr.Int // of the pointer, in bytes; nil: not known
	Fields []Field   // of a struct by value
}

// Field is a field of a struct argument.
type Field struct {
	Offset int64 // bytes
	Bits   int
	Arg
}

// Buffer is an allocation of device memory.
type Buffer struct {
	Name string
	Site Pos
	Size *expr.Int // bytes; nil: not known
	Init *expr.Int // that every element holds before the launch; nil: not known
	// Sample is what every element holds in some of the launches; nil: not known. See Launch.Sample.
	Sample *expr.Int
}

// Condition is what holds whenever the launch is executed.
type Condition struct {
	That  *expr.Bool
	Text  string // as in the source, "" for that of the formula
	Class Class
	Site  Pos
}

// Buffer returns the allocation of that name, nil when there is none.
func (l *Launch) Buffer(name string) *Buffer {
	for i := range l.Buffers {
		if l.Buffers[i].Name == name {
			return &l.Buffers[i]
		}
	}
	return nil
}

// Var returns the variable of that name, nil when there is none.
func (l *Launch) Var(name string) *Var {
	for i := range l.Vars {
		if l.Vars[i].Name == name {
			return &l.Vars[i]
		}
	}
	return nil
}

// Int returns the variable as an expression.
func (v *Var) Int() *expr.Int {
	return expr.NewVar(expr.Variable{Name: v.Name, Uniform: true, Lo: v.Lo, Hi: v.Hi})
}

// TypeRange returns the values of an integer type such as s32 or u64; ok is false for
// another type.
func TypeRange(name string) (lo, hi *big.Int, ok bool) {
	bits := map[string]uint{"8": 8, "16": 16, "32": 32, "64": 64}
	if len(name) < 2 {
		return nil, nil, false
	}
	n := bits[name[1:]]
	one := big.NewInt(1)
	switch {
	case n == 0:
	case name[0] == 'u':
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, n), one), true
	case name[0] == 's':
		half := new(big.Int).Lsh(one, n-1)
		return new(big.Int).Neg(half), new(big.Int).Sub(half, one), true
	}
	return nil, nil, false
}

// NewVar returns a variable of an integer type.
func NewVar(name, typ string) Var {
	lo, hi, _ := TypeRange(typ)
	return Var{Name: name, Type: typ, Lo: lo, Hi: hi}
}

// Join puts files together.
func Join(files []*File) *File {
	out := new(File)
	for _, f := range files {
		out.Launches = append(out.Launches, f.Launches...)
		out.Never = append(out.Never, f.Never...)
		out.Notes = append(out.Notes, f.Notes...)
	}
	return out
}

// Sampled is the launches that there are among these for certain, nil when it is not known what their buffers hold.
func (l *Launch) Sampled() *Launch {
	s := *l
	s.Buffers, s.Sample = slices.Clone(l.Buffers), nil
	s.Requires = append(l.Requires[:len(l.Requires):len(l.Requires)], l.Sample...)
	known := false
	for i := range s.Buffers {
		if b := &s.Buffers[i]; b.Init == nil && b.Sample != nil {
			b.Init, b.Sample = b.Sample, nil
			known = true
		}
	}
	if !known {
		return nil
	}
	return &s
}
