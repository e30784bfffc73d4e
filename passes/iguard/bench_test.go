package iguard_test

import (
	"encoding/binary"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	hosthalf "github.com/ptxsan/ptxsan/internal/detect/iguard"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// BenchmarkAccess measures what checking costs in the emulator: a warp that stores
// and loads its own words 100 times, one entry per lane.
func BenchmarkAccess(b *testing.B) {
	const accesses = 200
	src := kernelHead + `
	mov.u32 %r3, 0;
$L:
	st.global.u32 [%rd1], %t;
	ld.global.u32 %r2, [%rd1];
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p1, %r3, 100;
	@%p1 bra $L;
	ret;
}
`
	out := passtest.Run(b, passtest.Load(b, "k.ptx", []byte(src)), "iguard", iguard.Pass)
	m, err := emu.New(out.Module, emu.Config{})
	if err != nil {
		b.Fatal(err)
	}
	buffer, err := m.Alloc("buffer", 128)
	if err != nil {
		b.Fatal(err)
	}
	host, err := hosthalf.New(out.Results["iguard"].(*iguard.Result).Options)
	if err != nil {
		b.Fatal(err)
	}
	one := [3]uint32{1, 1, 1}
	if err := host.Prepare(m, detect.LaunchShape{Grid: one, Block: [3]uint32{32, 1, 1}, LargestAllocation: 128, Slots: buffer>>32 + 1}); err != nil {
		b.Fatal(err)
	}
	launch := emu.LaunchConfig{
		Kernel: "k", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 32, Y: 1, Z: 1},
		Params: binary.LittleEndian.AppendUint64(nil, buffer),
	}
	var instructions uint64
	for b.Loop() {
		res, err := m.Launch(b.Context(), launch)
		if err != nil || len(res.Faults) > 0 {
			b.Fatal(err, res)
		}
		instructions = res.Stats.WarpInstructions
	}
	b.ReportMetric(float64(instructions)/accesses, "warp-instructions/access")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/accesses, "ns/access")
}
