// Which values of a launch decide what threads do.

package steer

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestDecisive: accesses to global memory alone may go elsewhere, or be left out. Chosen are atomic operations.
func TestDecisive(t *testing.T) {
	const (
		index = "mov.u32 %r2, %ctaid.x; mad.lo.s32 %r3, %r2, 32, %r1; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd2, %rd1, %rd2; cvta.to.global.u64 %rd2, %rd2;\n"
		guard = index + "setp.ge.u32 %p1, %r3, %r0; @%p1 bra $out;\n"
		here  = "mul.wide.u32 %rd3, %r1, 4; cvt.u32.u64 %r4, %rd3; add.u32 %r4, %rs, %r4;\n"
	)
	for body, want := range map[string]string{
		index + "st.global.u32 [%rd2], %r1; ret;":                                        "",
		index + "setp.lt.u32 %p1, %r3, %r0; @%p1 st.global.u32 [%rd2], %r1; ret;":        "",
		guard + "st.global.u32 [%rd2], %r1; $out: bar.sync 0; ret;":                      "",
		guard + "st.global.u32 [%rd2], %r1; bar.sync 0; $out: ret;":                      "n grid",
		guard + "ret; $out: bar.sync 0; ret;":                                            "n grid", // a thread that ends early is not waited for
		guard + "atom.global.add.u32 %r5, [%rd2], 1; $out: ret;":                         "buf n grid",
		index + "red.global.add.u32 [%rd2], 1; ret;":                                     "buf grid",
		here + guard + "st.shared.u32 [%r4], %r1; $out: ret;":                            "n grid",
		here + guard + "ld.shared.u32 %r5, [%r4]; st.global.u32 [%rd2], %r5; $out: ret;": "",
		// a value that a branch has chosen
		guard + "mov.u32 %r1, 0; $out: add.u32 %r4, %rs, %r1; st.shared.u32 [%r4], 1; ret;": "n grid",
		// the number of rounds of a loop
		"mov.u32 %r2, 0; $loop: add.u32 %r2, %r2, 4; setp.lt.u32 %p1, %r2, %r0; @%p1 bra $loop; add.u32 %r4, %rs, %r2; st.shared.u32 [%r4], 1; ret;": "n",
		"mov.u32 %r2, 0; $loop: add.u32 %r2, %r2, 4; bar.sync 0; setp.lt.u32 %p1, %r2, %r0; @%p1 bra $loop; ret;":                                    "n",
		// through memory
		"mov.u32 %r2, %ctaid.x; st.shared.u32 [%rs], %r2; ret;":                                         "",
		"mov.u32 %r2, %ctaid.x; st.shared.u32 [%rs], %r2; ld.shared.u32 %r3, [%rs]; bar.sync %r3; ret;": "unclear",
		here + guard + "st.global.u32 [%rd2], 1; $out: ld.global.u32 %r5, [%rd1]; bar.sync %r5; ret;":   "unclear",
		"st.shared.u32 [%rs], 1; ld.shared.u32 %r3, [%rs]; bar.sync %r3; ret;":                          "",
		// extents of block and cluster are the same, the rank in the cluster, too
		"mov.u32 %r2, %cluster_ctarank; bar.sync %r2; ret;":   "",
		"mov.u32 %r2, %ntid.x; bar.sync %r2; ret;":            "",
		"mov.u32 %r2, %nclusterid.x; bar.sync %r2; ret;":      "grid",
		"mov.u32 %r2, %dynamic_smem_size; bar.sync %r2; ret;": "grid",
		// tensor maps
		"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1, {%r1}], [%rs]; ret;":                             "map buf",
		"ld.global.u64 %rd3, [%rd1]; cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd3, {%r1}], [%rs]; ret;": "unclear",
	} {
		k := load(t, head+body+"}\n").Kernels()[0]
		d := Decisive(k, func(in *rewrite.Inst) bool { return in.Instr.Class == isa.ClassAtomic })
		var got []string
		for _, p := range d.Params {
			got = append(got, p.Name)
		}
		for _, p := range d.Maps {
			got = append(got, "map "+p.Name)
		}
		if d.Grid {
			got = append(got, "grid")
		}
		if d.Unclear {
			got = []string{"unclear"}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\n%v, want %q", body, got, want)
		}
	}
}

// TestExceeded: of a kernel whose slices are too long, nothing is known, and so nothing is said to decide nothing.
func TestExceeded(t *testing.T) {
	const (
		steers = "add.u32 %r2, %r2, %r0; setp.eq.u32 %p1, %r2, 1; @%p1 st.shared.u32 [%rs], 1;\n"
		places = "add.s64 %rd2, %rd2, 4; st.global.u32 [%rd2], 1;\n"
	)
	none, all := func(*rewrite.Inst) bool { return false }, func(*rewrite.Inst) bool { return true }
	for _, c := range []struct {
		body              string
		sinks             int
		exceeded          bool
		unclear, ofChosen bool
	}{
		{strings.Repeat(steers, 10), 10, false, false, false},
		{strings.Repeat(steers, 3300), 0, true, true, true},
		{"mov.u64 %rd2, %rd1;" + strings.Repeat(places, 10), 0, false, false, false},
		{"mov.u64 %rd2, %rd1;" + strings.Repeat(places, 3500), 0, true, false, true},
	} {
		k := load(t, head+"ld.global.u32 %r0, [%rd1]; mov.u32 %r2, 0;"+c.body+"st.shared.u32 [%rs], %r0; ret;}\n").Kernels()[0]
		w := Of(k)
		if w.Exceeded() != c.exceeded || len(w.Sinks()) != c.sinks || len(w.Stores()) > 0 == c.exceeded {
			t.Errorf("%.80s: exceeded: %v, %d sinks, %d stores", c.body, w.Exceeded(), len(w.Sinks()), len(w.Stores()))
		}
		if x, y := Decisive(k, none), Decisive(k, all); x.Unclear != c.unclear || y.Unclear != c.ofChosen {
			t.Errorf("%.80s: unclear: %v, with all chosen %v", c.body, x.Unclear, y.Unclear)
		}
	}
}
