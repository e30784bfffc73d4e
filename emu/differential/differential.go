// Package differential compares the emulator with the host's processor: it makes random
// CUDA programs whose results are defined, compiles each to PTX and, from the same text,
// to code for the host, runs both and compares the memory that they leave.
//
// A Program is made from a seed (gen*.go) as a tree of statements, so that Reduce can take
// out those that a difference does not need. The text uses functions that prelude/device.h
// defines by CUDA and PTX, and prelude/host.h by plain C++: there the threads of a block
// are contexts that run in turn until an operation among several of them, which makes
// shuffles and barriers in any control flow computable without a GPU. The instructions that
// C++ cannot ask for are listed in ops*.go with what the manual says about them.
//
// Programs have one result, whatever the schedule: threads share memory only across
// barriers and by atomic operations that commute, masks of warp operations are known by
// construction, every loop ends, and no operation is undefined in C++.
package differential

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Sizes of what programs get, as in prelude/common.h.
const (
	inputSize  = 64*4 + 32*8 + 32*4 + 32*8
	maxThreads = 160
	outOffset  = maxThreads * 176
	cellsAt    = outOffset + maxThreads*8
	memorySize = cellsAt + 16*4 + 8*8
	paramsSize = 40
)

// A Program is one kernel with its functions, types and tables.
type Program struct {
	Seed        uint64
	Grid, Block int
	Data        uint64 // which of its inputs it runs with

	types     []*structType
	tables    []string
	functions []*function
	kernel    *function
}

// Kernel is the name of the program's kernel.
func (p *Program) Kernel() string { return fmt.Sprintf("k%d", p.Seed) }

// Input is the read-only data of the program, made from the seed and Data.
func (p *Program) Input() []byte { return p.randomBytes(1, inputSize) }

// Params is the struct that the kernel takes by value, made from the seed and Data.
func (p *Program) Params() []byte { return p.randomBytes(2, paramsSize) }

// Memory is what the program's memory holds at first: zeros, but for cells in which a minimum or a conjunction is formed.
func (p *Program) Memory() []byte {
	m := make([]byte, memorySize)
	r := p.rand(3)
	for _, i := range []int{cellMin, cellMinSigned, cellAnd} {
		binary.LittleEndian.PutUint32(m[cellsAt+4*i:], r.Uint32()|1<<31)
	}
	for _, i := range []int{longMin, longAnd} {
		binary.LittleEndian.PutUint64(m[cellsAt+64+8*i:], r.Uint64()>>1)
	}
	return m
}

// Result is the part of the memory that is compared.
func Result(memory []byte) []byte { return memory[outOffset:] }

// With is the program with another input: other data, parameters and memory.
func (p *Program) With(data uint64) *Program {
	out := *p
	out.Data = data
	return &out
}

// rand is a source of random numbers for one purpose.
func (p *Program) rand(purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(p.Seed, purpose+16*p.Data))
}

// randomBytes makes data of which some words are small, or have few ones.
func (p *Program) randomBytes(purpose uint64, n int) []byte {
	r := p.rand(purpose)
	b := make([]byte, n)
	for i := 0; i < n; i += 8 {
		v := r.Uint64()
		switch r.IntN(4) {
		case 0:
			v >>= r.IntN(64)
		case 1:
			v &= r.Uint64() & r.Uint64()
		}
		binary.LittleEndian.PutUint64(b[i:], v)
	}
	return b
}
