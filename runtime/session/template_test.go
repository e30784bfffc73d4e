package session_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestTemplateExtents: the block has the dimensions of %tid and %ntid that the kernel or a function
// uses, within what the kernel allows, and the grid those of %ctaid.
func TestTemplateExtents(t *testing.T) {
	for _, c := range []struct{ perf, body, want string }{
		{"", "mov.u32 %r1, %tid.x;", "[1 1 1] [256 1 1]"},
		{"", "", "[1 1 1] [256 1 1]"},
		{"", "mov.u32 %r1, %ctaid.x;", "[2 1 1] [1 1 1]"}, // threads are not told apart
		{"", "mov.u32 %r1, %ctaid.x; bar.sync 0;", "[2 1 1] [32 1 1]"},
		{"", "mov.u32 %r1, %ctaid.x; mov.u32 %r1, %tid.x;", "[2 1 1] [32 1 1]"},
		{"", "mov.u32 %r1, %ctaid.x; mov.u32 %r1, %ntid.x;", "[2 1 1] [256 1 1]"},
		{"", "mov.u32 %r1, %ntid.y; mov.u32 %r1, %ctaid.y;", "[1 2 1] [16 16 1]"},
		{"", "mov.u32 %r1, %tid.z; mov.u32 %r1, %ctaid.z;", "[1 1 2] [8 8 4]"},
		{"", "call f;", "[1 1 1] [16 16 1]"},
		{".maxntid 64, 1, 1", "mov.u32 %r1, %tid.y;", "[1 1 1] [8 8 1]"},
		{".maxntid 4, 4, 1", "mov.u32 %r1, %tid.x;", "[1 1 1] [16 1 1]"},
		{".reqntid 8, 2, 1", "mov.u32 %r1, %tid.z;", "[1 1 1] [8 2 1]"},
	} {
		p := parse(t, ".version 7.0\n.target sm_70\n.address_size 64\n.func f() { .reg .b32 %r<2>; mov.u32 %r1, %tid.y; ret; }\n"+
			".visible .entry k() "+c.perf+" { .reg .b32 %r<2>; "+c.body+" ret; }\n")
		text, err := session.Template(t.Context(), p, p.Module.Kernels())
		if err != nil {
			t.Fatal(err)
		}
		file, err := launchfile.Parse("k.yaml", []byte(text), launchfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(file.Launches[0].Grid, file.Launches[0].Block); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.perf, c.body, got, c.want)
		}
	}
}

// TestTemplateBlocks: blocks that exclude each other by locks are two, those of a lock of block scope and of a flag
// one, and operations of a cluster get two clusters.
func TestTemplateBlocks(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"atom.global.cas.b32 %r1, [lock], 0, 1; setp.eq.u32 %p1, %r1, 0;", "grid: [2, 1, 1], block: [256, 1, 1], args"},
		{"atom.global.exch.b32 %r1, [lock], 1; setp.eq.u32 %p1, %r1, 0;", "grid: [2, 1, 1], block: [256, 1, 1], args"},
		{"atom.cta.global.cas.b32 %r1, [lock], 0, 1; setp.eq.u32 %p1, %r1, 0;", "grid: [1, 1, 1], block: [256, 1, 1], args"},
		{"atom.global.exch.b32 %r1, [lock], 1;", "grid: [1, 1, 1], block: [256, 1, 1], args"},
		{"barrier.cluster.arrive; barrier.cluster.wait;", "grid: [4, 1, 1], block: [256, 1, 1], cluster: 2, args"},
		{"mov.u32 %r1, %cluster_ctarank; mov.u32 %r1, %tid.x;", "grid: [4, 1, 1], block: [32, 1, 1], cluster: 2, args"},
		{"mov.u32 %r1, %cluster_ctarank;", "grid: [4, 1, 1], block: [1, 1, 1], cluster: 2, args"},
	} {
		p := parse(t, ".version 8.0\n.target sm_90\n.address_size 64\n.global .b32 lock;\n.visible .entry k() { .reg .b32 %r<2>; .reg .pred %p<2>; "+c.body+" ret; }\n")
		text, err := session.Template(t.Context(), p, p.Module.Kernels())
		if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v\n%s", c.body, err, text)
		}
	}
}

