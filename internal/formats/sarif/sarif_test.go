package sarif

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	sarif "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// sample has a race with source, one without, a suppressed one and a fault.
func sample() *report.Report {
	side := func(access string, line int, source *report.Source) report.Access {
		return report.Access{Access: access, Instruction: "st.global.u32", PTX: report.Place{File: "k.ptx", Line: line}, Source: source, Kernel: "_Z3sumPi", Thread: [3]uint32{uint32(line), 0, 0}}
	}
	at := func(line int) *report.Source { return &report.Source{File: "src/a b.cu", Line: line, Column: 3} }
	r := &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: "1.2.3"}, Notes: []string{"something was left out"},
		Races: []*report.Race{
			{
				Kind: detect.InterBlock, Cause: detect.MissingFence, Space: "global", Address: 0x100, Symbol: "data[4]", Size: 4, Count: 9,
				First: side("write", 5, at(10)), Second: side("read", 9, at(12)),
				Publish: &report.Operation{Instruction: "atom.add", PTX: report.Place{File: "k.ptx", Line: 7}, Source: at(11)},
				Observe: &report.Operation{Instruction: "ld.volatile", PTX: report.Place{File: "k.ptx", Line: 8}},
				Replay:  "ptxsan check k.ptx",
			},
			{Kind: detect.IntraWarp, Cause: detect.BranchOrder, Space: "shared", Address: 0x10, Size: 4, First: side("write", 0, nil), Second: side("write", 22, nil)},
			{Kind: detect.IntraBlock, Cause: "another", Space: "shared", Address: 0x10, Size: 4, First: side("write", 30, nil), Second: side("write", 31, nil)},
		},
		Faults: []*report.FaultEvent{{Class: "out-of-bounds", Message: "too far", Kernel: "k", PTX: report.Place{File: "/x/k.ptx", Line: 3}}},
	}
	r.Finish()
	r.Suppressed, r.Races[2].Suppressed = r.Races[2:], []string{"s.yaml:1: known"}
	r.Races = r.Races[:2]
	return r
}

// validate checks a log with the standard's schema, which the library that reads logs here contains.
func validate(t *testing.T, log []byte) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	literal := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit)
	schema, err := strconv.Unquote(literal.Value)
	if err != nil {
		t.Fatal(err)
	}
	res, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema), gojsonschema.NewBytesLoader(log))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range res.Errors() {
		t.Error(wrong)
	}
}

// TestWrite: the log is valid, and has both accesses of a race, their flow, rules with help and
// fingerprints.
func TestWrite(t *testing.T) {
	rep := sample()
	var b, again bytes.Buffer
	if err := Write(&b, rep); err != nil {
		t.Fatal(err)
	}
	if err := Write(&again, rep); err != nil || again.String() != b.String() {
		t.Error("two logs of one report differ", err)
	}
	log, err := sarif.FromBytes(b.Bytes(), sarif.WithStrictValidation())
	if err != nil {
		t.Fatal(err)
	}
	validate(t, b.Bytes())
	run := log.Runs[0]
	if len(run.Results) != 4 || len(run.Tool.Driver.Rules) != len(rules)+2 {
		t.Fatalf("%d results, %d rules", len(run.Results), len(run.Tool.Driver.Rules))
	}
	for i, x := range run.Results {
		rule := run.Tool.Driver.Rules[x.RuleIndex]
		if *rule.ID != *x.RuleID || *rule.Help.Text == "" || len(x.Locations) != 1 {
			t.Errorf("result %d: rule %s, index %d", i, *x.RuleID, x.RuleIndex)
		}
		if race := i < 3; race != (len(x.CodeFlows) == 1 && len(x.CodeFlows[0].ThreadFlows) == 2 && len(x.RelatedLocations) == 1) || race && x.Fingerprints[Fingerprint] == "" {
			t.Errorf("result %d: %d flows, %d related locations, fingerprints %v", i, len(x.CodeFlows), len(x.RelatedLocations), x.Fingerprints)
		}
		if (i == 2) != (len(x.Suppressions) == 1) {
			t.Errorf("result %d: %d suppressions", i, len(x.Suppressions))
		}
	}
	x := run.Results[0]
	for _, r := range run.Results {
		if *r.RuleID == string(detect.MissingFence) {
			x = r
		}
	}
	place := x.Locations[0].PhysicalLocation
	if *place.ArtifactLocation.URI != "src/a%20b.cu" || *place.Region.StartLine != 10 || *place.Region.StartColumn != 3 || *x.RelatedLocations[0].PhysicalLocation.Region.StartLine != 12 {
		t.Errorf("the places are %s:%d", *place.ArtifactLocation.URI, *place.Region.StartLine)
	}
	if flows := x.CodeFlows[0].ThreadFlows; len(flows[0].Locations) != 2 || len(flows[1].Locations) != 2 || flows[1].Locations[1].ExecutionOrder != 4 {
		t.Errorf("the flow is %v", flows)
	}
	if notes := run.Invocations[0].ToolExecutionNotifications; len(notes) != 1 || *notes[0].Message.Text != "something was left out" {
		t.Errorf("notes %v", notes)
	}
}

// TestEmpty: a report without findings is a valid log with an empty list of results.
func TestEmpty(t *testing.T) {
	rep := &report.Report{Tool: report.Tool{Name: "ptxsan", Version: "1"}}
	rep.Finish()
	var b bytes.Buffer
	if err := Write(&b, rep); err != nil || !strings.Contains(b.String(), `"results": []`) {
		t.Error(b.String(), err)
	}
	validate(t, b.Bytes())
}

func TestAddress(t *testing.T) {
	for file, want := range map[string]string{
		"k.cu": "k.cu", "a/b c.cu": "a/b%20c.cu", "/x/k.cu": "file:///x/k.cu", `C:\x\k.cu`: "file:///C:/x/k.cu", "../k.cu": "../k.cu", "a:b": "./a:b",
	} {
		if got := address(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
