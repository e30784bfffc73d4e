package session_test

import (
	"strings"
	"testing"

	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// hostKernel writes element i of p for each thread i below n, and element of a shared array that the thread's number in
// the block says.
const hostKernel = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
	.shared .b32 s[64];
	.reg .pred %p<2>;
	.reg .b64 %rd<4>;
	.reg .b32 %r<8>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mad.lo.u32 %r5, %r3, %r4, %r2;
	setp.ge.u32 %p1, %r5, %r1;
	@%p1 bra END;
	mov.u32 %r6, s;
	mad.lo.u32 %r6, %r2, 4, %r6;
	st.shared.u32 [%r6], %r5;
	mul.wide.u32 %rd2, %r5, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r5;
END:
	ret;
}
`

// TestTemplateOf: a template has the launches of host code as they are, also where they fault by themselves; too large
// ones are scaled with the remainder of their numbers, and those whose fault may come of a guess are left out.
func TestTemplateOf(t *testing.T) {
	buffer := func(size uint64) *launchfile.Allocation {
		return &launchfile.Allocation{Name: "d", Size: size, Init: "0", Unwritten: true}
	}
	for name, c := range map[string]struct {
		grid, block       uint32
		n                 string
		buffer            *launchfile.Allocation
		want, note, error string
	}{
		"as it is":                      {grid: 5, block: 64, n: "291", buffer: buffer(4 * 291), want: `d: {type: u32, count: 291}`},
		"a fault in shared memory":      {grid: 1, block: 96, n: "96", buffer: buffer(4 * 96), want: "block: [96, 1, 1]"},
		"a fault in a known buffer":     {grid: 2, block: 64, n: "128", buffer: buffer(4 * 127), want: "count: 127}"},
		"beyond what is guessed":        {grid: 65535, block: 32, n: "2097120", want: "grid: [32768, 1, 1], block: [32, 1, 1]", note: "is scaled"},
		"no such launch":                {grid: 1, block: 2048, n: "1", note: "is left out: no such launch is possible"},
		"too many threads":              {grid: 100_001, block: 64, n: "6400003", buffer: buffer(4 * 6_400_003), want: "grid: [12501, 1, 1], block: [64, 1, 1]", note: "is scaled: grid [12501 1 1]"},
		"remainder of what is too many": {grid: 100_001, block: 64, n: "6400003", buffer: buffer(4 * 6_400_003), want: "args: [d, 800003]", note: "is scaled"},
		"buffer of what is too many":    {grid: 100_001, block: 64, n: "6400003", buffer: buffer(4 * 6_400_003), want: "count: 800003}", note: "is scaled"},
	} {
		p := parse(t, hostKernel)
		h := session.HostLaunch{
			Kernel: p.Module.Kernels()[0], Site: "k.cu:9", Grid: [3]uint32{c.grid, 1, 1}, Block: [3]uint32{c.block, 1, 1},
			Args: []launchfile.Given{{Buffer: c.buffer}, {Number: c.n}},
		}
		tpl, err := session.TemplateOf(t.Context(), p, p.Module.Kernels(), nil, []session.HostLaunch{h})
		if err != nil {
			t.Fatal(name, err)
		}
		if !strings.Contains(tpl.Text, c.want) || (tpl.Text == "") != (c.want == "") {
			t.Errorf("%s: no %q in\n%s", name, c.want, tpl.Text)
		}
		if notes := strings.Join(tpl.Notes, "\n"); !strings.Contains(notes, c.note) || (notes == "") != (c.note == "") {
			t.Errorf("%s: notes %q, want %q", name, notes, c.note)
		}
		if strings.Contains(tpl.Guess, "site:") || !strings.Contains(tpl.Guess, "guessed: true") {
			t.Errorf("%s: the guess is\n%s", name, tpl.Guess)
		}
	}
}

// TestTemplateShapes: what is known of the shape of launches limits the guess, and more blocks than the kernel tells
// apart are two.
func TestTemplateShapes(t *testing.T) {
	const head = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { .reg .b32 %r<3>; "
	for _, c := range []struct {
		body  string
		shape session.Shape
		want  string
	}{
		{"mov.u32 %r1, %tid.y; mov.u32 %r2, %ctaid.y;", session.Shape{Grid: [3]uint32{0, 1, 1}, Block: [3]uint32{0, 1, 1}}, "grid: [1, 1, 1], block: [32, 1, 1]"},
		{"mov.u32 %r1, %tid.x;", session.Shape{Grid: [3]uint32{7, 1, 1}, Block: [3]uint32{96, 1, 1}}, "grid: [2, 1, 1], block: [96, 1, 1]"},
		{"mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;", session.Shape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 0, 1}}, "grid: [1, 1, 1], block: [32, 1, 1]"},
	} {
		p := parse(t, head+c.body+" ret; }\n")
		tpl, err := session.TemplateOf(t.Context(), p, p.Module.Kernels(), map[string]session.Shape{"k": c.shape}, nil)
		if err != nil || tpl.Text != "" || !strings.Contains(tpl.Guess, c.want) {
			t.Errorf("%s %v: %v, no %q in\n%s", c.body, c.shape, err, c.want, tpl.Guess)
		}
	}
}

// TestTemplateRanks: coordinates that only make ranks, as those of cooperative groups, are no reason for more than one
// dimension; others are.
func TestTemplateRanks(t *testing.T) {
	const rank = "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y;" +
		"mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r7, %r6, %r4, %r1;" +
		"mov.u32 %r8, %ctaid.x; mov.u32 %r9, %ctaid.y; mov.u32 %r10, %ctaid.z; mov.u32 %r11, %nctaid.x; mov.u32 %r12, %nctaid.y;" +
		"mul.lo.u32 %r13, %r10, %r12; add.u32 %r14, %r13, %r9; mad.lo.u32 %r15, %r14, %r11, %r8;" +
		"mad.lo.u32 %r16, %r15, %r4, %r7;"
	for name, c := range map[string]struct{ body, want string }{
		"ranks": {rank + "st.global.u32 [%rd1], %r16;", "grid: [2, 1, 1], block: [256, 1, 1]"},
		"the first thread and block": {
			rank + "or.b32 %r17, %r1, %r2; or.b32 %r17, %r17, %r3; setp.eq.u32 %p1, %r17, 0; setp.eq.u32 %p1, %r9, 0; st.global.u32 [%rd1], %r16;",
			"grid: [2, 1, 1], block: [256, 1, 1]",
		},
		"a row of 16":        {rank + "mad.lo.u32 %r17, %r2, 16, %r1; st.global.u32 [%rd1], %r17;", "grid: [2, 1, 1], block: [16, 16, 1]"},
		"a row of blocks":    {rank + "mad.lo.u32 %r17, %r9, %r5, %r2; st.global.u32 [%rd1], %r17;", "grid: [2, 2, 1], block: [16, 16, 1]"},
		"a row that is less": {rank + "setp.lt.u32 %p1, %r9, %r12; st.global.u32 [%rd1], %r16;", "grid: [2, 2, 1], block: [256, 1, 1]"},
	} {
		p := parse(t, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .pred %p<2>; .reg .b64 %rd<2>; .reg .b32 %r<20>; ld.param.u64 %rd1, [p]; "+c.body+" ret; }\n")
		text, err := session.Template(t.Context(), p, p.Module.Kernels())
		if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v, no %q in\n%s", name, err, c.want, text)
		}
	}
}

// TestTemplateTensors: a parameter that is a tensor map, or points to one, gets one with a box of as many bytes as the
// mbarrier expects.
func TestTemplateTensors(t *testing.T) {
	const body = `{
	.shared .align 128 .b8 tile[2048];
	.shared .align 8 .b64 bar;
	.reg .pred %%p<3>;
	.reg .b64 %%rd<4>;
	.reg .b32 %%r<8>;
	mov.u32 %%r1, %%tid.x;
	setp.ne.u32 %%p1, %%r1, 0;
	@%%p1 bra WAIT;
	mbarrier.init.shared.b64 [bar], 1;
	fence.mbarrier_init.release.cluster;
	mov.u32 %%r2, 1536;
	mbarrier.arrive.expect_tx.shared.b64 %%rd1, [bar], %%r2;
	MAP
	mov.u32 %%r3, 0;
	cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%%rd2, {%%r3, %%r3}], [bar];
