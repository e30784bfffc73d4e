package iguard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestGolden compares instrumented modules, library excluded, with golden files.
func TestGolden(t *testing.T) {
	passtest.Archives(t, func(t *testing.T, path string, files passtest.Files) {
		out := passtest.Run(t, passtest.Load(t, "in.ptx", files.Must(t, "in.ptx")), "iguard", iguard.Pass)
		files.Golden(t, path, "out.ptx", withoutLibrary(out.Module))
		var sites strings.Builder
		for _, s := range out.Sites {
			fmt.Fprintf(&sites, "%d: %s %s, %s, %q, %d bytes, line %d%s\n", s.ID, s.Access, s.Instruction, s.Space, s.Scope, s.Size, s.PTX.Line, chain(s.Source))
		}
		files.Golden(t, path, "sites", sites.String())
		files.Golden(t, path, "stats", fmt.Sprint(out.Stats, out.Diagnostics))
	})
}

// withoutLibrary is a module's text without the lines of the device library.
func withoutLibrary(m *rewrite.Module) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(string(m.Source()), "\n"), "\n") {
		if m.Origin(i+1).Pass != device.IGuard().Name {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

func chain(s *abi.Source) string {
	text := ""
	for ; s != nil; s = s.InlinedAt {
		text += fmt.Sprintf(", %s:%d:%d", s.File, s.Line, s.Column)
	}
	return text
}

const small = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
	.reg .b64 %rd;
	ld.param.u64 %rd, [p];
	st.volatile.global.u32 [%rd], 1;
	ret;
}
`

func TestOptions(t *testing.T) {
	paper := abi.PaperIGuardCounters
	for _, c := range []struct {
		pipeline string
		want     abi.IGuardOptions
	}{
		{"iguard", abi.IGuardOptions{Granularity: 4, Locks: true, ITS: true, Contention: true, Pairs: true, Scope: true, LockScope: true, Cumulative: true, Counters: paper}},
		{"iguard<paper>", abi.IGuardOptions{Granularity: 4, Locks: true, ITS: true, Contention: true, Counters: paper}},
		{"iguard<paper,scope>", abi.IGuardOptions{Granularity: 4, Locks: true, ITS: true, Contention: true, Scope: true, Counters: paper}},
		{"iguard<paper,granularity=16,locks=false,its=false,contention=false,stop>", abi.IGuardOptions{Granularity: 16, Stop: true, Counters: paper}},
		{"iguard<paper,fencebits=1,barrierbits=2,warpbits=3>", abi.IGuardOptions{Granularity: 4, Locks: true, ITS: true, Contention: true, Counters: abi.IGuardCounters{Fence: 1, Barrier: 2, WarpBarrier: 3}}},
	} {
		out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(small)), c.pipeline, iguard.Pass)
		if got := out.Results["iguard"].(*iguard.Result).Options; got != c.want {
			t.Errorf("%s: options %+v, want %+v", c.pipeline, got, c.want)
		}
	}
	const strong = 4 | abi.IGuardInfoAtomic
	out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(small)), "iguard", iguard.Pass)
	if s := fmt.Sprintf("], %d;", strong); strings.Contains(withoutLibrary(out.Module), s) {
		t.Errorf("a volatile store is atomic without the option")
	}
	out = passtest.Run(t, passtest.Load(t, "k.ptx", []byte(small)), "iguard<volatile>", iguard.Pass)
	if s := fmt.Sprintf("], %d;", strong); !strings.Contains(withoutLibrary(out.Module), s) {
		t.Errorf("a volatile store is not atomic with the option")
	}
	for option, want := range map[string]string{
		"granularity=5":  `column 20: option granularity of iguard: "5": must be 1, 4, 8 or 16`,
		"fencebits=7":    `column 18: option fencebits of iguard: "7": must be 1 to 6`,
		"barrierbits=0":  `column 20: option barrierbits of iguard: "0": must be 1 to 8`,
		"warpbits=a few": `column 17: option warpbits of iguard: "a few": must be 1 to 6`,
	} {
		if _, err := passes.ParsePipeline("iguard<"+option+">", []*passes.Pass{iguard.Pass}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", option, err)
		}
	}
}

// TestTwice refuses to instrument what is instrumented.
func TestTwice(t *testing.T) {
	p, err := passes.ParsePipeline("iguard,iguard", []*passes.Pass{iguard.Pass})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(passtest.Load(t, "k.ptx", []byte(small)))
	if err == nil || err.Error() != "pass iguard: the module already has __ptxsan_iguard_state: it is instrumented" {
		t.Errorf("error %v", err)
	}
}

// TestOthersCode leaves alone what other passes inserted.
func TestOthersCode(t *testing.T) {
	other := &passes.Pass{Name: "other", Doc: "insert a store", Run: func(ctx *passes.Context) (any, error) {
		ed := ctx.Edit()
		ed.InsertBefore(ctx.Module.Func("k").Insts[1], "st.global.u32 [%rd], 2;")
		m, err := ed.Apply()
		if err == nil {
			ctx.SetModule(m)
		}
		return nil, err
	}}
	out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(small)), "other,iguard", other, iguard.Pass)
	if len(out.Sites) != 1 || out.Sites[0].PTX.Line != 7 || out.Sites[0].Instruction != "st.volatile.global.u32" {
		t.Errorf("sites %+v", out.Sites)
	}
}
