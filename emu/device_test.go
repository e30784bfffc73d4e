package emu_test

import (
	"encoding/binary"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// counterModule adds to its variable, and writes the address of a function to memory.
const counterModule = `
.visible .global .u32 count = 5;
.func (.reg .u32 r) two() { mov.u32 r, 2; ret; }
.visible .entry k(.param .u64 out)
{
	.reg .u32 %r<4>;
	.reg .u64 %d<4>;
	ld.global.u32 %r1, [count];
	call (%r2), two, ();
	add.u32 %r1, %r1, %r2;
	st.global.u32 [count], %r1;
	ld.param.u64 %d1, [out];
	mov.u64 %d2, two;
	st.global.u64 [%d1], %d2;
	ret;
}
`

func parsed(t *testing.T, text string) *rewrite.Module {
	t.Helper()
	mod, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// number reads n bytes of device memory as a number.
func number(t *testing.T, m *emu.Machine, addr uint64, n int) uint64 {
	t.Helper()
	b := make([]byte, 8)
	if err := m.Read(addr, b[:n]); err != nil {
		t.Fatal(err)
	}
	return binary.LittleEndian.Uint64(b)
}

// count runs the kernel and returns the variable's value and the function's address.
func count(t *testing.T, m *emu.Machine) (value, function uint64) {
	t.Helper()
	out, err := m.Alloc("out", 8)
	if err != nil {
		t.Fatal(err)
	}
	if r := launch(t, m, 1, 1, out); len(r.Faults) > 0 {
		t.Fatal(r.Faults[0].Message)
	}
	addr, _, _ := m.Symbol("count")
	return number(t, m, addr, 4), number(t, m, out, 8)
}

// Two modules on a device share memory; each has separate variables and function addresses.
func TestDeviceOfTwoModules(t *testing.T) {
	d := emu.NewDevice(emu.Config{})
	var functions [2]uint64
	for i := range functions {
		m, err := d.Load(parsed(t, counterModule), emu.Config{})
		if err != nil {
			t.Fatal(err)
		}
		value, function := count(t, m)
		if value != 7 {
			t.Errorf("module %d: count is %d, expected 7", i, value)
		}
		functions[i] = function
	}
	if functions[0] == functions[1] {
		t.Errorf("both functions are at %#x", functions[0])
	}
}

// A reloaded module keeps the contents of its variables and the addresses of its functions; new variables have their
// initial value. The old machine remains usable.
func TestReloadKeepsVariables(t *testing.T) {
	m := load(t, counterModule, emu.Config{})
	_, before := count(t, m)
	added := ".visible .global .u32 fresh = 9;\n.func first() { ret; }\n"
	again, err := m.Reload(parsed(t, added+counterModule), emu.Config{NoVector: true})
	if err != nil {
		t.Fatal(err)
	}
	value, after := count(t, again)
	if value != 9 {
		t.Errorf("count is %d after two launches, expected 9", value)
	}
	if after != before {
		t.Errorf("the function was at %#x and is at %#x", before, after)
	}
	addr, _, _ := again.Symbol("fresh")
	if got := number(t, again, addr, 4); got != 9 {
		t.Errorf("the new variable is %d, expected 9", got)
	}
	if value, _ = count(t, m); value != 11 {
		t.Errorf("count is %d after three launches, expected 11", value)
	}
}

// TestDecodeLate: errors of a kernel are reported when it is launched, unless threads may call functions that their
// kernel does not name.
func TestDecodeLate(t *testing.T) {
	const rest = `
.func helper() { ret; }
.visible .entry good() { call helper, (); ret; }
.visible .entry bad() { .local .b8 big[128]; ret; }
`
	one := emu.Dim3{X: 1, Y: 1, Z: 1}
	mod := parsed(t, rest)
	cfg := emu.Config{DecodeLate: true, Limits: emu.Limits{Stack: 64}}
	m, err := emu.New(mod, cfg)
	if err != nil {
		t.Fatal(err)
	}
	decoded := func(name string) bool { return m.Decoded(mod.Func(name)) }
	if decoded("good") || decoded("helper") {
		t.Error("functions are decoded before a launch")
	}
	if r, err := m.Launch(t.Context(), emu.LaunchConfig{Kernel: "good", Grid: one, Block: one}); err != nil || len(r.Faults) > 0 {
		t.Errorf("%v, %v", r, err)
	}
	if !decoded("good") || !decoded("helper") || decoded("bad") {
		t.Error("what is decoded is not what was launched")
	}
	for range 2 {
		if err := m.Decode("bad"); err == nil || decoded("bad") {
			t.Errorf("the kernel whose variables are too large is decoded: %v", err)
		}
	}
	taken := ".visible .entry takes() { .reg .u64 %d<2>; mov.u64 %d1, helper; ret; }"
	if _, err := emu.New(parsed(t, rest+taken), cfg); err == nil {
		t.Error("with the address of a function, errors of kernels come late")
	}
}
