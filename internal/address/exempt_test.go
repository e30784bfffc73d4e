package address

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Each kernel's comments say what the access on the line is exempt for, when its pointers
// point to different objects; "!" says that the same holds when they may not.
func TestExempt(t *testing.T) {
	m := load(t, "k.ptx", header+`
.global .align 4 .b8 table[64];
.global .u32 word;
.global .u32 other;
.const .align 4 .b8 fixed[64];
.const .align 4 .b8 written[64];
.func writes(.param .b64 a)
{
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [a];
	st.global.u32 [%rd1], 1;
	ret;
}
.func counts()
{
	red.global.add.u32 [word], 1;
	ret;
}
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func unknown ();
.visible .entry reads(.param .u64 p, .param .u64 q)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.global.u32 %r1, [%rd1]; // read
	ld.volatile.global.u32 %r1, [%rd1+4]; // read
	ld.u32 %r1, [%rd1+8]; // read
	ld.global.nc.u32 %r1, [%rd1+12]; // read
	st.global.u32 [%rd2], %r1; //
	ld.global.u32 %r2, [%rd2+4]; //
	ld.global.u32 %r2, [table]; // read
	call counts;
	ld.global.u32 %r2, [word]; //
	ret;
}
.visible .entry counting(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 m)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.param.u64 %rd3, [n];
	ld.param.u64 %rd4, [m];
	atom.global.add.u32 %r1, [%rd1], 1; // atomic
	atom.relaxed.sys.global.cas.b32 %r1, [%rd1+4], 1, 2; // atomic
	ld.acquire.gpu.global.u32 %r1, [%rd1]; // atomic
	st.release.gpu.global.u32 [%rd1], %r1; // atomic
	atom.global.add.u32 %r1, [%rd2], 1; //
	atom.cta.global.add.u32 %r1, [%rd2], 1; //
	atom.global.add.u32 %r1, [%rd3], 1; //
	atom.global.add.u64 %rd5, [%rd3], 1; //
	atom.global.add.u32 %r1, [%rd4], 1; //
	ld.volatile.global.u32 %r1, [%rd4]; //
	ret;
}
.visible .entry only(.param .u64 p, .param .u64 q)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.global.u32 %r1, [%rd1]; // read!
	ld.global.v2.u32 {%r1, %r2}, [%rd2]; // read!
	ld.global.u64 %rd3, [%rd1]; // read!
	ld.global.u32 %r1, [%rd3]; // read!
	ld.u32 %r1, [%rd3]; //
	ret;
}
.visible .entry variables()
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.global.u32 %r1, [table]; // read!
	atom.global.add.u32 %r1, [word], 1; // update!
	st.global.u32 [other], 1; //
	ret;
}
.visible .entry constants(.param .u64 p)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	cvta.const.u64 %rd1, fixed;
	cvta.const.u64 %rd2, written;
	ld.u32 %r1, [%rd1]; // read!
	ld.u32 %r1, [%rd2]; //
	st.u32 [%rd2+4], 1; //
	ret;
}
.visible .entry anywhere(.param .u64 p, .param .u64 q)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.global.u64 %rd3, [%rd1]; //
	st.global.u32 [%rd3], 1; //
	ld.global.u32 %r1, [%rd2]; //
	ret;
}
.visible .entry calling(.param .u64 p, .param .u64 q)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.global.u32 %r1, [%rd1]; //
	{
	.param .b64 a;
	st.param.b64 [a], %rd2;
	call writes, (a);
	}
	ret;
}
.visible .entry foreign(.param .u64 p)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.global.u32 %r1, [%rd1]; //
	call unknown;
	ret;
}
.visible .entry printing(.param .u64 p)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.global.u32 %r1, [%rd1]; // read!
	{
	.param .b64 a;
	.param .b64 b;
	.param .b32 r;
	st.param.b64 [a], %rd1;
	st.param.b64 [b], %rd1;
	call (r), vprintf, (a, b);
	}
	ret;
}
.visible .entry copying(.param .u64 p, .param .u64 q)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.global.u32 %r1, [%rd1]; // read
	ld.global.u32 %r1, [%rd2]; //
	cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r1], 16; //
	ret;
}
`)
	names := map[Exemption]string{ExemptNot: "", ExemptRead: "read", ExemptAtomic: "atomic", ExemptUpdate: "update"}
	lines := strings.Split(string(m.Source()), "\n")
	for _, f := range m.Kernels() {
		together, apart := Exempt(f, Given{}), Exempt(f, Given{AliasOptions: AliasOptions{Distinct: DistinctParams}})
		for _, in := range f.Insts {
			_, comment, ok := strings.Cut(lines[in.Line-1], "//")
			if !ok {
				if apart[in] != ExemptNot {
					t.Errorf("%s: %q is exempt: %s", f.Name, in.Text(), names[apart[in]])
				}
				continue
			}
			want, always := strings.CutSuffix(strings.TrimSpace(comment), "!")
			if got := names[apart[in]]; got != want {
				t.Errorf("%s: %q is exempt for %q, expected %q", f.Name, in.Text(), got, want)
			}
			if got := names[together[in]]; always && got != want || !always && got != "" {
				t.Errorf("%s: %q is exempt for %q when pointers may be equal", f.Name, in.Text(), got)
			}
		}
	}
}

