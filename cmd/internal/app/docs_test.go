package app

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/cmd/internal/opcodes"
	"github.com/ptxsan/ptxsan/internal/order"
)

// TestDocs compares the generated documents with what they describe; -update
// rewrites them.
func TestDocs(t *testing.T) {
	long(t)
	for name, text := range map[string]string{
		"isa-coverage.md":    opcodes.Markdown(),
		"limits.md":          limits.Markdown(),
		"synchronisation.md": order.Markdown(),
	} {
		path := filepath.Join("../../../docs/generated", name)
		text = dense(text)
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
			t.Errorf("%s is out of date; run go test ./cmd/internal/app -run TestDocs -update", path)
		}
	}
}

// reference is the file that TestReference writes for the site.
var reference = flag.String("reference", "", "write the reference of the command line to this file")

// TestReference checks that the reference of the command line has every command in one place.
func TestReference(t *testing.T) {
	app := newApp(nil, nil, nil)
	text := dense(markdown(app))
	for _, cmd := range app.Commands {
		if n := strings.Count(text, "\n## ptxsan "+cmd.Name+"\n"); n != 1 {
			t.Errorf("%s has %d sections", cmd.Name, n)
		}
	}
	if *reference != "" {
		if err := os.WriteFile(*reference, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tableRow is a row of a table, and cellEdge the blanks around the edge of a cell.
var (
	tableRow = regexp.MustCompile(`(?m)^\|.*\|$`)
	cellEdge = regexp.MustCompile(` *\| *`)
)

// dense removes the blanks around the cells of the tables of a generated page: a tenth of it.
func dense(page string) string {
	return tableRow.ReplaceAllStringFunc(page, func(row string) string { return cellEdge.ReplaceAllString(row, "|") })
}

// TestReadme runs the README's example and compares the report shown there.
func TestReadme(t *testing.T) {
	t.Chdir("../../..")
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

// markdown returns the reference of the command line: options that several commands have alike stand once, at the end.
func markdown(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# ptxsan: the command line\n\nWritten by the program.\n\n%s\n", app.Description)
	shared := sharedRows(app)
	for _, cmd := range app.Commands {
		fmt.Fprintf(&b, "\n## ptxsan %s\n\n%s: `ptxsan %s [options] %s`\n\n", cmd.Name, cmd.Usage, cmd.Name, strings.TrimSpace(cmd.ArgsUsage))
		b.WriteString(paragraphs(withoutFrequent(cmd.Description)))
		if own := ownRows(cmd, shared); own != "" {
			b.WriteString("\n| option | meaning | default |\n|---|---|---|\n" + own)
		}
	}
	b.WriteString("\n## Options of several commands\n")
	of := make(map[string]string) // rows by the commands that have them
	for _, row := range slices.Sorted(maps.Keys(shared)) {
		of[strings.Join(shared[row], ", ")] += row
	}
	for _, commands := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(&b, "\n| of %s | meaning | default |\n|---|---|---|\n%s", commands, of[commands])
	}
	return b.String()
}

// withoutFrequent leaves the flags that most people need out of a description: the table has them.
func withoutFrequent(description string) string {
	_, rest, found := strings.Cut(description, "The flags that most people need:\n")
	if !found {
		return description
	}
	lines := strings.Split(strings.TrimLeft(rest, "\n"), "\n")
	n := slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "   ") })
	return strings.TrimLeft(strings.Join(lines[max(0, n):], "\n"), "\n")
}

// sharedRows returns the rows of options that are the same in more than one command, with the names of these; of
// several rows with one name, that of most commands.
func sharedRows(app *cli.App) map[string][]string {
	commands, best := make(map[string][]string), make(map[string]string)
	for _, cmd := range app.Commands {
		for _, f := range cmd.Flags {
			row, name := flagRow(f.(cli.DocGenerationFlag)), f.Names()[0]
			commands[row] = append(commands[row], cmd.Name)
			if len(commands[row]) > max(1, len(commands[best[name]])) {
				best[name] = row
			}
		}
	}
	shared := make(map[string][]string)
	for _, row := range best {
		shared[row] = commands[row]
	}
	return shared
}

// ownRows returns the rows of a command's options that it does not share.
func ownRows(cmd *cli.Command, shared map[string][]string) (rows string) {
	for _, f := range cmd.Flags {
		if row := flagRow(f.(cli.DocGenerationFlag)); shared[row] == nil {
			rows += row
		}
	}
	return rows
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
