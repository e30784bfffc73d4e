// Batches: many random programs in one compilation.

package differential

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed prelude/common.h
var commonPrelude string

//go:embed prelude/device.h
var devicePrelude string

//go:embed prelude/host.h
var hostPrelude string

//go:embed prelude/run.h
var hostRun string

// A Batch is a list of programs that are compiled together.
type Batch struct {
	Programs []*Program
	Inputs   int            // number of inputs that each program runs with; 0 means 1
	without  map[*stmt]bool // statements left out
}

// NewBatch generates n programs from consecutive seeds.
func NewBatch(seed uint64, n, sm int) *Batch {
	b := &Batch{}
	for i := range uint64(n) {
		b.Programs = append(b.Programs, Generate(seed+i, sm))
	}
	return b
}

// Runs returns every program with every input: first all inputs of the first program, then those of the second, and so
// on.
func (b *Batch) Runs() (runs []*Program) {
	for _, p := range b.Programs {
		for i := range max(1, b.Inputs) {
			runs = append(runs, p.With(uint64(i)))
		}
	}
	return runs
}

// Device returns the text for CUDA compilers.
func (b *Batch) Device() string { return b.text(devicePrelude, (*operation).device) }

// Host returns the text for C++ compilers: a program whose input comes from Toolchain.Reference, which also reads its
// output.
func (b *Batch) Host() string {
	text := b.text(hostPrelude, (*operation).reference) + hostRun + "int main() {\n  static Entry entries[] = {\n"
	for _, p := range b.Programs {
		text += fmt.Sprintf("    {n%d::%s, %d, %d},\n", p.Seed, p.Kernel(), p.Grid, p.Block)
	}
	return text + fmt.Sprintf("  };\n  run_all(entries, %d, %d);\n}\n", len(b.Programs), max(1, b.Inputs))
}

// text returns a prelude, the operations that the programs use, and the programs.
func (b *Batch) text(prelude string, define func(*operation) string) string {
	var programs strings.Builder
	for _, p := range b.Programs {
		programs.WriteString(p.source(b.without))
	}
	var ops strings.Builder
	for i := range operations {
		if op := &operations[i]; strings.Contains(programs.String(), op.name+"(") {
			ops.WriteString(define(op))
		}
	}
	return prelude + commonPrelude + ops.String() + programs.String()
}
