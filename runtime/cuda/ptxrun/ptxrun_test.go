// Launches on memory of the host.

//go:build linux

package ptxrun_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/cuda"
	"github.com/ptxsan/ptxsan/runtime/cuda/ptxrun"
)

// add has a kernel that adds a number to each element of an array. Every thread stores to the counter behind the array.
const add = `.version 6.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 data, .param .u32 n, .param .u64 counter)
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	.reg .pred %p;
	ld.param.u64 %rd1, [data];
	ld.param.u32 %r1, [n];
	ld.param.u64 %rd3, [counter];
	mov.u32 %r2, %tid.x;
	mov.u32 %r4, %ctaid.x;
	mad.lo.u32 %r2, %r4, 32, %r2;
	mad.wide.u32 %rd2, %r2, 4, %rd1;
	ld.global.u32 %r3, [%rd2];
	add.u32 %r3, %r3, %r1;
	st.global.u32 [%rd2], %r3;
	st.global.u32 [%rd3], %r2;
	ret;
}
`

// TestRun executes kernels on memory that is not the emulator's.
func TestRun(t *testing.T) {
	memory, err := unix.Mmap(-1, 0, 1<<16, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err = unix.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for i := range 64 {
		binary.LittleEndian.PutUint32(memory[128+4*i:], uint32(i))
	}
	base := uint64(uintptr(unsafe.Pointer(&memory[0])))
	launch := func(text string, args ...uint64) *ptxrun.Launch {
		return &ptxrun.Launch{PTX: text, Grid: emu.Dim3{X: 2, Y: 1, Z: 1}, Block: emu.Dim3{X: 32, Y: 1, Z: 1}, Args: args}
	}
	unchecked := &ptxrun.Runner{}
	for range 2 { // the second time, the module is loaded
		if err = unchecked.Run(launch(add, base+128, 1<<40+5, base+512)); err != nil { // of the number, four bytes count
			t.Fatal(err)
		}
	}
	for i := range 64 {
		if got := binary.LittleEndian.Uint32(memory[128+4*i:]); got != uint32(i+10) {
			t.Fatalf("element %d is %d, want %d", i, got, i+10)
		}
	}
	if n := unchecked.Errors(); n != 0 {
		t.Errorf("%d errors without a detector", n)
	}
	var out strings.Builder
	checked := &ptxrun.Runner{Detector: "precise", Output: &out}
	if err = checked.Run(launch(add, base+128, 1, base+512)); err != nil || checked.Errors() != 1 || !strings.Contains(out.String(), "inter-block") {
		t.Errorf("%v, %d errors, want a race between blocks\n%s", err, checked.Errors(), &out)
	}
	out.Reset()
	var outcome *cuda.Error
	if err = checked.Run(launch(add, 64, 1, base)); !errors.As(err, &outcome) || checked.Errors() != 2 || !strings.Contains(out.String(), "Invalid __global__ read") {
		t.Errorf("%v, %d errors, want a fault\n%s", err, checked.Errors(), &out)
	}
	for text, want := range map[string]string{
		"nothing": "expected PTX with .target and .entry",
		strings.Replace(add, "mov.u32 %r2", "mov.u31 %r2", 1): "u31",
		strings.Replace(add, ", .param .u64 counter", "", 1):  "counter",
	} {
		if err = new(ptxrun.Runner).Run(launch(text, base, 1, base)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err = unchecked.Run(launch(add, base)); err == nil || !strings.Contains(err.Error(), "3 parameters, and the launch 1 argument") {
		t.Errorf("error %v", err)
	}
}
