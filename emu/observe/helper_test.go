package observe_test

import (
	"context"
	"encoding/binary"
	"flag"
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares with a file, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s", file, got)
	}
}

func load(t *testing.T, text string) *rewrite.Module {
	t.Helper()
	ast, err := ptxgrammar.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Check(ast)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// run launches kernel k with the address of a buffer of 4 KiB, and returns the
// buffer.
func run(t *testing.T, text string, cfg emu.Config, grid, block uint32) ([]byte, emu.Stats) {
	t.Helper()
	return runModule(t, load(t, text), cfg, grid, block)
}

func runModule(t *testing.T, mod *rewrite.Module, cfg emu.Config, grid, block uint32) ([]byte, emu.Stats) {
	t.Helper()
	m, err := emu.New(mod, cfg)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 4096)
	buf, err := m.Alloc("buf", uint64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Launch(context.Background(), emu.LaunchConfig{
		Kernel: "k", Grid: emu.Dim3{X: grid, Y: 1, Z: 1}, Block: emu.Dim3{X: block, Y: 1, Z: 1},
		Params: binary.LittleEndian.AppendUint64(nil, buf),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Faults {
		t.Fatal(f)
	}
	if err := m.Read(buf, data); err != nil {
		t.Fatal(err)
	}
	return data, r.Stats
}

// divergent is a kernel whose odd threads take another way, with a barrier, shared
// memory and a guard. Lines are counted in the tests.
const divergent = `.version 7.5
.target sm_70
.address_size 64
.file 1 "src/k.cu"
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	.reg .pred %p<3>;
	.shared .align 4 .b8 tile[256];
	.loc 1 3 0
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	.loc 1 4 0
	and.b32 %r2, %r1, 1;
	setp.ne.s32 %p1, %r2, 0;
	@%p1 bra ODD;
	.loc 1 5 0
	add.u32 %r3, %r1, 100;
	bra DONE;
ODD:
	.loc 1 7 0
	add.u32 %r3, %r1, 200;
DONE:
	.loc 1 9 0
	mov.u32 %r4, tile;
	mad.lo.u32 %r5, %r1, 4, %r4;
	st.shared.u32 [%r5], %r3;
	bar.sync 0;
	membar.gl;
	.loc 1 11 0
	setp.lt.u32 %p2, %r1, 8;
	mul.wide.u32 %rd2, %r1, 8;
	add.u64 %rd3, %rd1, %rd2;
	@%p2 st.global.u32 [%rd3], %r3;
	ret;
}
`
