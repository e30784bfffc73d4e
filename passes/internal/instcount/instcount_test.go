package instcount_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/passes/internal/instcount"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

func TestGolden(t *testing.T) { passtest.Golden(t, instcount.Pass) }

// TestCounts compares the counts with the emulator's own, and with those that the
// kernel's comments promise: 40 of 64 threads call twice, 16 leave early, and the
// loop runs i%4 times for the rest, 96 times in all.
func TestCounts(t *testing.T) {
	in := passtest.Input(t, "testdata/basic.txtar")
	out := passtest.RunVerified(t, in, "instcount", instcount.Pass)
	k := passtest.Kernel{Name: "kernel", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Buffers: [][]byte{make([]byte, 256), make([]byte, 256)}}
	k.SameResults(t, in, out.Module)
	bare, dev := k.NewDevice(t, in), k.NewDevice(t, out.Module)
	bare.Launch(t)
	dev.Launch(t)
	c, err := profile.ReadInstCount(dev, out.Results["instcount"].(*abi.InstMap))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Total().Issued; got != bare.Stats.ThreadInstructions {
		t.Errorf("%d instructions, the emulator executed %d", got, bare.Stats.ThreadInstructions)
	}
	wantLines := []profile.Tally{
		{Name: "in.ptx:8", Issued: 40},
		{Name: "in.ptx:9", Issued: 40},
		{Name: "in.ptx:10", Issued: 40},
		{Name: "in.ptx:11", Issued: 40},
		{Name: "k.cu:10", Issued: 6 * 64},
		{Name: "k.cu:11", Issued: 3 * 64, Skipped: 40},
		{Name: "k.cu:12", Issued: 3 * 40},
		{Name: "k.cu:13", Issued: 5 * 64, Skipped: 3 * 48},
		{Name: "k.cu:14", Issued: 5 * 96, Skipped: 48},
		{Name: "k.cu:15", Issued: 48},
	}
	if got := c.Lines(); !slices.Equal(got, wantLines) {
		t.Errorf("lines %v\nwant  %v", got, wantLines)
	}
	for _, want := range []profile.Tally{
		{Name: "Atomics"}, {Name: "Arithmetic", Issued: 4*64 + 96, Skipped: 48}, // mul, add.s64 twice, add.u32; sub in the loop
	} {
		got := profile.Tally{Name: want.Name}
		if i := slices.IndexFunc(c.Classes(), func(x profile.Tally) bool { return x.Name == want.Name }); i >= 0 {
			got = c.Classes()[i]
		}
		if got != want {
			t.Errorf("class %v, want %v", got, want)
		}
	}
	if got := c.Opcodes()[0]; got != (profile.Tally{Name: "bra", Issued: 64 + 96, Skipped: 40 + 48}) {
		t.Errorf("the most frequent opcode is %v", got)
	}
}

// TestCalleeEndsThreads: what follows a call is executed by those that come back.
func TestCalleeEndsThreads(t *testing.T) {
	const src = `.version 7.0
.target sm_70
.address_size 64
.func leave(.param .b32 n)
{
	.reg .pred %p;
	.reg .b32 %r;
	ld.param.u32 %r, [n];
	setp.ge.u32 %p, %r, 5;
	@%p exit;
	ret;
}
.visible .entry k()
{
	.reg .b32 %r;
	mov.u32 %r, %tid.x;
	{
	.param .b32 n;
	st.param.b32 [n], %r;
	call leave, (n);
	}
	mov.u32 %r, 1;
	ret;
}
`
	out := passtest.RunVerified(t, passtest.Load(t, "k.ptx", []byte(src)), "instcount", instcount.Pass)
	k := passtest.Kernel{Name: "k", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 64, Y: 1, Z: 1}}
	dev := k.NewDevice(t, out.Module)
	dev.Launch(t)
	c, err := profile.ReadInstCount(dev, out.Results["instcount"].(*abi.InstMap))
	if err != nil {
		t.Fatal(err)
	}
	want := []profile.Tally{
		{Name: "k.ptx:8", Issued: 64},
		{Name: "k.ptx:9", Issued: 64},
		{Name: "k.ptx:10", Issued: 64, Skipped: 5},
		{Name: "k.ptx:11", Issued: 5},
		{Name: "k.ptx:16", Issued: 64},
		{Name: "k.ptx:19", Issued: 64},
		{Name: "k.ptx:20", Issued: 64},
		{Name: "k.ptx:22", Issued: 5},
		{Name: "k.ptx:23", Issued: 5},
	}
	if got := c.Lines(); !slices.Equal(got, want) {
		t.Errorf("lines %v\nwant  %v", got, want)
	}
}
