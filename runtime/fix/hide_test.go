// Repairs that only hide a race are refused.

package fix_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/runtime/fix"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// mendText mends a kernel k with one argument, a buffer out of 64 words.
func mendText(t *testing.T, body, shape string) *fix.Result {
	t.Helper()
	src := ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
		"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n" + body + "\nret;\n}\n"
	p, err := session.Parse("k.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "k.yaml")
	yaml := "buffers: {out: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, " + shape + ", args: [out]}]\n"
	if err = os.WriteFile(name, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := launch.Load(name, launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(p, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	res, err := fix.Run(context.Background(), fix.Options{Plan: plan, Session: session.Options{Detectors: dets}, Schedules: 40, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestHiding: relaxed stores of different values to one word do not race, and leave either value:
// they are no repair. Of equal values they are one.
func TestHiding(t *testing.T) {
	if res := mendText(t, "st.global.u32 [%rd1], %r2;", "grid: 2, block: 1"); len(res.Races) == 0 || res.Mended() {
		t.Errorf("different values: %d races, mended %v", len(res.Races), res.Mended())
	}
	res := mendText(t, "mov.u32 %r3, 7;\nst.global.u32 [%rd1], %r3;", "grid: 2, block: 1")
	if !res.Mended() || res.Edits[0].Op != repair.Strong || !res.Edits[0].Unordered {
		t.Errorf("one value: mended %v; %s", res.Mended(), res.Why)
	}
}

// TestDivergent: where threads of a block part for good no barrier is put.
func TestDivergent(t *testing.T) {
	const body = `mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
L: st.global.u32 [%rd3], %r1;
xor.b32 %r4, %r1, 63;
mul.wide.u32 %rd4, %r4, 4;
add.s64 %rd5, %rd1, %rd4;
ld.global.u32 %r5, [%rd5];
setp.gt.u32 %p1, %r5, 63;
@%p1 bra L;
st.global.u32 [%rd3], %r5;`
	res := mendText(t, body, "grid: 1, block: 64")
	for _, e := range res.Edits {
		for _, c := range e.Changes {
			if strings.Contains(c.Text, "bar.sync") {
				t.Errorf("a barrier at line %d, in a loop that threads leave apart", c.At.Line)
			}
		}
	}
}

// TestDeterminism: the same races are mended by the same edits on one processor and several.
func TestDeterminism(t *testing.T) {
	const body = `mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r1;
xor.b32 %r4, %r1, 63;
mul.wide.u32 %rd4, %r4, 4;
add.s64 %rd5, %rd1, %rd4;
ld.global.u32 %r5, [%rd5];
st.global.u32 [%rd3], %r5;`
	first := mendText(t, body, "grid: 1, block: 64")
	if len(first.Edits) != 2 || first.Diff() != mendText(t, body, "grid: 1, block: 64").Diff() {
		t.Errorf("%d edits\n%s", len(first.Edits), first.Diff())
	}
}
