// Programs of the race suite in which a barrier of the cluster is missing or relaxed: what precise finds is not proved.

package static_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/factfile"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/static"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// clusterMutants returns a program as it is, and variants of it: for each arrival at the barrier of the cluster, one in which it is relaxed,
// and one without it and the wait that follows. Lines keep their numbers.
func clusterMutants(text string) map[string]string {
	const arrive, wait = "barrier.cluster.arrive", "barrier.cluster.wait"
	lines := strings.Split(text, "\n")
	out := map[string]string{"as it is": text}
	without := func(changed map[int]string) string {
		var b strings.Builder
		for i, l := range lines {
			if other, ok := changed[i]; ok {
				l = other
			}
			b.WriteString(l + "\n")
		}
		return b.String()
	}
	for i, l := range lines {
		if !strings.Contains(l, arrive) {
			continue
		}
		at := fmt.Sprintf("the arrival of line %d", i+1)
		if !strings.Contains(l, "relaxed") {
			out[at+" relaxed"] = without(map[int]string{i: strings.Replace(strings.Replace(l, ".release", "", 1), arrive, arrive+".relaxed", 1)})
		}
		for k := i + 1; k < len(lines); k++ {
			if strings.Contains(lines[k], wait) {
				out[at+" deleted"] = without(map[int]string{i: "", k: ""})
				break
			}
		}
	}
	return out
}

// TestClusterMutants: no pair that precise reports is proved, and no kernel with an error.
func TestClusterMutants(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"cluster/*-fixed.yaml", "async/*-fixed.yaml"} {
		more, err := filepath.Glob("../../examples/suite/micro/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, more...)
	}
	programs, racy, ends := 0, 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(strings.TrimSuffix(path, ".yaml") + ".ptx")
		if err != nil || !strings.Contains(string(text), "barrier.cluster") {
			continue
		}
		file, err := launch.Load(path, launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for name, mutant := range clusterMutants(string(text)) {
			programs++
			found, events := compareMutant(t, filepath.Base(path)+", "+name, mutant, file)
			if found > 0 {
				racy++
			}
			if events > 0 {
				ends++
			}
		}
	}
	if programs < 30 || racy < 15 || ends < 5 {
		t.Errorf("%d programs, %d with findings, %d with those of starts and ends", programs, racy, ends)
	}
}

