package session_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	elements "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// pointers has kernels that are given addresses as numbers. In add, thread i adds what the
// word of entry i of a table of pointers holds to word i of out. In mark, thread 0 of each
// block writes to the word that the first entry of the table points to: a race of two blocks.
// In alias, each thread writes to its own word of out, and then reads the word that the first
// entry of the table points to: a race when that is in out.
const pointers = `.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 table, .param .u64 out)
{
	.reg .b32 %r<4>; .reg .b64 %rd<8>;
	ld.param.u64 %rd1, [table]; ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 8; add.u64 %rd4, %rd1, %rd3; ld.global.u64 %rd5, [%rd4];
	mul.wide.u32 %rd6, %r1, 4; add.u64 %rd7, %rd2, %rd6;
	ld.global.u32 %r2, [%rd5]; ld.global.u32 %r3, [%rd7]; add.u32 %r3, %r3, %r2; st.global.u32 [%rd7], %r3;
	ret;
}
.visible .entry mark(.param .u64 table)
{
	.reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .pred %p;
	ld.param.u64 %rd1, [table]; ld.global.u64 %rd2, [%rd1];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
	setp.eq.u32 %p, %r1, 0; @%p st.global.u32 [%rd2], %r2;
	ret;
}
.visible .entry alias(.param .u64 table, .param .u64 out)
{
	.reg .b32 %r<3>; .reg .b64 %rd<6>;
	ld.param.u64 %rd1, [table]; ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3;
	st.global.u32 [%rd4], %r1;
	ld.global.u64 %rd5, [%rd1]; ld.global.u32 %r2, [%rd5];
	ret;
}
`

// TestRawPointers: buffers have the same addresses for detectors that listen and for detectors
// inside the kernel, whose own memory comes and goes beside them. Addresses may be passed as
// numbers and lie in memory, buffers may be made and freed between launches, and all
// detectors find the races.
func TestRawPointers(t *testing.T) {
	detectors, err := session.ParseDetectors("precise,iguard,barracuda<instrumented>")
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: detectors})
	if err != nil {
		t.Fatal(err)
	}
	program, err := session.Parse("pointers.ptx", []byte(pointers))
	if err == nil {
		err = s.Load(program)
	}
	if err != nil {
		t.Fatal(err)
	}
	const words = 64
	out := buffer(t, s, "out", make([]uint32, words))
	want := make([]uint32, words)
	before := make([]byte, 4*words)
	races, aliases := 0, 0
	for round := range uint32(6) {
		var list []*session.Object
		table := buffer(t, s, "table", make([]uint64, words))
		for i := range uint32(words) {
			if i%16 == 0 { // several entries point into one buffer
				list = append(list, buffer(t, s, "cells", make([]uint32, 16+round)))
			}
			cell := list[len(list)-1]
			value := 100*round + i
			if err := cell.Write(uint64(4*(i%16)), binary.LittleEndian.AppendUint32(nil, value)); err != nil {
				t.Fatal(err)
			}
			if err := table.Write(uint64(8*i), binary.LittleEndian.AppendUint64(nil, cell.Address()+uint64(4*(i%16)))); err != nil {
				t.Fatal(err)
			}
			want[i] += value
		}
		res, err := s.Launch(t.Context(), session.Launch{Kernel: "add", Block: emu.Dim3{X: words}, Args: []any{table.Address(), out.Address()}})
		if err != nil || len(res.Races) > 0 || len(res.Faults) > 0 {
			t.Fatalf("round %d: %+v, %v", round, res, err)
		}
		res, err = s.Launch(t.Context(), session.Launch{
			Kernel: "mark", Grid: emu.Dim3{X: 2}, Block: emu.Dim3{X: 32},
			Args: []any{binary.LittleEndian.AppendUint64(nil, table.Address())},
		})
		if err != nil || len(res.Faults) > 0 {
			t.Fatalf("round %d: %+v, %v", round, res, err)
		}
		for _, r := range res.Races {
			if r.Symbol != "cells[0]" {
				t.Errorf("round %d: race on %s", round, r.Symbol)
			}
			races |= 1 << slices.Index([]string{"precise", "iguard", "barracuda"}, r.Detectors[0])
		}
		if err = table.Write(0, binary.LittleEndian.AppendUint64(nil, out.Address()+4)); err != nil {
			t.Fatal(err)
		}
		if err = out.Read(0, before); err != nil {
			t.Fatal(err)
		}
		res, err = s.Launch(t.Context(), session.Launch{Kernel: "alias", Block: emu.Dim3{X: words}, Args: []any{table.Address(), out}})
		if err != nil || len(res.Faults) > 0 {
			t.Fatalf("round %d: %+v, %v", round, res, err)
		}
		if err := out.Write(0, before); err != nil {
			t.Fatal(err)
		}
		for _, r := range res.Races {
			if r.Symbol != "out[1]" {
				t.Errorf("round %d: race on %s", round, r.Symbol)
			}
			aliases |= 1 << slices.Index([]string{"precise", "iguard", "barracuda"}, r.Detectors[0])
		}
		for _, o := range append(list[round%2:], table) { // now and then one stays
			if err := o.Free(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, err := session.Values[uint32](out); err != nil || !slices.Equal(got, want) {
		t.Errorf("found %d, expected %d, %v", got, want, err)
	}
	if races != 7 || aliases != 7 {
		t.Errorf("detectors that have found races: %b of two blocks, %b of two names", races, aliases)
	}
	if in := s.Strayed(); in != nil {
		t.Errorf("%s: went elsewhere than was proved", in.Position())
	}
}

// TestAllocationTooLarge: after an allocation that no device has room for, the next ones have
// the same address everywhere.
func TestAllocationTooLarge(t *testing.T) {
	detectors, err := session.ParseDetectors("precise,iguard")
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: detectors, Emulator: emu.Config{MemoryLimit: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Alloc("huge", elements.U64, 1<<20); err == nil {
		t.Error("a buffer of 8 MiB fits into 1 MiB")
	}
	if o := buffer(t, s, "small", []uint32{1}); o.Address() == 0 {
		t.Error("a buffer has no address")
	}
}