const textureKernel = `.version 7.0
.target sm_70
.address_size 64
.global .texref old;
.visible .entry k(.param .u64 t, .param .u64 s, .param .u64 fetched, .param .u64 out)
{
	.reg .b64 %rd<5>;
	.reg .b32 %r<9>;
	.reg .f32 %f<9>;
	ld.param.u64 %rd1, [t];
	ld.param.u64 %rd2, [s];
	ld.param.u64 %rd3, [fetched];
	mov.u32 %r1, %tid.x;
	cvt.rn.f32.u32 %f1, %r1;
	tex.a2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%r1, %f1, %f1, %f1}];
	tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd3, {%r1}];
	tex.3d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [old, {%f1, %f1, %f1, %f1}];
	mov.u32 %r6, 4;
	sust.b.2d.v4.b8.zero [%rd2, {%r6, %r1}], {%r2, %r3, %r4, %r5};
	ret;
}
`

// TestTemplateTextures: parameters that reach texture and surface instructions, and texture
// variables, are textures of the shape that these want, and the kernel runs.
func TestTemplateTextures(t *testing.T) {
	p := parse(t, textureKernel)
	text, err := session.Template(t.Context(), p, p.Module.Kernels())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"texels1: {type: f32, count: 65536, init: 0}", "tex1: {buffer: texels1, size: [128, 128], layers: 4}   # t",
		"texels2: {type: u8, count: 65536, init: 0}", "tex2: {buffer: texels2, size: [128, 128], channels: 4}   # s",
		"tex3: {buffer: texels3, size: [16384], memory: linear}   # fetched",
		"old: {buffer: texels0, size: [32, 32, 16]}   # a variable",
		"args: [tex1, tex2, tex3, ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !templateRuns(t, p, text) {
		t.Errorf("faults:\n%s", text)
	}
}

