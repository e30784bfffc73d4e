package emu_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// header begins every test module.
const header = ".version 8.3\n.target sm_90\n.address_size 64\n"

// load parses PTX text, with the header in front, and makes a machine of it.
func load(t testing.TB, text string, cfg emu.Config) *emu.Machine {
	t.Helper()
	m, err := tryLoad(text, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tryLoad(text string, cfg emu.Config) (*emu.Machine, error) {
	mod, err := parse(text)
	if err != nil {
		return nil, err
	}
	return emu.New(mod, cfg)
}

// parse makes a module of PTX text, with the header in front.
func parse(text string) (*rewrite.Module, error) {
	ast, err := ptxgrammar.Parse("test.ptx", []byte(header+text))
	if err != nil {
		return nil, err
	}
	return rewrite.Load(ast)
}

// dim is a one-dimensional extent.
func dim(x uint32) emu.Dim3 { return emu.Dim3{X: x, Y: 1, Z: 1} }

// args lays out 8-byte parameters.
func args(vals ...uint64) []byte {
	var b []byte
	for _, v := range vals {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// launch runs the kernel k with 8-byte parameters.
func launch(t testing.TB, m *emu.Machine, grid, block uint32, params ...uint64) *emu.Result {
	t.Helper()
	r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(grid), Block: dim(block), Params: args(params...)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// clean fails the test when the launch faulted.
func clean(t testing.TB, r *emu.Result) {
	t.Helper()
	for _, f := range r.Faults {
		t.Fatal(f)
	}
}

// alloc reserves n 32-bit words.
func alloc(t testing.TB, m *emu.Machine, name string, n int) uint64 {
	t.Helper()
	a, err := m.Alloc(name, uint64(4*n))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// words reads n 32-bit words.
func words(t testing.TB, m *emu.Machine, addr uint64, n int) []uint32 {
	t.Helper()
	b := make([]byte, 4*n)
	if err := m.Read(addr, b); err != nil {
		t.Fatal(err)
	}
	emu.CountResults(m, n)
	w := make([]uint32, n)
	if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, w); err != nil {
		t.Fatal(err)
	}
	return w
}

// policies are all of them.
var policies = map[string]emu.Policy{"its": emu.ITS, "lockstep": emu.Lockstep, "random": emu.Random, "pct": emu.PCT}

// run executes kernel k of a module on a buffer of n zeroed words and returns the
// buffer.
func run(t testing.TB, text string, cfg emu.Config, grid, block uint32, n int) []uint32 {
	t.Helper()
	m := load(t, text, cfg)
	out := alloc(t, m, "out", n)
	clean(t, launch(t, m, grid, block, out))
	return words(t, m, out, n)
}
