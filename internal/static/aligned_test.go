package static

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// TestAligned: an or, exclusive or or and of the address of a variable and a constant changes low bits that its
// alignment tells.
func TestAligned(t *testing.T) {
	const (
		local = "add.s64 %rd5, %rd4, OFF; OP; ld.u32 %r7, [%rd6];" + index + "st.global.u32 [%rd3], %r7;"
		tile  = "mov.u64 %rd5, tile; mul.wide.u32 %rd7, %r2, 16; add.s64 %rd5, %rd5, %rd7; add.s64 %rd5, %rd5, OFF; OP; st.shared.u32 [%rd6], %r2;"
	)
	for _, test := range []struct {
		name, body, off, op string
		align               string
		want                bool
	}{
		{"or of a local array", local, "0", "or.b64 %rd6, %rd5, 8", "16", true},
		{"or with less alignment", local, "0", "or.b64 %rd6, %rd5, 8", "8", false},
		{"or of a known bit", local, "4", "or.b64 %rd6, %rd5, 12", "16", true},
		{"xor of a known bit", local, "4", "xor.b64 %rd6, %rd5, 12", "16", true},
		{"and that clears known bits", local, "12", "and.b64 %rd6, %rd5, -8", "16", true},
		{"and that clears unknown bits", local, "12", "and.b64 %rd6, %rd5, -32", "16", false},
		{"own elements", tile, "0", "or.b64 %rd6, %rd5, 8", "16", true},
		{"own elements, of a known bit", tile, "8", "or.b64 %rd6, %rd5, 8", "16", true},
		{"and that leaves a thread its own", tile, "12", "and.b64 %rd6, %rd5, -4", "16", true},
		{"or that reaches the next thread's", tile, "0", "or.b64 %rd6, %rd5, 16", "32", false},
		{"and that joins two threads", tile, "0", "and.b64 %rd6, %rd5, -32", "32", false},
	} {
		text := kernelText(strings.NewReplacer("OFF", test.off, "OP", test.op).Replace(test.body))
		text = strings.Replace(text, ".shared .align 4", ".local .align "+test.align+" .b8 mine[64];\n\tmov.u64 %rd4, mine;\n\tcvta.local.u64 %rd4, %rd4;\n\t.shared .align "+test.align, 1)
		if r := analyzeText(t, text, &facts.Given{Disjoint: true}, Options{NoWrap: true}); (r.Verdict == Clean) != test.want {
			t.Errorf("%s: %s, proved is to be %t: %v", test.name, r.Verdict, test.want, r.Notes)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Reason)
			}
		}
	}
}
