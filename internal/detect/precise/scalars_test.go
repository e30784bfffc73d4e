package precise_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	verdicts "github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// scalarKernel is a kernel in which thread 0 executes one instruction and all others another. %ra is an address in
// global memory, %rs one in shared memory; %r, %h and %f hold 1 as two f16, as one, and as f32; %x holds 1 as two bf16.
const scalarKernel = `.version 9.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %%p; .reg .b16 %%h, %%g; .reg .b32 %%t, %%r, %%q, %%x; .reg .f32 %%f, %%e; .reg .b64 %%ra, %%d; .reg .b32 %%rs;
	.shared .align 16 .b8 s[64];
	ld.param.u64 %%ra, [p]; mov.u32 %%rs, s; mov.u32 %%t, %%tid.x; setp.eq.u32 %%p, %%t, 0;
	mov.b32 %%r, 0x3c003c00; mov.b32 %%x, 0x3f803f80; mov.b16 %%h, 0x3c00; mov.f32 %%f, 0f3f800000;
	@%%p bra A;
	%s
	ret;
A:
	%s
	ret;
}
`

// TestScalars: an access to a vector or to packed values races as the accesses to its scalars would (PTX ISA, "Memory
// Operations on Vector Data Types", "Memory Operations on Packed Data Types", "Morally Strong Operations"), whatever
// the schedule. The 63 threads of the first instruction and that of the second add one to each value.
func TestScalars(t *testing.T) {
	const (
		f16x2  = "red.relaxed.gpu.global.add.noftz.f16x2 [%ra], %r;"
		bf16x2 = "red.relaxed.gpu.global.add.noftz.bf16x2 [%ra], %x;"
		two    = "red.relaxed.gpu.global.add.noftz.v2.f16x2 [%ra], {%r, %r};"
		four   = "red.relaxed.gpu.global.add.noftz.v4.f16 [%ra], {%h, %h, %h, %h};"
		floats = "red.relaxed.gpu.global.add.v2.f32 [%ra], {%f, %f};"
		bits   = "atom.relaxed.gpu.global.add.u32 %q, [%ra], 0;"
		put    = "multimem.st.relaxed.gpu.global.f16x2 [%ra], %r;"
	)
	for _, c := range []struct {
		name, others, first string
		values              string // of the buffer, of type f16 or as given; empty for a race
	}{
		{"packed twice", f16x2, "atom.relaxed.gpu.global.add.noftz.f16x2 %q, [%ra], %r;", "f16 64, 64, 0, 0"},
		{"packed and a word", f16x2, bits, ""},
		{"packed and the lower value", f16x2, "atom.relaxed.gpu.global.add.noftz.f16 %g, [%ra], %h;", "f16 64, 63, 0, 0"},
		{"packed and the upper value", f16x2, "atom.relaxed.gpu.global.add.noftz.f16 %g, [%ra+2], %h;", "f16 63, 64, 0, 0"},
		{"packed and next to it", f16x2, "atom.relaxed.gpu.global.add.noftz.f16x2 %q, [%ra+4], %r;", "f16 63, 63, 1, 1"},
		{"one value and the next", "red.relaxed.gpu.global.add.noftz.f16 [%ra], %h;", "atom.relaxed.gpu.global.add.noftz.f16 %g, [%ra+2], %h;", "f16 63, 1, 0, 0"},
		{"packed and a weak store of a value", f16x2, "st.global.b16 [%ra+2], %h;", ""},
		{"packed and a weak store next to it", f16x2, "st.global.b16 [%ra+4], %h;", "f16 63, 63, 1, 0"},
		{"packed and a strong load of a value", f16x2, "ld.relaxed.gpu.global.b16 %g, [%ra+2];", "f16 63, 63, 0, 0"},
		{"packed and a strong load of a word", f16x2, "ld.relaxed.gpu.global.b32 %q, [%ra];", ""},
		{"packed in a block", "red.relaxed.cta.shared.add.noftz.f16x2 [%rs], %r;", "red.relaxed.cta.shared.add.noftz.f16 [%rs+2], %h;", "f16 0, 0, 0, 0"},
		{"packed and a word in a block", "red.relaxed.cta.shared.add.noftz.f16x2 [%rs], %r;", "red.relaxed.cta.shared.add.u32 [%rs], 1;", ""},
		{"packed bf16 twice", bf16x2, "atom.relaxed.gpu.global.add.noftz.bf16x2 %q, [%ra], %x;", "u16 0x4280, 0x4280, 0, 0"},
		{"packed bf16 and a word", bf16x2, bits, ""},
		{"packed bf16 and the upper value", bf16x2, "red.relaxed.gpu.global.add.noftz.bf16 [%ra+2], 0x3f80;", "u16 0x427c, 0x4280, 0, 0"},
		{"a vector of packed values and one of values", two, four, "f16 64, 64, 64, 64"},
		{"a vector of packed values and the last value", two, "red.relaxed.gpu.global.add.noftz.f16 [%ra+6], %h;", "f16 63, 63, 63, 64"},
		{"a vector of packed values and a word", two, strings.Replace(bits, "%ra", "%ra+4", 1), ""},
		{"a vector of values and a word", four, bits, ""},
		{"a vector of words and a word", floats, "atom.relaxed.gpu.global.add.f32 %e, [%ra+4], %f;", "f32 63, 64"},
		{"a vector of words and twice a word", floats, "atom.relaxed.gpu.global.add.u64 %d, [%ra], 0;", ""},
		{"packed at all replicas", "multimem.red.relaxed.gpu.global.add.f16x2 [%ra], %r;", "multimem.red.relaxed.gpu.global.add.v4.f16 [%ra], {%h, %h, %h, %h};", "f16 64, 64, 1, 1"},
		{"packed at all replicas and a word", "multimem.red.relaxed.gpu.global.add.f16x2 [%ra], %r;", "multimem.red.relaxed.gpu.global.add.u32 [%ra], 0;", ""},
		{"a strong packed store and load", put, "multimem.ld_reduce.relaxed.gpu.global.add.f16x2 %q, [%ra];", "f16 1, 1, 0, 0"},
		{"a strong packed store and a load of a value", put, "ld.relaxed.gpu.global.b16 %g, [%ra+2];", "f16 1, 1, 0, 0"},
		{"a strong packed store and a load of a word", put, "ld.relaxed.gpu.global.b32 %q, [%ra];", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			typ, values, _ := strings.Cut(c.values, " ")
			if c.values == "" {
				typ, values = "u32", "0, 0"
			}
			launch := fmt.Sprintf("buffers: {b: {type: %s, count: %d}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [b]}]\n", typ, 1+strings.Count(values, ","))
			expected := ""
			if c.values != "" {
				expected = fmt.Sprintf("expect: {races: 0, buffers: {b: {equals: [%s]}}}\n", values)
			}
			checkScalars(t, fmt.Sprintf(scalarKernel, c.others, c.first), launch, expected, c.values == "")
		})
	}
}

