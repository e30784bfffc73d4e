package passes_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

const module = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k() {
	.reg .b32 %r0;
	mov.u32 %r0, 1;
	ret;
}
`

// brokenModule calls a function with an argument that it does not take.
const brokenModule = `.version 7.0
.target sm_70
.address_size 64
.func f() { ret; }
.visible .entry k() {
	.param .b32 a;
	call f, (a);
	ret;
}
`

func load(t testing.TB) *rewrite.Module { return loadText(t, module) }

func loadText(t testing.TB, text string) *rewrite.Module {
	t.Helper()
	ast, err := ptxgrammar.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type exampleOptions struct {
	size int
	fast bool
}

// testPasses are an analysis that counts its runs, and passes that use it.
func testPasses() (all []*passes.Pass, runs *int, seen *[]exampleOptions) {
	runs, seen = new(int), new([]exampleOptions)
	count := &passes.Pass{Name: "count", Doc: "count instructions", Run: func(ctx *passes.Context) (any, error) {
		*runs++
		n := 0
		for _, f := range ctx.Module.Funcs {
			n += len(f.Insts)
		}
		return n, nil
	}}
	grow := &passes.Pass{
		Name: "grow", Doc: "insert a move\n\nMore text.", Requires: []*passes.Pass{count},
		Flags: func(fs *flag.FlagSet) any {
			o := &exampleOptions{}
			fs.IntVar(&o.size, "size", 4, "`bytes` of something")
			fs.BoolVar(&o.fast, "fast", false, "go fast")
			return o
		},
		Run: func(ctx *passes.Context) (any, error) {
			*seen = append(*seen, *ctx.Options.(*exampleOptions))
			ed := ctx.Edit()
			ed.InsertBefore(ctx.Module.Func("k").Insts[0], "mov.u32 %r0, 2;")
			m, err := ed.Apply()
			if err != nil {
				return nil, err
			}
			ctx.SetModule(m)
			ctx.Count("moves", 1)
			ctx.AddSite(abi.Site{Access: "read"})
			ctx.Report(ctx.Module.Func("k").Insts[0].Position(), "inserted %d", 1)
			ctx.Report(ctx.Module.Func("k").Insts[1].Position(), "before this")
			return ctx.ResultOf[count], nil
		},
	}
	look := &passes.Pass{Name: "look", Doc: "look", Requires: []*passes.Pass{count}, Run: func(ctx *passes.Context) (any, error) {
		return ctx.ResultOf[count], nil
	}}
	return []*passes.Pass{count, grow, look}, runs, seen
}

func TestParsePipeline(t *testing.T) {
	all, _, seen := testPasses()
	for _, test := range []struct {
		text, canonical string
		options         []exampleOptions
	}{
		{"", "", nil},
		{" \t", "", nil},
		{"count", "count", nil},
		{"count,look", "count,look", nil},
		{"grow", "grow", []exampleOptions{{4, false}}},
		{"grow<>", "grow", []exampleOptions{{4, false}}},
		{"grow<size=8,fast=false>", "grow<size=8,fast=false>", []exampleOptions{{8, false}}},
		{" grow < size = 0x10 , fast > , count ", "grow<size=16,fast=true>,count", []exampleOptions{{16, true}}},
		{"grow<size=1>,grow", "grow<size=1>,grow", []exampleOptions{{1, false}, {4, false}}},
	} {
		*seen = nil
		p, err := passes.ParsePipeline(test.text, all)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if p.String() != test.canonical {
			t.Errorf("%q prints as %q, want %q", test.text, p, test.canonical)
		}
		if again, err := passes.ParsePipeline(p.String(), all); err != nil || again.String() != p.String() {
			t.Errorf("%q: printed text parses as %q, %v", test.text, again, err)
		}
		if _, err := p.Run(load(t)); err != nil || !slices.Equal(*seen, test.options) {
			t.Errorf("%q ran with options %v, %v; want %v", test.text, *seen, err, test.options)
		}
	}
}

func TestPipelineErrors(t *testing.T) {
	all, _, _ := testPasses()
	for _, test := range []struct{ text, want string }{
		{"gorw", `column 1: unknown pass "gorw"; did you mean "grow"? (passes: count, grow, look)`},
		{"count,somethingelse", `column 7: unknown pass "somethingelse" (passes: count, grow, look)`},
		{"count,", `column 7: expected the name of a pass, found "end of text"`},
		{",count", `column 1: expected the name of a pass, found ","`},
		{"count>", `column 6: unexpected ">"; expected ',' or the end`},
		{"grow<sise=8>", `column 6: pass grow has no option "sise"; did you mean "size"? (options: fast, size)`},
		{"count<x>", `column 7: pass count has no options`},
		{"grow<size>", `column 10: option size of grow needs a value: ` + "`bytes` of something"},
		{"grow<size=big>", `column 11: option size of grow: "big": parse error`},
		{"grow<fast=maybe>", `column 11: option fast of grow: "maybe": parse error`},
		{"grow<size=8", `column 12: unexpected "end of text"; expected ',' or '>' after an option of grow`},
		{"grow<", `column 6: expected an option of grow, found "end of text"`},
		{"grow<,>", `column 6: expected an option of grow, found ","`},
		{"grow<size=8> fast", `column 14: unexpected "f"; expected ',' or the end`},
		{"é", `column 1: unknown pass "é" (passes: count, grow, look)`},
	} {
		_, err := passes.ParsePipeline(test.text, all)
		var pe *passes.PipelineError
		if !errors.As(err, &pe) {
			t.Errorf("%q: error %v", test.text, err)
			continue
		}
		if want := fmt.Sprintf("pipeline %q, %s", test.text, test.want); err.Error() != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
	}
}

func FuzzParsePipeline(f *testing.F) {
	for _, s := range []string{"", "count", "grow<size=8,fast>,look", "grow<", "<>", "a,b", "grow<size==>", " , "} {
		f.Add(s)
	}
	all, _, _ := testPasses()
	f.Fuzz(func(t *testing.T, text string) {
		p, err := passes.ParsePipeline(text, all)
		var pe *passes.PipelineError
		if err != nil {
			if !errors.As(err, &pe) || pe.Col < 1 || pe.Col > len(text)+1 {
				t.Errorf("error %#v", err)
			}
			return
		}
		if again, err := passes.ParsePipeline(p.String(), all); err != nil || again.String() != p.String() {
			t.Errorf("%q prints as %q, which parses as %q, %v", text, p, again, err)
		}
	})
}

func parse(t testing.TB, text string, all []*passes.Pass) passes.Pipeline {
	t.Helper()
	p, err := passes.ParsePipeline(text, all)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEmptyPipeline is the identity.
func TestEmptyPipeline(t *testing.T) {
	m := load(t)
	out, err := passes.Pipeline{}.Run(m)
	if err != nil || out.Module != m || string(out.Module.Source()) != module {
		t.Errorf("module %p, %v", out.Module, err)
	}
}

// TestRequires: analyses run before the passes that need them, once per module.
func TestRequires(t *testing.T) {
	all, runs, _ := testPasses()
	out, err := parse(t, "look,look,grow,look,grow,look", all).Run(load(t))
	if err != nil {
		t.Fatal(err)
	}
	if *runs != 3 {
		t.Errorf("the analysis ran %d times, want once for each of 3 modules", *runs)
	}
	if out.Results["look"] != 4 || out.Results["grow"] != 3 {
		t.Errorf("results %v", out.Results)
	}
	if _, ok := out.Results["count"]; ok {
		t.Errorf("a required analysis is among the results")
	}
	if n := strings.Count(string(out.Module.Source()), "mov.u32 %r0, 2;"); n != 2 {
		t.Errorf("%d moves inserted", n)
	}
	if len(out.Sites) != 2 || out.Sites[0].ID != 1 || out.Sites[1].ID != 2 {
		t.Errorf("sites %+v", out.Sites)
	}
	var stats []string
	for _, s := range out.Stats {
		stats = append(stats, fmt.Sprint(s))
	}
	if want := []string{"{count []}", "{look []}", "{look []}", "{grow [{moves 1}]}", "{count []}", "{look []}", "{grow [{moves 1}]}", "{count []}", "{look []}"}; !slices.Equal(stats, want) {
		t.Errorf("stats %v", stats)
	}
	if len(out.Diagnostics) != 4 || out.Diagnostics[0].String() != "k.ptx:6:2: inserted 1 (grow)" || out.Diagnostics[1].String() != "k.ptx:6:2: before this (grow)" {
		t.Errorf("diagnostics %v", out.Diagnostics)
	}
}

// TestBlame: an error names the pass that failed, or that broke the module.
func TestBlame(t *testing.T) {
	fails := &passes.Pass{Name: "fails", Doc: "fail", Run: func(*passes.Context) (any, error) { return nil, errors.New("no luck") }}
	needs := &passes.Pass{Name: "needs", Doc: "need", Requires: []*passes.Pass{fails}, Run: fails.Run}
	edits := &passes.Pass{Name: "edits", Doc: "edit", Run: func(ctx *passes.Context) (any, error) {
		ctx.SetModule(load(t))
		return nil, nil
	}}
	wants := &passes.Pass{Name: "wants", Doc: "want", Requires: []*passes.Pass{edits}, Run: edits.Run}
	breaks := &passes.Pass{Name: "breaks", Doc: "break", Run: func(ctx *passes.Context) (any, error) {
		ctx.SetModule(loadText(t, brokenModule))
		return nil, nil
	}}
	all := []*passes.Pass{fails, needs, edits, wants, breaks}
	for text, want := range map[string]string{
		"fails":  "pass fails: no luck",
		"needs":  "pass fails: no luck",
		"wants":  "pass edits: required as an analysis, but it changes the module",
		"breaks": "pass breaks broke the module: ",
	} {
		if _, err := parse(t, text, all).Run(load(t)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if _, err := parse(t, "edits", all).Run(load(t)); err != nil {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	all, _, _ := testPasses()
	if err := passes.Validate(all); err != nil {
		t.Error(err)
	}
	run := all[0].Run
	loop := &passes.Pass{Name: "loop", Doc: "loop", Run: run}
	loop.Requires = []*passes.Pass{loop}
	for _, test := range []struct {
		list []*passes.Pass
		want string
	}{
		{[]*passes.Pass{loop}, "pass loop requires itself"},
		{[]*passes.Pass{{Name: "count", Doc: "x", Run: run}, all[0]}, "two passes are named count"},
		{[]*passes.Pass{{Name: "Big", Doc: "x", Run: run}}, `pass name "Big" is not lower-case letters and digits`},
		{[]*passes.Pass{{Name: "x", Run: run}}, "pass x has no title or no Run"},
		{[]*passes.Pass{{Name: "x", Doc: "x"}}, "pass x has no title or no Run"},
	} {
		if err := passes.Validate(test.list); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
	if got := all[1].Title(); got != "insert a move" {
		t.Errorf("title %q", got)
	}
}
