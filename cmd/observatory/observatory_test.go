// The lists, their results, and the page.

package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the page")

const root = "../.."

// TestPages checks that the pages are what the results of the lists say.
func TestPages(t *testing.T) {
	if *update {
		if err := writePages(root); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := pageTexts(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the results say (%v): run make observatory", name, err)
		}
	}
}

// TestFindingsRead checks that each finding of the results was read, that each reading is of a finding, and that the
// folders that readings of bugs name exist.
func TestFindingsRead(t *testing.T) {
	all, err := observedLists(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		if err := o.unread(o.outcomes); err != nil {
			t.Error(err)
		}
		for _, x := range o.readings {
			found := slices.ContainsFunc(o.outcomes.Programs, func(p *outcome) bool { return slices.ContainsFunc(p.Findings, x.at.MatchString) })
			if !found {
				t.Errorf("%s: no finding matches %s", o.file, x.at)
			}
			if _, err := os.Stat(filepath.Join(root, "examples/bugs", x.bug, "report.md")); x.is == isBug && err != nil {
				t.Errorf("%s: %v", o.file, err)
			}
		}
	}
}

// TestList: errors in lists have a position.
func TestList(t *testing.T) {
	for text, want := range map[string]string{
		"project: a/b\ncommit: c\nprograms: [{name: x, run: ./x, check: y}]":                                 "l.yaml:3:12: x: expected one of run, check and skip",
		"project: a/b\ncommit: c\nprograms: [{name: x y, run: ./x}]":                                         "l.yaml:3:12: expected a program with a name",
		"project: a/b\ncommit: c\nprograms: [{name: x, skip: s}, {name: x, skip: s}]":                        "l.yaml:3:32: x: there is a program of that name",
		"project: a/b\ncommit: c\nprogram: []":                                                               "l.yaml:3:1: unknown key \"program\"",
		"project: a/b\ncommit: c\nprograms: [{name: x, skip: s}]\nfindings: [{at: '(', is: bug, text: t}]":   "l.yaml:4:12: error parsing regexp",
		"project: a/b\ncommit: c\nprograms: [{name: x, skip: s}]\nfindings: [{at: a, is: mistake, text: t}]": "l.yaml:4:12: expected is: bug, design, rule or test",
		"project: a/b\ncommit: c\nprograms: [{name: x, skip: s}]\nfindings: [{at: a, is: bug, text: t}]":     "l.yaml:4:12: expected since and case of a bug",
		"project: a/b\ncommit: c": "l.yaml:1:1: expected project, commit and programs",
		"":                        "the list of programs is empty",
	} {
		file := filepath.Join(t.TempDir(), "l.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readList(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestObserve runs a list whose programs do not need ptxsan: stand-ins write the reports.
func TestObserve(t *testing.T) {
	const list = `project: a/b
commit: c
setup: touch $BUILD/set
programs:
  - {name: racy, build: 'test -e $BUILD/set -a $NAME-$ARCH-$ARGS = racy-sm_90-1', arch: sm_90, args: "1", run: racy}
  - {name: clean, build: echo >>$BUILD/times, run: clean}
  - {name: fails, run: fails}
  - {name: unbuilt, build: 'echo error: no header; exit 1', run: clean}
  - {name: silent, run: silent}
  - {name: left, skip: needs two GPUs}
  - {name: kernel, check: '$BUILD/kernel.ptx'}
`
	const ptxsan = `#!/bin/sh
json=$(printf '%s\n' "$@" | sed -n 's/^--format=json=\(.*\),text=.*/\1/p')
for last; do :; done
clean='{"schema":1,"tool":{"name":"ptxsan"},"verdict":"clean","error_level":"error","races":[],"faults":[],"stats":{"launches":2},"coverage":[{"detector":"precise","kernel":"k","accesses":3,"watched":2,"proved_free":1}]}'
case $1-$last in
exec-racy) echo '{"schema":1,"tool":{"name":"ptxsan"},"verdict":"racy","error_level":"error","races":[{"severity":"error","cause":"missing-barrier","first":{"ptx":{"file":"a.ptx","line":3},"source":{"file":"/x/a.cu","line":1}},"second":{"ptx":{"file":"a.ptx","line":4}}}],"faults":[],"stats":{"launches":1}}' >"$json"; exit 1 ;;
exec-clean | check-*/kernel.ptx) echo "$clean" >"$json" ;;
exec-fails) echo "$clean" >"$json"; echo wrong result; exit 7 ;;
*) echo "ptxsan: no such program" >&2; exit 2 ;;
esac
`
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{folder + "/x.yaml": list, "ptxsan": ptxsan, page: "", found: "# Found\n" + tableBegin + tableEnd + "end\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	observe := func(args ...string) error {
		return run(context.Background(), append([]string{"-ptxsan", filepath.Join(here, "ptxsan"), "-checkout", here}, args...), io.Discard)
	}
	const unread = "racy: missing-barrier a.cu:1 a.ptx:4: not in the findings of"
	if err := observe("x"); err == nil || !strings.Contains(err.Error(), unread) {
		t.Fatalf("a finding that nobody has read: %v", err)
	}
	read := list + "findings: [{at: 'missing-barrier a.cu:1', is: bug, text: no barrier, since: 'r1', case: lost}]\n"
	if err := os.WriteFile(folder+"/x.yaml", []byte(read), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := observe("-only", "^[rc]", "x"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"| all | 7 | 3 | 2 | 3 | 7 |", "| racy | 0 | 1 | 0 | 0 | 0 | racy, 1 bug |", "| clean | 1 | 2 | 3 | 2 | 1 | clean |",
		"| kernel | 1 | 2 |", "the program ended with 7: wrong result |", "not built: error: no header |",
		"no such program |", "| 1 | needs two GPUs |", "| `missing-barrier a.cu:1 a.ptx:4` | bug | no barrier | racy |",
	} {
		if !strings.Contains(string(text), row) {
			t.Errorf("the page lacks %q:\n%s", row, text)
		}
	}
	const row = "# Found\n" + tableBegin + "| project |"
	const bug = "\n| a/b | `missing-barrier a.cu:1 a.ptx:4` | no barrier | r1 | `NAME=x ONLY='^racy$'` | [lost](../examples/bugs/lost/report.md) |\n" + tableEnd + "end\n"
	if text, err := os.ReadFile(found); err != nil || !strings.HasPrefix(string(text), row) || !strings.HasSuffix(string(text), bug) {
		t.Errorf("the table of bugs: %v\n%s", err, text)
	}
	if times, err := os.ReadFile("build/observatory/x/times"); err != nil || len(times) != 1 {
		t.Errorf("built %d times, want once: %v", len(times), err)
	}
	if err := observe("-budget", "x", "x"); err == nil {
		t.Error("a budget that is not a time")
	}
}
