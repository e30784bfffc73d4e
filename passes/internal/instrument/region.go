// Regions of code with a common counter.

package instrument

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Region is a run of the user's instructions of one basic block that execute equally often: a thread that reaches the
// first reaches them all. Blocks are divided after calls, because a callee may end the thread. The loads of a call's
// results belong to the call, from which they cannot be separated (PTX ISA 5.1.6.4).
type Region struct {
	Block *rewrite.Block
	Insts []*rewrite.Inst // never empty
}

// Regions divides a function into regions, in source order. Inserted instructions are in none.
func Regions(f *rewrite.Func) []Region {
	var regions []Region
	for _, b := range f.CFG().Blocks {
		cut := false
		for _, in := range f.Insts[b.Start:b.End] {
			if !Own(in) {
				continue
			}
			first := len(regions) == 0 || regions[len(regions)-1].Block != b
			if first || cut && !loadsResult(in) {
				regions = append(regions, Region{Block: b})
				cut = false
			}
			r := &regions[len(regions)-1]
			r.Insts = append(r.Insts, in)
			if _, call := in.Call(); call {
				cut = true
			}
		}
	}
	return regions
}

// loadsResult reports whether an instruction loads the result of a call: from a
// .param variable that the body declares.
func loadsResult(in *rewrite.Inst) bool {
	if in.Access.Kind != isa.AccessLoad || in.Access.Space != isa.SpaceParam {
		return false
	}
	v, ok := in.Operands[in.Access.Addr].Sym.(*rewrite.Var)
	return ok && v.Func == in.Func && !slices.Contains(in.Func.Params, v)
}

// Counters holds u64 counters in a variable of the module. Each thread increments them with one red instruction; no
// register is needed.
type Counters struct {
	N    int
	ed   *rewrite.Editor
	name string
}

// NewCounters starts a set of counters in a variable of that name. It is an error if the module has the variable
// already: it has been instrumented.
func NewCounters(ed *rewrite.Editor, name string) (*Counters, error) {
	if _, ok := ed.Module().Lookup(name); ok {
		return nil, fmt.Errorf("the module already has %s: it is instrumented", name)
	}
	return &Counters{ed: ed, name: name}, nil
}

// Reach counts the threads that reach an instruction, whatever its guard, and
// returns the number of the counter.
func (c *Counters) Reach(in *rewrite.Inst) int {
	c.ed.InsertBefore(in, c.add(""))
	return c.next()
}

// Guard counts the threads in which the guard of an instruction holds.
func (c *Counters) Guard(in *rewrite.Inst) int {
	guard := "@" + in.Guard.Name + " "
	if in.GuardNot {
		guard = "@!" + in.Guard.Name + " "
	}
	c.ed.InsertBefore(in, c.add(guard))
	return c.next()
}

func (c *Counters) add(guard string) string {
	return fmt.Sprintf("%sred.global.add.u64 [%s+%d], 1;", guard, c.name, c.N*abi.CounterBytes)
}

func (c *Counters) next() int {
	c.N++
	return c.N - 1
}

// Declare declares the variable, with at least one counter.
func (c *Counters) Declare() error {
	_, err := c.ed.AddVar(rewrite.NewVar{
		Name: c.name, Exact: true, Visible: true,
		Space: isa.SpaceGlobal, Type: isa.B64, Count: max(c.N, 1),
	})
	return err
}
