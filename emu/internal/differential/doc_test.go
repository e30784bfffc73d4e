// Package differential compares the emulator with the host's processor: it makes random CUDA programs with defined
// results, compiles each to PTX and, from the same text, to code for the host, runs both and compares the resulting
// memory.
//
// A Program is made from a seed (gen*.go) as a tree of statements, so that Reduce can remove the statements that a
// difference does not need. The text uses functions that prelude/device.h defines in CUDA and PTX, and prelude/host.h
// in plain C++. There the threads of a block are contexts, each of which runs until an operation among several threads;
// this makes shuffles and barriers in any control flow computable without a GPU. Instructions without an equivalent in
// C++ are in ops*.go, with their definition from the manual.
//
// Programs have one result, whatever the schedule: threads share memory only across barriers and by atomic operations
// that commute, masks of warp operations are known by construction, every loop ends, and no operation is undefined in
// C++. construction, every loop ends, and no operation is undefined in C++.
package differential

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Sizes of a program's inputs and memory, as in prelude/common.h.
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
	Data        uint64 // selects the input to run with

	types     []*structType
	tables    []string
	functions []*function
	kernel    *function
}

// Kernel returns the name of the program's kernel.
func (p *Program) Kernel() string { return fmt.Sprintf("k%d", p.Seed) }

// Input returns the read-only data of the program, made from the seed and Data.
func (p *Program) Input() []byte { return p.randomBytes(1, inputSize) }

// Params returns the struct that the kernel takes by value, made from the seed and Data.
func (p *Program) Params() []byte { return p.randomBytes(2, paramsSize) }

// Memory returns the initial contents of the program's memory: zeros, except in cells that accumulate a minimum or a
// conjunction.
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

// Result returns the part of the memory that is compared.
func Result(memory []byte) []byte { return memory[outOffset:] }

// With returns the program with another input: other data, parameters and memory.
func (p *Program) With(data uint64) *Program {
	out := *p
	out.Data = data
	return &out
}

// rand returns a source of random numbers for one purpose.
func (p *Program) rand(purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(p.Seed, purpose+16*p.Data))
}

// randomBytes returns random data in which some words are small or have few one bits.
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
