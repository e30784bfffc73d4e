package isa_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		opcode   string
		operands int
		want     string
	}{
		{"ld.globall.u32", 2, `ld.globall.u32: unknown modifier ".globall" (did you mean ".global"?)`},
		{"ld.global.u31", 2, `ld.global.u31: unknown modifier ".u31" (did you mean ".u32"?)`},
		{"bar.frobnicate", 1, `bar.frobnicate: unknown modifier ".frobnicate" (expected one of .cta .sync)`},
		{"exit.uni", 0, `exit.uni: unknown modifier ".uni" (the form is exit)`},
		{"add.u32", 2, `add.u32 takes 3 operands, got 2: form add.type d, a, b`},
		{"trap", 1, `trap takes 0 operands, got 1: form trap`},
		{"add.u32", 3 + 1<<8, `add.u32 takes 3 operands, got 259: form add.type d, a, b`},
		{"bra", 0, `bra takes 1 operand, got 0: form bra{.uni} tgt`},
		{"bar.sync", 3, `bar.sync takes 1 or 2 operands, got 3: form bar{.cta}.sync a{, b}`},
		{"call", 5, `call takes 1 to 4 operands, got 5: form call{.uni} func`},
		{"ld.global.u32", 3, `ld.global.u32 takes 2 operands, got 3: form ld{.weak}{.ss}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy}`},
		{"add", 3, `add: missing .type (one of .u16 .u32 .u64 .s16 .s32 .s64): form add.type d, a, b`},
		{"membar", 0, `membar: missing .level (one of .cta .gl .sys): form membar.level`},
		{"ld.relaxed.global.u32", 2, `ld.relaxed.global.u32: missing .scope (one of .cta .cluster .gpu .sys): form ld.relaxed.scope{.ss}{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy}`},
		{"add.rn.ftz.bf16", 3, `add.rn.ftz.bf16: ".ftz" does not go with the other modifiers: the closest form is add{.rnd}.bf16 d, a, b`},
		{"ld.global.v8.b64", 2, `ld.global.v8.b64: 64 bytes at once, but no vector here is longer than 32`},
		{"st.global.v2.b128", 2, `st.global.v2.b128: 128-bit values do not form vectors`},
		{"mma.sync.aligned.m16n8k8.row.col.f32.bf16.f16.f32", 4, `mma.sync.aligned.m16n8k8.row.col.f32.bf16.f16.f32: ".bf16" does not go with the other modifiers: the closest form is mma.sync.aligned.shape.row.col.f32.f16.f16.f32 d, a, b, c, with .f16`},
		{"atom.global.and.f32", 3, `atom.global.and.f32: ".f32" does not go with the other modifiers: the closest form is atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache_policy}, with .type (one of .b32 .b64)`},
		{"add.u32.u32", 3, `add.u32.u32: ".u32" does not go with the other modifiers: the closest form is add.type d, a, b`},
	} {
		_, err := decode(c.opcode, c.operands)
		if err == nil {
			t.Errorf("%s with %d operands: no error", c.opcode, c.operands)
		} else if err.Error() != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.opcode, err, c.want)
		}
	}
}

func TestSuggest(t *testing.T) {
	for wrong, want := range map[string]string{
		"ldd": "ld", "setpp": "setp", "membr": "membar", "atm": "atom", "mbarier": "mbarrier", "barier": "barrier", "xyzzy": "", "": "",
	} {
		if got := isa.Suggest(wrong); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", wrong, got, want)
		}
	}
}

// TestModifierOrder: the slots of Mods stay where the manual has them.
func TestModifierOrder(t *testing.T) {
	manual, err := decode("atom.relaxed.cta.global.add.u32", 3)
	if err != nil {
		t.Fatal(err)
	}
	other, err := decode("atom.global.add.cta.relaxed.u32", 3)
	if err != nil {
		t.Fatal(err)
	}
	if manual.Form != other.Form || strings.Join(manual.Mods, ".") != strings.Join(other.Mods, ".") {
		t.Errorf("%v and %v", manual.Mods, other.Mods)
	}
	for set, want := range map[string]string{"sem": "relaxed", "scope": "cta", "space": "global", "op": "add", "type": "u32", "level::cache_hint": "", "nonesuch": ""} {
		if got := other.Mod(set); got != want {
			t.Errorf("Mod(%q) = %q, want %q", set, got, want)
		}
	}
	if !other.Has("cta") || other.Has("gpu") || other.Has("") {
		t.Errorf("Has is wrong about %v", other.Mods)
	}
}

// TestDecodeShared tests that one spelling has one value, shared by all goroutines.
func TestDecodeShared(t *testing.T) {
	var wg sync.WaitGroup
	results := make([]*isa.Decoded, 8)
	for i := range results {
		wg.Go(func() {
			d, err := decode("ld.global.L2::128B.v2.u64", 2)
			if err != nil {
				t.Error(err)
			}
			results[i] = d
		})
	}
	wg.Wait()
	for _, d := range results {
		if d != results[0] {
			t.Fatal("decoded twice")
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, l := range readLines(f, "testdata/spellings.txt")[:64] {
		f.Add(l.text, 2)
	}
	f.Add("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4)
	f.Add("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16", 12)
	f.Add("ld.ld.ld..", -1)
	f.Fuzz(func(t *testing.T, opcode string, operands int) {
		d, err := decode(opcode, operands)
		again, err2 := decode(opcode, operands)
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("%q: %v, then %v", opcode, err, err2)
		}
		if err != nil {
			return
		}
		if describe(d) != describe(again) {
			t.Fatalf("%q: %s, then %s", opcode, describe(d), describe(again))
		}
		if len(d.Operands) != operands {
			t.Fatalf("%q: %d operands decoded, %d given", opcode, len(d.Operands), operands)
		}
		checkFacts(t, opcode, d)
		isa.Suggest(opcode)
	})
}

func BenchmarkDecode(b *testing.B) {
	in, _ := isa.Lookup("ld")
	mods := []string{"volatile", "global", "v2", "u32"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.Decode(mods, 2); err != nil {
			b.Fatal(err)
		}
	}
}
