package session

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
)

// TestGiven compares what is known of pairs of pointers with what the launches give.
func TestGiven(t *testing.T) {
	const src = `.version 7.0
.target sm_70
.address_size 64
.global .u32 word;
.visible .entry k(.param .u64 p, .param .u64 q, .param .align 8 .b8 s[24], .param .u64 n)
{
	ret;
}
.visible .entry other(.param .u64 p, .param .u64 q)
{
	ret;
}
`
	prog, err := Parse("k.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	mod := prog.Module
	k := mod.Func("k")
	word, _ := mod.Lookup("word")
	roots := map[string]address.Root{"word": {Kind: address.RootVar, Var: word.(*rewrite.Var)}}
	for i, v := range k.Params {
		name := []string{"p", "q", "s0", "n"}[i]
		roots[name] = address.Root{Kind: address.RootParam, Var: v}
	}
	for at := int64(8); at <= 24; at += 8 {
		roots["s"+string(rune('0'+at/8))] = address.Root{Kind: address.RootParam, Var: k.Params[2], At: at}
	}
	for _, tc := range []struct{ args, distinct, unknown string }{
		{"[a, b, [a, c, 7], 0]", "p-q p-s1 q-s0 q-s1 s0-s1 p-word", "p-s0 p-s2 s2-word p-s3 p-n q-n n-word"},
		{"[a, a, [b, b, b], 4096]", "p-s0 q-s0 s1-word p-word", "p-q s0-s1 s1-s2 p-n n-word"},
	} {
		given := knownOf(t, mod, "[{kernel: k, args: "+tc.args+"}, {kernel: k, args: "+tc.args+"}]")
		distinct := given.Given("k").Distinct
		for pairs, want := range map[string]bool{tc.distinct: true, tc.unknown: false} {
			for _, pair := range strings.Fields(pairs) {
				a, b, _ := strings.Cut(pair, "-")
				if got := distinct(roots[a], roots[b]); got != want || distinct(roots[b], roots[a]) != want {
					t.Errorf("%s: %s are known to be distinct: %t, expected %t", tc.args, pair, got, want)
				}
			}
		}
		if given.Given("other").Distinct != nil {
			t.Error("something is known of a kernel that is not launched")
		}
	}
	both := knownOf(t, mod, "[{kernel: other, args: [a, b]}, {kernel: other, args: [b, b]}]")
	p, q := mod.Func("other").Params[0], mod.Func("other").Params[1]
	if both.Given("other").Distinct(address.Root{Kind: address.RootParam, Var: p}, address.Root{Kind: address.RootParam, Var: q}) {
		t.Error("pointers that are equal in one launch of two are known to be distinct")
	}
}

// knownOf is what is known after launches of one thread each over three buffers.
func knownOf(t *testing.T, mod *rewrite.Module, launches string) *address.Program {
	t.Helper()
	text := "buffers: {a: {type: u32, count: 4}, b: {type: u32, count: 4}, c: {type: u32, count: 4}}\n" +
		"launches: " + strings.ReplaceAll(launches, ", args", ", grid: 1, block: 1, args") + "\n"
	file, err := launch.Parse("l.yaml", []byte(text), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(NewProgram(mod), file, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = plan.Prepare(s); err != nil {
		t.Fatal(err)
	}
	return s.facts[plan.Program].Program
}

// TestFactsSettle launches a kernel with a number that counts up: once launches are taken as
// one, another number changes nothing of what is known, and another buffer does.
func TestFactsSettle(t *testing.T) {
	const src = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n) { ret; }
`
	p, err := Parse("k.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(Options{})
	if err == nil {
		err = s.Load(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := Buffer(s, "a", []uint32{1})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	launch := func(args ...any) {
		if _, err := s.Launch(t.Context(), Launch{Kernel: "k", Args: args}); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, s.facts[p].Key)
	}
	for n := range 3 * proofs.AnnouncedLimits.Distinct {
		launch(a, n)
	}
	for i, key := range keys[1:] {
		if changed := key != keys[i]; changed != (i < proofs.AnnouncedLimits.Distinct) {
			t.Errorf("launch %d changes what is known: %t", i+1, changed)
		}
	}
	known := func() []proofs.KnownLaunch { return s.facts[p].Of(p.Module.Func("k")) }
	if list := known(); len(list) != 1 || !list[0].Args[0].Known || list[0].Args[1].Known {
		t.Errorf("of launches with one buffer and many numbers is known: %v", list)
	}
	launch(8, 0)
	if len(known()) != 2 || keys[len(keys)-1] == keys[len(keys)-2] {
		t.Errorf("a launch with a number for the buffer changes nothing: %v", known())
	}
}
