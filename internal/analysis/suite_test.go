package analysis_test

import (
	"cmp"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// suiteBudget is the work units for a kernel of the race suite: races of a static nature need
// little.
const suiteBudget = 1_000_000

// barrierFault is the racy case of the suite that ends in a fault before it gets to the race.
const barrierFault = "half-warp"

// TestSuiteWitnesses executes the witness of every RACE that is found in the racy kernels of the
// race suite, for the launches of their launch files.
func TestSuiteWitnesses(t *testing.T) {
	files, err := filepath.Glob("../../examples/suite/micro/*/*-racy.yaml")
	if err != nil || len(files) < 200 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	found, each := 0, 1
	if testing.Short() {
		each = 5
	}
	for i, name := range files {
		if i%each != 0 {
			continue
		}
		out := analyzeCase(t, strings.TrimSuffix(name, ".yaml"))
		for _, x := range out.Report.Races {
			if x.Possible {
				continue
			}
			found++
			if !x.Witness.Confirmed && !strings.Contains(name, barrierFault) {
				t.Errorf("%s: %s and %s: the witness shows no race", name, x.First.At(), x.Second.At())
			}
		}
	}
	if found < 60/each {
		t.Errorf("%d races with a witness in the suite, there were 64", found)
	}
}

// suitePrograms is the number of programs of TestSuiteVerdicts.
var suitePrograms = flag.Int("programs", 30, "programs of the race suite for TestSuiteVerdicts")

// TestSuiteVerdicts: no racy program of the race suite is proved, and no race is reported of one
// without. The programs are spread evenly over the suite.
func TestSuiteVerdicts(t *testing.T) {
	var files []string
	for _, pattern := range []string{"micro/*/*.yaml", "apps/*/*.yaml", "mining/*/*.yaml"} {
		more, err := filepath.Glob(filepath.Join("../../examples/suite", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	counts := make(map[string]int)
	step := max(1, len(files)/(*suitePrograms))
	if step > 1 {
		step |= 1 // odd: fixed and racy variants alternate
	}
	for i := 0; i < len(files); i += step {
		base := strings.TrimSuffix(files[i], ".yaml")
		if _, err := os.Stat(base + ".ptx"); err != nil {
			continue // a launch file for several programs
		}
		file, err := launch.Load(files[i], launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if file.Expect == nil || file.Expect.Under("ptx") == nil {
			continue
		}
		want, got := file.Expect.Under("ptx").Verdict, analyzeCase(t, base).Report.Verdict
		counts[want+" "+got]++
		if want == report.Racy && got == report.Clean || want == report.Clean && got == report.Racy {
			t.Errorf("%s: %s, and it is %s", base, got, want)
		}
	}
	t.Log(counts)
}

// TestTried: what locks, flags, copies, clusters and matrices in shared memory decide is a race where
// an execution shows one, with that launch as the witness; what textures and tensor maps
// decide, where that of the launch file does. Where such an execution stands for all schedules, there is none.
func TestTried(t *testing.T) {
	for name, verdict := range map[string]string{
		"lock/different-locks-racy": report.Racy, "lock/different-locks-fixed": report.Clean, "fence/message-no-fence-racy": report.Racy,
		"async/no-wait-racy": report.Racy, "barrier/fence-instead-racy": report.Racy, "cluster/read-too-early-racy": report.Racy,
		"cluster/read-too-early-fixed": report.Clean, "cluster/atomics-cluster-scope-racy": report.Racy, "async/multicast-tile-reused-racy": report.Racy,
		"async/mbarrier-wrong-parity-racy": report.Racy, "async/wgmma-no-proxy-fence-racy": report.Racy, "async/wgmma-no-proxy-fence-fixed": report.Clean,
		"async/tensor-no-wait-racy": report.Racy, "async/tensor-no-wait-fixed": report.Clean, "texture/surface-write-then-fetch-racy": report.Racy,
		"warp/active-mask-racy": report.Racy,
	} {
		out := analyzeCase(t, "../../examples/suite/micro/"+name)
		if out.Report.Verdict != verdict {
			t.Errorf("%s: %s, want %s", name, out.Report.Verdict, verdict)
		}
		for _, x := range out.Report.Races {
			if w := x.Witness; !x.Possible && (w == nil || !w.Confirmed) {
				t.Errorf("%s: %s and %s race without a witness", name, x.First.At(), x.Second.At())
			}
		}
	}
}

// TestPlayed tests that the witness of a race in an execution of the launch file is that file. It does not use the
// cache.
func TestPlayed(t *testing.T) {
	const base = "../../examples/suite/micro/async/tensor-no-wait-racy"
	cache := &analysis.Cache{Dir: t.TempDir(), MaxFiles: 100, MaxBytes: 1 << 20, EntryBytes: 1 << 20}
	for range 2 {
		out := analyzeFile(t, base, &analysis.Options{Cache: cache})
		text, x, err := out.Witness(context.Background(), "")
		if want, wrong := os.ReadFile(base + ".yaml"); err != nil || wrong != nil || text != string(want) || !x.Witness.Confirmed {
			t.Errorf("the witness is %q, %v", text, err)
		}
	}
	out := analyzeFile(t, base, &analysis.Options{Cache: cache, File: new(launch.File)})
	if out.Report.Verdict != report.Unknown {
		t.Errorf("%s without executing the file", out.Report.Verdict)
	}
}

// analyzeCase analyses a case of the suite for the launches of its launch file.
func analyzeCase(t *testing.T, base string) *analysis.Outcome {
	t.Helper()
	return analyzeFile(t, base, new(analysis.Options))
}

// analyzeFile is analyzeCase with options, which say what file is executed unless it is that of the case.
func analyzeFile(t *testing.T, base string, o *analysis.Options) *analysis.Outcome {
	t.Helper()
	text, err := os.ReadFile(base + ".ptx")
	if err != nil {
		t.Fatal(err)
	}
	prog, err := session.Parse(base+".ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	file, err := launch.Load(base+".yaml", launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o.Budget, o.Facts, o.File = suiteBudget, []*facts.File{factfile.FromLaunches(file)}, cmp.Or(o.File, file)
	out, err := analysis.Run(context.Background(), prog, *o)
	if err != nil {
		t.Fatal(err)
	}
	out.Report.SettleStatic(report.Error)
	return out
}