// compareMutant compares the findings of precise with the verdicts of pairs, and returns how many there are, and of starts and ends.
func compareMutant(t *testing.T, name, text string, file *launch.File) (found, events int) {
	t.Helper()
	program, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	rep := preciseOn(t, program, file)
	for _, l := range factfile.FromLaunches(file).Launches {
		for _, k := range program.Module.Kernels() {
			if !report.Denotes(l.Kernel, k.Name) {
				continue
			}
			r, err := static.Analyze(t.Context(), k, l.Given(nil, nil), static.Options{ProofOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range rep.Races {
				if x.First.Event != "" || x.Second.Event != "" {
					events++
				}
				if p := pairOf(r, x); p != nil && p.Verdict == static.Clean || r.Verdict == static.Clean && x.Severity == report.Error {
					t.Errorf("%s: %s and %s race, which is proved not to be so", name, x.First.At(), x.Second.At())
				}
			}
		}
	}
	return len(rep.Races), events
}

// pairOf returns the pair of a finding; nil if there is none.
func pairOf(r *static.Result, x *report.Race) *static.Pair {
	is := func(a *static.Access, b *report.Access) bool {
		return a.Event == b.Event && (a.Event != "" || a.Inst.Line == b.PTX.Line)
	}
	for _, p := range r.Pairs {
		if is(&p.First, &x.First) && is(&p.Second, &x.Second) || is(&p.First, &x.Second) && is(&p.Second, &x.First) {
			return p
		}
	}
	return nil
}

// preciseOn returns what precise reports of the launches of a file.
func preciseOn(t *testing.T, program *session.Program, file *launch.File) *report.Report {
	t.Helper()
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(program, file, maxSteps)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: detectors, Emulator: emu.Config{MaxSteps: maxSteps, Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := plan.Check(t.Context(), s)
	if wrong := s.Close(); err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	return rep
}

// clusterKernel is a kernel of which some accesses are to other blocks' shared memory. %r2 is the address in the other block's memory of this
// thread's element of s, %r1 that in the own one, %p1 holds in block 1, and %p2 in thread 0.
func clusterKernel(body string) string {
	return `.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
	.reg .pred %p<9>;
	.reg .b16 %h<9>;
	.reg .b32 %r<20>;
	.reg .b64 %rd<20>;
	.shared .align 128 .b8 s[4096];
	.shared .align 8 .b64 bar;
	ld.param.u64 %rd1, [a];
	mov.u32 %r3, %tid.x;
	mov.u32 %r1, s;
	shl.b32 %r4, %r3, 2;
	add.u32 %r1, %r1, %r4;
	mov.u32 %r5, %cluster_ctarank;
	setp.eq.u32 %p1, %r5, 1;
	setp.eq.u32 %p2, %r3, 0;
	xor.b32 %r6, %r5, 1;
	mapa.shared::cluster.u32 %r2, %r1, %r6;
	mov.u32 %r7, bar;
	mapa.shared::cluster.u32 %r8, %r7, %r6;
	cvta.shared.u64 %rd2, s;
` + "\t" + strings.ReplaceAll(body, "; ", ";\n\t") + "\n\tret;\n}\n"
}

const (
	clusterSync  = "barrier.cluster.arrive; barrier.cluster.wait; "
	relaxedSync  = "barrier.cluster.arrive.relaxed; barrier.cluster.wait; "
	remoteLoad   = "ld.shared::cluster.u32 %r9, [%r2]; "
	afterAndEnd  = "start clean, end clean"
	neitherKnown = "start possible, end possible"
)

// TestClusterLives: of which accesses barriers of the cluster are proved to keep the start and the end of the other block away.
func TestClusterLives(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"barriers around", clusterSync + remoteLoad + clusterSync, afterAndEnd},
		{"relaxed before", relaxedSync + remoteLoad + clusterSync, afterAndEnd},
		{"relaxed behind", clusterSync + remoteLoad + relaxedSync, "start clean, end possible"},
		{"relaxed behind, and another", clusterSync + remoteLoad + relaxedSync + clusterSync, afterAndEnd},
		{"none", remoteLoad, neitherKnown},
		{"none before", remoteLoad + clusterSync, "start possible, end clean"},
		{"none behind", clusterSync + remoteLoad, "start clean, end possible"},
		{"no wait before", "barrier.cluster.arrive; " + remoteLoad + "barrier.cluster.wait; " + clusterSync, "start possible, end clean"},
		{"between arrival and wait", clusterSync + "barrier.cluster.arrive; " + remoteLoad + "barrier.cluster.wait; ", "start clean, end possible"},
		{"a barrier of the block", "bar.sync 0; " + remoteLoad + "bar.sync 0; ", neitherKnown},
		{"some threads", clusterSync + "@%p2 " + remoteLoad + clusterSync, afterAndEnd},
		{"threads that end before the last barrier", clusterSync + remoteLoad + "@%p2 bra D; " + clusterSync + "D:", "start clean, end possible"},
		{"threads that end early", "@%p2 bra D; " + clusterSync + remoteLoad + clusterSync + "D:", "start clean, end possible"},
		{"blocks that end early", "@%p1 bra D; " + clusterSync + remoteLoad + clusterSync + "D:", "start clean, end possible"},
		{"guarded waits", "barrier.cluster.arrive; @%p2 barrier.cluster.wait; " + remoteLoad + clusterSync, "start possible, end possible"},
		{"in a loop", "mov.u32 %r10, 0; L: " + clusterSync + remoteLoad + clusterSync + "add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 4; @%p3 bra L;", afterAndEnd},
		{"one barrier in a loop", clusterSync + "mov.u32 %r10, 0; L: " + remoteLoad + clusterSync + "add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 4; @%p3 bra L;", afterAndEnd},
		{"as often as the block says", clusterSync + "mov.u32 %r10, %ctaid.x; L: " + remoteLoad + clusterSync + "add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 4; @%p3 bra L;", "start clean, end possible"},
		{"a store", clusterSync + "st.shared::cluster.u32 [%r2], 1; " + clusterSync, afterAndEnd},
		{"an atomic operation", clusterSync + "red.shared::cluster.add.u32 [%r2], 1; ", "start clean, end possible"},
		{"a generic address", "mapa.u64 %rd3, %rd2, %r6; " + "ld.u32 %r9, [%rd3]; " + clusterSync, "start possible, end clean"},
		{"an arrival at an mbarrier", clusterSync + "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8]; ", "start clean, end possible"},
		{"an asynchronous store", clusterSync + "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r2], 1, [%r8]; " + clusterSync, "start clean, end possible"},
		{"a bulk copy", clusterSync + "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2], [%r1], 16, [%r8]; " + clusterSync, "start clean, end possible"},
		{"a copy to both", clusterSync + "mov.u16 %h1, 3; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1], 16, [%r7], %h1; " + clusterSync, "start clean, end possible"},
		{"a bulk copy to the own block", "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r7]; ", ""},
		{"arithmetic", "selp.b32 %r10, 0x1000000, 0xff000000, %p1; add.u32 %r11, %r1, %r10; st.shared::cluster.u32 [%r11], 1; ", neitherKnown},
		{"the own element", "st.shared::cluster.u32 [%r1], 1; ", ""},
		{"the own block's memory", "st.shared.u32 [%r2], 1; ", ""},
		{"a generic address of the own block", "cvt.u64.u32 %rd4, %r4; add.s64 %rd3, %rd2, %rd4; st.u32 [%rd3], 1; ", ""},
		{"a generic address 16 MiB on", "add.s64 %rd3, %rd2, 0x1000000; st.u32 [%rd3], 1; ", neitherKnown},
	} {
		program, err := session.Parse("k.ptx", []byte(clusterKernel(c.body)))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := clusterLives(t, program.Module.Kernels()[0], nil); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		one := &facts.Launch{Kernel: "k", Site: facts.Pos{File: "k.yaml", Line: 1, Col: 1}}
		if got := clusterLives(t, program.Module.Kernels()[0], one.Given(nil, nil)); got != "" {
			t.Errorf("%s, in clusters of one block: got %q", c.name, got)
		}
	}
}

// TestClusterAddresses: an address 16 MiB from a variable is another block's memory in a cluster, and outside of the variable without one.
func TestClusterAddresses(t *testing.T) {
	one := (&facts.Launch{Kernel: "k", Site: facts.Pos{File: "k.yaml", Line: 1, Col: 1}}).Given(nil, nil)
	for _, c := range []struct {
		name, body string
		given      *facts.Given
		faults     int
	}{
		{"in clusters", "add.u32 %r10, %r1, 0x1000000; st.shared::cluster.u32 [%r10], 1;", nil, 0},
		{"without clusters", "add.u32 %r10, %r1, 0x1000000; st.shared::cluster.u32 [%r10], 1;", one, 1},
		{"down, in clusters", "add.u32 %r10, %r1, -0x2000000; ld.shared::cluster.u32 %r9, [%r10];", nil, 0},
		{"generic, in clusters", "add.s64 %rd3, %rd2, 0x1000000; st.u32 [%rd3], 1;", nil, 0},
		{"of the own block only", "add.u32 %r10, %r1, 0x1000000; st.shared.u32 [%r10], 1;", nil, 1},
		{"beside the variable in each block", "add.u32 %r10, %r1, 0x1100000; st.shared::cluster.u32 [%r10], 1;", nil, 1},
	} {
		program, err := session.Parse("k.ptx", []byte(clusterKernel(c.body)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := static.Analyze(t.Context(), program.Module.Kernels()[0], c.given, static.Options{NoWrap: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Faults) != c.faults {
			t.Errorf("%s: %d faults, want %d", c.name, len(r.Faults), c.faults)
		}
	}
}

// clusterLives returns the verdicts of the pairs with starts and ends of blocks.
func clusterLives(t *testing.T, k *rewrite.Func, given *facts.Given) string {
	t.Helper()
	r, err := static.Analyze(t.Context(), k, given, static.Options{ProofOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range r.Pairs {
		switch p.Second.Event {
		case "start":
			out = append(out, "start "+p.Verdict.String())
		case "end":
			out[len(out)-1] += ", end " + p.Verdict.String()
		}
	}
	return strings.Join(out, "; ")
}