// checkScalars runs a kernel under one schedule and under several, with both memory models, and has it proved free of
// races, or not.
func checkScalars(t *testing.T, ptx, launches, expected string, race bool) {
	t.Helper()
	want := verdicts.Clean
	if race {
		want = verdicts.Racy
	}
	file := launchFile(t, launches+expected)
	for _, memory := range []emu.Memory{emu.SC, emu.PTX} {
		r := racesuite.NewRun(t, racesuite.Program(t, "k.ptx", []byte(ptx)), file, "precise").Under("its", 3)
		r.Options.Emulator.Memory = memory
		rep := r.Check(t)
		if rep.Verdict != want {
			t.Errorf("memory %v: %s, want %s", memory, rep.Verdict, want)
		}
		for _, e := range rep.Expect {
			if !e.OK {
				t.Errorf("memory %v: %s: expected %s, got %s", memory, e.What, e.Want, e.Got)
			}
		}
		checkExplored(t, r, want)
	}
	out, err := analysis.Run(t.Context(), racesuite.Program(t, "k.ptx", []byte(ptx)), analysis.Options{
		Budget: scalarBudget, Facts: []*facts.File{factfile.FromLaunches(file)}, File: file,
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.Report.SettleStatic(verdicts.Error); out.Report.Verdict != want {
		t.Errorf("the static analysis: %s, want %s", out.Report.Verdict, want)
	}
}

// scalarBudget is the work units of the static analysis of a kernel.
const scalarBudget = 1_000_000

// launchFile parses a launch file.
func launchFile(t *testing.T, text string) *launchfile.File {
	t.Helper()
	file, err := launchfile.Parse("k.yaml", []byte(text), launchfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// checkExplored explores some schedules.
func checkExplored(t *testing.T, r *racesuite.Run, want string) {
	t.Helper()
	rep, err := r.Exploration(session.Search{Name: session.SearchNames[0], Runs: 4}, 1).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if rep.Verdict != want {
		t.Errorf("several schedules, memory %v: %s, want %s", r.Options.Emulator.Memory, rep.Verdict, want)
	}
}

// TestTensorScalars: a reduction into a tensor is one operation of gpu scope for each element (PTX ISA,
// cp.reduce.async.bulk.tensor), so that two of them do not race, whatever their boxes are, unless their elements have
// different sizes.
func TestTensorScalars(t *testing.T) {
	const kernel = `.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .align 64 .b8 m[128], .param .align 64 .b8 n[128])
{
	.reg .pred %p; .reg .b32 %t, %s, %x; .reg .b64 %m, %n;
	.shared .align 128 .b8 s[128];
	mov.u32 %t, %tid.x; mov.u32 %s, s; mov.u32 %x, 0;
	mov.b64 %m, m; cvta.param.u64 %m, %m; mov.b64 %n, n; cvta.param.u64 %n, %n;
	setp.eq.u32 %p, %t, 0; @%p bra A;
	setp.ne.u32 %p, %t, 32; @%p bra E;
	cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%m, {%x}], [%s];
	bra C;
A:
	cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%n, {%x}], [%s];
C:
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 0;
E:
	ret;
}
`
	program := racesuite.Program(t, "k.ptx", []byte(kernel))
	for boxes, want := range map[string]string{
		"m: {buffer: a, dims: [64], box: [16]}, n: {buffer: a, dims: [64], box: [16]}":            verdicts.Clean,
		"m: {buffer: a, dims: [64], box: [16]}, n: {buffer: a, dims: [64], box: [32]}":            verdicts.Clean,
		"m: {buffer: a, dims: [64], box: [16]}, n: {buffer: a, type: u64, dims: [32], box: [16]}": verdicts.Racy,
	} {
		file := launchFile(t, "buffers: {a: {type: u32, count: 64}}\ntensormaps: {"+boxes+"}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [m, n]}]\n")
		r := racesuite.NewRun(t, program, file, "precise")
		if rep := r.Check(t); rep.Verdict != want {
			t.Errorf("%s: %s, want %s", boxes, rep.Verdict, want)
		}
		checkExplored(t, r, want)
	}
}

// TestTensorAlloc: each thread of the warp that executes tcgen05.alloc finds the address in shared memory; threads of
// another warp do behind a barrier.
func TestTensorAlloc(t *testing.T) {
	const kernel = `.version 8.6
.target sm_100a
.address_size 64
.visible .entry k()
{
	.reg .pred %%p; .reg .b32 %%t, %%a;
	.shared .align 4 .b32 slot;
	mov.u32 %%t, %%tid.x; setp.ge.u32 %%p, %%t, 32; @%%p bra B;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
B:
	%s
	ld.shared.b32 %%a, [slot];
	bar.sync 1;
	@%%p bra E;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %%a, 32;
E:
	ret;
}
`
	for _, c := range []struct {
		name, barrier string
		threads       int
		want          string
	}{
		{"one warp", "", 32, verdicts.Clean},
		{"two warps", "bar.sync 0;", 64, verdicts.Clean},
		{"two warps without a barrier", "", 64, verdicts.Racy},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := launchFile(t, fmt.Sprintf("launches: [{kernel: k, grid: 1, block: %d}]\n", c.threads))
			program := racesuite.Program(t, "k.ptx", fmt.Appendf(nil, kernel, c.barrier))
			if rep := racesuite.NewRun(t, program, file, "precise").Under("its", 3).Check(t); rep.Verdict != c.want {
				for _, race := range rep.Races {
					t.Logf("%+v", *race)
				}
				t.Errorf("%s, want %s", rep.Verdict, c.want)
			}
		})
	}
}
