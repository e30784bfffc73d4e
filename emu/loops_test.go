package emu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestLoops: which jumps of a function are back edges.
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

// TestCounters: which loops have a counter, and so no spin detection. In loops that read memory, nothing but memory
// depends on it.
func TestCounters(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       bool
	}{
		{"adds 1", "A: add.u32 %r, %r, 1; @%p bra A; ret;", true},
		{"subtracts 4", "A: sub.s32 %r, %r, 4; @%p bra A; ret;", true},
		{"adds -1", "A: add.s32 %r, %r, -1; @%p bra A; ret;", true},
		{"adds 0", "A: add.u32 %r, %r, 0; @%p bra A; ret;", false},
		{"returns after two rounds", "A: add.u32 %r, %r, 0x80000000; @%p bra A; ret;", false},
		{"adds 2^32 to 32 bits", "A: add.u32 %r, %r, 0x100000000; @%p bra A; ret;", false},
		{"moves an address", "A: add.s64 %a, %a, 8; @%p bra A; ret;", true},
		{"as nvcc writes it", "A: add.u32 %s, %r, 1; mov.u32 %r, %s; @%p bra A; ret;", true},
		{"moves another sum", "A: add.u32 %s, %r, 1; mov.u32 %r, %q; @%p bra A; ret;", false},
		{"moves the sum of the round before", "A: mov.u32 %r, %s; add.u32 %s, %r, 1; @%p bra A; ret;", false},
		{"moves under a guard", "A: add.u32 %s, %r, 1; @%q mov.u32 %r, %s; @%p bra A; ret;", false},
		{"adds a register", "A: add.u32 %r, %r, %s; @%p bra A; ret;", true},
		{"adds a register that changes", "A: mov.u32 %s, %q; add.u32 %r, %r, %s; @%p bra A; ret;", false},
		{"adds under a guard", "A: @%q add.u32 %r, %r, 1; @%p bra A; ret;", false},
		{"adds on one of two ways", "A: @%q bra B; add.u32 %r, %r, 1; B: @%p bra A; ret;", false},
		{"adds at the end of two ways", "A: @%q bra B; mov.u32 %s, 1; B: add.u32 %r, %r, 1; @%p bra A; ret;", true},
		{"is reset on one of two ways", "A: add.u32 %r, %r, 1; @%q bra B; mov.u32 %r, 0; B: @%p bra A; ret;", false},
		{"adds and subtracts", "A: add.u32 %r, %r, 1; sub.u32 %r, %r, 1; @%p bra A; ret;", false},
		{"adds with an upper bound", "A: add.sat.s32 %r, %r, 1; @%p bra A; ret;", false},
		{"adds a carry", "A: addc.u32 %r, %r, 1; @%p bra A; ret;", false},
		{"adds to a float", "A: add.f32 %r, %r, 1.0; @%p bra A; ret;", false},
		{"adds to 16 bits", "A: add.u16 %h, %h, 1; @%p bra A; ret;", false},
		{"the inner loop has another's", "B: add.u32 %r, %r, 1; A: ld.global.u32 %s, [%a]; @%p bra A; @%q bra B; ret;", false},
		{"waits", "A: ld.global.u32 %r, [%a]; @%p bra A; ret;", false},
		{"what is seldom stands elsewhere", "A: @%q bra RARE; BACK: add.u32 %r, %r, 1; @%p bra A; ret; RARE: mov.u32 %r, 0; bra BACK;", false},
	} {
		body := strings.ReplaceAll(tc.body, "@%q", "@%p2")
		for access, want := range map[string]bool{"": tc.want, "ld.global.u32 %q, [64]; ": false, "ld.global.u32 %q, [%a]; st.global.u32 [%a], %r; ": tc.want} {
			if got := backwardJumps(t, strings.ReplaceAll(body, "@%p bra A", access+"@%p bra A"))[0].flags&state.FlagCounted != 0; got != want {
				t.Errorf("%s, with %q: %v, want %v", tc.name, access, got, want)
			}
		}
	}
}

