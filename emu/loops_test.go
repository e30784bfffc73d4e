package emu

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestLoops: which jumps of a function go on with a loop.
func TestLoops(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       []string
	}{
		{"a loop that ends itself", "A: @%p bra A; ret;", []string{"bra A"}},
		{"with another one within", "A: add.u32 %r, %r, 1; B: @%p bra B; @%p bra A; ret;", []string{"bra B", "bra A"}},
		{"entered at its test", "bra T; B: add.u32 %r, %r, 1; T: @%p bra B; ret;", []string{"bra B"}},
		{"two ways to its beginning", "A: @%p bra B; @%p bra A; B: @%p bra A; ret;", []string{"bra A", "bra A"}},
		{"what is seldom comes last", "@%p bra RARE; BACK: ret; RARE: add.u32 %r, %r, 1; bra BACK;", nil},
		{"the same in a loop", "A: @%p bra RARE; BACK: @%p bra A; ret; RARE: add.u32 %r, %r, 1; bra BACK;", []string{"bra A"}},
		{"what is seldom comes first", "bra A; RARE: add.u32 %r, %r, 1; bra BACK; A: @%p bra RARE; BACK: @%p bra A; ret;", []string{"bra A"}},
		{"entered at two places", "@%p bra B; A: add.u32 %r, %r, 1; B: @%p bra A; ret;", []string{"bra A"}},
		{"entered in the middle, beside what is seldom", "@%p bra B; A: add.u32 %r, %r, 1; B: @%p bra RARE; BACK: @%p bra A; ret; RARE: add.u32 %r, %r, 1; bra BACK;", []string{"bra A", "bra BACK"}},
		{"falls into its beginning", "bra A; NEXT: add.u32 %r, %r, 1; A: @%p bra NEXT; ret;", []string{"bra NEXT"}},
		{"falls into its beginning, leaves backwards", "bra A; OUT: ret; NEXT: add.u32 %r, %r, 1; A: @%p bra OUT; bra NEXT;", []string{"bra NEXT"}},
		{"both, around another", "bra A; NEXT: add.u32 %r, %r, 1; A: @%p bra A; @%p bra NEXT; ret;", []string{"bra A", "bra NEXT"}},
		{"never reached", "ret; A: @%p bra A; ret;", []string{"bra A"}},
	} {
		if got := loopsOf(t, tc.body); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// loopsOf is the branches of a function with the body that count as jumps backwards.
func loopsOf(t *testing.T, body string) (marked []string) {
	t.Helper()
	ast, err := ptxgrammar.Parse("test.ptx", []byte(".version 8.3\n.target sm_90\n.address_size 64\n.entry k() { .reg .pred %p; .reg .b32 %r; "+body+" }"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(mod, Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range m.functions {
		for i := range fn.code {
			if c := &fn.code[i]; c.flags&flagLoop != 0 {
				marked = append(marked, fn.sources[c.src].in.Text())
			}
		}
	}
	return marked
}
