// Updates that become atomic operations.

package fix_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
)

// hasAtomics reports whether a repair is one edit with these operations.
func hasAtomics(res *fix.Result, want ...string) bool {
	if len(res.Edits) != 1 || res.Edits[0].Op != repair.Atomic {
		return false
	}
	for _, text := range want {
		if !strings.Contains(res.Diff(), "+"+text+";") {
			return false
		}
	}
	return true
}

// TestUpdates: an update is one edit when a register keeps its value over several stores, or a comparison decides
// about its store; of a sum that a register keeps, what is added last is added.
func TestUpdates(t *testing.T) {
	long(t)
	for name, x := range map[string]struct {
		body string
		want []string
	}{
		"kept maximum": {`ld.global.u32 %r3, [%rd1];
max.u32 %r3, %r3, %r1;
st.global.u32 [%rd1], %r3;
xor.b32 %r4, %r1, 77;
max.u32 %r5, %r4, %r3;
st.global.u32 [%rd1], %r5;`, []string{"red.relaxed.gpu.global.max.u32 [%rd1], %r3", "red.relaxed.gpu.global.max.u32 [%rd1], %r5"}},
		"kept sum": {`ld.global.u32 %r3, [%rd1];
mov.u32 %r6, 0;
L: add.u32 %r3, %r3, %r1;
st.global.u32 [%rd1], %r3;
add.u32 %r6, %r6, 1;
setp.lt.u32 %p1, %r6, 3;
@%p1 bra L;`, []string{"red.relaxed.gpu.global.add.u32 [%rd1], %r1"}},
		"minimum after a branch": {`ld.global.s32 %r3, [%rd1];
sub.s32 %r4, %r1, 500;
setp.le.s32 %p1, %r3, %r4;
@%p1 bra END;
st.global.s32 [%rd1], %r4;
END:`, []string{"red.relaxed.gpu.global.min.s32 [%rd1], %r4"}},
		"maximum under a guard": {`ld.global.u32 %r3, [%rd1];
setp.gt.u32 %p1, %r1, %r3;
@%p1 st.global.u32 [%rd1], %r1;`, []string{"@%p1 red.relaxed.gpu.global.max.u32 [%rd1], %r1"}},
	} {
		if res := mendBody(t, x.body, "grid: 2, block: 64"); !hasAtomics(res, x.want...) {
			t.Errorf("%s: %v; %s\n%s", name, ops(res), res.Why, res.Diff())
		}
	}
}

// TestOldTargets: repairs are spelled as the target can, and are no less verified.
func TestOldTargets(t *testing.T) {
	long(t)
	const count = "ld.global.u32 %r3, [%rd1];\nadd.u32 %r4, %r3, 1;\nst.global.u32 [%rd1], %r4;"
	const beside = "atom.global.add.u32 %r3, [%rd1], 1;\nsetp.ne.u32 %p1, %r3, 3;\n@%p1 bra END;\nld.global.u32 %r4, [%rd1];\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra END;\nst.global.u32 [%rd1+4], 7;\nEND:"
	for target, want := range map[string][2]string{
		".version 4.3\n.target sm_52": {"red.global.add.u32 [%rd1], 1", "ld.volatile.global.u32 %r4, [%rd1]"},
		".version 5.0\n.target sm_60": {"red.gpu.global.add.u32 [%rd1], 1", "ld.volatile.global.u32 %r4, [%rd1]"},
		".version 6.0\n.target sm_60": {"red.gpu.global.add.u32 [%rd1], 1", "ld.volatile.global.u32 %r4, [%rd1]"},
		".version 6.0\n.target sm_70": {"red.relaxed.gpu.global.add.u32 [%rd1], 1", "ld.relaxed.gpu.global.u32 %r4, [%rd1]"},
	} {
		for i, body := range []string{count, beside} {
			res := mendPlan(t, targetPlan(t, target, body, "grid: 2, block: 32"), 20, 0, 2)
			if !strings.Contains(res.Diff(), "+"+want[i]+";") {
				t.Errorf("%s: %v, expected %s; %s\n%s", target, ops(res), want[i], res.Why, res.Diff())
			}
		}
	}
}

// TestNoUpdate: what looks like an update and is none is not made one, and two updates that may lose each other are not
// made strong, even where that leaves one result.
func TestNoUpdate(t *testing.T) {
	for name, body := range map[string]string{
		"a sum of which a part is not stored": `ld.global.u32 %r3, [%rd1];
add.u32 %r4, %r3, %r1;
add.u32 %r4, %r4, 7;
st.global.u32 [%rd1], %r4;`,
		"a store of what is equal": `ld.global.u32 %r3, [%rd1];
setp.eq.u32 %p1, %r1, %r3;
@%p1 bra END;
st.global.u32 [%rd1], %r1;
END:`,
	} {
		if res := mendBody(t, body, "grid: 2, block: 64"); res.Mended() {
			t.Errorf("%s: %v\n%s", name, ops(res), res.Diff())
		}
	}
	res := mendBody(t, "ld.global.u32 %r3, [%rd1];\nmax.u32 %r3, %r3, 5;\nst.global.u32 [%rd1], %r3;", "grid: 2, block: 64")
	if !hasAtomics(res) {
		t.Errorf("%v, expected an atomic operation; %s", ops(res), res.Why)
	}
}

// TestLock: the lock of the other access is taken around an access that is made under none.
func TestLock(t *testing.T) {
	long(t)
	res := mendBody(t, `.reg .u64 %lock;
mov.u64 %lock, l;
setp.ne.u32 %p1, %r2, 0;
@%p1 bra OTHER;
TAKE: atom.global.cas.b32 %r3, [%lock], 0, 1;
setp.ne.u32 %p2, %r3, 0;
@%p2 bra TAKE;
membar.gl;
st.global.u32 [%rd1], 1;
membar.gl;
atom.global.exch.b32 %r3, [%lock], 0;
bra END;
OTHER: st.global.u32 [%rd1], 2;
END:`, "grid: 2, block: 1")
	if len(res.Edits) != 1 || res.Edits[0].Op != repair.Lock || !strings.Contains(res.Diff(), "+atom.relaxed.gpu.global.cas.b32 fix_old, [l], 0, 1;") {
		t.Errorf("%v; %s\n%s", ops(res), res.Why, res.Diff())
	}
}
