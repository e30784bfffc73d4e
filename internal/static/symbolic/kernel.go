// Kernels with the device functions that they call, one frame for each call.

package symbolic

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Limits of the evaluation.
const (
	MaxDepth   = 24      // nested calls
	MaxFrames  = 2000    // calls in total
	MaxAlike   = 8       // entry paths of a block whose conditions are joined
	maxRounds  = 1 << 48 // iterations of a loop; no thread runs longer
	maxNesting = 10000   // nested values
)

// Kernel is a kernel with the device functions that it calls.
type Kernel struct {
	Func    *rewrite.Func
	Root    *Frame
	Frames  []*Frame // Root first, then in the order of calls
	Unknown []Unknown
	Assumed []Unknown // what is assumed of calls
	Faults  []Unknown // calls of addresses at which no function is: no thread gets beyond them
	// Never reports whether no launch meets a condition; nil: none is known. It is set before [Of] is
	// called.
	Never func(*expr.Bool) bool
	// Ended reports whether the time is over: what is evaluated then is not known, accesses are missing and barriers
	// incomplete.
	Ended func() bool

	closed  map[edge]bool // see never
	origins map[string]*Origin
	fields  map[[2]int64]int       // sizes of the fields read from structs, by parameter and offset
	alike   map[*rewrite.Inst]bool // see AssumeUniform
	aligned map[string]int         // exponents of the alignments of variables, by the names of their addresses
	ending  *bool                  // result of MayEndInCall
	row     bool                   // see InRow
	work    int64
	looks   int64 // calls of late
	over    bool  // its result
	names   int
}

// Unknown is a call that is not followed.
type Unknown struct {
	Frame *Frame
	Call  *rewrite.Inst
	Why   string
	// Callee names a function that is not in the module, "" for other calls.
	Callee string
}

// Frame is one execution of a function: the kernel, or a device function called from a specific instruction.
type Frame struct {
	Kernel *Kernel
	Func   *rewrite.Func
	Parent *Frame
	Call   *rewrite.Inst // in Parent
	ID     int
	depth  int
	kids   map[int][]*Frame // by index of the call

	ssa   *rewrite.SSA
	CFG   *rewrite.CFG
	inner []*rewrite.Loop // by block
	vals  []Value
	state []evalState
	conds []*expr.Bool
	loops map[*rewrite.Loop]*Loop
	uni   map[Team]*uniform
}

// Origin says what a variable stands for if it is neither a parameter nor an index.
type Origin struct {
	Frame *Frame
	Inst  *rewrite.Inst // nil for loops and merges
	Data  bool          // it depends on the contents of memory
	What  string        // "load", "round of the loop at line 12", ...
	loop  *rewrite.Loop // the loop that carries it
	value int32         // the SSA value, or -1
	Sides *expr.Bool    // constraints on it, see Known; nil for none
	asked bool
	test  *expr.Bool  // the formula for which a predicate stands, see short
	Among []*expr.Int // values of which it is one: of paths that meet, or a long formula; nil for other variables

	orbit    []*big.Int // see Orbit
	followed bool
	long     *expr.Int // the value of a variable that stands for a long formula
	turn     *expr.Int // see ring
	turning  bool
	values   []*big.Int // of a ring, see cycle
	back     int
}

// New returns the symbolic representation of a kernel. ended is [Kernel.Ended]; nil: the time is never over.
func New(f *rewrite.Func, ended func() bool) *Kernel {
	if ended == nil {
		ended = func() bool { return false }
	}
	k := &Kernel{Func: f, Ended: ended, origins: make(map[string]*Origin), fields: make(map[[2]int64]int)}
	k.Root = k.frame(f, nil, nil)
	k.settle()
	return k
}

// Work returns the number of values evaluated so far.
func (k *Kernel) Work() int64 { return k.work }

// Origin returns what a variable stands for; nil for indices, extents and parameters. For an instance of a variable
// (v.3#1) it returns the variable's origin.
func (k *Kernel) Origin(name string) *Origin { return k.origins[base(name)] }

