// Repairs that only hide a race are refused.

package fix_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
)

// TestHiding: relaxed stores of different values to one word do not race, and leave either value:
// they are no repair. Of equal values they are one.
func TestHiding(t *testing.T) {
	if res := mendBody(t, "st.global.u32 [%rd1], %r2;", "grid: 2, block: 1"); len(res.Races) == 0 || res.Mended() {
		t.Errorf("different values: %d races, mended %v", len(res.Races), res.Mended())
	}
	if res := mendBody(t, ".shared .b32 s;\nst.shared.u32 [s], %r1;", "grid: 1, block: 64"); len(res.Races) == 0 || res.Mended() {
		t.Errorf("different values in shared memory: %d races, %v", len(res.Races), ops(res))
	}
	res := mendBody(t, "mov.u32 %r3, 7;\nst.global.u32 [%rd1], %r3;", "grid: 2, block: 1")
	if !res.Mended() || res.Edits[0].Op != repair.Strong || !res.Edits[0].Unordered {
		t.Errorf("one value: mended %v; %s", res.Mended(), res.Why)
	}
}

// TestHidingLostWrites tests that strengthening a store is not accepted as a repair if it only hides a lost write: next
// to an atomic operation or a strong store, a strong store no longer races, but overwrites the other value. It is
// rejected if results do not show this, or differ because of it.
func TestHidingLostWrites(t *testing.T) {
	long(t)
	const other, end = "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra OTHER;\n", "\nEND:"
	two := func(first, second string) string { return other + first + ";\nbra END;\nOTHER: " + second + ";" + end }
	warps := func(first, second string) string {
		return ".shared .b32 s;\nsetp.gt.u32 %p1, %r1, 31;\n@%p1 bra OTHER;\n" + first + ";\nbra END;\nOTHER: " + second + ";" + end
	}
	for name, x := range map[string]struct {
		body, shape string
		mended      bool
	}{
		"addition and store":            {two("red.relaxed.gpu.global.add.u32 [%rd1], 1", "st.global.u32 [%rd1], 0"), "grid: 2, block: 1", false},
		"addition with result":          {two("atom.relaxed.gpu.global.add.u32 %r3, [%rd1], 1", "st.global.u32 [%rd1], 7"), "grid: 2, block: 1", false},
		"strong store of another value": {two("st.relaxed.gpu.global.u32 [%rd1], 1", "st.global.u32 [%rd1], 2"), "grid: 2, block: 1", false},
		"strong store of one value":     {two("st.relaxed.gpu.global.u32 [%rd1], 2", "st.global.u32 [%rd1], 2"), "grid: 2, block: 1", true},
		"exchange":                      {two("atom.relaxed.gpu.global.exch.b32 %r3, [%rd1], 1", "st.global.u32 [%rd1], 2"), "grid: 2, block: 1", true},
		"swap of what was read":         {two("ld.relaxed.gpu.global.u32 %r4, [%rd1];\nadd.u32 %r5, %r4, 1;\natom.relaxed.gpu.global.cas.b32 %r3, [%rd1], %r4, %r5", "st.global.u32 [%rd1], 9"), "grid: 2, block: 1", false},
		"a variable that no result has": {two("red.relaxed.gpu.global.add.u32 [l], 1", "st.global.u32 [l], 5"), "grid: 2, block: 1", false},
		"stores to such a variable":     {two("st.global.u32 [l], 1", "st.global.u32 [l], 5"), "grid: 2, block: 1", false},
		"a lock that is dropped":        {two("atom.relaxed.gpu.global.cas.b32 %r3, [l], 0, 1", "st.global.u32 [l], 0"), "grid: 2, block: 1", true},
		"one result by chance":          {two("red.relaxed.gpu.global.max.u32 [%rd1], 5", "st.global.u32 [%rd1], 5"), "grid: 2, block: 1", true},
	} {
		res := mendBody(t, x.body, x.shape)
		if strong := res.Mended() && res.Edits[0].Op == repair.Strong; len(res.Races) == 0 || strong != x.mended {
			t.Errorf("%s: %d races, %v; %s", name, len(res.Races), ops(res), res.Why)
		}
	}
	res := mendBody(t, warps("red.shared.add.u32 [s], %r1", "st.shared.u32 [s], 5"), "grid: 1, block: 64")
	if got := fmt.Sprint(ops(res)); got != "[split-barrier strong]" { // strong for the lanes that store, a barrier between them and the additions
		t.Errorf("addition and store in shared memory: %v", got)
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
	res := mendBody(t, body, "grid: 1, block: 64")
	for _, e := range res.Edits {
		for _, c := range e.Changes {
			if strings.Contains(c.Text, "bar.sync") {
				t.Errorf("a barrier at line %d, in a loop that threads leave apart", c.At.Line)
			}
		}
	}
}

// TestBarrierBesideBarrier tests that in a loop that threads may leave at different times, as far as the code shows, a
// barrier is inserted next to an existing one.
func TestBarrierBesideBarrier(t *testing.T) {
	const body = `mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
xor.b32 %r4, %r1, 63;
mul.wide.u32 %rd4, %r4, 4;
add.s64 %rd5, %rd1, %rd4;
mov.u32 %r6, 0;
L: st.global.u32 [%rd3], %r1;
ld.global.u32 %r5, [%rd5];
BARRIER
ld.volatile.global.u32 %r7, [l];
add.u32 %r6, %r6, 1;
setp.lt.u32 %p1, %r6, %r7;
@%p1 bra L;`
	for barrier, edits := range map[string]int{"bar.sync 0;": 1, "setp.eq.u32 %p2, %r6, 0;\n@%p2 bar.sync 0;": 0, "bar.warp.sync 0xffffffff;": 0} {
		res := mendBody(t, strings.Replace(body, "BARRIER", barrier, 1), "grid: 1, block: 64")
		barriers := 0
		for _, op := range ops(res) {
			if op == repair.Barrier {
				barriers++
			}
		}
		if barriers != edits {
			t.Errorf("%s: %v, want %d barriers; %s", barrier, ops(res), edits, res.Why)
		}
	}
}

// TestDeterminism tests that the same races are repaired by the same edits, found in the same way, by one worker and
// several.
func TestDeterminism(t *testing.T) {
	const body = `mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r1;
xor.b32 %r4, %r1, 63;
mul.wide.u32 %rd4, %r4, 4;
add.s64 %rd5, %rd1, %rd4;
ld.global.u32 %r5, [%rd5];
st.global.u32 [%rd3], %r5;`
	first := mendPlan(t, bodyPlan(t, body, "grid: 1, block: 64"), 40, 0, 1)
	if len(first.Edits) != 2 {
		t.Errorf("%d edits\n%s", len(first.Edits), first.Diff())
	}
	for _, workers := range []int{2, 5} {
		if got := mendPlan(t, bodyPlan(t, body, "grid: 1, block: 64"), 40, 0, workers); got.Diff() != first.Diff() || got.Attempts != first.Attempts {
			t.Errorf("%d workers: %d sets were run, by one %d\n%s", workers, got.Attempts, first.Attempts, got.Diff())
		}
	}
}
