package acqrel_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
)

// TestBarracuda is section 3.1 of BARRACUDA, fence by fence.
func TestBarracuda(t *testing.T) {
	const head = ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [p];\n"
	const fence = "membar.gl;\n"
	for _, c := range []struct{ access, before, after, both string }{
		{"ld.volatile.u32 %r1, [%rd1];\n", "nothing", "acquire", "acquire"},
		{"st.volatile.u32 [%rd1], 1;\n", "release", "nothing", "release"},
		{"atom.cas.b32 %r1, [%rd1], 0, 1;\n", "release", "acquire", "acquire"},
		{"atom.exch.b32 %r1, [%rd1], 0;\n", "release", "acquire", "acquire release"},
		{"atom.add.u32 %r1, [%rd1], 1;\n", "acquire release", "acquire", "acquire release"},
	} {
		for place, text := range map[string]string{"before": fence + c.access, "after": c.access + fence, "both": fence + c.access + fence} {
			want := map[string]string{"before": c.before, "after": c.after, "both": c.both}[place]
			m := passtest.Load(t, "k.ptx", []byte(head+text+"ret;\n}\n"))
			got := "nothing"
			for _, p := range analyse(t, m).Patterns {
				words := []string{}
				if p.Acquires() {
					words = append(words, "acquire")
				}
				if p.Releases() {
					words = append(words, "release")
				}
				got = strings.Join(words, " ")
			}
			if got != want {
				t.Errorf("fence %s %s: %s, want %s", place, c.access, got, want)
			}
		}
	}
}
