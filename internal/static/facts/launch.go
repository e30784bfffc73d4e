// Launch facts in the form of producers and of the file.

package facts

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// Pos is a position in a file, counted from 1. The zero value is none.
type Pos struct {
	File      string
	Line, Col int
}

// String returns "file:line:col", "" for no position.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// File holds the launch facts of a program.
type File struct {
	Launches []*Launch
	Never    []string // kernels that host code launches only at unreachable places
	Notes    []string // constructs that a producer did not understand
	// Main says that the facts are those of a program: that it launches a kernel which Launches does not have is not
	// known.
	Main bool
	// Unread says why host code that may launch was not read; "" if it was, or there is none.
	Unread string
}

// Launch is what is known of one place in host code that launches a kernel. Expressions are over its Vars, by their
// plain names; a nil expression is unknown.
type Launch struct {
	Kernel      string // as in the PTX, demangled with or without parameters, or as in the source
	KernelPos   Pos    // position of its name in the file
	Site        Pos    // of the launch in host code
	Function    string // launching function of the host
	Vars        []Var
	Grid, Block [3]*expr.Int
	Cluster     [3]*expr.Int // blocks of a cluster; nil: as the kernel requires, or no clusters
	Shared      *expr.Int    // dynamic shared memory in bytes
	Cooperative bool         // all blocks are resident at the same time
	Streamed    bool         // into a stream other than the default one, or one that is not known
	// First says that no kernel of the module has run before, and that nothing has written to its variables: they have
	// their initial values.
	First   bool
	Changed []string // variables of the module that may hold something else than it says, by their names there or in the source
	// Unfollowed says that host code may launch here in ways that its reader did not execute, so that there are unknown
	// facts. A race that needs certain values is then not certain.
	Unfollowed bool
	Started    []string // arguments of the program for which the facts hold; nil: any
	Args       []Arg    // for the first parameters; further ones are unknown
	Buffers    []Buffer
	Requires   []Condition
	// Sample describes launches that certainly exist: those in which its conditions hold, and in which buffers hold
	// their Sample. Races in them are certain; no proof uses it.
	Sample []Condition
}

// AnyVariable among the variables that the host has changed stands for all of them.
const AnyVariable = "*"

// Change adds variables that the host may have changed before launches.
func Change(launches []*Launch, names []string) {
	for _, l := range launches {
		l.Changed = append(l.Changed, names...)
	}
}

// Start describes the arguments with which the program is started, "" if they are unknown.
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

// plainWord matches an argument that needs no quotes.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./,:=+@%-]+$`) })

// Var is a variable of the host, with the range of its type.
type Var struct {
	Name   string
	Type   string // s32, u64, …; "" if unknown
	Lo, Hi *big.Int
	// Lost says that the reader of host code has not followed how the value is computed, so that not every value in the
	// range need occur. A race that needs a certain one is then not certain.
	Lost bool
	Site Pos // where its reader stopped to follow it; none if that is not known. Files do not have it
}

// Arg is a kernel argument. It is unknown without an Int, a Real, a Buffer and Fields.
type Arg struct {
	Int    *expr.Int
	Real   *float64  // a floating-point number; no proof uses it, and files of facts do not have it
	Type   string    // of the C expression, if signed: Int is in its range
	Buffer string    // pointed to
	Offset *expr.Int // of the pointer, in bytes; nil: unknown
	// Lost says of a pointer that it leads there in a launch that the program need not execute. See Var.
	Lost   bool
	Fields []Field // of a struct by value
}

// Field is a field of a struct argument.
type Field struct {
	Offset int64 // in bytes
	Bits   int
	Arg
}

// Buffer is an allocation of device memory.
type Buffer struct {
	Name string
	Site Pos
	Size *expr.Int // in bytes; nil: unknown
	Init *expr.Int // value of every element before the launch; nil: unknown
	// Order is what the elements are in every execution, as the kernel loads them; see Order.
	Order Order
	// Sample is the value of every element in some of the launches; nil: unknown. See Launch.Sample.
	Sample *expr.Int
	Bytes  []byte // see Contents
}

// Order is what is known of the elements of an allocation, of the size that the kernel loads.
type Order string

// Orders.
const (
	Distinct  Order = "distinct"  // no two are equal, as in a permutation
	Ascending Order = "ascending" // none is less than the one before as a signed number, as in a prefix sum of counts
)

// Condition is a condition that holds whenever the launch is executed.
type Condition struct {
	That  *expr.Bool
	Text  string // as in the source, "" for the text of the formula
	Class Class
	Site  Pos
}

// Buffer returns the allocation of that name, nil if there is none.
func (l *Launch) Buffer(name string) *Buffer {
	for i := range l.Buffers {
		if l.Buffers[i].Name == name {
			return &l.Buffers[i]
		}
	}
	return nil
}

// Var returns the variable of that name, nil if there is none.
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

// TypeRange returns the range of an integer type such as s32 or u64; ok is false for other types.
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

// Join concatenates files.
func Join(files []*File) *File {
	out := new(File)
	for _, f := range files {
		out.Launches = append(out.Launches, f.Launches...)
		out.Never = append(out.Never, f.Never...)
		out.Notes = append(out.Notes, f.Notes...)
		out.Main = out.Main || f.Main
		if out.Unread == "" {
			out.Unread = f.Unread
		}
	}
	return out
}

// Sampled returns the launches that certainly exist among these, nil if the contents of their buffers are unknown.
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
