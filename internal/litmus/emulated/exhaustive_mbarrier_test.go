package emulated_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// Message passing by an mbarrier, with data that either proxy writes and reads: thread A writes words of
// shared memory and arrives, thread B looks whether the phase is complete and reads them.

// mbarrierSide is the way in which one of the two threads accesses the data and the mbarrier.
type mbarrierSide struct {
	bulk  bool   // the data is accessed by a bulk copy
	sem   string // of the arrival or wait
	scope string
	fence string // "", or acq_rel with a scope, between the data and the mbarrier
	proxy bool   // a proxy fence in the same place
}

// mbarrierSides returns all ways for a side, whose strong semantics are those.
func mbarrierSides(strong, scope string) (list []mbarrierSide) {
	for _, s := range []mbarrierSide{{sem: strong}, {sem: "relaxed"}, {sem: "relaxed", fence: "acq_rel." + scope}} {
		s.scope = scope
		for i := range 4 {
			s.bulk, s.proxy = i&1 != 0, i&2 != 0
			list = append(list, s)
		}
	}
	return list
}

// orders reports whether the side is a release or acquire pattern.
func (s mbarrierSide) orders() bool { return s.sem != "relaxed" || s.fence != "" }

// fences returns the fences between the data and the mbarrier; the proxy fence is nearer to the data.
func (s mbarrierSide) fences() (list []string) {
	if s.proxy {
		list = append(list, "fence.proxy.async;")
	}
	if s.fence != "" {
		list = append(list, "fence."+s.fence+";")
	}
	return list
}

// mbarrierRaces returns the verdict, derived from the manual: the wait must acquire. Every waiting thread observes the
// completion of a copy. A thread observes an arrival if both scopes include the other thread, and the arrival must
// release. Writes by the generic proxy are copied only after a proxy fence.
func mbarrierRaces(a, b mbarrierSide, oneBlock bool) bool {
	switch {
	case !b.orders():
		return true
	case a.bulk:
		return false
	case !a.orders() || !oneBlock && (a.scope == "cta" || b.scope == "cta"):
		return true
	}
	return b.bulk && !a.proxy && !b.proxy
}

// mbarrierPTX returns the kernel. The data and the mbarrier are in the block of B.
func mbarrierPTX(a, b mbarrierSide, oneBlock bool) string {
	rank := 1
	if oneBlock {
		rank = 0
	}
	release, acquired := a.fences(), b.fences()
	slices.Reverse(acquired)
	write := "st.shared::cluster.u32 [%r4], 1;" + strings.Join(release, "") + "mbarrier.arrive." + a.sem + "." + a.scope + ".shared::cluster.b64 _, [%r5];"
	if a.bulk {
		write = strings.Join(release, "") + "mbarrier.arrive.expect_tx." + a.sem + "." + a.scope + ".shared::cluster.b64 _, [%r5], 16;" +
			"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 16, [%r5];"
	}
	read := "ld.shared.u32 %r6, [data]; st.global.u32 [%rd2], %r6;"
	if b.bulk {
		read = "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [data], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
	}
	return fmt.Sprintf(`.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 mem, .param .u64 out)
{
	.reg .pred %%p<2>;
	.reg .b32 %%r<7>;
	.reg .b64 %%rd<3>;
	.shared .align 16 .b8 data[16];
	.shared .align 8 .b64 bar;
	ld.param.u64 %%rd1, [mem];
	ld.param.u64 %%rd2, [out];
	mov.u32 %%r1, %%tid.x;
	and.b32 %%r2, %%r1, 31;
	setp.ne.u32 %%p1, %%r2, 0;
	@%%p1 ret;
	mov.u32 %%r3, %%ctaid.x;
	shr.u32 %%r2, %%r1, 5;
	add.u32 %%r3, %%r3, %%r2;
	mov.u32 %%r4, data;
	mapa.shared::cluster.u32 %%r4, %%r4, %[1]d;
	mov.u32 %%r5, bar;
	mapa.shared::cluster.u32 %%r5, %%r5, %[1]d;
	setp.ne.u32 %%p0, %%r3, 1;
	@%%p0 bra A;
	mbarrier.init.shared.b64 [bar], 1;
	fence.mbarrier_init.release.cluster;
	barrier.cluster.arrive;
	barrier.cluster.wait;
	mbarrier.test_wait.parity.%[2]s.%[3]s.shared.b64 %%p1, [bar], 0;
	@!%%p1 bra END;
	%[4]s %[5]s
	bra END;
A:
	barrier.cluster.arrive;
	barrier.cluster.wait;
	%[6]s
END:
	barrier.cluster.arrive;
	barrier.cluster.wait;
	@%%p0 ret;
W:	// the block of the data ends after the copy
	mbarrier.test_wait.parity.acquire.cluster.shared.b64 %%p1, [bar], 0;
	@!%%p1 bra W;
	ret;
}
`, rank, b.sem, b.scope, strings.Join(acquired, ""), read, write)
}

// TestLitmusMbarriers runs message passing by an mbarrier in all orders, with every combination of
// semantics, scopes, fences, proxies and places.
func TestLitmusMbarriers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	for _, scope := range []string{"cta", "cluster"} {
		for _, oneBlock := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, one block %v", scope, oneBlock), func(t *testing.T) {
				t.Parallel()
				for _, a := range mbarrierSides("release", scope) {
					if a.bulk && (a.proxy || a.fence != "") {
						continue // without effect on the copy
					}
					for _, b := range mbarrierSides("acquire", scope) {
						checkMbarrier(t, a, b, oneBlock)
					}
				}
				other := map[string]string{"cta": "cluster", "cluster": "cta"}[scope]
				checkMbarrier(t, mbarrierSide{sem: "release", scope: scope}, mbarrierSide{sem: "acquire", scope: other}, oneBlock)
			})
		}
	}
}

// checkMbarrier compares a kernel with its verdict and with what B may read.
func checkMbarrier(t *testing.T, a, b mbarrierSide, oneBlock bool) {
	t.Helper()
	shape := "grid: 2, cluster: 2, block: 1"
	if oneBlock {
		shape = "grid: 1, cluster: 1, block: 33"
	}
	src := mbarrierPTX(a, b, oneBlock)
	rep := exploreText(t, src, fmt.Sprintf(`buffers:
  mem: {type: u32, count: 4, init: 1}
  out: {type: u32, count: 4, init: %d}
launches: [{kernel: k, %s, args: [mem, out]}]
`, litmusUnread, shape))
	if got, want := rep.Count(report.Error) > 0, mbarrierRaces(a, b, oneBlock); got != want {
		t.Errorf("%+v, %+v, one block: %v: races: %v, want %v\n%s", a, b, oneBlock, got, want, src)
	}
	if complete := rep.Exploration.Complete || a.bulk || b.bulk; !complete || len(rep.Faults) > 0 { // copies end at one of the times that are possible
		t.Errorf("%+v, %+v: incomplete (%v) or with faults %v", a, b, rep.Exploration.Limits, rep.Faults)
	}
	for _, o := range outcomesOf(rep) {
		if o = o[strings.LastIndexByte(o, '[')+1:]; !slices.Contains([]string{"1", fmt.Sprint(litmusUnread)}, o[:1]) {
			t.Errorf("%+v, %+v: reads %q", a, b, o)
		}
	}
}
