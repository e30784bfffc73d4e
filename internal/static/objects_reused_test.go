// Kernels that use the memory of an mbarrier otherwise: they are not proved while it is valid, and those that always do
// so end in a fault.

package static_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestObjectsReused: which kernels are proved, and in which an access is a fault in every launch.
func TestObjectsReused(t *testing.T) {
	const (
		first = "setp.ne.u32 %p1, %r3, 0; "
		init  = "@%p1 bra I; mbarrier.init.shared::cta.b64 [bar], 1; I: bar.sync 0; "
		inval = "@%p1 bra V; mbarrier.inval.shared::cta.b64 [bar]; V: bar.sync 0; "
		store = "@%p1 bra S; st.shared.u32 [bar+4], 1; S: bar.sync 0; "
	)
	for _, c := range []struct {
		name, body string
		want       static.Verdict
		faults     int
	}{
		{"only initialised", first + init, static.Clean, 0},
		{"data behind it", first + init + store, static.Possible, 1},
		{"data before it", first + store + init, static.Clean, 0},
		{"ended, then data", first + init + inval + store, static.Clean, 0},
		{"ended by a guard, then data", first + init + "@!%p1 mbarrier.inval.shared::cta.b64 [bar]; bar.sync 0; " + store, static.Clean, 0},
		{"ended on some paths", first + init + "setp.eq.u32 %p3, %r5, 7; @%p3 bra W; " + inval + "W: bar.sync 0; " + store, static.Possible, 0},
		{"another one ended", first + init + strings.ReplaceAll(inval, "[bar]", "[s]") + store, static.Possible, 0},
		{"data beside it", first + init + strings.ReplaceAll(store, "[bar+4]", "[s+4]"), static.Clean, 0},
		{"a load", first + init + strings.ReplaceAll(store, "st.shared.u32 [bar+4], 1", "ld.shared.u32 %r9, [bar]"), static.Possible, 1},
		{"a copy", first + init + strings.ReplaceAll(store, "st.shared.u32 [bar+4], 1", "cp.async.ca.shared.global [bar], [%rd1], 8; cp.async.wait_all"), static.Possible, 0},
		{"data of another thread", first + init + "setp.ne.u32 %p1, %r3, 1; " + store, static.Possible, 0},
		{"data in some launches", first + init + "ld.param.u32 %r10, [a]; and.b32 %r10, %r10, 7; shl.b32 %r10, %r10, 2; add.u32 %r11, %r7, %r10; " + strings.ReplaceAll(store, "[bar+4]", "[%r11]"), static.Possible, 0},
		{"initialised again", first + init + strings.ReplaceAll(init, "I", "J"), static.Possible, 1},
		{"ended and initialised again", first + init + inval + strings.ReplaceAll(init, "I", "J"), static.Clean, 0},
		{"initialised in a loop", first + "@%p1 bra D; mov.u32 %r10, 0; L: mbarrier.init.shared::cta.b64 [bar], 1; add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 4; @%p3 bra L; D:", static.Possible, 0},
		{"several in a loop", first + "@%p1 bra D; mov.u32 %r10, 0; mov.u32 %r11, s; L: mbarrier.init.shared::cta.b64 [%r11], 1; add.u32 %r11, %r11, 8; add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 4; @%p3 bra L; D:", static.Clean, 0},
		{"operations on it", first + init + "mbarrier.arrive.shared::cta.b64 %rd5, [bar]; W: mbarrier.test_wait.shared::cta.b64 %p3, [bar], %rd5; @!%p3 bra W;", static.Clean, 0},
	} {
		text := clusterKernel(c.body) // its accesses to other blocks play no part
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\tmapa.shared::cluster.u32 %r2, %r1, %r6;\n", ""), "\tmapa.shared::cluster.u32 %r8, %r7, %r6;\n", "")
		program, err := session.Parse("k.ptx", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r, err := static.Analyze(t.Context(), program.Module.Kernels()[0], nil, static.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want || len(r.Faults) != c.faults {
			t.Errorf("%s: %s with %d faults, want %s with %d", c.name, r.Verdict, len(r.Faults), c.want, c.faults)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}
