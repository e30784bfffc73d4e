package analysis_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	suites      = flag.String("suites", "", "folder with clones of labelled suites for TestStaticSuites")
	suitesPart  = flag.String("suites-part", "open", "programs: open, kept (a random fifth) or all")
	suitesMatch = flag.String("suites-match", "", "only programs whose suite/name this expression matches")
	suitesOut   = flag.String("suites-out", "", "file for a line of each program")
	suitesPTX   = flag.String("suites-ptx", "", "folder that keeps the PTX of the programs from one run to the next")
	suitesLimit = flag.Duration("suites-limit", time.Minute, "time for a program")
	suitesJobs  = flag.Int("suites-jobs", 2, "programs at a time")
)

// suiteResult is what the analysis says of a program.
type suiteResult struct {
	*suiteProgram
	verdict string   // clean, racy, fault, unknown; "" if it does not compile
	reasons []string // why pairs are open
	seconds float64
	rules   []string // those without which the verdict is another one
}

// TestStaticSuites analyses the programs of suites that people have cloned below -suites, and counts the verdicts by
// label. It fails on a program with a race that is called clean: the listed reasons say why some are right to be.
func TestStaticSuites(t *testing.T) {
	if *suites == "" {
		t.Skip("no folder of suites")
	}
	list := suiteFiles(t)
	out := io.Discard
	if *suitesOut != "" {
		file, err := os.Create(*suitesOut)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		out = file
	}
	results := make([]*suiteResult, len(list))
	var writing sync.Mutex
	var wait sync.WaitGroup
	slots := make(chan bool, *suitesJobs)
	for i, p := range list {
		wait.Add(1)
		slots <- true
		go func() {
			defer func() { <-slots; wait.Done() }()
			r := p.run(t)
			writing.Lock()
			defer writing.Unlock()
			results[i] = r
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%.2f\t%s\n", r.suite, r.name, r.label, r.verdict, r.seconds, strings.Join(r.reasons, "; "))
		}()
	}
	wait.Wait()
	summary(t, results)
}

// suiteFiles finds the chosen programs: files of CUDA with a label and a launch, without repetitions.
func suiteFiles(t *testing.T) (list []*suiteProgram) {
	t.Helper()
	seen := make(map[string]bool)
	match := regexp.MustCompile(*suitesMatch)
	visit := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".cu" {
			return err
		}
		p, err := readProgram(*suites, path)
		if err != nil || p.grid == "" && p.label == labelNone || seen[p.key()] || strings.Contains(path, "/bc/") || *suitesPart != "all" && p.kept() != (*suitesPart == "kept") || !match.MatchString(path) {
			return err
		}
		seen[p.key()] = true
		list = append(list, p)
		return nil
	}
	folders, err := os.ReadDir(*suites)
	slices.Reverse(folders) // GPUVerify's programs before GPURepair's copies
	for _, f := range folders {
		if err == nil && f.IsDir() {
			err = fs.WalkDir(os.DirFS(*suites), f.Name(), visit)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// run compiles and analyses a program.
func (p *suiteProgram) run(t *testing.T) *suiteResult {
	r := &suiteResult{suiteProgram: p}
	dir := t.TempDir()
	file := filepath.Join(dir, "kernel.cu")
	if err := os.WriteFile(file, []byte("#include <cuda.h>\n#line 1\n"+p.text), 0o600); err != nil {
		t.Error(err)
		return r
	}
	o := hostcode.Options{Defines: p.defines, Includes: []string{filepath.Join("testdata", "suites"), p.folder}}
	ptx, err := p.compile(file, o)
	if err != nil {
		r.reasons = []string{"does not compile: " + err.Error()}
		return r
	}
	prog, err := session.Parse("kernel.ptx", ptx)
	if err != nil {
		r.reasons = []string{"not read: " + err.Error()}
		return r
	}
	given, err := p.launches(prog, file, o)
	if err != nil {
		r.reasons = []string{"facts: " + err.Error()}
		return r
	}
	start := time.Now()
	out, verdict, err := verdictOf(prog, analysis.Options{Facts: given, Disjoint: true})
	r.seconds = time.Since(start).Seconds()
	if err != nil {
		r.reasons = []string{"analysis: " + err.Error()}
		return r
	}
	r.verdict = verdict
	for _, name := range out.Applied() {
		if _, without, err := verdictOf(prog, analysis.Options{Facts: given, Disjoint: true, Without: []string{name}}); err != nil || without != verdict {
			r.rules = append(r.rules, name)
		}
	}
	if r.verdict == report.Unknown {
		for _, p := range out.Report.Proofs {
			r.reasons = append(r.reasons, p.Notes...)
		}
		if p := out.Report.Pairs(); len(r.reasons) == 0 && !slices.ContainsFunc(p, func(x *report.Race) bool { return x.Possible && x.Severity != report.Info }) {
			r.verdict = "shown" // of volatile accesses or of equal values, which check reports as less than an error
		}
	}
	for _, x := range out.Report.Pairs() {
		if x.Severity == report.Error && r.label == labelClean {
			r.reasons = append(r.reasons, fmt.Sprintf("%s race of %s and %s", x.Kind, x.First.At(), x.Second.At()))
		}
		if x.Possible && !slices.Contains(r.reasons, x.Reason) {
			r.reasons = append(r.reasons, x.Reason)
		}
	}
	return r
}

// verdictOf analyses a program.
func verdictOf(prog *session.Program, o analysis.Options) (out *analysis.Outcome, verdict string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), *suitesLimit)
	defer cancel()
	if out, err = analysis.Run(ctx, prog, o); err != nil {
		return nil, "", err
	}
	out.Report.SettleStatic(report.Error)
	verdict = out.Report.Verdict
	if verdict == report.Fault && slices.ContainsFunc(out.Report.Proofs, func(p *report.Proof) bool { return p.Verdict == report.Unknown }) {
		verdict = report.Unknown // a launch ends in a fault, but something else is open
	}
	return out, verdict, nil
}

