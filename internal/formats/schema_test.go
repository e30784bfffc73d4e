package formats_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	"github.com/xeipuuv/gojsonschema"

	"github.com/ptxsan/ptxsan/runtime/report"
)

var update = flag.Bool("update", false, "write docs/report.schema.json anew")

// schemaFile is the schema of reports in JSON, which users have.
const schemaFile = "../../docs/report.schema.json"

// schema is what the Go types say of a report in JSON.
func schema(t *testing.T) []byte {
	t.Helper()
	r := jsonschema.Reflector{
		Anonymous: true, AllowAdditionalProperties: true, // of newer versions
		Mapper: func(typ reflect.Type) *jsonschema.Schema {
			if typ == reflect.TypeFor[report.Hex]() {
				return &jsonschema.Schema{Type: "string", Pattern: "^(0x[0-9a-f]+)?$"}
			}
			return nil
		},
	}
	s := r.Reflect(&report.Report{})
	access := s.Definitions["Access"]
	access.Required = slices.DeleteFunc(access.Required, func(key string) bool { return slices.Contains([]string{"block", "thread", "warp"}, key) })
	s.ID, s.Title = "", "A report of ptxsan, schema 1"
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unknownLines is a report of a program without line information.
func unknownLines() *report.Report {
	leak := &report.FaultEvent{Class: report.LeakClass, Call: &report.Call{Function: "cuMemAlloc"}}
	return &report.Report{Verdict: report.Fault, Races: []*report.Race{}, Faults: []*report.FaultEvent{leak}}
}

// TestSchema: docs/report.schema.json is what the types say, and reports are valid by it.
func TestSchema(t *testing.T) {
	want := schema(t)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is out of date: go test ./internal/formats -run TestSchema -update", filepath.Base(schemaFile))
	}
	// The library knows draft 7 at most, which has the same meaning for what the schema uses.
	draft7 := strings.NewReplacer("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#", "$defs", "definitions").Replace(string(have))
	compiled, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(draft7))
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("../../runtime/report/testdata/report.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text  string
		valid bool
	}{
		"golden": {string(golden), true}, "sample": {render(t, "json", sample()), true},
		"unknown lines": {render(t, "json", unknownLines()), true},
		"no races":      {strings.Replace(string(golden), `"races"`, `"racers"`, 1), false},
		"another type":  {strings.Replace(string(golden), `"verdict": "`, `"verdict": 1, "x": "`, 1), false},
		"newer version": {strings.Replace(string(golden), `"verdict"`, `"new": {}, "verdict"`, 1), true},
	} {
		res, err := compiled.Validate(gojsonschema.NewStringLoader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if res.Valid() != c.valid {
			t.Errorf("%s: valid %v, %v", name, res.Valid(), res.Errors())
		}
	}
}
