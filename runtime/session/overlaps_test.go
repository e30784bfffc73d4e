// Launches that may overlap, without a launch file.

package session_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/session"
)

const fillKernel = `
.version 8.0
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 p) {
	.reg .b32 %r; .reg .b64 %a<4>;
	ld.param.u64 %a1, [p];
	mov.u32 %r, %tid.x;
	mul.wide.u32 %a2, %r, 4;
	add.s64 %a3, %a1, %a2;
	st.global.u32 [%a3], %r;
	ret;
}
`

// TestOverlaps: a programmatic launch races with the one before. If it was not announced, that one was not observed,
// and the report says so.
func TestOverlaps(t *testing.T) {
	for _, announced := range []bool{true, false} {
		s := open(t, "precise", fillKernel)
		first := session.Launch{Kernel: "fill", Block: emu.Dim3{X: 32}, Args: []any{buffer(t, s, "data", make([]uint32, 32))}}
		second := first
		second.Programmatic = true
		if announced {
			if err := s.Announce(first, second, second); err != nil {
				t.Fatal(err)
			}
		}
		for _, l := range []session.Launch{first, second, second} {
			launch(t, s, l)
		}
		rep := s.Report()
		if len(rep.Races) != 1 || rep.Races[0].Kind != detect.InterKernel || rep.Races[0].Cause != detect.MissingGridWait {
			t.Errorf("announced %v: races %+v, want one of two launches", announced, rep.Races)
		}
		left := 1
		if announced {
			left = 0
		}
		if len(rep.NotChecked) != left || left > 0 && (!rep.NotChecked[0].Required || rep.NotChecked[0].Launches != 1) {
			t.Errorf("announced %v: not checked %+v, want %d", announced, rep.NotChecked, left)
		}
	}
}

// TestVariableAt: variables of all loaded modules have their names.
func TestVariableAt(t *testing.T) {
	const second = `
.version 8.0
.target sm_90
.address_size 64
.global .u32 table[4];
.visible .entry none() { ret; }
`
	s := open(t, "precise", fillKernel)
	p := parse(t, second)
	if err := s.Load(p); err != nil {
		t.Fatal(err)
	}
	table, err := s.Global(p, "table")
	if err != nil {
		t.Fatal(err)
	}
	for offset, want := range map[uint64]string{0: "table+0x0", 4: "table+0x4", 1 << 40: ""} {
		if got := s.VariableAt(table.Address() + offset); got != want {
			t.Errorf("%d: %q, want %q", offset, got, want)
		}
	}
}

// TestOverlapsOfModules: each side of a race between launches of two modules is an instruction of its own module,
// though both have the same number.
func TestOverlapsOfModules(t *testing.T) {
	again := "// one line more\n" + strings.Replace(fillKernel, "fill", "again", 1)
	s, programs := openApplication(t, fillKernel, again)
	first := session.Launch{
		Program: programs[0], Kernel: "fill", Block: emu.Dim3{X: 32}, Args: []any{buffer(t, s, "data", make([]uint32, 32))},
	}
	second := first
	second.Program, second.Kernel, second.Programmatic = programs[1], "again", true
	if err := s.Announce(first, second); err != nil {
		t.Fatal(err)
	}
	launch(t, s, first)
	launch(t, s, second)
	races := s.Report().Races
	if len(races) != 1 || races[0].Count != 32 {
		t.Fatalf("races %+v, want one of 32 words", races)
	}
	if x, y := races[0].First, races[0].Second; x.Kernel != "fill" || y.Kernel != "again" || y.PTX.Line != x.PTX.Line+1 {
		t.Errorf("line %d of %s, line %d of %s", x.PTX.Line, x.Kernel, y.PTX.Line, y.Kernel)
	}
}
