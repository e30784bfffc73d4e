// Execution of instrumented kernels on the emulator.

package passtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Kernel is a launch whose arguments are pointers to buffers.
type Kernel struct {
	Name        string
	Grid, Block emu.Dim3
	Buffers     [][]byte // initial contents
	Policy      emu.Policy
	Seed        uint64
	Listener    emu.Listener
}

// Device is an emulated device for a Kernel, before and after the launch.
type Device struct {
	*emu.Machine
	Addresses []uint64 // of the buffers
	Stats     emu.Stats
	kernel    Kernel
}

// NewDevice loads the text of a module, as a GPU's driver would, and fills the buffers.
func (k Kernel) NewDevice(t testing.TB, m *rewrite.Module) *Device {
	t.Helper()
	machine, err := emu.New(Load(t, m.AST.File.Name, m.Source()),
		emu.Config{Policy: k.Policy, Seed: k.Seed, Listener: k.Listener})
	if err != nil {
		t.Fatal(err)
	}
	d := &Device{Machine: machine, kernel: k}
	for i, b := range k.Buffers {
		addr, err := d.Alloc(fmt.Sprintf("buffer%d", i), uint64(len(b)))
		if err == nil {
			err = d.Write(addr, b)
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Addresses = append(d.Addresses, addr)
	}
	return d
}

// Launch runs the kernel, which must not fault.
func (d *Device) Launch(t testing.TB) {
	t.Helper()
	var params []byte
	for _, a := range d.Addresses {
		params = binary.LittleEndian.AppendUint64(params, a)
	}
	res, err := d.Machine.Launch(context.Background(),
		emu.LaunchConfig{Kernel: d.kernel.Name, Grid: d.kernel.Grid, Block: d.kernel.Block, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Faults {
		t.Fatal(f)
	}
	d.Stats = res.Stats
}

// Buffer returns the contents of a buffer.
func (d *Device) Buffer(t testing.TB, i int) []byte {
	t.Helper()
	p := make([]byte, len(d.kernel.Buffers[i]))
	if err := d.Read(d.Addresses[i], p); err != nil {
		t.Fatal(err)
	}
	return p
}

// SameResults runs the original and the instrumented module without a host half, under each schedule, and compares the
// buffers.
func (k Kernel) SameResults(t *testing.T, original, instrumented *rewrite.Module) {
	t.Helper()
	for _, p := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
		k.Policy = p
		a, b := k.NewDevice(t, original), k.NewDevice(t, instrumented)
		a.Launch(t)
		b.Launch(t)
		for i := range k.Buffers {
			if want, got := a.Buffer(t, i), b.Buffer(t, i); !bytes.Equal(got, want) {
				t.Errorf("policy %d: buffer %d differs:\n%x\n%x", p, i, got, want)
			}
		}
	}
}

// Words returns the 32-bit words of a buffer.
func Words(p []byte) []uint32 {
	words := make([]uint32, len(p)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(p[4*i:])
	}
	return words
}
