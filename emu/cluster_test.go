package emu_test

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// fillWords writes n words at addr.
func fillWords(t testing.TB, m *emu.Machine, addr uint64, n int, f func(i int) uint32) {
	t.Helper()
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, f(i))
	}
	if err := m.Write(addr, b); err != nil {
		t.Fatal(err)
	}
}

// launchCluster runs the kernel k in clusters of that many blocks.
func launchCluster(t testing.TB, m *emu.Machine, grid, block, cluster uint32, params ...uint64) *emu.Result {
	t.Helper()
	r, err := m.Launch(context.Background(), emu.LaunchConfig{
		Kernel: "k", Grid: dim(grid), Block: dim(block), Cluster: dim(cluster), Params: args(params...),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestClusterBarrierWeak: under weak memory the barrier of a cluster orders also what those do that wait after its
// phase is complete.
func TestClusterBarrierWeak(t *testing.T) {
	const body = `mov.u32 %r5, %tid.x; mov.u32 %r6, %cluster_ctarank; setp.ne.u32 %p1, %r5, 0;
	mov.u32 %r7, w; @!%p1 st.shared.u32 [w], 0;
	barrier.cluster.arrive; barrier.cluster.wait;
	xor.b32 %r8, %r6, 1; mapa.shared::cluster.u32 %r9, %r7, %r8;
	@!%p1 red.relaxed.cluster.shared::cluster.add.u32 [%r9], 3;
	barrier.cluster.arrive; barrier.cluster.wait;
	@%p1 ret;
	ld.shared.u32 %r10, [w]; mul.wide.u32 %out, %r6, 4; add.u64 %out, %out, %base; st.global.u32 [%out], %r10; ret;`
	for _, schedule := range []emu.Policy{emu.Random, emu.Executions} {
		for seed := range uint64(40) {
			m := load(t, kernel(".shared .align 4 .b32 w; "+body), emu.Config{Memory: emu.PTX, Policy: schedule, Seed: seed})
			out := alloc(t, m, "out", 2)
			clean(t, launchCluster(t, m, 2, 4, 2, out))
			if got := words(t, m, out, 2); !slices.Equal(got, []uint32{3, 3}) {
				t.Fatalf("schedule %v, seed %d: %v, want what the other block has added", schedule, seed, got)
			}
		}
	}
}

// TestClusterRegisters compares the registers of every block of a grid of (4,6,2)
// in clusters of (2,3,1), and without clusters.
func TestClusterRegisters(t *testing.T) {
	regs := []string{
		"%clusterid.x", "%clusterid.y", "%clusterid.z", "%nclusterid.x", "%nclusterid.y", "%nclusterid.z",
		"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z",
		"%cluster_ctarank", "%cluster_nctarank",
	}
	var body strings.Builder
	body.WriteString(`mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z; mad.lo.u32 %r5, %r6, 6, %r5; mad.lo.u32 %r5, %r5, 4, %r2;
	mad.wide.u32 %out, %r5, 60, %base;
`)
	for i, r := range regs {
		body.WriteString("mov.u32 %r7, " + r + "; st.global.u32 [%out+" + strconv.Itoa(4*i) + "], %r7;\n")
	}
	body.WriteString("mov.pred %p1, %is_explicit_cluster; selp.u32 %r7, 1, 0, %p1; st.global.u32 [%out+56], %r7; ret;")
	text := kernel(body.String())
	for _, cluster := range []emu.Dim3{{}, {X: 2, Y: 3, Z: 1}} {
		m := load(t, text, emu.Config{})
		out := alloc(t, m, "out", 48*15)
		r, err := m.Launch(context.Background(), emu.LaunchConfig{
			Kernel: "k", Grid: emu.Dim3{X: 4, Y: 6, Z: 2}, Block: dim(1), Cluster: cluster, Params: args(out),
		})
		if err != nil {
			t.Fatal(err)
		}
		clean(t, r)
		c, explicit := emu.Dim3{X: 1, Y: 1, Z: 1}, uint32(0)
		if cluster.X > 0 {
			c, explicit = cluster, 1
		}
		got := words(t, m, out, 48*15)
		for b := range uint32(48) {
			x, y, z := b%4, b/4%6, b/24
			want := []uint32{
				x / c.X, y / c.Y, z / c.Z, 4 / c.X, 6 / c.Y, 2 / c.Z, x % c.X, y % c.Y, z % c.Z, c.X, c.Y, c.Z,
				x%c.X + c.X*(y%c.Y), c.X * c.Y * c.Z, explicit,
			}
			if g := got[15*b : 15*b+15]; !slices.Equal(g, want) {
				t.Errorf("cluster %v, block (%d,%d,%d): got %v, want %v", c, x, y, z, g, want)
			}
		}
	}
}

// reduceCluster: each block sums its threads' words into its own shared memory by
// atomics, and block 0 of the cluster adds up the sums of all through distributed
// shared memory, with an address in place of ADDR and a load in place of LOAD.
const reduceCluster = `
	mov.u32 %r5, sum; setp.eq.u32 %p1, %r1, 0;
	@%p1 st.shared.u32 [%r5], 0;
	bar.sync 0;
	ld.global.u32 %r6, [%out]; atom.shared.add.u32 %r7, [%r5], %r6;
	barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
	mov.u32 %r8, %cluster_ctarank; mov.u32 %r9, %cluster_nctarank;
	setp.ne.u32 %p2, %r8, 0; or.pred %p3, %p2, %p2; @!%p1 bra END; @%p2 bra END;
	mov.u32 %r10, 0; mov.u32 %r11, 0;
LOOP:	ADDR
	LOAD
	add.u32 %r11, %r11, %r12;
	add.u32 %r10, %r10, 1; setp.lt.u32 %p4, %r10, %r9; @%p4 bra LOOP;
	mov.u32 %r13, %clusterid.x; mad.wide.u32 %rd3, %r13, 4, %base; st.global.u32 [%rd3+4096], %r11;
END:	barrier.cluster.arrive; barrier.cluster.wait;
	ret;`

// TestClusterReduction sums through distributed shared memory, with .shared::cluster
// and with generic addresses.
func TestClusterReduction(t *testing.T) {
	for _, c := range []struct{ name, addr, load string }{
		{"shared::cluster", "mapa.shared::cluster.u32 %r14, %r5, %r10;", "ld.shared::cluster.u32 %r12, [%r14];"},
		{"symbol", "mapa.shared::cluster.u32 %r14, sum, %r10;", "atom.shared::cluster.add.u32 %r12, [%r14], 0;"},
		{"generic", "cvta.shared.u64 %rd1, sum; mapa.u64 %rd1, %rd1, %r10;", "ld.u32 %r12, [%rd1];"},
		{"from generic", "cvta.shared.u64 %rd1, sum; mapa.u64 %rd1, %rd1, %r10; cvta.to.shared::cluster.u64 %rd1, %rd1;", "ld.shared::cluster.u32 %r12, [%rd1];"},
	} {
		body := strings.ReplaceAll(strings.ReplaceAll(reduceCluster, "ADDR", c.addr), "LOAD", c.load)
		text := ".shared .align 4 .u32 sum;\n" + kernel(body)
		t.Run(c.name, func(t *testing.T) {
			eachPolicy(t, func(t *testing.T, cfg emu.Config) {
				cfg.Resident = 4 // clusters take turns
				m := load(t, text, cfg)
				buf := alloc(t, m, "buf", 1024+4)
				fillWords(t, m, buf, 16*48, func(i int) uint32 { return uint32(i) })
				clean(t, launchCluster(t, m, 16, 48, 4, buf))
				for i, v := range words(t, m, buf+4096, 4) {
					n := uint32(4 * 48) // words of a cluster, from i*n on
					if want := uint32(i)*n*n + n*(n-1)/2; v != want {
						t.Fatalf("cluster %d: got %d, want %d", i, v, want)
					}
				}
			})
		})
	}
}

// TestClusterAddresses: the owner of an address, and the result of isspacep.
func TestClusterAddresses(t *testing.T) {
	text := ".shared .align 4 .u32 cell;\n" + kernel(`
	mov.u32 %r5, %cluster_ctarank;
	mad.wide.u32 %out, %r2, 16, %base;
	cvta.shared.u64 %rd1, cell;
	getctarank.u64 %r6, %rd1; st.global.u32 [%out], %r6;
	mapa.u64 %rd2, %rd1, 1;
	getctarank.u64 %r6, %rd2; st.global.u32 [%out+4], %r6;
	mapa.shared::cluster.u32 %r7, cell, 2; getctarank.shared::cluster.u32 %r6, %r7; st.global.u32 [%out+8], %r6;
	isspacep.shared::cta %p1, %rd2; isspacep.shared::cluster %p2, %rd2; isspacep.shared %p3, %rd1;
	selp.u32 %r8, 1, 0, %p1; selp.u32 %r9, 2, 0, %p2; selp.u32 %r10, 4, 0, %p3;
	or.b32 %r8, %r8, %r9; or.b32 %r8, %r8, %r10; st.global.u32 [%out+12], %r8; ret;`)
	m := load(t, text, emu.Config{})
	out := alloc(t, m, "out", 12)
	clean(t, launchCluster(t, m, 3, 1, 3, out))
	if got, want := words(t, m, out, 12), []uint32{0, 1, 2, 6, 1, 1, 2, 7, 2, 1, 2, 6}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestClusterBarrierExit: exited threads are not expected, whether or not they have arrived; blocks without explicit
// clusters are clusters of one.
func TestClusterBarrierExit(t *testing.T) {
	text := kernel(`
	setp.lt.u32 %p1, %r1, 8; @%p1 exit;
	barrier.cluster.arrive;
	setp.lt.u32 %p1, %r1, 16; @%p1 exit;
	barrier.cluster.wait;
	barrier.cluster.arrive.relaxed; barrier.cluster.wait;
	st.global.u32 [%out], 1;
	ret;`)
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		for _, cluster := range []uint32{0, 2} {
			m := load(t, text, cfg)
			out := alloc(t, m, "out", 160)
			lc := emu.LaunchConfig{Kernel: "k", Grid: dim(4), Block: dim(40), Params: args(out)}
			if cluster > 0 {
				lc.Cluster = dim(cluster)
			}
			r, err := m.Launch(context.Background(), lc)
			if err != nil {
				t.Fatal(err)
			}
			clean(t, r)
			for i, v := range words(t, m, out, 160) {
				if (v == 1) != (i%40 >= 16) {
					t.Fatalf("thread %d: got %d", i, v)
				}
			}
		}
	})
}

// TestClusterFaults: misuse of the cluster's barrier and of its shared memory.
func TestClusterFaults(t *testing.T) {
	const other = "mov.u32 %r5, %cluster_ctarank; xor.b32 %r5, %r5, 1; mapa.shared::cluster.u32 %r6, cell, %r5;\n"
	const sync = "barrier.cluster.arrive; barrier.cluster.wait;\n"
	for _, c := range []struct{ body, class, want string }{
		{"barrier.cluster.wait;", "barrier-divergence", "without having arrived"},
		{"setp.eq.u32 %p1, %r1, 0; @%p1 bra L; barrier.cluster.arrive.aligned; bra M; L: barrier.cluster.arrive.aligned; M: barrier.cluster.wait;", "barrier-divergence", "from different instructions"},
		{"barrier.cluster.arrive; barrier.cluster.arrive;", "barrier-divergence", "again"},
		{"setp.eq.u32 %p1, %r2, 0; @%p1 bra L; " + sync + "L: bar.sync 1, 64;", "barrier-divergence", "can never complete"},
		{other + sync + "ld.shared.u32 %r7, [%r6];" + sync, "out-of-bounds", "can only access it as .shared::cluster"},
		{other + sync + "ld.shared::cluster.u32 %r7, [%r6+1024];" + sync, "out-of-bounds", "1020 bytes after the shared memory of the block (4 bytes)"},
		{other + sync + "ld.shared::cluster.u32 %r7, [%r6+2];" + sync, "misaligned", "4 bytes"},
		{other + sync + "setp.eq.u32 %p1, %r2, 0; @%p1 ret; mov.u32 %r9, 0; D: add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 10000; @%p2 bra D; ld.shared::cluster.u32 %r7, [%r6];", "use-after-free", "block 0 of the cluster, which has ended"},
		{"mapa.shared::cluster.u32 %r6, cell, 2;", "out-of-bounds", "block 2 of a cluster of 2"},
		{"mapa.u64 %rd1, %base, 1;", "out-of-bounds", "not in shared memory"},
		{other + sync + "add.u32 %r6, %r6, 0x7000000; st.shared::cluster.u32 [%r6], 1;", "out-of-bounds", "of a cluster of 2"},
	} {
		m := load(t, ".shared .align 4 .u32 cell;\n"+kernel("st.shared.u32 [cell], 1;\n"+c.body+"\nret;"), emu.Config{})
		r := launchCluster(t, m, 2, 2, 2, alloc(t, m, "out", 4))
		if len(r.Faults) == 0 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("%s: got %v, want %s: %s", c.body, r.Faults, c.class, c.want)
		}
	}
}

// TestClusterLaunch: the clusters with which a kernel may be launched.
func TestClusterLaunch(t *testing.T) {
	text := ".entry any() { ret; }\n.entry fixed() .reqnctapercluster 2, 2 { ret; }\n" +
		".entry explicit() .explicitcluster { ret; }\n.entry small() .maxclusterrank 2 { ret; }\n"
	m := load(t, text, emu.Config{Resident: 4})
	grid := emu.Dim3{X: 8, Y: 8, Z: 1}
	for _, c := range []struct {
		kernel  string
		cluster emu.Dim3
		want    string
	}{
		{"any", emu.Dim3{}, ""},
		{"any", emu.Dim3{X: 2, Y: 2, Z: 1}, ""},
		{"any", emu.Dim3{X: 2}, "cluster (2,0,0) has an extent of 0"},
		{"any", emu.Dim3{X: 3, Y: 1, Z: 1}, "grid (8,8,1) is not a multiple of the cluster (3,1,1)"},
		{"any", emu.Dim3{X: 4, Y: 8, Z: 1}, "cluster (4,8,1) has more than 16 blocks"},
		{"any", emu.Dim3{X: 1 << 31, Y: 1 << 31, Z: 4}, "has more than 16 blocks"},
		{"any", emu.Dim3{X: 8, Y: 1, Z: 1}, "clusters of 8 blocks cannot start, only 4 may be resident"},
		{"fixed", emu.Dim3{}, ""},
		{"fixed", emu.Dim3{X: 2, Y: 2, Z: 1}, ""},
		{"fixed", emu.Dim3{X: 4, Y: 1, Z: 1}, "requires clusters of (2,2,1) blocks, got (4,1,1)"},
		{"explicit", emu.Dim3{}, "must be launched with a cluster"},
		{"explicit", emu.Dim3{X: 2, Y: 1, Z: 1}, ""},
		{"small", emu.Dim3{X: 2, Y: 1, Z: 1}, ""},
		{"small", emu.Dim3{X: 2, Y: 2, Z: 1}, "cluster (2,2,1) has more than 2 blocks"},
	} {
		_, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: c.kernel, Grid: grid, Block: dim(1), Cluster: c.cluster})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s in clusters of %v: got %v, want %q", c.kernel, c.cluster, err, c.want)
		}
	}
}

