package ptxgrammar_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestPredictions counts the decisions for which one token of lookahead is not enough:
// each costs a run of the grammar's interpreter. The only one is the header .pragma
// against a PTX 1.x prototype without ';', once per function.
func TestPredictions(t *testing.T) {
	src, err := os.ReadFile("internal/antlrgen/ptx_parser.go")
	if err != nil {
		t.Fatal(err)
	}
	decisions := map[string]bool{}
	for _, m := range regexp.MustCompile(`AdaptivePredict\(p\.BaseParser, p\.GetTokenStream\(\), (\d+)`).FindAllSubmatch(src, -1) {
		decisions[string(m[1])] = true
	}
	if len(decisions) != 1 {
		t.Errorf("%d decisions need prediction, want 1: %v", len(decisions), decisions)
	}
	if bytes.Count(src, []byte("AdaptivePredict(")) != 2 {
		t.Error("prediction in an unexpected form")
	}
}

// TestGeneratedParserIsUpToDate runs the ANTLR tool where there is one.
func TestGeneratedParserIsUpToDate(t *testing.T) {
	if os.Getenv("ANTLR_JAR") == "" {
		t.Skip("ANTLR_JAR does not name the tool (see generate.sh)")
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip("no java")
	}
	dir := t.TempDir()
	if out, err := exec.Command("./generate.sh", dir).CombinedOutput(); err != nil {
		t.Fatalf("generate.sh: %v\n%s", err, out)
	}
	for _, name := range []string{"ptx_lexer.go", "ptx_parser.go"} {
		want, err := os.ReadFile(filepath.Join(dir, "internal/antlrgen", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("internal/antlrgen", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the tool makes of the grammar: run generate.sh", name)
		}
	}
}