WAIT:
	bar.sync 0;
TRY:
	mbarrier.try_wait.parity.shared.b64 %%p2, [bar], 0;
	@!%%p2 bra TRY;
	ret;
}
`
	for param, load := range map[string]string{
		".param .align 64 .b8 m[128]": "mov.b64 %rd3, m; cvta.param.u64 %rd2, %rd3;",
		".param .u64 m":               "ld.param.u64 %rd2, [m];",
	} {
		text := strings.ReplaceAll(strings.ReplaceAll(body, "%%", "%"), "MAP", load)
		p := parse(t, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k("+param+")\n"+text)
		got, err := session.Template(t.Context(), p, p.Module.Kernels())
		if err != nil {
			t.Fatal(err)
		}
		f, err := launchfile.Parse("k.yaml", []byte(got), launchfile.Options{})
		if err != nil || len(f.TensorMaps) != 1 {
			t.Fatalf("%s: %v in\n%s", param, err, got)
		}
		if box := f.TensorMaps[0].Box; len(box) != 2 || box[0]*box[1]*4 != 1536 || box[0]%4 != 0 {
			t.Errorf("%s: box %v, want 1536 bytes in rows of whole 16 bytes", param, box)
		}
		if !templateRuns(t, p, got) {
			t.Errorf("%s: faults:\n%s", param, got)
		}
	}
}
