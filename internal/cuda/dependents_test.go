// Launches that may overlap the one before, as a process sees them.

package cuda_test

import (
	"encoding/binary"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestOverlapsAfterReset: a module whose kernel orders grids begins the observation, also after the device was reset.
func TestOverlapsAfterReset(t *testing.T) {
	const text = `.version 8.0
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 p) {
	.reg .b32 %r; .reg .b64 %a<4>;
	ld.param.u64 %a1, [p];
	griddepcontrol.launch_dependents;
	mov.u32 %r, %tid.x;
	mul.wide.u32 %a2, %r, 4;
	add.s64 %a3, %a1, %a2;
	st.global.u32 [%a3], %r;
	ret;
}
`
	p := newProcess(t, &cuda.Options{Target: cuda.Target{Major: 9}})
	for round := range 2 {
		k := kernelOf(t, p, []byte(text), "fill")
		data, err := p.Alloc(256, cuda.OnDevice, waits, nil)
		if err != nil {
			t.Fatal(err)
		}
		one := emu.Dim3{X: 1, Y: 1, Z: 1}
		for i := range 2 {
			l := cuda.Launch{
				Kernel: k.ID, Grid: one, Block: emu.Dim3{X: 32, Y: 1, Z: 1}, Params: binary.LittleEndian.AppendUint64(nil, data),
				Programmatic: i > 0,
			}
			if err := p.Launch(&l, nil); err != nil {
				t.Fatal(err)
			}
		}
		r := p.Report()
		if r.Verdict != report.Racy || len(r.NotChecked) > 0 || !p.Depends() {
			t.Errorf("round %d: %s, not checked: %v", round, r.Verdict, r.NotChecked)
		}
		if err := p.Reset(0); err != nil {
			t.Fatal(err)
		}
		if p.Depends() {
			t.Error("there is a reason for overlaps after a reset")
		}
	}
}

// TestOverlapsOnLaterDevices: a launch that may overlap the one before on the devices that its module is for, but not on
// this one, is not checked.
func TestOverlapsOnLaterDevices(t *testing.T) {
	for target, want := range map[string]int{"sm_90": 1, "sm_80": 0} {
		p := newProcess(t, &cuda.Options{Target: cuda.Target{Major: 8}})
		k := kernelOf(t, p, []byte(".version 8.0\n.target "+target+"\n.address_size 64\n.visible .entry f() { ret; }\n"), "f")
		one := emu.Dim3{X: 1, Y: 1, Z: 1}
		for i := range 2 {
			if err := p.Launch(&cuda.Launch{Kernel: k.ID, Grid: one, Block: one, Programmatic: i > 0}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if r := p.Report(); len(r.NotChecked) != want {
			t.Errorf("%s: not checked: %v", target, r.NotChecked)
		}
	}
}

// TestSpinsAlone: that launches may overlap does not mean that anything runs beside a kernel in the only stream: if it
// waits for memory to change, it has no end.
func TestSpinsAlone(t *testing.T) {
	const text = `.version 8.0
.target sm_90
.address_size 64
.visible .entry spin(.param .u64 p) {
	.reg .b32 %r; .reg .b64 %a; .reg .pred %q;
	ld.param.u64 %a, [p];
	griddepcontrol.wait;
L:
	ld.volatile.global.u32 %r, [%a];
	setp.eq.u32 %q, %r, 0;
	@%q bra L;
	ret;
}
`
	for streams, want := range map[bool]bool{false: false, true: true} {
		p := newProcess(t, &cuda.Options{Target: cuda.Target{Major: 9}})
		k := kernelOf(t, p, []byte(text), "spin")
		data, err := p.Alloc(256, cuda.OnDevice, waits, nil)
		if err != nil {
			t.Fatal(err)
		}
		if streams {
			if err = p.Order(cuda.OrderCreate, 0, 1, 1); err != nil {
				t.Fatal(err)
			}
		}
		asked := false
		one := emu.Dim3{X: 1, Y: 1, Z: 1}
		err = p.Launch(&cuda.Launch{
			Kernel: k.ID, Grid: one, Block: one, Params: binary.LittleEndian.AppendUint64(nil, data),
			Stalled: func(bool) bool { asked = true; return false },
		}, nil)
		if err == nil || asked != want {
			t.Errorf("streams %v: %v, the host was asked: %v", streams, err, asked)
		}
	}
}
