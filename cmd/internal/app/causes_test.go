package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/docs"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// causePTX is a piece of PTX on the page of a cause: its launch, and its text.
var causePTX = regexp.MustCompile("(?ms)^```ptx\n// grid (\\d+), block (\\d+)((?:, [a-z ]+)*)\n(.*?)^```$")

// hostCauses are about host code: their pages have no PTX.
var hostCauses = []string{
	string(detect.MissingStreamOrder), string(detect.MissingHostWait), string(detect.RepeatedUpdate),
}

// TestDocsCauses: each cause has a page, which explain prints, and each page a cause. Of the two pieces of PTX on a
// page, the first has a race of that cause, and the second has none.
func TestDocsCauses(t *testing.T) {
	overview, err := os.ReadFile("../../../docs/causes/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, kernel, _ := strings.Cut(string(overview), "```ptx\n")
	kernel, _, _ = strings.Cut(kernel, "```")
	want := append([]string{report.WeakClass, report.AsyncRegister, string(detect.MissingGridWait)}, hostCauses...)
	for _, c := range detect.Causes {
		want = append(want, string(c))
	}
	slices.Sort(want)
	if got := docs.CauseNames(); !slices.Equal(got, want) {
		t.Errorf("pages %q, causes %q", got, want)
	}
	for _, cause := range want {
		page, _ := docs.CausePage(cause)
		if !strings.Contains(string(overview), "["+cause+"]("+cause+".md)") || !strings.HasPrefix(page, "# "+cause+"\n") {
			t.Errorf("%s: the overview has no link, or the page another title", cause)
		}
		pieces := causePTX.FindAllStringSubmatch(page, -1)
		if slices.Contains(hostCauses, cause) {
			continue
		}
		if len(pieces) != 2 {
			t.Errorf("%s: %d pieces of PTX, expected a wrong and a right one", cause, len(pieces))
			continue
		}
		t.Run(cause, func(t *testing.T) {
			causesOf := causesOf
			switch cause {
			case report.WeakClass:
				causesOf = weakOutcomesOf
			case report.AsyncRegister:
				causesOf = faultsOf
			}
			if got := causesOf(t, kernel, pieces[0]); !slices.Equal(got, []string{cause}) {
				t.Errorf("the wrong one has %q\n%s", got, pieces[0][4])
			}
			if got := causesOf(t, kernel, pieces[1]); len(got) > 0 {
				t.Errorf("the right one has %q\n%s", got, pieces[1][4])
			}
		})
	}
}

// writePiece writes the kernel around a piece of PTX, and its launch, and returns the names of both files.
func writePiece(t *testing.T, kernel string, piece []string) (ptx, launch string) {
	t.Helper()
	dir := t.TempDir()
	line := fmt.Sprintf("{kernel: kernel, grid: [%s, 1, 1], block: [%s, 1, 1], args: [data, flag]", piece[1], piece[2])
	launches := line + "}"
	if strings.Contains(piece[3], ", programmatic") {
		launches += ", " + line + ", programmatic: true}"
	}
	for name, text := range map[string]string{
		"k.ptx":  strings.Replace(kernel, "    ...\n", piece[4], 1),
		"k.yaml": "buffers: {data: {type: u32, count: 64}, flag: {type: u32, count: 64}}\nlaunches: [" + launches + "]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.yaml")
}

// weakOutcomesOf explores a piece of PTX under weak memory, and returns the classes of its findings other than races.
func weakOutcomesOf(t *testing.T, kernel string, piece []string) (found []string) {
	t.Helper()
	ptx, launch := writePiece(t, kernel, piece)
	var out, errw bytes.Buffer
	code := run(context.Background(), []string{"ptxsan", "explore", "--memory", "ptx", "--search", "exhaustive", "--format", "json", "--launch", launch, ptx}, nil, &out, &errw)
	r := &report.Report{}
	if err := json.Unmarshal(out.Bytes(), r); err != nil || code != command.Clean || !r.Exploration.Complete {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out.String(), errw.String())
	}
	for _, f := range r.Faults {
		found = append(found, f.Class)
	}
	return found
}

// causesOf checks a piece of PTX, in the kernel around it, and returns the causes of its races, each once.
func causesOf(t *testing.T, kernel string, piece []string) (found []string) {
	t.Helper()
	detector := "precise"
	if _, name, ok := strings.Cut(piece[3], ", detector "); ok {
		detector = name
	}
	ptx, launch := writePiece(t, kernel, piece)
	var out, errw bytes.Buffer
	args := []string{"ptxsan", "check", "--format", "json", "--error-level", "info", "--detector", detector, "--launch", launch, ptx}
	code := run(context.Background(), args, nil, &out, &errw)
	r := &report.Report{}
	if err := json.Unmarshal(out.Bytes(), r); err != nil || code > command.Findings || (code == command.Findings) != (len(r.Races) > 0) {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out.String(), errw.String())
	}
	for _, x := range r.Races {
		if c := string(x.Cause); !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	return found
}

// faultsOf checks a piece of PTX, and returns the classes of its faults. It must have no races.
func faultsOf(t *testing.T, kernel string, piece []string) (found []string) {
	t.Helper()
	ptx, launch := writePiece(t, kernel, piece)
	var out, errw bytes.Buffer
	code := run(context.Background(), []string{"ptxsan", "check", "--format", "json", "--launch", launch, ptx}, nil, &out, &errw)
	r := &report.Report{}
	if err := json.Unmarshal(out.Bytes(), r); err != nil || len(r.Races) > 0 || (code == command.Faulted) != (len(r.Faults) > 0) {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out.String(), errw.String())
	}
	for _, f := range r.Faults {
		found = append(found, f.Class)
	}
	return found
}

// TestExplain: explain prints the page of a cause and the list of all, and refuses what is none.
func TestExplain(t *testing.T) {
	explain := func(names ...string) (int, string, string) {
		var out, errw bytes.Buffer
		code := run(context.Background(), append([]string{"ptxsan", "explain"}, names...), nil, &out, &errw)
		return code, out.String(), errw.String()
	}
	page, _ := docs.CausePage("not-strong")
	if code, out, _ := explain("not-strong"); code != command.Clean || out != page {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if code, out, _ := explain(); code != command.Clean || !strings.Contains(out, "missing-lock") || strings.Contains(out, ".entry") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for _, name := range []string{"missing-barier", "README", "../causes/not-strong"} {
		if code, out, message := explain(name); code != command.BadUsage || out != "" || !strings.Contains(message, "no cause") {
			t.Errorf("%s: exit code %d\n%s%s", name, code, out, message)
		}
	}
}
