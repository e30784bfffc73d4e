// Programs that are linked of several images.

package cuda_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// linked is an image of several, as the libraries make it.
func linked(images ...string) []byte {
	var body []byte
	for _, image := range images {
		body = append(binary.LittleEndian.AppendUint64(body, uint64(len(image))), image...)
	}
	out := binary.LittleEndian.AppendUint32(nil, 0x4b4c5850)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(images)))
	return append(binary.LittleEndian.AppendUint64(out, uint64(len(body))), body...)
}

const linkedHeader = ".version 7.0\n.target sm_70\n.address_size 64\n"

// TestLinked: images that are linked use each other's functions and variables, and mistakes in
// them are errors.
func TestLinked(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	user := linkedHeader + `.extern .global .align 4 .u32 sum;
.extern .func (.param .b32 out) twice(.param .b32 in);
.visible .entry k()
{
	.reg .b32 %r<3>;
	{
	.param .b32 in;
	.param .b32 out;
	st.param.b32 [in], 21;
	call.uni (out), twice, (in);
	ld.param.b32 %r1, [out];
	}
	red.global.add.u32 [sum], %r1;
	ret;
}
`
	library := linkedHeader + `.visible .global .align 4 .u32 sum;
.visible .func (.param .b32 out) twice(.param .b32 in)
{
	.reg .b32 %r<2>;
	ld.param.b32 %r1, [in];
	add.u32 %r1, %r1, %r1;
	st.param.b32 [out], %r1;
	ret;
}
`
	runtime := linkedHeader + ".entry __nv_static_1__2_cuda_device_runtime_cu_3_memset() { ret; }\n"
	id, err := p.LoadModule(linked(user, library, runtime), cuda.In{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(id, "k")
	if err == nil {
		err = launch(p, k, 1, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	sum, _, err := p.Variable(id, "sum")
	got := make([]byte, 4)
	if err == nil {
		err = p.Read(sum, got, cuda.In{})
	}
	if err != nil || got[0] != 42 {
		t.Errorf("sum is %v, %v; want 42", got, err)
	}
	wantResult(t, "a kernel of the device runtime", second(p.Kernel(id, "__nv_static_1__2_cuda_device_runtime_cu_3_memset")), cuda.NotFound)
	wantResult(t, "two definitions", second(p.LoadModule(linked(library, library), cuda.In{})), cuda.InvalidPTX)
	wantResult(t, "an image that is cut short", second(p.LoadModule(linked(user)[:40], cuda.In{})), cuda.InvalidImage)
	wantResult(t, "nothing", second(p.LoadModule(linked(), cuda.In{})), cuda.InvalidPTX)
}

// TestLinkedPlaces: a race in a program that is linked has its place in the source, and in the text that is linked,
// although the linker moves lines: nvcc writes .file at the end, and it must come first.
func TestLinkedPlaces(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	user := linkedHeader + `.visible .entry racy(.param .u64 out)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	.loc 1 7 3
	st.global.u32 [%rd1], 1;
	.loc 1 8 3
	st.global.u32 [%rd1], %r1;
	ret;
}
.file 1 "a.cu"
`
	other := linkedHeader + ".visible .func f()\n{\n\t.loc 1 3 1\n\tret;\n}\n.file 1 \"b.cu\"\n"
	k := kernelOf(t, p, linked(user, other), "racy")
	launchOnWord(t, p, k, 64)
	places := map[string]bool{}
	for _, x := range p.Report().Races {
		for _, a := range []report.Access{x.First, x.Second} {
			if a.Source == nil {
				t.Fatalf("no source of %s", a.Instruction)
			}
			places[fmt.Sprintf("%s:%d", a.Source.File, a.Source.Line)] = true
		}
	}
	if !maps.Equal(places, map[string]bool{"a.cu:7": true, "a.cu:8": true}) {
		t.Errorf("races at %v, want a.cu:7 and a.cu:8", places)
	}
}

// TestNewerVersion: a module of a release of PTX newer than the instruction table is loaded with a note, and runs. An
// instruction that the table lacks is a fault at its line where a thread executes it, and nowhere else.
func TestNewerVersion(t *testing.T) {
	var notes []string
	p := newProcess(t, &cuda.Options{Note: func(text string) { notes = append(notes, text) }})
	const text = `.version 9.9
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 newer)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	.reg .pred %p;
	ld.param.u64 %rd1, [data];
	ld.param.u32 %r1, [newer];
	mov.u32 %r2, 5;
	setp.eq.u32 %p, %r1, 0;
	@%p bra done;
	frobnicate.sync.u32 %r2, %r1;
done:
	st.global.u32 [%rd1], %r2;
	ret;
}
`
	k := kernelOf(t, p, []byte(text), "k")
	data, err := p.Alloc(4, cuda.OnDevice, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	params := func(newer uint32) []byte {
		return append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, data), newer), 0, 0, 0, 0)
	}
	got := make([]byte, 4)
	if err = launch(p, k, 1, params(0)); err == nil {
		err = p.Read(data, got, waits)
	}
	if rep := p.Report(); err != nil || got[0] != 5 || len(rep.Faults) != 0 || len(notes) != 2 ||
		!strings.HasPrefix(notes[1], "note: module 1: module1.ptx:14:") || !strings.HasPrefix(notes[0], "note: module 1: module1.ptx:1:") || !strings.Contains(notes[0], ".version 9.9 is newer than PTX") {
		t.Errorf("without the new instruction: %d, %v, faults %v, notes %q", got[0], err, rep.Faults, notes)
	}
	wantResult(t, "with the new instruction", launch(p, k, 1, params(1)), cuda.NotSupported)
	if rep := p.Report(); len(rep.Faults) != 1 || rep.Faults[0].Class != "unsupported" || rep.Faults[0].PTX.Line != 14 || !strings.Contains(rep.Faults[0].Message, "frobnicate") {
		t.Errorf("with the new instruction: faults %+v", rep.Faults)
	}
}

// TestCooperativeFunctions: the device runtime's functions for cooperative groups order the threads of a grid, and say
// what it is. A launch that is not cooperative has no barrier.
func TestCooperativeFunctions(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	id, err := p.LoadModule(linked(linkedHeader+`.visible .global .align 4 .u32 sum, got[6];
.extern .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.extern .func (.param .b32 error) cudaCGGetSize(.param .b64 threads, .param .b64 grids, .param .b64 handle);
.extern .func (.param .b32 error) cudaCGGetRank(.param .b64 thread, .param .b64 grid, .param .b64 handle);
.visible .entry k()
{
	.reg .b32 %error, %sum, %thread, %block;
	.reg .b64 %at, %got;
	.reg .pred %other;
	.param .b32 scope, flags, error;
	.param .b64 handle, first, second;
	st.param.b32 [scope], 1;
	call (handle), cudaCGGetIntrinsicHandle, (scope);
	mov.u32 %block, %ctaid.x;
	mul.lo.u32 %block, %block, 5000; // the second block arrives late
later:
	sub.u32 %block, %block, 1;
	setp.gt.s32 %other, %block, 0;
	@%other bra later;
	red.relaxed.gpu.global.add.u32 [sum], 1;
	st.param.b32 [flags], 0;
	call (error), cudaCGSynchronize, (handle, flags);
	ld.param.b32 %error, [error];
	ld.global.u32 %sum, [sum];
	mad.lo.u32 %sum, %error, 1000, %sum;
	mov.u32 %thread, %tid.x;
	setp.ne.u32 %other, %thread, 0;
	@%other ret;
	mov.u32 %block, %ctaid.x;
	mul.wide.u32 %at, %block, 4;
	mov.u64 %got, got;
	add.u64 %at, %at, %got;
	st.global.u32 [%at], %sum;
	setp.ne.u32 %other, %block, 1;
	@%other ret;
	cvta.global.u64 %at, %got;
	add.u64 %at, %at, 8;
	st.param.b64 [first], %at;
	add.u64 %at, %at, 4;
	st.param.b64 [second], %at;
	call (error), cudaCGGetSize, (first, second, handle);
	add.u64 %at, %at, 4;
	st.param.b64 [first], %at;
	add.u64 %at, %at, 4;
	st.param.b64 [second], %at;
	call (error), cudaCGGetRank, (first, second, handle);
	ret;
}
`), cuda.In{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(id, "k")
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := p.Variable(id, "got")
	if err != nil {
		t.Fatal(err)
	}
	const threads = 48
	blocks, block := emu.Dim3{X: 2, Y: 1, Z: 1}, emu.Dim3{X: threads, Y: 1, Z: 1}
	for _, cooperative := range []bool{true, false} {
		if err := p.Launch(&cuda.Launch{Kernel: k.ID, Grid: blocks, Block: block, Cooperative: cooperative}, nil); err != nil {
			t.Fatal(err)
		}
		bytes, got := make([]byte, 24), make([]uint32, 6)
		if err := p.Read(at, bytes, cuda.In{}); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i] = binary.LittleEndian.Uint32(bytes[4*i:])
		}
		want := []uint32{2 * threads, 2 * threads, 2 * threads, 1, threads, 0} // sums; size and rank, of threads and grids
		if !cooperative {
			if got[0] <= 1000 || got[1] <= 1000 { // the error
				t.Errorf("not cooperative: %v, want no barrier", got[:2])
			}
			got, want = got[2:], want[2:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("cooperative %t: %v, want %v", cooperative, got, want)
		}
	}
}