// Origins returns the origins of all variables, by name. Do not modify.
func (k *Kernel) Origins() map[string]*Origin { return k.origins }

// base returns a variable's name without the instance number.
func base(name string) string {
	for i := range name {
		if name[i] == '#' {
			return name[:i]
		}
	}
	return name
}

func (k *Kernel) frame(f *rewrite.Func, parent *Frame, call *rewrite.Inst) *Frame {
	fr := &Frame{
		Kernel: k, Func: f, Parent: parent, Call: call, ID: len(k.Frames), kids: make(map[int][]*Frame),
		ssa: f.SSA(), CFG: f.CFG(), loops: make(map[*rewrite.Loop]*Loop),
	}
	fr.inner = fr.CFG.Innermost()
	fr.vals, fr.state = make([]Value, len(fr.ssa.Values)), make([]evalState, len(fr.ssa.Values))
	fr.conds = make([]*expr.Bool, len(fr.CFG.Blocks))
	if parent != nil {
		fr.depth = parent.depth + 1
	}
	k.Frames = append(k.Frames, fr)
	for _, in := range f.Insts {
		if c, ok := in.Call(); ok && fr.Reached(in) {
			fr.enter(in, c)
		}
	}
	return fr
}

// enter creates the frame of a call, or records why the call is not followed.
func (f *Frame) enter(in *rewrite.Inst, c rewrite.Call) {
	why, outside := "", ""
	callee := c.Func
	if callee != nil && callee.Alias != nil {
		callee = callee.Alias
	}
	switch {
	case callee == nil:
		list, fault := indirect{f}.targets(in, c)
		if fault {
			f.Kernel.Faults = append(f.Kernel.Faults, Unknown{
				Frame: f, Call: in,
				Why: "calls an address that is a number, at which no function is",
			})
			return
		}
		if f.enterAny(in, list) {
			return
		}
		why = "a call through a register"
		if len(list) == 0 {
			outside = "a function that is passed to the kernel"
		}
	case !callee.Defined():
		if harmless[callee.Name] {
			return
		}
		why, outside = "a call of "+callee.Name+", which is not in the module", callee.Name
	case f.depth >= MaxDepth || len(f.Kernel.Frames) >= MaxFrames || f.recursive(callee) || f.Kernel.Ended():
		why = "a call of " + callee.Name + ", too deep to follow"
	default:
		f.kids[in.Index] = []*Frame{f.Kernel.frame(callee, f, in)}
		return
	}
	f.Kernel.Unknown = append(f.Kernel.Unknown, Unknown{f, in, why, outside})
}

// enterAny creates the frames of the functions that a call through a register may call, and reports whether it did.
// Functions with barriers are followed only if the call cannot call another one.
func (f *Frame) enterAny(in *rewrite.Inst, list []*rewrite.Func) bool {
	if len(list) == 0 || len(list) > maxTargets || f.depth >= MaxDepth || len(f.Kernel.Frames)+len(list) > MaxFrames {
		return false
	}
	for _, g := range list {
		if f.recursive(g) || len(list) > 1 && joins(g, MaxDepth) {
			return false
		}
	}
	for _, g := range list {
		if !g.Defined() {
			f.Kernel.Unknown = append(f.Kernel.Unknown,
				Unknown{f, in, "a call of " + g.Name + ", which is not in the module", g.Name})
			continue
		}
		f.kids[in.Index] = append(f.kids[in.Index], f.Kernel.frame(g, f, in))
	}
	return true
}

// harmless holds functions of the CUDA runtime that access no memory of the program except their arguments, which are
// in local memory.
var harmless = map[string]bool{"vprintf": true, "__assertfail": true, "__trap": true}

// Harmless reports whether a function outside the module accesses no memory of the program.
func Harmless(f *rewrite.Func) bool { return harmless[f.Name] }

