package rewrite

import (
	"strconv"
	"strings"
	"testing"
)

// Analyses of long functions must not cost quadratic time.
func TestLongFunctions(t *testing.T) {
	const n = 20000
	shapes := map[string]string{
		"exits":    "@%p bra OUT;\nadd.u32 %r2, %r2, %r1;\n",
		"diamonds": "@%p bra A#;\nadd.u32 %r2, %r2, 1;\nbra B#;\nA#:\nadd.u32 %r2, %r2, 2;\nB#:\n",
		"loops":    "A#:\nadd.u32 %r2, %r2, 1;\nsetp.eq.u32 %p, %r2, %r1;\n@%p bra A#;\n",
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(".reg .pred %p; .reg .b32 %r<4>; mov.u32 %r1, %tid.x; setp.eq.u32 %p, %r1, 3;\n")
			for i := range n {
				b.WriteString(strings.ReplaceAll(shape, "#", strconv.Itoa(i)))
			}
			b.WriteString("OUT:\nst.global.u32 [0], %r2;\nret;")
			f := kernel(t, b.String())
			last := f.Insts[len(f.Insts)-2]
			if f.Uniformity().Reg(last, last.Operands[1].Reg) {
				t.Error("what differs between lanes is said to be uniform")
			}
			if defs, _ := f.DefUse().Defs(last, last.Operands[1].Reg); len(defs) == 0 {
				t.Error("the last value comes from nowhere")
			}
		})
	}
}