// faultClass launches kernel k with two blocks of 40 threads, and returns the class of the first fault, "" if there is
// none.
func faultClass(t *testing.T, m *Machine) string {
	t.Helper()
	r, err := m.Launch(t.Context(), LaunchConfig{Kernel: "k", Grid: Dim3{X: 2, Y: 1, Z: 1}, Block: Dim3{X: 40, Y: 1, Z: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Faults) == 0 {
		return ""
	}
	return r.Faults[0].Class
}

// TestPolls: threads that wait forever, and others that do not, in loops that count their rounds.
func TestPolls(t *testing.T) {
	const poll = "ld.volatile.global.u32 %v, [flag]; setp.eq.u32 %p, %v, 0;"
	for _, tc := range []struct{ name, body, want string }{
		{"counts polls", "A: add.u32 %i, %i, 1; " + poll + " @%p bra A; st.global.u32 [out], %i;", "livelock"},
		{"counts as nvcc does", "A: mov.u32 %n, %i; " + poll + " add.u32 %i, %n, 1; @%p bra A; st.global.u32 [out], %n;", "livelock"},
		{"counts in several ways", "A: add.u32 %i, %i, 1; mad.lo.u32 %n, %i, %n, 3; selp.u32 %m, %n, %i, %q; " + poll + " @%p bra A; st.global.u32 [out], %m;", "livelock"},
		{"counts again and again", "B: mov.u32 %i, 0; A: add.u32 %i, %i, 1; " + poll + " @%p bra A; add.u32 %n, %n, %i; st.global.u32 [flag], 0; bra B;", "livelock"},
		{"gives up", "A: add.u32 %i, %i, 1; " + poll + " setp.lt.and.u32 %p, %i, 5000, %p; @%p bra A;", ""},
		{"gives up in another loop", "B: mov.u32 %i, 0; A: add.u32 %i, %i, 1; " + poll + " setp.lt.and.u32 %p, %i, 50, %p; @%p bra A; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 90; @%q bra B;", ""},
		{"gives up around the loop", "B: mov.u32 %i, 0; A: add.u32 %i, %i, 1; ld.volatile.global.u32 %v, [flag]; setp.ne.u32 %p, %v, 0; @%p bra A; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 900; @%q bra B;", ""},
		{"has another lane give up", "A: add.u32 %i, %i, 1; " + poll + " shfl.sync.idx.b32 %n, %i, 0, 31, -1; setp.lt.and.u32 %p, %n, 5000, %p; @%p bra A;", ""},
		{"writes its count", "A: add.u32 %i, %i, 1; " + poll + " st.volatile.global.u32 [out], %i; setp.eq.u32 %q, %i, 5000; @%q exit; @%p bra A;", ""},
		{"reads further on", "mov.u64 %a, out; A: add.u64 %a, %a, 4; ld.global.u32 %v, [%a]; setp.eq.u32 %p, %v, 0; @%p bra A;", "out-of-bounds"},
		{"counts in memory", "A: " + poll + " ld.local.u32 %n, [count]; add.u32 %n, %n, 1; st.local.u32 [count], %n; setp.lt.and.u32 %p, %n, 5000, %p; @%p bra A;", ""},
	} {
		for _, cfg := range []Config{{}, {NoVector: true}, {Policy: Lockstep}, {Policy: PCT}, {Policy: Random}, {Policy: RoundRobin}} {
			m := machineFor(t, cfg, ".global .u32 flag; .global .u32 out; .visible .entry k() { .reg .pred %p; .reg .pred %q; .reg .b32 %i, %n, %m, %v; .reg .b64 %a; .local .u32 count; "+
				"mov.u32 %i, 0; mov.u32 %n, 0; setp.eq.u32 %q, %n, 0; st.local.u32 [count], %n; "+tc.body+" ret; }")
			if got := faultClass(t, m); got != tc.want {
				t.Errorf("%s, policy %d, NoVector %v: %q, want %q", tc.name, cfg.Policy, cfg.NoVector, got, tc.want)
			}
		}
	}
}

// TestStepOfNothing: a loop whose step is 0 at run time never ends.
func TestStepOfNothing(t *testing.T) {
	for _, plain := range []bool{false, true} {
		for step, want := range []string{"livelock", ""} {
			m := machineFor(t, Config{NoVector: plain}, fmt.Sprintf(`.visible .entry k() { .reg .pred %%p; .reg .b32 %%r<3>;
				mov.u32 %%r0, 0; mov.u32 %%r1, %d; A: add.u32 %%r0, %%r0, %%r1; setp.lt.u32 %%p, %%r0, 5000; @%%p bra A; ret; }`, step))
			if got := faultClass(t, m); got != want {
				t.Errorf("step %d, NoVector %v: %q, want %q", step, plain, got, want)
			}
		}
	}
}

// loopsOf is the branches of a function with the body that count as jumps backwards.
func loopsOf(t *testing.T, body string) (marked []string) {
	t.Helper()
	for _, c := range backwardJumps(t, body) {
		marked = append(marked, c.text)
	}
	return marked
}

// backwardJump is a branch that counts as a jump backwards.
type backwardJump struct {
	text  string
	flags state.InstFlags
}

// backwardJumps are those of a function with the body.
func backwardJumps(t *testing.T, body string) (marked []backwardJump) {
	t.Helper()
	ast, err := ptxgrammar.Parse("test.ptx", []byte(".version 8.3\n.target sm_90\n.address_size 64\n.entry k() { .reg .pred %p; .reg .pred %p2; .reg .b16 %h; .reg .b32 %q, %r, %s; .reg .b64 %a; "+body+" }"))
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
	for _, fn := range m.state.Functions {
		for i := range fn.Code {
			if c := &fn.Code[i]; c.Flags&state.FlagLoop != 0 {
				marked = append(marked, backwardJump{fn.Sources[c.Src].In.Text(), c.Flags})
			}
		}
	}
	return marked
}
