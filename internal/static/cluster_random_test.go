// Random kernels of clusters: what precise finds in an execution is not proved.

package static_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
)

// clusterPieces are the statements of random kernels: accesses to the own block's memory and the other's, and what may
// order them.
var clusterPieces = []string{
	clusterSync, clusterSync, clusterSync, relaxedSync, "bar.sync 0; ", "fence.acq_rel.cluster; ",
	remoteLoad, remoteLoad + "add.u32 %r10, %r9, 1; ", "st.shared::cluster.u32 [%r2], %r3; ", "red.shared::cluster.add.u32 [%r2], 1; ",
	"ld.shared.u32 %r9, [%r1]; ", "st.shared.u32 [%r1], %r3; ", "ld.shared::cluster.u32 %r9, [%r1]; ",
	"mapa.u64 %rd3, %rd2, %r6; ld.u32 %r9, [%rd3]; ", "mapa.u64 %rd3, %rd2, %r6; st.u32 [%rd3], %r3; ",
	"selp.b32 %r10, 0xff000000, 0x1000000, %p1; add.u32 %r11, %r1, %r10; st.shared::cluster.u32 [%r11], 1; ",
	"selp.b32 %r10, 0xff000000, 0x1000000, %p1; add.u32 %r11, %r1, %r10; ld.shared::cluster.u32 %r9, [%r11+4]; ",
	"st.shared::cluster.u32 [%r1+4], %r3; ",
}

// randomCluster returns the body of a random kernel.
func randomCluster(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteString(clusterSync)
	}
	for i := range 1 + r.IntN(5) {
		piece := clusterPieces[r.IntN(len(clusterPieces))]
		switch r.IntN(8) {
		case 0:
			fmt.Fprintf(&b, "@%s bra L%d; %sL%d: ", []string{"%p1", "%p2", "!%p1"}[r.IntN(3)], i, piece, i)
		case 1:
			fmt.Fprintf(&b, "mov.u32 %%r12, 0; M%d: %sadd.u32 %%r12, %%r12, 1; setp.lt.u32 %%p3, %%r12, 2; @%%p3 bra M%d; ", i, piece, i)
		case 2:
			fmt.Fprintf(&b, "@%s bra D; ", []string{"%p1", "%p2"}[r.IntN(2)])
		default:
			b.WriteString(piece)
		}
	}
	if r.IntN(2) == 0 {
		b.WriteString([]string{clusterSync, relaxedSync}[r.IntN(2)])
	}
	return b.String() + "D:"
}

func TestClusterRandom(t *testing.T) {
	const text = "buffers: {a: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, grid: 2, block: 40, cluster: 2, args: [a]}]\n"
	file, err := launch.Parse("k.yaml", []byte(text), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	programs, racy := uint64(*verdicts), 0
	if testing.Short() {
		programs /= 4
	}
	for seed := range programs {
		body := randomCluster(rand.New(rand.NewPCG(seed, 0x636c7573)))
		if found, _ := compareMutant(t, fmt.Sprintf("%d: %s", seed, body), clusterKernel(body), file); found > 0 {
			racy++
		}
	}
	if racy < int(programs)/4 {
		t.Errorf("%d of %d programs with findings", racy, programs)
	}
}
