package static

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// givenOf is what a launch of a launch file says: extents, numbers, and which buffers pointers
// lead to, with their sizes and what they start with.
func givenOf(t *testing.T, file *launch.File, l *launch.Launch, k *rewrite.Func) *facts.Given {
	t.Helper()
	g := &facts.Given{Site: l.Kernel, Pointers: make(map[facts.Param]facts.Pointer)}
	define := func(v *expr.Int, k int64) {
		g.Facts = append(g.Facts, facts.Fact{
			Name: fmt.Sprint(v, " = ", k), Class: facts.Dims, Var: v.String(), Value: expr.Const(k), Formula: expr.Eq(v, expr.Const(k)),
		})
	}
	for i, d := range []byte("xyz") {
		define(facts.Dim("ntid", d), int64(l.Block[i]))
		define(facts.Dim("nctaid", d), int64(l.Grid[i]))
	}
	for i := range l.Args {
		if i < len(k.Params) {
			argumentOf(t, file, &l.Args[i], i, k.Params[i], g, define)
		}
	}
	return g
}

func argumentOf(t *testing.T, file *launch.File, a *launch.Arg, i int, p *rewrite.Var, g *facts.Given, define func(*expr.Int, int64)) {
	t.Helper()
	switch a.Kind {
	case launch.ArgBuffer:
		b := file.Buffer(a.Buffer)
		if b == nil {
			return
		}
		known := facts.Pointer{Buffer: b.Name, Offset: expr.Const(0), Size: expr.Const(int64(b.Size())), Bound: "in-bounds: " + b.Name}
		if b.Init.Kind == launch.InitNumber {
			var first bytes.Buffer
			if err := b.Fill(func(_ uint64, data []byte) error { first.Write(data); return nil }); err != nil {
				t.Fatal(err)
			}
			var word [8]byte
			copy(word[:], first.Bytes())
			known.Initial, known.Init = expr.Const(int64(binary.LittleEndian.Uint32(word[:4]))), b.Name+" starts with its value"
		}
		g.Pointers[facts.Param{Index: i}] = known
	case launch.ArgNumber:
		if t := p.Type; p.Dims == nil && !t.Float() && t.Size() > 0 && t.Size() <= 8 {
			b, err := a.Bytes(launch.Param{Name: p.Name, Type: typeOf(t), Size: p.Size, Align: p.Align}, nil)
			if err != nil || len(b) > 8 {
				return
			}
			var word [8]byte
			copy(word[:], b)
			shift := 64 - 8*len(b)
			define(facts.ParamVar(i, 0, 8*len(b)), int64(binary.LittleEndian.Uint64(word[:])<<shift)>>shift)
		}
	}
}

// typeOf is a type of PTX as launch files have it.
func typeOf(t isa.Type) (out launch.Type) {
	for c := launch.TypeNone; c < 64; c++ {
		if c.String() == t.String() {
			return c
		}
	}
	return launch.TypeNone
}

// suiteBudget is enough for what is decided of the suite's programs.
const suiteBudget = 400_000

// TestSuite: no racy program of the race suite is proved free of races, and no race is
// reported of one without. N is the number of programs, 60 unless set, spread evenly; ONLY is
// part of the paths to look at.
func TestSuite(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"micro/*/*.yaml", "apps/*/*.yaml", "mining/*/*.yaml"} {
		more, err := filepath.Glob(filepath.Join("../../examples/suite", pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, more...)
	}
	n := 60
	if testing.Short() {
		n = 20
	}
	if s := os.Getenv("N"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	counts := make(map[string]int)
	step := max(1, len(paths)/n) | 1 // odd: fixed and racy variants alternate
	for i := 0; i < len(paths); i += step {
		path := paths[i]
		if only := os.Getenv("ONLY"); only != "" && !strings.Contains(path, only) {
			continue
		}
		text, err := os.ReadFile(strings.TrimSuffix(path, ".yaml") + ".ptx")
		if err != nil {
			continue // a launch file for several programs
		}
		file, err := launch.Load(path, launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if file.Expect == nil || file.Expect.Under("ptx") == nil {
			continue
		}
		want, got := file.Expect.Under("ptx").Verdict, Clean
		m := loadText(t, string(text))
		for i := range file.Launches {
			l := &file.Launches[i]
			for _, k := range m.Kernels() {
				if k.Name != l.Kernel && !strings.Contains(k.Name, l.Kernel) {
					continue
				}
				r, err := Analyze(context.Background(), k, givenOf(t, file, l, k), Options{Budget: suiteBudget})
				if err != nil {
					t.Fatal(err)
				}
				got = max(got, r.Verdict)
			}
		}
		counts[want+" "+got.String()]++
		name := strings.TrimPrefix(path, "../../examples/suite/")
		switch {
		case want == "racy" && got == Clean:
			t.Errorf("%s: proved free of races, and is racy", name)
		case want == "clean" && got == Racy:
			t.Errorf("%s: a race is reported, and there is none", name)
		}
		t.Log(want, got, name)
	}
	t.Log(counts)
}