// templateRuns plays a template.
func templateRuns(t *testing.T, p *session.Program, text string) bool {
	t.Helper()
	file, err := launchfile.Parse("k.yaml", []byte(text), launchfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(p, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Emulator: emu.Config{MaxSteps: 5_000_000}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err = plan.Play(t.Context(), s); err != nil {
		t.Log(err)
		return false
	}
	for _, f := range s.Report().Faults {
		t.Logf("%s: %s", f.Class, f.Message)
		return false
	}
	return true
}

// TestTemplateFits: a kernel whose shared memory is for a smaller block, or that goes through more
// memory than the usual sizes have, gets a template that runs.
func TestTemplateFits(t *testing.T) {
	const head = ".version 7.0\n.target sm_70\n.address_size 64\n"
	for name, c := range map[string]struct{ text, want string }{
		"block":     {head + ".visible .entry k() { .shared .b32 s[32]; .reg .b32 %r<3>; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; st.shared.u32 [%r2], %r1; ret; }\n", "block: [32, 1, 1]"},
		"memory":    {head + ".visible .entry k(.param .u64 p) { .reg .b64 %rd<3>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; add.u32 %r1, %r1, 1000000; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1; ret; }\n", "count: 2097152"},
		"number":    {head + ".visible .entry k(.param .u64 p, .param .u32 n) { .reg .b64 %rd<3>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mul.wide.u32 %rd2, %r1, 131072; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1; ret; }\n", "args: [buf0, 4]"},
		"extents":   {head + ".visible .entry k() { .reg .pred %p<2>; .reg .b32 %r<3>; mov.u32 %r1, %ntid.x; setp.eq.s32 %p1, %r1, 32; @%p1 bra Y; trap; Y: mov.u32 %r2, %ntid.y; setp.ne.s32 %p1, %r2, 24; @%p1 trap; ret; }\n", "block: [32, 24, 1]"},
		"shared":    {head + ".extern .shared .b8 s[];\n.visible .entry k() { .reg .b32 %r<3>; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 128, %r2; st.shared.u32 [%r2], %r1; ret; }\n", "shared: 65536"},
		"workspace": {head + ".visible .entry k() { .reg .pred %p<2>; .reg .b32 %r<3>; mov.u32 %r1, %envreg1; setp.eq.u32 %p1, %r1, 0; @%p1 trap; ret; }\n", "cooperative: true"},
		"steps":     {head + ".visible .entry k(.param .u64 p, .param .u32 n) { .reg .pred %p<2>; .reg .b64 %rd<3>; .reg .b32 %r<9>; ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mul.lo.u32 %r3, %r1, %r1; mul.lo.u32 %r3, %r3, %r1; mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L; shr.u32 %r4, %r1, 7; mul.wide.u32 %rd2, %r4, 80000000; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1; ret; }\n", "args: [buf0, 4]"},
		"none":      {head + ".visible .entry k() { trap; ret; }\n", "block: [256, 1, 1]"},
	} {
		p := parse(t, c.text)
		text, err := session.Template(t.Context(), p, p.Module.Kernels())
		if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v, no %q in\n%s", name, err, c.want, text)
		}
		if name != "none" && !templateRuns(t, p, text) {
			t.Errorf("%s: faults:\n%s", name, text)
		}
	}
}

// TestTemplateShows: a template prefers a launch without uses of shared memory that nothing has written, in which more
// of the kernel's instructions are executed, of several blocks where they exclude each other, and with contents of
// buffers that matter.
func TestTemplateShows(t *testing.T) {
	const head = ".version 8.0\n.target sm_90\n.address_size 64\n"
	for name, c := range map[string]struct{ text, want string }{
		"all of a fixed size": {head + ".visible .entry k(.param .u64 p) { .shared .b32 s[512]; .reg .b64 %rd<3>; .reg .b32 %r<5>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r3, [s+2044]; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r3; ret; }\n", "block: [512, 1, 1]"},
		"barriers":            {head + ".visible .entry k() { bar.sync 1, 96; bar.sync 2, 96; ret; }\n", "block: [96, 1, 1]"},
		"a lock":              {head + ".visible .entry k(.param .u64 p) { .reg .b64 %rd<3>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p]; atom.global.cas.b32 %r1, [%rd1], 0, 1; ret; }\n", "grid: [2, 1, 1]"},
		"contents":            {head + ".visible .entry k(.param .u64 p, .param .u64 q) { .reg .pred %p<2>; .reg .b64 %rd<3>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.global.u32 %r1, [%rd1+4]; setp.ne.u32 %p1, %r1, 0; @!%p1 bra E; st.global.u32 [%rd2], %r1; E: ret; }\n", "init: iota}   # p: its contents decide a branch\n"},
		"indices":             {head + ".visible .entry k(.param .u64 p, .param .u64 q) { .reg .b64 %rd<4>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.global.u32 %r1, [%rd1]; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd2, %rd3; st.global.u32 [%rd2], %r1; ret; }\n", "init: iota}   # p: its contents decide an address\n"},
		"data":                {head + ".visible .entry k(.param .u64 p, .param .u64 q) { .reg .b64 %rd<4>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1; ret; }\n", "init: iota}   # p\n"},
		"clusters":            {head + ".visible .entry k() .reqntid 64 .explicitcluster .reqnctapercluster 4 { .reg .b32 %r<3>; mov.u32 %r1, %ctaid.x; ret; }\n", "grid: [8, 1, 1], block: [64, 1, 1]"},
	} {
		p := parse(t, c.text)
		text, err := session.Template(t.Context(), p, p.Module.Kernels())
		if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v, no %q in\n%s", name, err, c.want, text)
		}
		if !templateRuns(t, p, text) {
			t.Errorf("%s: faults:\n%s", name, text)
		}
	}
}

