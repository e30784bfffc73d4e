package formats_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/formats"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// hostile is a name that means something in every format.
const hostile = "<script>alert(1)</script>]]>::error::%0A,\"'\n\x01"

// sample has a race and a fault with names that must be escaped.
func sample() *report.Report {
	side := func(access string, line int) report.Access {
		return report.Access{Access: access, Instruction: "st.global.u32", PTX: report.Place{File: "k.ptx", Line: line}, Source: &report.Source{File: "src/" + hostile + ".cu", Line: line}, Kernel: hostile}
	}
	r := &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: "1"}, Detector: "precise", Notes: []string{hostile},
		Races:    []*report.Race{{Kind: detect.InterBlock, Cause: detect.MissingFence, Space: "global", Symbol: hostile, Size: 4, Count: 2, First: side("write", 3), Second: side("read", 5), Replay: "ptxsan check " + hostile}},
		Faults:   []*report.FaultEvent{{Class: "trap", Message: hostile, Kernel: hostile, PTX: report.Place{File: "k.ptx", Line: 9}}},
		Coverage: []*report.Coverage{{Detector: "precise", Kernel: "quiet", Accesses: 2, Watched: 2}},
	}
	r.Finish()
	return r
}

// excerpt is a source file whose lines are hostile.
func excerpt(_ string, n int) (string, bool) { return hostile, n < 9 }

// render is a report in a format.
func render(t *testing.T, name string, r *report.Report) string {
	t.Helper()
	list, err := formats.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := list[0].Write(&b, r, report.TextOptions{Excerpt: excerpt, Names: report.NameFull}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLeak: every format says what leaked, and which call allocated it, and speaks of no thread.
func TestLeak(t *testing.T) {
	line := &report.Source{File: "app.c", Line: 7}
	r := &report.Report{Faults: []*report.FaultEvent{{Class: report.LeakClass, Address: 0x1000, Size: 64, Count: 1, Source: line, Call: &report.Call{Function: "cudaMalloc", Source: line}}}}
	r.Finish()
	for _, name := range []string{"text", "sarif", "junit", "html", "github"} {
		out := render(t, name, r)
		for _, want := range []string{"64 bytes at 0x1000", "cudaMalloc at app.c:7"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s has no %q:\n%s", name, want, out)
			}
		}
		if strings.Contains(strings.ToLower(out), "by thread") {
			t.Errorf("%s speaks of a thread:\n%s", name, out)
		}
	}
}

// TestClaims: every format says what the verdict holds for and depends on, with names that mean something in it.
func TestClaims(t *testing.T) {
	r := &report.Report{
		Tool: report.Tool{Name: "ptxsan"}, Detector: "precise",
		Coverage: []*report.Coverage{{Detector: "precise", Kernel: "quiet", Accesses: 2, Watched: 2}},
	}
	r.Finish()
	r.AddClaim(report.Claim{Kernel: "quiet", Holds: report.Holds{Schedules: report.EverySchedule, Contents: []string{hostile}}, Matter: []string{"idx"}},
		report.Depends{Kernel: "quiet", On: detect.OnContents, Object: "idx", What: "k.cu:12 an address " + hostile, PTX: report.Place{File: "k.ptx", Line: 3}})
	for name, want := range map[string]string{
		"text":   "========= HOLDS FOR: every schedule; every content of <script>|DEPENDS ON: contents of idx: k.cu:12 an address",
		"json":   `"schedules": "every"|"object": "idx"`,
		"sarif":  `"schedules": "every"|"object": "idx"|"text": "DEPENDS ON: contents of idx: k.cu:12`,
		"junit":  "HOLDS FOR: every schedule; every content of &lt;script|DEPENDS ON: contents of idx",
		"html":   "<td>every schedule; every content of &lt;script|contents of idx: k.cu:12 an address &lt;",
		"github": "::notice title=ptxsan%3A HOLDS FOR::every schedule|::notice title=ptxsan%3A DEPENDS ON::contents of idx",
	} {
		out := render(t, name, r)
		for part := range strings.SplitSeq(want, "|") {
			if !strings.Contains(out, part) {
				t.Errorf("%s has no %q:\n%s", name, part, out)
			}
		}
		if strings.Contains(out, "\x01") {
			t.Errorf("%s has a control character", name)
		}
	}
}

func TestHTML(t *testing.T) {
	page := render(t, "html", sample())
	if strings.Contains(page, "<script") || strings.Contains(page, "alert(1)</") {
		t.Error("a name is not escaped")
	}
	if m := regexp.MustCompile(`(?i)(src|<link[^>]*href)\s*=|url\(|@import`).FindString(page); m != "" {
		t.Errorf("the page loads something: %s", m)
	}
	for _, want := range []string{"&lt;script&gt;", `class="hit"`, "missing: ", "prefers-color-scheme: dark", "Fix</dt>", "Replay</dt>", `id="` + sample().Races[0].ID} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// TestJUnit: the file is XML, and has a case for each kernel.
func TestJUnit(t *testing.T) {
	text := render(t, "junit", sample())
	dec := xml.NewDecoder(strings.NewReader(text))
	count := map[string]int{}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
	if count["testcase"] != 2 || count["failure"] != 1 || count["error"] != 1 {
		t.Errorf("%v in\n%s", count, text)
	}
}

// TestGitHub: each finding is one line, and its file, line and title are properties.
func TestGitHub(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(render(t, "github", sample())), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []string{"::error file=src/<script>alert(1)</script>]]>%3A%3Aerror%3A%3A%250A%2C\"'<U+000A><U+0001>.cu,line=5,title=", "::error file=k.ptx,line=9,title=", "::notice title="} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %q, want %q", lines[i], want)
		}
	}
}

