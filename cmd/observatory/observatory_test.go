// The lists, their results, and the page.

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
			found := slices.ContainsFunc(o.Programs, func(p *outcome) bool { return slices.ContainsFunc(p.Findings, x.at.MatchString) })
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
		"project: a/b\ncommit: c\nprograms: [{name: \"x\\ty\", run: ./x}]":                                   "l.yaml:3:12: expected a program with a name",
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
	for name, text := range map[string]string{lists + "/x.yaml": list, "ptxsan": ptxsan, page: "", found: "# Found\n" + tableBegin + tableEnd + "end\n"} {
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
	if err = observe("x"); err == nil || !strings.Contains(err.Error(), unread) {
		t.Fatalf("a finding that nobody has read: %v", err)
	}
	read := list + "findings: [{at: 'missing-barrier a.cu:1', is: bug, text: no barrier, since: 'r1', case: lost}]\n"
	if err = os.WriteFile(lists+"/x.yaml", []byte(read), 0o644); err != nil {
		t.Fatal(err)
	}
	if err = observe("-only", "^[rc]", "x"); err != nil {
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

// folderOf makes a folder with files, and makes it the current one.
func folderOf(t *testing.T, files map[string]string) (here string) {
	here = filepath.Join(t.TempDir(), "a b")
	for name, text := range files {
		name = filepath.Join(here, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(here)
	return here
}

// TestInterrupted: what has ended before an interruption keeps its results, and what runs is asked to end. Names and
// folders may have characters of the shell.
func TestInterrupted(t *testing.T) {
	const list = `project: a/b
commit: c
programs:
  - {name: 'first;$x&', check: k.ptx}
  - {name: loud, run: loud}
  - {name: second, run: waits}
  - {name: third, run: clean}
`
	const ptxsan = `#!/bin/sh
json=$(printf '%s\n' "$@" | sed -n 's/^--format=json=\(.*\),text=.*/\1/p')
for last; do :; done
case $last in
waits) trap 'touch ended; exit 1' INT; touch waits; while :; do sleep 0.01; done ;;
loud) head -c 3000000 /dev/zero | tr '\0' 'x'; printf '\nptxsan: \033[1mwrong\n'; exit 1 ;;
*) echo '{"schema":1,"tool":{"name":"ptxsan"},"verdict":"clean","error_level":"error","races":[],"faults":[]}' >"$json" ;;
esac
`
	here := folderOf(t, map[string]string{
		lists + "/x.yaml": list, "ptxsan": ptxsan, page: "", found: tableBegin + tableEnd, results + "/x.json": `{"programs":[{"name":"left"}]}`,
	})
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(here, "waits")); err == nil {
				interrupt()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	err := run(ctx, []string{"-ptxsan", filepath.Join(here, "ptxsan"), "-checkout", here, "x"}, io.Discard)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run: %v", err)
	}
	if _, err = os.Stat("ended"); err != nil {
		t.Errorf("the program was not asked to end: %v", err)
	}
	all, err := readResults(results + "/x.json")
	if err != nil || len(all.Programs) != 2 || all.Programs[0].Verdict != "clean" ||
		all.Programs[1].Reason != "no report: ptxsan:  [1mwrong" {
		t.Errorf("%v, %+v", err, all.Programs)
	}
	if text, _ := os.ReadFile(page); !strings.Contains(string(text), "| first;$x& |") {
		t.Errorf("the page lacks what has ended:\n%s", text)
	}
}

// TestResultsOfList: results of programs that a list leaves out, or does not have, are neither shown nor written.
func TestResultsOfList(t *testing.T) {
	l := &list{programs: []program{{name: "ran"}, {name: "skipped", skip: "needs two GPUs"}, {name: "new"}}}
	all := &outcomes{[]*outcome{{Name: "gone"}, {Name: "skipped", Verdict: "clean"}, {Name: "ran", Verdict: "clean"}}}
	shown := all.of(l).Programs
	if len(shown) != 3 || shown[0].Verdict != "clean" || shown[1].Verdict != "" || shown[1].Reason != "needs two GPUs" ||
		shown[2].Reason != "not run yet" {
		t.Errorf("shown: %+v, %+v, %+v", shown[0], shown[1], shown[2])
	}
	file := filepath.Join(t.TempDir(), "x.json")
	if err := all.write(file, l); err != nil {
		t.Fatal(err)
	}
	if written, err := readResults(file); err != nil || len(written.Programs) != 1 || written.Programs[0].Name != "ran" {
		t.Errorf("written: %v, %+v", err, written)
	}
}

// TestInput: wrong arguments are told before anything runs.
func TestInput(t *testing.T) {
	here := folderOf(t, map[string]string{
		lists + "/x.yaml": "project: a/b\ncommit: c\nprograms: [{name: x, run: touch ran}]\n", page: "", found: tableBegin + tableEnd,
	})
	for want, args := range map[string][]string{
		"no such file":                {"-checkout", "nowhere", "x"},
		"expected the folder":         {"x"},
		"expected a folder":           {"-checkout", page, "x"},
		"y.yaml":                      {"-checkout", here, "y"},
		"no program has a name":       {"-checkout", here, "-only", "y", "x"},
		"missing closing )":           {"-checkout", here, "-only", "(", "x"},
		"expected a -budget":          {"-checkout", here, "-budget", "-1s", "x"},
		"expected the name of one":    {"-checkout", here, "x", "y"},
		"flag provided but not defin": {"-chekout", here, "x"},
	} {
		err := run(t.Context(), args, io.Discard)
		var wrong *inputError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
}
