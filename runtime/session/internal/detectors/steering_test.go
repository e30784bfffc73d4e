// What runs of kernels depend on: contents of buffers, and operations whose results depend on the order of threads.

package detectors

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/detect/labels"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// steeringHead begins a kernel of 64 threads with buffers a, b and c of zeros. %r1 is the thread's index, %rd4 that times
// four, %rs the address of shared memory, %rt that of the thread's word there.
const steeringHead = `.version 8.7
.target sm_100a
.address_size 64
.visible .entry NAME(.param .u64 a, .param .u64 b, .param .u64 c)
{
	.reg .pred %p<4>; .reg .b32 %r<10>; .reg .b32 %rs, %rt; .reg .b64 %rd<10>; .reg .f32 %f<4>;
	.shared .align 128 .b8 tile[1024];
	ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];
	mov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 4; mov.u32 %rs, tile; mad.lo.u32 %rt, %r1, 4, %rs;
	add.u64 %rd5, %rd1, %rd4; add.u64 %rd6, %rd2, %rd4; add.u64 %rd7, %rd3, %rd4;
`

// steeringRun executes kernels one after the other on one device.
type steeringRun struct {
	t       *testing.T
	mem     *labels.Memory
	buffers [3]uint64
	dev     *emu.Device
	regions []detect.Region
}