// clusterPipeline: block 0 multicasts six rows to blocks 1 and 2, whose mbarriers signal that a row is complete. Their
// threads arrive at an mbarrier of block 0 when they have read it.
var clusterPipeline = ".shared .align 8 .b64 full, empty; .shared .align 16 .b8 tile[128];\n" + kernel(`
	mov.u32 %r5, %cluster_ctarank; mov.u32 %r6, tile; mov.u32 %r7, full; mov.u32 %r8, empty;
	setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r5, 0;
	@%p1 mbarrier.init.shared::cta.b64 [full], 1; @%p1 mbarrier.init.shared::cta.b64 [empty], 64;
	fence.mbarrier_init.release.cluster;
	barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
	mov.u32 %r9, 0; mov.u32 %r10, 0;
	@!%p2 bra CONSUMER;
	@!%p1 bra END;
PRODUCER:
	and.b32 %r11, %r9, 1; xor.b32 %r11, %r11, 1;
WE:	mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r8], %r11; @!%p3 bra WE;
	mapa.shared::cluster.u32 %r12, %r7, 1; mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r12], 128;
	mapa.shared::cluster.u32 %r12, %r7, 2; mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r12], 128;
	mad.wide.u32 %rd1, %r9, 128, %base; mov.u16 %h1, 6;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r6], [%rd1], 128, [%r7], %h1;
	add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 6; @%p4 bra PRODUCER;
	bra END;
CONSUMER:
	mapa.shared::cluster.u32 %r12, %r8, 0;
NEXT:	and.b32 %r11, %r9, 1;
WF:	mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [full], %r11; @!%p3 bra WF;
	mad.lo.u32 %r13, %r1, 4, %r6; ld.shared.u32 %r14, [%r13]; add.u32 %r10, %r10, %r14;
	mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];
	add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 6; @%p4 bra NEXT;
	st.global.u32 [%out+768], %r10;
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`)

