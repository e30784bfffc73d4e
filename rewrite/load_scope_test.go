package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// TestScopeAgainstModel compares scopes with sets of names that are written out.
func TestScopeAgainstModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	prefixes := []string{"r", "r1", "r0", "%r", "x", "r10", "1"}
	for range 800 {
		s, taken := &scope{}, map[string]bool{}
		var log []string
		for range 1 + rnd.IntN(8) {
			name := prefixes[rnd.IntN(len(prefixes))]
			want, got := true, false
			if rnd.IntN(2) == 0 {
				if rnd.IntN(2) == 0 {
					name += strconv.Itoa(rnd.IntN(130))
				}
				want = !taken[name]
				got = s.add(name, &Var{})
				taken[name] = true
				log = append(log, name)
			} else {
				count := 1 + rnd.IntN(120)
				log = append(log, fmt.Sprintf("%s<%d>", name, count))
				for i := range count {
					want = want && !taken[name+strconv.Itoa(i)]
				}
				got = s.addRange(&ptxgrammar.Var{Name: name, Count: count})
				for i := range count {
					taken[name+strconv.Itoa(i)] = want || taken[name+strconv.Itoa(i)]
				}
			}
			if got != want {
				t.Fatalf("%s: declared %v, want %v", strings.Join(log, ", "), got, want)
			}
		}
		for _, p := range prefixes {
			for i := range 130 {
				name := p + strconv.Itoa(i)
				if got := s.names[name] != nil || s.inRange(name) != nil; got != taken[name] {
					t.Fatalf("%s: %s found %v, want %v", strings.Join(log, ", "), name, got, taken[name])
				}
			}
		}
	}
}

// TestNumbers checks how a name can be read as an element of a register range.
func TestNumbers(t *testing.T) {
	for name, want := range map[string]string{
		"r":            "",
		"r0":           "r+0",
		"r00":          "r0+0",
		"r10":          "r1+0 r+10",
		"r105":         "r10+5 r+105",
		"r2147483647":  "r214748364+7 r21474836+47 r2147483+647 r214748+3647 r21474+83647 r2147+483647 r214+7483647 r21+47483647 r2+147483647 r+2147483647",
		"r2147483648":  "r214748364+8 r21474836+48 r2147483+648 r214748+3648 r21474+83648 r2147+483648 r214+7483648 r21+47483648 r2+147483648",
		"12":           "1+2",
		"r10000000000": "r1000000000+0",
	} {
		var got []string
		for p, n := range numbers(name) {
			got = append(got, fmt.Sprintf("%s+%d", p, n))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
}

// TestRangeOfVariables: a range declares variables of any space in a body, as GCC writes
// for the arguments of a call. Each name is one variable, in the scope of the range.
func TestRangeOfVariables(t *testing.T) {
	f := kernel(t, `	.reg .b32 %r<2>;
	.local .align 8 .b32 l<3>;
	{
	.param .b32 l<2>;
	st.param.b32 [l1], %r0;
	}
	st.local.b32 [l2], %r0;
	st.local.b32 [l0], %r1;
	st.local.b32 [l2], %r1;
	ret;`)
	var got []string
	for _, v := range f.Locals {
		got = append(got, fmt.Sprintf(".%s .align %d %s %d", v.Space, v.Align, v.Name, v.Size))
	}
	if want := ".param .align 4 l1 4, .local .align 8 l2 4, .local .align 8 l0 4"; strings.Join(got, ", ") != want {
		t.Errorf("variables: %s, want %s", strings.Join(got, ", "), want)
	}
	if len(f.Regs) != 2 {
		t.Errorf("%d registers", len(f.Regs))
	}
}

// TestRangeOfVariablesErrors: a range is in a body, of plain variables, and has free names.
func TestRangeOfVariablesErrors(t *testing.T) {
	for src, want := range map[string]string{
		".global .b32 g<2>;":                                    "g<2> outside a function: expected a declaration for each variable",
		".func f() { .local .b32 l<2>[4]; ret; }":               "l<2> declares several variables, which are neither arrays nor initialised",
		".func f() { .local .b32 l1; .local .b32 l<2>; }":       "variables l<2> are already declared in this scope",
		".func f() { .local .b32 l<2>; .local .b32 l1; }":       `"l1" is already declared in this scope`,
		".func f() { .param .b32 l<2>; st.param.b32 [l2], 1; }": `"l2"`,
	} {
		ast, err := ptxgrammar.Parse("k.ptx", []byte(header+src))
		if err == nil {
			_, err = Check(ast)
		}
		if err == nil || !strings.Contains(messages(err), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}
