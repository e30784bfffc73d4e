// What a litmus test is: locations, threads and their instructions.

package litmus

import "fmt"

// Test is a litmus test.
type Test struct {
	Name      string
	Locations []*Location
	Threads   []*Thread
	Condition Condition
}

// Location is a name of memory.
type Location struct {
	Pos     Pos
	Name    string
	Size    int   // in bytes, 4 or 8
	Initial int64 // its value, unless it is an alias
	// Of is the location whose memory this name is for, through Proxy; nil if the name has memory of its own.
	Of    *Location
	Proxy Proxy
}

// Proxies reports whether a test has several names of one memory, accesses by other proxies than the generic one, or
// fences of proxies.
func (t *Test) Proxies() bool {
	for _, l := range t.Locations {
		if l.Of != nil {
			return true
		}
	}
	for _, th := range t.Threads {
		for _, in := range th.Instructions {
			if in.Op == ProxyFence || in.Proxy != Generic {
				return true
			}
		}
	}
	return false
}

// Memory returns the location that has the memory.
func (l *Location) Memory() *Location {
	for l.Of != nil {
		l = l.Of
	}
	return l
}

// Thread is a thread of a litmus test, its place and its instructions.
type Thread struct {
	Pos          Pos
	Name         string // such as P0
	CTA          int
	Cluster      int // -1: the test names none, so that each block is a cluster of its own
	GPU          int
	Initial      map[string]int64 // values of registers, 0 for others
	Instructions []*Instruction
}

// SameCTA reports whether two threads belong to one block.
func (t *Thread) SameCTA(u *Thread) bool { return t.SameCluster(u) && t.CTA == u.CTA }

// SameCluster reports whether two threads belong to one cluster.
func (t *Thread) SameCluster(u *Thread) bool {
	return t.GPU == u.GPU && t.Cluster == u.Cluster && (t.Cluster >= 0 || t.CTA == u.CTA)
}

// Op is what an instruction does.
type Op uint8

// The operations of instructions.
const (
	Load Op = iota
	Store
	Atom // atomic operation that returns the old value
	Red  // atomic operation without a result
	Fence
	ProxyFence // fence.proxy of Proxy
	Barrier
	Compute // Func of two values
	Branch  // to Label if Func holds for two values
	Goto
	Label
)

// Proxy is the path by which memory is accessed (PTX ISA, "Proxies").
type Proxy uint8

// The proxies. Alias is the proxy of a virtual address that is a synonym of another one.
const (
	Generic Proxy = iota
	Texture
	Surface
	Constant
	Alias
)

var proxyNames = []string{"generic", "texture", "surface", "constant", "alias"}

func (p Proxy) String() string { return proxyNames[p] }

// Instruction is one instruction of a thread.
type Instruction struct {
	Pos   Pos
	Text  string // as written
	Op    Op
	Sem   string // weak, volatile, relaxed, acquire, release, acq_rel or sc
	Scope string // cta, cluster, gpu, sys; empty for weak
	Proxy Proxy
	Func  string // add, sub, and, or, xor, min, max, exch, cas, mul, div, mov; eq, ne, lt, gt, le, ge; sync, arrive
	Size  int    // in bytes, of an access
	Dst   string // register
	Loc   *Location
	Off   int // of the access in the location, in bytes
	Args  []Value
	Label string

	Barrier int    // number of a barrier's instance
	ID      *Value // of a barrier, in its instance; nil if it has none
	Quorum  *Value // number of threads that a barrier expects; nil: those that name it
}

// Accesses reports whether the instruction accesses memory.
func (in *Instruction) Accesses() bool { return in.Op <= Red }

// Value is a register or a constant.
type Value struct {
	Pos Pos
	Reg string // empty for a constant
	Num int64
}

// Pos is a place in the text.
type Pos struct {
	File      string
	Line, Col int // from 1
}

func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Error is an error in a litmus test, with its place.
type Error struct {
	Pos  Pos
	What string
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.What }

func errorAt(p Pos, format string, a ...any) error { return &Error{p, fmt.Sprintf(format, a...)} }

// Limits of a test. Larger ones are refused when they are read.
const (
	MaxThreads      = 16
	MaxInstructions = 64 // of a thread
	MaxLocations    = 32
	MaxRegisters    = 64      // of a thread
	MaxBytes        = 1 << 16 // of the text
)
