package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/runtime/cuda/order"
	"github.com/ptxsan/ptxsan/runtime/opcodes"
)

// TestDocs compares the generated documents with what they describe; -update
// rewrites them.
func TestDocs(t *testing.T) {
	for name, text := range map[string]string{
		"cli.md":             markdown(newApp(nil, nil, nil)),
		"isa-coverage.md":    opcodes.Markdown(),
		"limits.md":          limits.Markdown(),
		"synchronisation.md": order.Markdown(),
	} {
		path := filepath.Join("../../docs", name)
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("%s is out of date; run go test ./cmd/ptxsan -run TestDocs -update", path)
		}
	}
}

// TestReadme runs the README's example and compares the report shown there.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const prefix = "go run ./cmd/ptxsan "
	_, text, _ := strings.Cut(string(readme), prefix)
	shown, _, ok := strings.Cut(text, "\n")
	if !ok {
		t.Fatalf("the README has no command %q", prefix)
	}
	var out, errw bytes.Buffer
	if code := run(context.Background(), append([]string{"ptxsan"}, strings.Fields(shown)...), nil, &out, &errw); code != command.Findings {
		t.Fatalf("%s: exit code %d, want %d\n%s", shown, code, command.Findings, errw.String())
	}
	if !strings.Contains(string(readme), "```\n"+out.String()+"```\n") {
		t.Errorf("the README does not show what %s prints:\n%s", shown, out.String())
	}
}

// markdown returns the reference of the command line.
func markdown(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# ptxsan: the command line\n\nGenerated from the program: do not edit. `make generate` rewrites it.\n\n%s\n", app.Description)
	for _, cmd := range app.Commands {
		fmt.Fprintf(&b, "\n## ptxsan %s\n\n%s: `ptxsan %s [options] %s`\n\n", cmd.Name, cmd.Usage, cmd.Name, cmd.ArgsUsage)
		b.WriteString(paragraphs(cmd.Description))
		for i, f := range cmd.Flags {
			if i == 0 {
				b.WriteString("\n| option | meaning | default |\n|---|---|---|\n")
			}
			b.WriteString(flagRow(f.(cli.DocGenerationFlag)))
		}
	}
	return b.String()
}

// paragraphs turns the indented examples of a description into code blocks.
func paragraphs(s string) string {
	var b strings.Builder
	inCode := false
	for _, line := range strings.Split(s, "\n") {
		if code := strings.HasPrefix(line, "   "); code != inCode {
			b.WriteString(map[bool]string{true: "\n```\n", false: "```\n"}[code])
			inCode = code
		}
		b.WriteString(strings.TrimPrefix(line, "   ") + "\n")
	}
	if inCode {
		b.WriteString("```\n")
	}
	return b.String()
}

func flagRow(f cli.DocGenerationFlag) string {
	usage := f.GetUsage()
	var names []string
	for _, n := range f.Names() {
		dash := "--"
		if len(n) == 1 {
			dash = "-"
		}
		names = append(names, "`"+dash+n+"`")
	}
	value := f.GetDefaultText()
	if !f.TakesValue() {
		value = ""
	}
	return fmt.Sprintf("| %s | %s | %s |\n", strings.Join(names, " "), strings.ReplaceAll(usage, "|", `\|`), value)
}

// TestHelp: every command has a usage line, a category and an example, and its
// flags are described.
func TestHelp(t *testing.T) {
	for _, cmd := range newApp(nil, nil, nil).Commands {
		if cmd.Usage == "" || cmd.Category == "" || !strings.Contains(cmd.Description, "Example") || !strings.Contains(cmd.Description, "ptxsan "+cmd.Name) {
			t.Errorf("%s: the help is incomplete", cmd.Name)
		}
		for _, f := range cmd.Flags {
			if f.(cli.DocGenerationFlag).GetUsage() == "" {
				t.Errorf("%s: flag %v is not described", cmd.Name, f.Names())
			}
		}
	}
}