// TestConvert: what was written as JSON is read again, and says the same in every format.
func TestConvert(t *testing.T) {
	r := sample()
	text := render(t, "json", r)
	again, err := report.Read("r.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"json", "text", "sarif", "junit", "html", "github"} {
		if a, b := render(t, name, r), render(t, name, again); a != b {
			t.Errorf("%s: after reading\n%s\nbefore\n%s", name, b, a)
		}
	}
}

// TestReadSettles: the verdict of a saved report is that of its findings, whatever it says.
func TestReadSettles(t *testing.T) {
	text := strings.Replace(render(t, "json", sample()), `"verdict": "fault"`, `"verdict": "clean"`, 1)
	if r, err := report.Read("r.json", []byte(text)); err != nil || r.Verdict != report.Fault {
		t.Error(r, err)
	}
}

// TestMerge: findings of the same identity are one, and what differs is new or gone.
func TestMerge(t *testing.T) {
	a, b := sample(), sample()
	b.Races[0].First.Source.Line, b.Races[0].ID = 4, ""
	b.Finish()
	d := report.Compare(a, b)
	if len(d.New) != 1 || len(d.Gone) != 1 || len(d.Same) != 0 || len(d.NewFaults) != 0 || !d.Worse(report.Error) {
		t.Errorf("%+v", d)
	}
	if d := report.Compare(a, a); len(d.New)+len(d.Gone) != 0 || len(d.Same) != 1 || d.Worse(report.Info) {
		t.Errorf("with itself: %+v", d)
	}
	if r := report.MergeAll([]*report.Report{a, b, sample()}); len(r.Races) != 2 || len(r.Faults) != 1 || r.Verdict != report.Fault {
		t.Errorf("%d races, %d faults, %s", len(r.Races), len(r.Faults), r.Verdict)
	}
}

// FuzzRead: any text is a report that can be written in every format, or an error with a place.
func FuzzRead(f *testing.F) {
	golden, err := os.ReadFile("../../runtime/report/testdata/report.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	for _, text := range []string{"", "{}", "[]", `{"schema":1,"tool":{"name":"ptxsan"},"races":[null]}`, `{"schema":1,"tool":{"name":"ptxsan"},"races":[{"severity":"error","also":[{"detectors":["x"]}]}],"exploration":{},"proofs":[{}]}`, `{"schema":1,"tool":{"name":"ptxsan"},"faults":[{"severity":"error"}],"coverage":[{}],"expect":[{}]} {}`, `{"schema":1,"tool":{"name":"ptxsan"},"sync":[{"verdict":"needed"},{"verdict":"weaker","because":{"race":{}},"with":[{}],"or":{}},{}],"sync_set":{}}`} {
		f.Add([]byte(text))
	}
	place := regexp.MustCompile(`^r\.json:\d+:\d+: .*expected`)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := report.Read("r.json", text)
		if err != nil {
			if !place.MatchString(err.Error()) && !strings.Contains(err.Error(), "empty") {
				t.Errorf("no place in %q", err)
			}
			return
		}
		other, err := report.Read("r.json", text)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"json", "text", "sarif", "junit", "html", "github"} {
			writeAny(t, name, r)
		}
		_ = report.Compare(r, other)
		_ = report.MergeAll([]*report.Report{r, other})
	})
}

// writeAny writes a report in a format; that a format refuses it is fine.
func writeAny(t *testing.T, name string, r *report.Report) {
	list, err := formats.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	_ = list[0].Write(io.Discard, r, report.TextOptions{Excerpt: excerpt})
}

// TestSync: the formats for answers about synchronisation have them, with names that mean something there, and a
// SARIF log has notes for what can go alone.
func TestSync(t *testing.T) {
	at := &report.Source{File: "k.cu", Line: 3}
	r := &report.Report{Tool: report.Tool{Name: "ptxsan", Version: "1"}, Sync: []report.Sync{
		{Kernel: hostile, Source: at, Instruction: "bar.sync", Verdict: report.SyncNeeded, Because: &report.SyncReason{Result: hostile}},
		{Kernel: hostile, Source: at, Instruction: "membar.gl", Kind: "fence", Verdict: report.SyncWeaker, To: "membar.cta", Holds: &report.Holds{Schedules: report.EverySchedule, Contents: []string{}}, Set: true},
	}, SyncSet: &report.SyncSet{Verified: "100 schedules", Diff: "-membar.gl;\n+membar.cta;\n"}}
	r.Finish()
	again, err := report.Read("r.json", []byte(render(t, "json", r)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"text":  "= bar.sync: needed: without it <script>|= membar.gl: weaker will do: __threadfence_block() (membar.cta)|VERIFIED: ",
		"json":  `"instruction": "bar.sync"|"verdict": "weaker"|"verified": "100 schedules"`,
		"sarif": `"ruleId": "synchronisation-weaker"|"level": "note"|docs/sync.md|holds for: every schedule`,
		"html":  "bar.sync: needed: without it &lt;script|k.cu:3: __threadfence_block() (membar.cta) in place of|+membar.cta",
	} {
		out := render(t, name, r)
		for part := range strings.SplitSeq(want, "|") {
			if name == "html" {
				part = strings.ReplaceAll(part, "+", "&#43;")
			}
			if !strings.Contains(out, part) {
				t.Errorf("%s has no %q:\n%s", name, part, out)
			}
		}
		if strings.Contains(out, "\x01") || name == "html" && strings.Contains(out, "<script") {
			t.Errorf("%s has characters that mean something", name)
		}
		if name == "sarif" && strings.Contains(out, "bar.sync") {
			t.Error("a note about a barrier that is needed")
		}
		if o := render(t, name, again); o != out {
			t.Errorf("%s: after reading\n%s\nbefore\n%s", name, o, out)
		}
	}
}
