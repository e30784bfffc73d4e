// Tests of the places that the line tables of PTX give for accesses.

package session_test

import (
	"path"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// functors has a kernel of a library: its first load is the library's own, its second one is in a functor of the user,
// its third one in a function of the library, its fourth and fifth ones in the functor, where the compiler does not
// repeat the place of inlining after unknown code, and its sixth one in the library.
const functors = `.version 7.2
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<4>; .reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	.loc 1 20 1
	ld.global.u32 %r1, [%rd1];
	.loc 2 7 3, function_name $F, inlined_at 1 20 1
	ld.global.u32 %r2, [%rd1+4];
	.loc 3 9 2, function_name $G, inlined_at 1 20 1
	ld.global.u32 %r3, [%rd1+8];
	.loc 2 8 3, function_name $F, inlined_at 1 20 1
	ld.global.u32 %r2, [%rd1+4];
	.loc 2 0 3
	.loc 2 8 3
	ld.global.u32 %r2, [%rd1+12];
	.loc 3 9 2, function_name $G, inlined_at 1 20 1
	ld.global.u32 %r3, [%rd1+16];
	ret;
}
.file 1 "/usr/include/thrust/for_each.h"
.file 2 "mine.cuh"
.file 3 "/usr/include/cub/util.cuh"
.section .debug_str { $F: .b8 102, 0
$G: .b8 103, 0 }
`

// TestPlacesInLibraryKernels: the place of a functor that a library's kernel calls is the user's. The library's own
// accesses stay in the library: the functor is no caller of theirs.
func TestPlacesInLibraryKernels(t *testing.T) {
	m := parsed(t, "k.ptx", []byte(functors))
	own := map[int]string{9: "for_each.h", 11: "mine.cuh", 13: "for_each.h", 15: "mine.cuh", 18: "mine.cuh", 20: "for_each.h"}
	for _, in := range m.Funcs[0].Insts {
		want, ok := own[in.Line]
		if !ok {
			continue
		}
		delete(own, in.Line)
		s := session.SourceOf(in)
		if s == nil {
			t.Fatalf("line %d has no place", in.Line)
		}
		if got := path.Base(s.Own().File); got != want || s.InHeader() != (want != "mine.cuh") {
			t.Errorf("line %d: %+v, own place in %s, want %s", in.Line, s, got, want)
		}
	}
	if len(own) != 0 {
		t.Errorf("not met: %v", own)
	}
}

func parsed(t *testing.T, name string, src []byte) *rewrite.Module {
	t.Helper()
	tree, err := ptxgrammar.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// TestApproximatePlaces: the place of code for which the compiler gives no line is that of code nearby, and says so.
func TestApproximatePlaces(t *testing.T) {
	m := parsed(t, "k.ptx", []byte(`.version 7.2
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<3>; .reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	.loc 1 5 0
	ld.global.u32 %r1, [%rd1];
	.loc 1 0 0
	ld.global.u32 %r2, [%rd1+4];
	.loc 1 7 0
	ret;
}
.file 1 "k.cu"
`))
	for _, in := range m.Funcs[0].Insts {
		want := map[int]report.Source{
			7: {Line: 5, Approximate: true}, 9: {Line: 5}, 11: {Line: 5, Approximate: true}, 13: {Line: 7},
		}[in.Line]
		if s := session.SourceOf(in); s == nil || s.Line != want.Line || s.Approximate != want.Approximate {
			t.Errorf("line %d: got %+v, want %+v", in.Line, s, want)
		}
	}
}