// launch executes a kernel and returns its listener.
func (r *steeringRun) launch(body string) (*labels.Listener, *rewrite.Module) {
	r.t.Helper()
	tree, err := ptxgrammar.Parse("k.ptx", []byte(strings.Replace(steeringHead, "NAME", "k", 1)+body+"\n ret;\n}\n"))
	if err != nil {
		r.t.Fatal(err)
	}
	mod, err := rewrite.Check(tree)
	if err != nil {
		r.t.Fatal(err)
	}
	d := Labels(mod, r.mem)
	m, err := r.dev.Load(mod, emu.Config{Listener: observe.NewEvents(mod, detect.NeedsOf(d), d)})
	if err != nil {
		r.t.Fatal(err)
	}
	var params []byte
	for i := range r.buffers {
		if r.buffers[i] == 0 {
			if r.buffers[i], err = m.Alloc(string(rune('a'+i)), 4096); err != nil {
				r.t.Fatal(err)
			}
			r.regions = append(r.regions, detect.Region{Name: string(rune('a' + i)), Base: r.buffers[i], Size: 4096})
		}
		params = binary.LittleEndian.AppendUint64(params, r.buffers[i])
	}
	shape := detect.LaunchShape{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{64, 1, 1}}
	d.Begin(detect.Launch{Kernel: "k", LaunchShape: shape, Regions: r.regions, Ranked: true})
	result, err := m.Launch(context.Background(), emu.LaunchConfig{
		Kernel: "k", Grid: emu.Dim3{X: 2, Y: 1, Z: 1}, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Params: params,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range result.Faults {
		r.t.Fatal(f)
	}
	d.End()
	return d, mod
}

// depends returns what a launch depends on as text. All results of atomic operations and strong loads, and what
// reductions of floating-point numbers leave in memory, count as dependent on the order.
func (r *steeringRun) depends(d *labels.Listener, m *rewrite.Module) string {
	o := labels.Order{Results: map[uint32]bool{}, Memory: map[uint32]bool{}}
	for i, in := range sites.Numbered(m) {
		o.Results[uint32(i+1)] = true
		o.Memory[uint32(i+1)] = in.Type(0).Float()
	}
	name := func(site uint32) string { return sites.At(m, site).Instr.Name }
	var lines []string
	_, contents := d.Contents()
	for _, x := range contents {
		lines = append(lines, fmt.Sprintf("contents of %s: %s %s", r.object(x.Object), name(x.Sink), x.Steers))
	}
	for _, x := range d.Dependences(o) {
		switch {
		case x.What == "":
			lines = append(lines, fmt.Sprintf("%s: %s %s", name(x.Seed), name(x.Sink), x.Steers))
		case x.Seed != 0:
			lines = append(lines, strings.NewReplacer("{seed}", name(x.Seed), "{sink}", name(x.Sink)).Replace(x.What))
		default:
			lines = append(lines, strings.ReplaceAll(x.What, "{sink}", name(x.Sink)))
		}
	}
	return strings.Join(lines, "; ")
}

func (r *steeringRun) object(base uint64) string {
	i := slices.IndexFunc(r.regions, func(x detect.Region) bool { return x.Base == base })
	return r.regions[i].Name
}

// TestSteeringRuns: of the values that may steer by the code, those count that do in the run.
func TestSteeringRuns(t *testing.T) {
	const decide = `setp.gt.u32 %p1, %r2, 7; @%p1 bra D; D: `
	for name, c := range map[string]struct {
		launches []string
		want     string // of the last one
	}{
		"data": {launches: []string{`ld.global.f32 %f1, [%rd5]; st.global.f32 [%rd6], %f1;`}},
		"an index": {
			launches: []string{`ld.global.u32 %r2, [%rd5]; mad.wide.u32 %rd8, %r2, 4, %rd2; ld.global.u32 %r3, [%rd8]; st.global.u32 [%rd7], %r3;`},
			want:     "contents of a: ld an address",
		},
		"through shared memory": {
			launches: []string{`ld.global.u32 %r2, [%rd5]; st.shared.u32 [%rt], %r2; bar.sync 0; ld.shared.u32 %r2, [%rs];` + decide},
			want:     "contents of a: bra a branch",
		},
		"at another place in shared memory": {
			launches: []string{`ld.global.u32 %r2, [%rd5]; st.shared.u32 [%rt], %r2; st.shared.u32 [%rt+512], %r1; bar.sync 0;
				ld.shared.u32 %r2, [%rs+512];` + decide},
		},
		"replaced": {
			launches: []string{`ld.global.u32 %r2, [%rd5]; st.shared.u32 [%rt], %r2; st.shared.u32 [%rt], %r1; bar.sync 0; ld.shared.u32 %r2, [%rs];` + decide},
		},
		"replaced by bytes": {
			launches: []string{`ld.global.u32 %r2, [%rd5]; st.shared.u32 [%rt], %r2; st.shared.u8 [%rt], %r1; bar.sync 0; ld.shared.u8 %r2, [%rs+1];` + decide},
			want:     "contents of a: bra a branch",
		},
		"bytes": {launches: []string{`add.u32 %rt, %rs, %r1; st.shared.u8 [%rt], %r1; bar.sync 0; ld.shared.u8 %r2, [%rs+5];` + decide}},
		"memory of a block, not written": {
			launches: []string{`ld.shared.u32 %r2, [%rt];` + decide},
			want:     "memory that no thread has written decides a branch at bra",
		},
		"memory of a block, written in part": {
			launches: []string{`st.shared.u8 [%rt], %r1; ld.shared.u32 %r2, [%rt];` + decide},
			want:     "memory that no thread has written decides a branch at bra",
		},
		"memory of a block of a cluster, not written": {
			launches: []string{`mapa.shared::cluster.u32 %r3, %rs, 0; ld.shared::cluster.u32 %r2, [%r3];` + decide},
			want:     "memory that no thread has written decides a branch at bra",
		},
		"a copy of memory of a block, not written": {
			launches: []string{`setp.ne.u32 %p2, %r1, 0; @%p2 bra E;
				cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rs], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; E: `, `ld.global.u32 %r2, [%rd1];` + decide},
			want: "memory that no thread has written decides a branch at bra",
		},
		"a copy of memory of a block, written": {
			launches: []string{`st.shared.u32 [%rt], %r1; fence.proxy.async; bar.sync 0; setp.ne.u32 %p2, %r1, 0; @%p2 bra E;
				cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rs], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; E: `, `ld.global.u32 %r2, [%rd1];` + decide},
		},
		"tensor memory, not written": {
			launches: []string{tensorAllocation + `tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r4]; tcgen05.wait::ld.sync.aligned;` + decide + tensorFree},
			want:     "memory that no thread has written decides a branch at bra",
		},
		"tensor memory, written": {
			launches: []string{tensorAllocation + `tcgen05.st.sync.aligned.32x32b.x1.b32 [%r4], {%r1}; tcgen05.wait::st.sync.aligned;
				tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r4]; tcgen05.wait::ld.sync.aligned;` + decide + tensorFree},
		},
		"tensor memory, written in an earlier allocation": {
			launches: []string{strings.Replace(tensorAllocation, "A:", `ld.shared.u32 %r2, [%rs];
				tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r1}; tcgen05.wait::st.sync.aligned; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
				tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rs], 32; A:`, 1) +
				`tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r4]; tcgen05.wait::ld.sync.aligned;` + decide + tensorFree},
			want: "memory that no thread has written decides a branch at bra",
		},
		"a copy": {
			launches: []string{`cp.async.ca.shared.global [%rt], [%rd5], 4; cp.async.wait_all; bar.sync 0; ld.shared.u32 %r2, [%rs];` + decide},
			want:     "contents of a: bra a branch",
		},
		"a bulk copy": {
			launches: []string{`setp.ne.u32 %p1, %r1, 0; @%p1 bra W; mbarrier.init.shared.b64 [%rs+512], 1;
				mbarrier.arrive.expect_tx.shared.b64 %rd8, [%rs+512], 64;
				cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%rs], [%rd2], 64, [%rs+512];
				W: bar.sync 0; L: mbarrier.try_wait.parity.shared.b64 %p1, [%rs+512], 0; @!%p1 bra L;
				ld.shared.u32 %r2, [%rs+32];` + decide},
			want: "contents of b: bra a branch",
		},
		"a copy, not read": {
			launches: []string{`cp.async.ca.shared.global [%rt], [%rd5], 4; cp.async.wait_all; st.shared.u32 [%rt+512], %r1; bar.sync 0;
				ld.shared.u32 %r2, [%rs+512];` + decide},
		},
		"an atomic's result": {
			launches: []string{`atom.global.add.u32 %r2, [%rd1], 1;` + decide},
			want:     "contents of a: bra a branch; atom: bra a branch",
		},
		"a sum with contents": {
			launches: []string{`red.global.add.u32 [%rd1], 1; bar.sync 0; ld.global.u32 %r2, [%rd1];` + decide},
			want:     "contents of a: bra a branch",
		},
		"a sum of integers behind a barrier": {
			launches: []string{`st.shared.u32 [%rt], 0; bar.sync 0; red.shared.add.u32 [%rs], 1; bar.sync 0; ld.shared.u32 %r2, [%rs];` + decide},
		},
		"a sum of numbers behind a barrier": {
			launches: []string{`st.shared.u32 [%rt], 0; bar.sync 0; red.shared.add.f32 [%rs], 0f3F800000; bar.sync 0; ld.shared.u32 %r2, [%rs];` + decide},
			want:     "what red leaves in memory decides a branch at bra",
		},
		"a copy that adds integers": {
			launches: []string{`st.shared.u32 [%rt], 0; fence.proxy.async; bar.sync 0; setp.ne.u32 %p2, %r1, 0; @%p2 bra E;
				cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%rs], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; E: `, `ld.global.u32 %r2, [%rd1];` + decide},
			want: "contents of a: bra a branch",
		},
		"a copy that adds numbers": {
			launches: []string{`st.shared.u32 [%rt], 0; fence.proxy.async; bar.sync 0; setp.ne.u32 %p2, %r1, 0; @%p2 bra E;
				cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], [%rs], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; E: `, `ld.global.u32 %r2, [%rd1];` + decide},
			want: "contents of a: bra a branch; the order of threads in an earlier launch decides a branch at bra",
		},
		"a sum of contents": {
			launches: []string{`ld.global.u32 %r2, [%rd5]; st.shared.u32 [%rt], 0; bar.sync 0; red.shared.add.u32 [%rs], %r2; bar.sync 0; ld.shared.u32 %r2, [%rs];` + decide},
			want:     "contents of a: bra a branch",
		},
		"a poll": {
			launches: []string{`setp.ne.u32 %p1, %r1, 0; @%p1 bra L; st.release.gpu.global.u32 [%rd1], 1;
				L: ld.acquire.gpu.global.u32 %r2, [%rd1]; setp.ne.u32 %p1, %r2, 1; @%p1 bra L;`},
			want: "contents of a: bra a branch; ld: bra a branch",
		},
		"a compare-and-swap whose result is not used": {
			launches: []string{`atom.global.cas.b32 %r2, [%rd1], 0, 1;`},
			want:     "contents of a: atom an operand of a compare-and-swap",
		},
		"a clock in memory": {
			launches: []string{`mov.u32 %r2, %clock; st.shared.u32 [%rt], %r2; bar.sync 0; ld.shared.u32 %r2, [%rs];` + decide},
			want:     "%clock decides a branch at bra",
		},
		"an earlier launch's contents": {
			launches: []string{
				`ld.global.u32 %r2, [%rd5]; st.global.u32 [%rd6], %r2;`,
				`ld.global.u32 %r2, [%rd6];` + decide,
			},
			want: "contents of a: bra a branch",
		},
		"an earlier launch's constants": {
			launches: []string{`st.global.u32 [%rd6], %r1;`, `ld.global.u32 %r2, [%rd6];` + decide},
		},
		"an earlier launch's order": {
			launches: []string{
				`atom.global.add.u32 %r2, [%rd1], 1; st.global.u32 [%rd6], %r2;`,
				`ld.global.u32 %r2, [%rd6];` + decide,
			},
			want: "contents of a: bra a branch; the order of threads in an earlier launch decides a branch at bra",
		},
		"an address in tensor memory": {
			launches: []string{tensorAllocation + `add.u32 %r2, %r2, 8; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2];
				tcgen05.wait::ld.sync.aligned;` + tensorFree},
		},
		"a branch on an address in tensor memory": {
			launches: []string{tensorAllocation + decide + tensorFree},
			want:     "an address that tcgen05.alloc returned at ld decides a branch at bra",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := &steeringRun{t: t, mem: labels.NewMemory(), dev: emu.NewDevice(emu.Config{})}
			got := ""
			for _, body := range c.launches {
				got = r.depends(r.launch(body))
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// tensorAllocation and tensorFree allocate tensor memory in one warp, and free it in the end.
const (
	tensorAllocation = `setp.gt.u32 %p3, %r1, 31; @%p3 bra A; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rs], 32;
		A: bar.sync 0; ld.shared.u32 %r2, [%rs]; mov.u32 %r4, %r2; @%p3 bra F; `
	tensorFree = ` tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 32; F: `
)