// Two parameters of which nothing is known but that a third one points elsewhere.
func TestExemptByPair(t *testing.T) {
	f := load(t, "k.ptx", header+`
.visible .entry k(.param .u64 p, .param .u64 q, .param .u64 s)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.param.u64 %rd3, [s];
	ld.global.u32 %r1, [%rd1];
	ld.global.u32 %r1, [%rd3];
	st.global.u32 [%rd2], %r1;
	ret;
}
`).Kernels()[0]
	got := Exempt(f, Given{AliasOptions: AliasOptions{Distinct: func(a, b Root) bool { return a.Var.Name == "s" || b.Var.Name == "s" }}})
	if len(got) != 1 || got[f.Insts[4]] != ExemptRead {
		t.Errorf("exempt: %v, expected %q only", got, f.Insts[4].Text())
	}
}

// What threads have for themselves, in launches of so many blocks of so many threads.
func TestExemptOwn(t *testing.T) {
	const global = "mad.lo.u32 %r3, %r2, %ntid.x, %r1;\nmul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
	line := [2][3]uint32{{4, 1, 1}, {64, 1, 1}}
	for _, tc := range []struct {
		name, body string
		launches   [][2][3]uint32 // grid, block
		own        bool
	}{
		{"an element each", global + "ld.global.u32 %r4, [%rd4];\nst.global.u32 [%rd4], %r4;", [][2][3]uint32{line}, true},
		{"an element of each array", global + "ld.global.u32 %r4, [%rd4+1024];\nst.global.u32 [%rd4], %r4;", [][2][3]uint32{line}, true},
		{"an element of each array, and the next array's", global + "ld.global.u32 %r4, [%rd4+1020];\nst.global.u32 [%rd4], %r4;", [][2][3]uint32{line}, false},
		{"an element of an array, and a word for all", global + "st.global.u32 [%rd4], 1;\nst.global.u32 [%rd1+1024], 1;", [][2][3]uint32{line}, false},
		{"strong accesses, too", global + "st.volatile.global.u32 [%rd4], 1;\natom.global.add.u32 %r4, [%rd4], 1;", [][2][3]uint32{line}, true},
		{"launches are not known", global + "st.global.u32 [%rd4], 1;", nil, false},
		{"the neighbour's", global + "ld.global.u32 %r4, [%rd4+4];\nst.global.u32 [%rd4], %r4;", [][2][3]uint32{line}, false},
		{"pairs", "mad.lo.u32 %r3, %r2, %ntid.x, %r1;\nmul.wide.u32 %rd3, %r3, 8;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r4, [%rd4+4];\nst.global.v2.u32 [%rd4], {%r4, %r4};", [][2][3]uint32{line}, true},
		{"pairs that overlap", global + "st.global.v2.u32 [%rd4], {%r1, %r2};", [][2][3]uint32{line}, false},
		{"bytes of a word", "mad.lo.u32 %r3, %r2, %ntid.x, %r1;\ncvt.u64.u32 %rd3, %r3;\nadd.s64 %rd4, %rd1, %rd3;\nst.global.u8 [%rd4], %r1;", [][2][3]uint32{line}, false},
		{"an element for each thread of a block", "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nst.global.u32 [%rd4], 1;", [][2][3]uint32{line}, false},
		{"one block", "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nst.global.u32 [%rd4], 1;", [][2][3]uint32{{{1, 1, 1}, {64, 1, 1}}}, true},
		{"one block, then two", "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nst.global.u32 [%rd4], 1;", [][2][3]uint32{{{1, 1, 1}, {64, 1, 1}}, {{2, 1, 1}, {64, 1, 1}}}, false},
		{"rows that threads share", global + "st.global.u32 [%rd4], 1;", [][2][3]uint32{{{4, 1, 1}, {64, 2, 1}}}, false},
		{"loaded as read-only data", global + "ld.global.nc.u32 %r4, [%rd4];\nst.global.u32 [%rd4], %r4;", [][2][3]uint32{line}, false},
		{"loaded as read-only data from another place", global + "ldu.global.u32 %r4, [%rd4+1024];\nst.global.u32 [%rd4], %r4;", [][2][3]uint32{line}, false},
		{"one word", "st.global.u32 [%rd1], 1;", [][2][3]uint32{line}, false},
		{"one word, one thread", "st.global.u32 [%rd1], 1;", [][2][3]uint32{{{1, 1, 1}, {1, 1, 1}}}, true},
		{"through another pointer", global + "st.global.u32 [%rd4], 1;\nld.global.u32 %r4, [%rd2];", [][2][3]uint32{line}, false},
		{"an index from memory", "ld.param.u64 %rd5, [q];\n" + global + "st.global.u32 [%rd4], 1;\nld.global.u32 %r4, [%rd4];\nmul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd1, %rd3;\nst.global.u32 [%rd4], 1;", [][2][3]uint32{line}, false},
		{"a loop", global + "L:\nst.global.u32 [%rd4], 1;\nadd.s64 %rd4, %rd4, 4;\nsetp.ne.s64 %p, %rd4, %rd2;\n@%p bra L;", [][2][3]uint32{line}, false},
		{"a function's", global + "st.global.u32 [%rd4], 1;\n{\n.param .b64 a;\nst.param.b64 [a], %rd4;\ncall writes, (a);\n}", [][2][3]uint32{line}, false},
	} {
		f := load(t, "k.ptx", header+`
.func writes(.param .b64 a)
{
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [a];
	st.global.u32 [%rd1], 1;
	ret;
}
.visible .entry k(.param .u64 p, .param .u64 q)
{
	.reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
`+tc.body+"\nret;\n}\n").Kernels()[0]
		var given Given
		for _, l := range tc.launches {
			given.launches = append(given.launches, LaunchValues{
				Grid: l[0], Block: l[1],
				Param:   func(v *rewrite.Var, _ int64, _ int) (ParamValue, bool) { return ParamValue{Object: 1}, v.Name == "p" },
				Address: func(*rewrite.Var) (uint64, bool) { return 0, false },
			})
		}
		exempt := Exempt(f, given)
		for _, in := range f.Insts {
			own := exempt[in] == ExemptOwn
			if in.Access.Space.String() == "global" && own != tc.own {
				t.Errorf("%s: %q is the thread's own: %t, expected %t", tc.name, in.Text(), own, tc.own)
			}
		}
	}
}