// TestClusterPipeline: barriers of other blocks, with operations at once and late.
func TestClusterPipeline(t *testing.T) {
	text := strings.Replace(clusterPipeline, ".reg .pred", ".reg .b16 %h<4>; .reg .pred", 1)
	eachFlight(t, func(t *testing.T, cfg emu.Config) {
		m := load(t, text, cfg)
		buf := alloc(t, m, "buf", 192+96)
		fillWords(t, m, buf, 192, func(i int) uint32 { return uint32(i) })
		clean(t, launchCluster(t, m, 3, 32, 3, buf))
		for i, v := range words(t, m, buf+768, 96)[32:] {
			if want := uint32(15*32 + 6*(i%32)); v != want { // 0+..+5 = 15
				t.Fatalf("thread %d: got %d, want %d", i, v, want)
			}
		}
	})
}

// TestClusterUninitialised: the check of uninitialised reads covers the memory of other blocks, and writes by copies.
func TestClusterUninitialised(t *testing.T) {
	text := strings.Replace(clusterPipeline, ".reg .pred", ".reg .b16 %h<4>; .reg .pred", 1)
	m := load(t, text, emu.Config{Uninitialised: true})
	buf := alloc(t, m, "buf", 192+96)
	fillWords(t, m, buf, 192, func(i int) uint32 { return 1 })
	clean(t, launchCluster(t, m, 3, 32, 3, buf))
	m = load(t, ".shared .align 4 .u32 cell;\n"+kernel(`
	mapa.shared::cluster.u32 %r5, cell, 1; ld.shared::cluster.u32 %r6, [%r5]; st.global.u32 [%out], %r6;
	barrier.cluster.arrive; barrier.cluster.wait; ret;`), emu.Config{Uninitialised: true})
	r := launchCluster(t, m, 2, 1, 2, alloc(t, m, "out", 2))
	if len(r.Faults) != 1 || r.Faults[0].Class != "uninitialised" {
		t.Errorf("got %v", r.Faults)
	}
}