// TestTemplateFollows: pointers in fields of structs, in arguments of called functions and behind masks are buffers;
// other fields are numbers of their type.
func TestTemplateFollows(t *testing.T) {
	const head = ".version 7.0\n.target sm_70\n.address_size 64\n"
	const store = "cvta.to.global.u64 %rd1, %rd1; st.global.f32 [%rd1], 0f3F800000; ret; }\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"struct": {
			head + ".visible .entry k(.param .align 8 .b8 s[40]) { .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .f64 %fd<2>; ld.param.u32 %r1, [s]; ld.param.u64 %rd1, [s+8]; ld.param.f64 %fd1, [s+16]; ld.param.u64 %rd2, [s+24];" + store,
			[]string{"buf0: {type: f32, count: 16384, init: iota}   # s+8", "args: [[256, 0, buf0, {f64: 1.0}, {u64: 256}, 0, 0]]"},
		},
		"address of a struct": {
			head + ".visible .entry k(.param .align 8 .b8 s[16]) { .reg .b64 %rd<3>; mov.b64 %rd2, s; ld.param.u64 %rd1, [%rd2+8];" + store,
			[]string{"# s+8", "args: [[0, 0, buf0]]"},
		},
		"call": {
			head + ".func f(.param .b64 a, .param .b64 b) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [b];" + store +
				".visible .entry k(.param .u64 n, .param .align 8 .b8 s[8]) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [n]; ld.param.u64 %rd2, [s];\n{ .param .b64 p0; .param .b64 p1; st.param.b64 [p0], %rd1; st.param.b64 [p1], %rd2; call.uni f, (p0, p1); } ret; }\n",
			[]string{"# s+0", "args: [256, [buf0]]"},
		},
		"struct by value": {
			head + ".func f(.param .align 8 .b8 a[16]) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [a+8];" + store +
				".visible .entry k(.param .align 8 .b8 s[16]) { .reg .b64 %rd<3>; ld.param.v2.u64 {%rd1, %rd2}, [s];\n{ .param .align 8 .b8 p0[16]; st.param.v2.b64 [p0], {%rd1, %rd2}; call.uni f, (p0); } ret; }\n",
			[]string{"# s+8", "args: [[{u64: 256}, buf0]]"},
		},
		"masked": {
			head + ".visible .entry k(.param .u64 p) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [p]; and.b64 %rd1, %rd1, -4; " + store,
			[]string{"args: [buf0]"},
		},
	} {
		p := parse(t, c.text)
		text, err := session.Template(t.Context(), p, p.Module.Kernels())
		for _, want := range c.want {
			if err != nil || !strings.Contains(text, want) {
				t.Errorf("%s: %v, no %q in\n%s", name, err, want, text)
			}
		}
		if !templateRuns(t, p, text) {
			t.Errorf("%s: faults:\n%s", name, text)
		}
	}
}

var templatePTX = flag.String("template.ptx", "../../examples/*/fixed.ptx", "`FILES` of which TestTemplates tries the template of each kernel")

// TestTemplates: of ten kernels of the examples, or of other programs, at least nine have templates that run.
func TestTemplates(t *testing.T) {
	paths, err := filepath.Glob(*templatePTX)
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	ran, all := 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := parse(t, string(text))
		for _, k := range p.Module.Kernels() {
			template, err := session.Template(t.Context(), p, []*rewrite.Func{k})
			if err != nil {
				t.Fatal(err)
			}
			all++
			if templateRuns(t, p, template) {
				ran++
			} else {
				t.Logf("%s: %s faults", path, k.Name)
			}
		}
	}
	t.Logf("%d of %d run", ran, all)
	if ran*10 < all*9 {
		t.Errorf("%d of %d run", ran, all)
	}
}
