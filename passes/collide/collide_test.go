package collide_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/collide"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// text is a kernel whose body uses %t, the number of the thread in the grid, %a, the address of a word that all threads
// share, and %own, that of a word of the thread.
func text(body string) string {
	return `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %q, %odd;
	.reg .b32 %t, %n, %b, %v, %w;
	.reg .b64 %a, %own, %d;
	.shared .align 8 .b32 words[64];
	.shared .align 8 .b32 lock;
	ld.param.u64 %a, [p];
	mov.u32 %t, %tid.x;
	mov.u32 %n, %ntid.x;
	mov.u32 %b, %ctaid.x;
	mad.lo.u32 %t, %b, %n, %t;
	and.b32 %v, %t, 1;
	setp.ne.u32 %odd, %v, 0;
	mad.wide.u32 %own, %t, 4, %a;
	mov.u32 %v, 0;
` + body + `
	ret;
}
`
}

// perWarp makes the word that threads share one of the warps with the same number in their blocks.
const perWarp = "\tand.b32 %w, %t, 32;\n\tcvt.u64.u32 %d, %w;\n\tadd.s64 %a, %a, %d;\n"

// loop repeats statements 20 times.
func loop(body string) string {
	return "L:\n" + body + "\n\tadd.u32 %v, %v, 1;\n\tsetp.lt.u32 %q, %v, 20;\n\t@%q bra L;"
}

