// What is proved for every launch, and what only runs show.

package syncs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestProofs: a barrier that orders nothing is not needed in any launch, unless something else than memory tells when
// threads are there, or a kernel that is not launched may need it.
func TestProofs(t *testing.T) {
	const (
		block  = ".func f()\n{\nbar.sync 0;\nret;\n}\n"
		own    = "st.global.u32 [%rd2], %r1;"
		other  = "st.shared.u32 [%r3], %r1;\ncall f;\nld.shared.u32 %r4, [s];\nst.global.u32 [%rd2], %r4;"
		proved = "not-needed"
		shown  = "not-needed-here"
	)
	for _, c := range []struct{ name, body, second, want string }{
		{"a barrier", "bar.sync 0;\n" + own, own, proved},
		{"a barrier of the warp", "bar.warp.sync -1;\n" + own, own, proved},
		{"which lanes are there", "bar.warp.sync -1;\nactivemask.b32 %r1;\n" + own, own, shown},
		{"a vote of those that are there", "bar.sync 0;\nvote.ballot.b32 %r1, 1;\n" + own, own, shown},
		{"a wait for other grids", "griddepcontrol.wait;\n" + own, own, shown},
		{"a function that another kernel may need", "call f;\n" + own, other, shown},
	} {
		text := ".version 8.0\n.target sm_90\n.address_size 64\n" + block
		for i, body := range []string{c.body, c.second} {
			text += fmt.Sprintf(".visible .entry k%d(.param .u64 p)\n{\n", i) +
				".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 4 .b8 s[4096];\nld.param.u64 %rd1, [p];\n" +
				"mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\nmov.u32 %r3, s;\n" +
				"mad.lo.u32 %r3, %r1, 4, %r3;\n" + body + "\nret;\n}\n"
		}
		if strings.Contains(c.body, "vote") {
			text = strings.Replace(text, ".target sm_90", ".target sm_60", 1)
		}
		p, err := session.Parse("k.ptx", []byte(text))
		if err != nil {
			t.Fatal(c.name, err)
		}
		const yaml = "buffers: {out: {type: u32, count: 64, init: 0}}\n" +
			"launches: [{kernel: k0, grid: 1, block: 64, args: [out]}]\n"
		f, err := launch.Parse("k.yaml", []byte(yaml), launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := session.NewPlan(p, f, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(answers(ask(t, plan)), ", "); got != c.want {
			t.Errorf("%s: got %q, expected %q", c.name, got, c.want)
		}
	}
}