// compile makes PTX of a program, or finds what an earlier run made.
func (p *suiteProgram) compile(file string, o hostcode.Options) ([]byte, error) {
	kept := filepath.Join(*suitesPTX, strings.ReplaceAll(p.suite+"/"+p.name, "/", "+")+".ptx")
	if *suitesPTX != "" {
		if ptx, err := os.ReadFile(kept); err == nil {
			return ptx, nil
		}
	}
	if strings.Contains(p.text, "curand") {
		o.Defines = append(slices.Clone(o.Defines), "SUITE_RANDOM")
	}
	made, err := hostcode.CompileDevice(context.Background(), file, "sm_70", o)
	for _, with := range []string{"SUITE_VECTORS", "SUITE_TYPES"} { // what their suite gives to all programs, and some define themselves
		if err != nil {
			other := o
			other.Defines = append(slices.Clone(o.Defines), with)
			if again, wrong := hostcode.CompileDevice(context.Background(), file, "sm_70", other); wrong == nil {
				return p.keep(kept, again.PTX)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return p.keep(kept, made.PTX)
}

// keep stores the PTX of a program for later runs, if there is a folder for it.
func (p *suiteProgram) keep(file string, ptx []byte) ([]byte, error) {
	if *suitesPTX == "" {
		return ptx, nil
	}
	return ptx, os.WriteFile(file, ptx, 0o600)
}

// launches returns the facts of a program: of its options, else of its host code.
func (p *suiteProgram) launches(prog *session.Program, file string, o hostcode.Options) ([]*facts.File, error) {
	if p.grid == "" || p.block == "" {
		return hostcode.Load(context.Background(), []string{file}, o)
	}
	var names []string
	for _, k := range prog.Module.Kernels() {
		if k.Defined() {
			names = append(names, k.Name)
		}
	}
	f, err := factfile.Parse("suite.yaml", []byte(p.facts(names)))
	return []*facts.File{f}, err
}

// summary prints the counts: of verdicts, of reasons, and of the programs that each rule decides.
func summary(t *testing.T, results []*suiteResult) {
	counts, reasons := make(map[string]int), make(map[string]int)
	var seconds []float64
	rules := make(map[string]int)
	for _, name := range static.Rules() {
		rules["rule "+name] = 0
	}
	for _, r := range results {
		for _, name := range r.rules {
			rules["rule "+name]++
		}
		counts[fmt.Sprintf("%-22s %-6s %s", r.suite, r.label, r.verdict)]++
		if r.verdict == "" {
			continue
		}
		seconds = append(seconds, r.seconds)
		if r.verdict == report.Unknown {
			for _, why := range r.reasons {
				reasons[why]++
			}
		}
	}
	for _, m := range []map[string]int{counts, reasons, rules} {
		var keys []string
		for k := range m {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			t.Logf("%4d %s", m[k], k)
		}
	}
	if sort.Float64s(seconds); len(seconds) > 0 {
		t.Logf("%d programs, median %.2f s, maximum %.2f s", len(seconds), seconds[len(seconds)/2], seconds[len(seconds)-1])
	}
}
