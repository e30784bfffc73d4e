package ptxgrammar_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPredictions counts the decisions for which one token of lookahead is not enough:
// the runtime would interpret the grammar over any number of tokens there. The only one,
// a header .pragma against a PTX 1.x prototype without ';', is decided by takesPragma.
func TestPredictions(t *testing.T) {
	src, err := os.ReadFile("internal/antlrgen/ptx_parser.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(src, []byte("AdaptivePredict(")); n != 0 {
		t.Errorf("%d predictions, want none", n)
	}
	if n := bytes.Count(src, []byte("_alt = p.takesPragma()")); n != 2 {
		t.Errorf("%d places decide the loop over header directives, want 2", n)
	}
}

// TestGeneratedParserIsUpToDate runs the ANTLR tool where there is one.
func TestGeneratedParserIsUpToDate(t *testing.T) {
	if os.Getenv("ANTLR_JAR") == "" {
		t.Skip("needs the ANTLR tool, which ANTLR_JAR names (see generate.sh), to compare its output with the committed parser; all other tests use that parser")
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip("needs java to run the ANTLR tool that ANTLR_JAR names")
	}
	dir := t.TempDir()
	if out, err := exec.Command("./generate.sh", dir).CombinedOutput(); err != nil {
		t.Fatalf("generate.sh: %v\n%s", err, out)
	}
	for _, name := range []string{"ptx_lexer.go", "ptx_parser.go", "PTXLexer.json", "PTXParser.json"} {
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