// TestExemptGrowth: the work for many accesses of one object in a row, in bytes allocated, grows with their number.
func TestExemptGrowth(t *testing.T) {
	allocated := func(n int) uint64 {
		var body strings.Builder
		body.WriteString(".reg .b32 %r<9>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\n")
		for i := range n {
			fmt.Fprintf(&body, "ld.global.u32 %%r2, [%%rd1+%d];\nst.global.u32 [%%rd1+%[1]d], %%r2;\n", 256*(i%100))
		}
		f := kernel(t, body.String()+"ret;")
		given := Given{launches: []LaunchValues{{
			Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1},
			Param:   func(v *rewrite.Var, _ int64, _ int) (ParamValue, bool) { return ParamValue{Object: 1}, v.Name == "p" },
			Address: func(*rewrite.Var) (uint64, bool) { return 0, false },
		}}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		exempt := Exempt(f, given)
		runtime.ReadMemStats(&after)
		own := 0
		for _, e := range exempt {
			if e == ExemptOwn {
				own++
			}
		}
		if own != 2*n {
			t.Fatalf("%d of %d accesses are the thread's own", own, 2*n)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := allocated(500), allocated(4000); many > 16*few {
		t.Errorf("%d bytes for 1,000 accesses, %d for 8,000: more than 16 times as much", few, many)
	}
}
