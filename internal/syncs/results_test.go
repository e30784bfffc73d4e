// Results that are not in small buffers, and findings that the original has as often.

package syncs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// sumPlan returns the plan of a kernel of 64 threads that executes statements between two barriers, and adds in shared
// memory there, and behind them does something with the sum, %r4. Its buffer out has a number of words.
func sumPlan(t *testing.T, before, behind string, words int, fill string) *session.Plan {
	t.Helper()
	text := ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .u32 total;\n" +
		".global .align 1 .b8 form[4] = {37, 100, 10, 0};\n" +
		".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.visible .entry k(.param .u64 p)\n{\n" +
		".local .align 8 .b8 frame[8];\n.reg .pred %p<5>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 4 .u32 s;\n" +
		"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\nmul.wide.u32 %rd2, %r1, 4;\n" +
		"add.u64 %rd2, %rd1, %rd2;\n@%p1 st.shared.u32 [s], 0;\nbar.sync 0;\n" + before + "\n" +
		"ld.global.u32 %r3, [%rd1+2048];\n" +
		"add.u32 %r3, %r3, %r1;\natom.shared.add.u32 %r2, [s], %r3;\nbar.sync 0;\natom.shared.add.u32 %r4, [s], 0;\n" +
		behind + "\nret;\n}\n"
	p, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	const form = "buffers: {out: {type: u32, count: %d%s}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [out]}]\n"
	yaml := fmt.Sprintf(form, words, fill)
	f, err := launch.Parse("k.yaml", []byte(yaml), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(p, f, 0)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestResults: a barrier between atomic operations is needed for what they return, wherever that is left, and is not
// decided where it is not compared.
func TestResults(t *testing.T) {
	const (
		order = "setp.lt.u32 %p2, %r1, 2;\n@%p2 atom.global.exch.b32 %r5, [%rd1+1024], %r1;\n" +
			"@%p1 st.global.u32 [%rd1+1028], %r5;"
		print = "st.local.u32 [frame], %r4;\ncvta.local.u64 %rd3, frame;\ncvta.global.u64 %rd4, form;\n{\n" +
			".param .b32 v;\n.param .b64 a;\n.param .b64 b;\nst.param.b64 [a], %rd4;\nst.param.b64 [b], %rd3;\n" +
			"call (v), vprintf, (a, b);\n}"
		large  = "st.global.u32 [%rd2], %r4;"
		to     = "@%p1 st.global.u32 [total], %r4;"
		filled = ", init: 0"
	)
	for _, c := range []struct {
		name, before, behind, fill string
		words                      int
		want                       string
	}{
		{"a small buffer", "", large, filled, 1024, "needed: other results: out[0]"},
		{"a large buffer", "", large, filled, 1 << 19, "needed: other results: contents of out"},
		{
			"a large buffer, after what depends on the order", order, large, filled, 1 << 19,
			"needed: other results: contents of out",
		},
		{"a variable", "", to, filled, 1024, "needed: other results: contents of total"},
		{"what is printed", order, print, filled, 1024, "not-decided: what the kernels print is not compared"},
		{
			"data that nothing has written", "", "and.b32 %r4, %r4, 0;\n" + large, "", 1024,
			"not-decided: the order of threads may matter without it",
		},
	} {
		r := ask(t, sumPlan(t, c.before, c.behind, c.words, c.fill))
		a := r.Answers[len(r.Answers)-1]
		got := a.Why
		if a.Because != nil {
			got = a.Because.String()
		}
		got = fmt.Sprintf("%s: %s", a.Verdict, got)
		if len(a.With) > 0 || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\ngot      %s\nexpected %s", c.name, got, c.want)
		}
	}
}