func (f *Frame) recursive(callee *rewrite.Func) bool {
	for p := f; p != nil; p = p.Parent {
		if p.Func == callee {
			return true
		}
	}
	return false
}

// Callees returns the frames of the functions that a call may call, none when it is not followed.
func (f *Frame) Callees(call *rewrite.Inst) []*Frame { return f.kids[call.Index] }

// Reached reports whether control may reach an instruction.
func (f *Frame) Reached(in *rewrite.Inst) bool { return f.CFG.Reached(f.CFG.BlockOf[in.Index]) }

// Block returns the block of an instruction.
func (f *Frame) Block(in *rewrite.Inst) *rewrite.Block { return f.CFG.BlockOf[in.Index] }

// Loop returns the innermost loop around a block, nil for none.
func (f *Frame) Loop(b *rewrite.Block) *rewrite.Loop { return f.inner[b.Index] }

// Path returns the calls that lead to the frame, outermost first.
func (f *Frame) Path() []*rewrite.Inst {
	if f.Parent == nil {
		return nil
	}
	return append(f.Parent.Path(), f.Call)
}

// fresh returns a new variable for a register value that is not modeled.
func (f *Frame) fresh(o Origin, t isa.Type) *expr.Int {
	lo, hi := typeRange(t)
	name := f.Kernel.name("v")
	o.Frame = f
	f.Kernel.origins[name] = &o
	return expr.Var(name, lo, hi)
}

func (f *Frame) freshBool(o Origin) *expr.Bool {
	name := f.Kernel.name("b")
	o.Frame = f
	f.Kernel.origins[name] = &o
	return expr.BoolVar(name, false)
}

func (k *Kernel) name(kind string) string {
	k.names++
	return fmt.Sprintf("%s.%d", kind, k.names)
}

// typeRange returns the range of a type; bit types are read as signed numbers.
func typeRange(t isa.Type) (lo, hi int64) {
	bits := t.Bits()
	switch {
	case bits >= 64 || bits == 0:
		return math.MinInt64, math.MaxInt64
	case t.Kind() == isa.KindUnsigned || bits < 32:
		if t.Signed() {
			return -1 << (bits - 1), 1<<(bits-1) - 1
		}
		return 0, 1<<bits - 1
	}
	return -1 << (bits - 1), 1<<(bits-1) - 1
}

// edge is a branch from a block of a frame to another.
type edge struct {
	f        *Frame
	from, to *rewrite.Block
}

// MayEnd reports whether a thread may end in a call of a function outside of the module: in one without a result, which
// is called for something else, such as that.
func (u Unknown) MayEnd() bool {
	c, ok := u.Call.Call()
	return ok && u.Callee != "" && len(c.Returns) == 0
}

// MayEndInCall reports whether a thread may end in a function that the kernel calls. Then it does not reach what
// follows the call, although that post-dominates it in the caller.
func (k *Kernel) MayEndInCall() bool {
	if k.ending == nil {
		found := slices.ContainsFunc(k.Assumed, Unknown.MayEnd) || slices.ContainsFunc(k.Unknown, Unknown.MayEnd) ||
			slices.ContainsFunc(k.Frames, func(f *Frame) bool {
				return f.Parent != nil && slices.ContainsFunc(f.Func.Insts,
					func(in *rewrite.Inst) bool { return in.Effects().Has(isa.Exits) && f.Reached(in) })
			})
		k.ending = &found
	}
	return *k.ending
}

// Never reports whether no thread takes an edge: its condition, which holds for each thread that does, is false in all
// launches.
func (f *Frame) Never(from, to *rewrite.Block) bool {
	k := f.Kernel
	if k.Never == nil || len(from.Succs) != 2 || f.CFG.Degenerate {
		return false
	}
	e := edge{f, from, to}
	closed, known := k.closed[e]
	if !known {
		c, ok := f.edge(from, to)
		closed = ok && k.Never(c)
		if k.closed == nil {
			k.closed = make(map[edge]bool)
		}
		k.closed[e] = closed
	}
	return closed
}