// explore runs a kernel of two blocks of 64 threads under 100 random schedules, up to the first finding.
func explore(t *testing.T, detector, src string) *report.Report {
	t.Helper()
	p, err := session.Parse("k.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	dets, err := session.ParseDetectors(detector)
	if err != nil {
		t.Fatal(err)
	}
	e := session.Exploration{Options: session.Options{Detectors: dets}, Scenario: scenario{p}, Search: session.Search{Name: "random", Runs: 100}}
	e.Enough = func(rep *report.Report) bool { return len(rep.Races)+len(rep.Faults) > 0 }
	rep, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestFinds: accesses that conflict are found, with both places or with the values; what is ordered, or strong on both
// sides, never is.
func TestFinds(t *testing.T) {
	const most = `"budget=100,seed=3"`
	for name, test := range map[string]struct {
		body string
		kind detect.Kind // of the race, "" for none
		part string      // of its rule
	}{
		"writes of blocks":  {perWarp + loop("\tst.global.u32 [%a], %t;"), detect.InterBlock, "collide: "},
		"write and read":    {loop("\t@%odd st.global.u32 [%a], %t;\n\t@!%odd ld.global.u32 %w, [%a];"), detect.InterBlock, "collide: "},
		"weak and strong":   {"\tsetp.ne.u32 %odd, %b, 0;\n" + loop("\t@%odd ld.global.u32 %w, [%a];\n\t@!%odd atom.global.add.u32 %w, [%a], 1;"), detect.InterBlock, "collide: "},
		"narrow":            {loop("\tatom.global.cta.add.u32 %w, [%a], 1;"), detect.InterBlock, "collide: "},
		"narrow in a block": {"\tmad.wide.u32 %a, %b, 4, %a;\n" + loop("\tatom.global.cta.add.u32 %w, [%a], 1;"), "", ""},
		// The second access comes long after the first, by a message whose writer does not release.
		"message": {"\tadd.s64 %d, %a, 4;\n\tsetp.eq.u32 %q, %b, 0;\n\tsetp.eq.and.u32 %odd, %t, 0, %q;\n\t@%odd st.global.u32 [%a], 7;\n\t@%odd st.volatile.global.u32 [%d], 1;\n\t@%q ret;\n" +
			"W:\n\tld.volatile.global.u32 %w, [%d];\n\tsetp.eq.u32 %q, %w, 0;\n\t@%q bra W;\n\tmembar.gl;\n\tld.global.u32 %w, [%a];\n\tst.global.u32 [%own], %w;", detect.InterBlock, "met the first"},
		"message with a fence": {"\tadd.s64 %d, %a, 4;\n\tsetp.eq.u32 %q, %b, 0;\n\tsetp.eq.and.u32 %odd, %t, 0, %q;\n\t@%odd st.global.u32 [%a], 7;\n\tmembar.gl;\n\t@%odd st.volatile.global.u32 [%d], 1;\n\t@%q ret;\n" +
			"W:\n\tld.volatile.global.u32 %w, [%d];\n\tsetp.eq.u32 %q, %w, 0;\n\t@%q bra W;\n\tmembar.gl;\n\tld.global.u32 %w, [%a];\n\tst.global.u32 [%own], %w;", "", ""},
		"guarded fence": {"\tadd.s64 %d, %a, 4;\n\tsetp.eq.u32 %q, %b, 0;\n\tsetp.eq.and.u32 %odd, %t, 0, %q;\n\t@%odd st.global.u32 [%a], 7;\n\t@!%odd membar.gl;\n\t@%odd st.volatile.global.u32 [%d], 1;\n\t@%q ret;\n" +
			"W:\n\tld.volatile.global.u32 %w, [%d];\n\tsetp.eq.u32 %q, %w, 0;\n\t@%q bra W;\n\tmembar.gl;\n\tld.global.u32 %w, [%a];\n\tst.global.u32 [%own], %w;", detect.InterBlock, "met the first"},
		"shared memory":       {"\tand.b32 %b, %t, 63;\n\tshr.u32 %b, %b, 5;\n\tmov.u32 %w, words;\n" + loop("\tst.shared.u32 [%w], %b;"), detect.IntraBlock, "collide: "},
		"wide":                {perWarp + loop("\tst.global.v4.u32 [%a], {%t, %t, %t, %t};"), detect.InterBlock, "collide: "},
		"strong":              {loop("\tatom.global.add.u32 %w, [%a], 1;\n\tld.relaxed.gpu.global.u32 %w, [%a];\n\tst.relaxed.gpu.global.u32 [%a], %w;"), "", ""},
		"volatile":            {loop("\tst.volatile.global.u32 [%a], %t;\n\tld.volatile.global.u32 %w, [%a];"), "", ""},
		"own words":           {loop("\tst.global.u32 [%own], %v;\n\tld.global.u32 %w, [%own];"), "", ""},
		"neighbouring bytes":  {"\tcvt.u64.u32 %d, %t;\n\tadd.s64 %d, %d, %a;\n" + loop("\tst.global.u8 [%d], %v;"), "", ""},
		"shared memory apart": {"\tmov.u32 %w, words;\n\tand.b32 %b, %t, 63;\n\tmad.lo.u32 %w, %b, 4, %w;\n" + loop("\tst.shared.u32 [%w], %t;"), "", ""},
		"barriers":            {"\tmov.u32 %w, words;\n\tand.b32 %b, %t, 63;\n\tsetp.eq.u32 %odd, %b, 0;\n" + loop("\t@%odd st.shared.u32 [%w], %v;\n\tbar.sync 0;\n\tld.shared.u32 %n, [%w];\n\tbar.sync 0;"), "", ""},
		"only one of a block": {"\tmov.u32 %w, words;\n\tand.b32 %b, %t, 63;\n\tsetp.eq.u32 %odd, %b, 0;\n" + loop("\t@%odd st.shared.u32 [%w], %t;"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, detector := range []string{"collide", "collide<" + strings.Trim(most, `"`) + ",warm=0>"} {
				if test.part == "met the first" && detector != "collide" {
					continue // code without a loop, which is sampled at the start of a run only
				}
				rep := explore(t, detector, text(test.body))
				switch {
				case len(rep.Faults) > 0:
					t.Errorf("%s: fault %s", detector, rep.Faults[0].Message)
				case test.kind == "" && len(rep.Races) > 0:
					t.Errorf("%s: %+v", detector, rep.Races[0])
				case test.kind == "":
				case len(rep.Races) == 0:
					t.Errorf("%s: no race", detector)
				default:
					if x := rep.Races[0]; x.Kind != test.kind || !strings.Contains(x.Rule, test.part) {
						t.Errorf("%s: %s, %s", detector, x.Kind, x.Rule)
					}
				}
			}
		})
	}
}

// clustered is a kernel in which the second block of a cluster stores into the shared memory of the first, which loads
// it.
func clustered(sync string) string {
	body := "\tmov.u32 %w, words;\n\txor.b32 %n, %b, 1;\n\tmapa.shared::cluster.u32 %n, %w, %n;\n\tand.b32 %t, %t, 63;\n\tsetp.eq.u32 %q, %t, 0;\n\tsetp.ne.and.u32 %odd, %b, 0, %q;\n" +
		loop("\t@%odd st.shared::cluster.u32 [%n], %v;\n"+sync+"\t@!%odd ld.shared.u32 %t, [%w];\n"+sync) + "\n\tbarrier.cluster.arrive;\n\tbarrier.cluster.wait;"
	return strings.NewReplacer(".version 7.0", ".version 8.0", "sm_70", "sm_90", ".visible .entry k(.param .u64 p)", ".visible .entry k(.param .u64 p) .reqnctapercluster 2").Replace(text(body))
}

// TestClusters: the shared memory of another block of the cluster is watched, by either block.
func TestClusters(t *testing.T) {
	if rep := explore(t, "collide", clustered("")); len(rep.Races) == 0 || rep.Races[0].Kind != detect.InterBlock || rep.Races[0].Space != "shared" {
		t.Errorf("%d faults, races %+v", len(rep.Faults), rep.Races)
	}
	if rep := explore(t, "collide", clustered("\tbarrier.cluster.arrive;\n\tbarrier.cluster.wait;\n")); len(rep.Races)+len(rep.Faults) > 0 {
		t.Errorf("with barriers: %d faults, races %+v", len(rep.Faults), rep.Races)
	}
}

// TestOlder: modules for targets without nanosleep stay for these, and races in them are found.
func TestOlder(t *testing.T) {
	src := strings.NewReplacer("version 7.0", "version 6.0", "sm_70", "sm_60").Replace(text(perWarp + loop("\tst.global.u32 [%a], %t;")))
	if rep := explore(t, "collide", src); len(rep.Races) == 0 || len(rep.Faults) > 0 {
		t.Errorf("%d races, %d faults", len(rep.Races), len(rep.Faults))
	}
	out := string(passtest.RunVerified(t, passtest.Load(t, "k.ptx", []byte(src)), "collide", collide.Pass).Module.Source())
	if !strings.Contains(out, ".target sm_60") || strings.Contains(out, "nanosleep") || !strings.Contains(out, "%clock;") {
		t.Errorf("the module needs a newer target:\n%s", out)
	}
}

// TestNoDeadlock: hooks in divergent branches end, whatever the other threads do, under the schedule without
// independent threads, too.
func TestNoDeadlock(t *testing.T) {
	in := passtest.Load(t, "k.ptx", []byte(text("\t@%odd bra ODD;\n\tst.global.u32 [%own], %t;\n\tbra JOIN;\nODD:\n\tld.global.u32 %w, [%own];\nJOIN:\n\tbar.sync 0;\n\tst.global.u32 [%own], %t;")))
	out := passtest.RunVerified(t, in, "collide", collide.Pass)
	k := passtest.Kernel{Name: "k", Grid: emu.Dim3{X: 2, Y: 1, Z: 1}, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Buffers: [][]byte{make([]byte, 512)}}
	k.SameResults(t, in, out.Module)
}

// TestOptions: values out of range are refused.
func TestOptions(t *testing.T) {
	for _, bad := range []string{"budget=0", "budget=101", "budget=x", "wait=0", "rounds=0", "warm=-1", "seed=-1"} {
		if _, err := session.ParseDetectors("collide<" + bad + ">"); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

// TestOverhead: in a long run, hooks add instructions within the budget, and few where nothing can race.
func TestOverhead(t *testing.T) {
	body := "\tmov.u32 %w, words;\n\tand.b32 %b, %t, 63;\n\tmad.lo.u32 %w, %b, 4, %w;\nL:\n\tld.shared.u32 %n, [%w];\n" + strings.Repeat("\tadd.u32 %n, %n, 1;\n", 12) + "\tst.shared.u32 [%w], %n;\n\tadd.u32 %v, %v, 1;\n\tsetp.lt.u32 %q, %v, 20000;\n\t@%q bra L;"
	alone := 0.0
	for _, test := range []struct {
		budget int
		most   float64
	}{{0, 1}, {1, 1.3}, {10, 1.4}, {100, 2.6}} {
		spec := ""
		if test.budget > 0 {
			spec = fmt.Sprintf("collide<budget=%d,warm=0>", test.budget)
		}
		n := instructions(t, spec, text(body))
		if test.budget == 0 {
			alone = n
		}
		t.Logf("budget %d: %.2fx", test.budget, n/alone)
		if n > test.most*alone {
			t.Errorf("budget %d: %.2f times as many instructions, expected %.2f at most", test.budget, n/alone, test.most)
		}
	}
}
