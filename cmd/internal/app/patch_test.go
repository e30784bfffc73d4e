// The search for a patch behind a report: what it does, its end included, leaves the report.

package app

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestSearchFails: a search that panics, one that ends with its context and one that does not, leave a report that
// says so.
func TestSearchFails(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var list []int
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	for name, c := range map[string]struct {
		ctx    context.Context
		search func() *patchSearch
		want   string
	}{
		"panics":         {t.Context(), func() *patchSearch { list[0]++; return nil }, searchFailed + "runtime error: index out of range [0] with length 0 at cmd/internal/app/patch_test.go"},
		"ends":           {ended, func() *patchSearch { return &patchSearch{why: "it has ended"} }, "it has ended"},
		"does not end":   {ended, func() *patchSearch { <-never; return nil }, command.ErrInterrupted.Error()},
		"finds no patch": {t.Context(), func() *patchSearch { return &patchSearch{} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := attempt(c.ctx, c.search)
			if !strings.HasPrefix(p.why, c.want) || strings.Contains(p.why, "\n") {
				t.Errorf("got %q, expected %q", p.why, c.want)
			}
			rep := &report.Report{}
			if p.report(rep); len(rep.Notes) != min(1, len(c.want)) || c.want != "" && !strings.Contains(rep.Notes[0], c.want) {
				t.Errorf("the notes of the report are %q", rep.Notes)
			}
		})
	}
}

// canceller is standard output of a user who interrupts the command when a text appears.
type canceller struct {
	text   strings.Builder
	at     string
	cancel context.CancelFunc
}

func (w *canceller) Write(p []byte) (int, error) {
	n, err := w.text.Write(p)
	if strings.Contains(w.text.String(), w.at) {
		w.cancel()
	}
	return n, err
}

// TestInterruptedSearch: after an interrupt of the search the exit code is that of the report, which is there.
func TestInterruptedSearch(t *testing.T) {
	needClang(t)
	file := writeSource(t, patchSources[0])
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, errw := &canceller{at: "PATCH: looking for", cancel: cancel}, &strings.Builder{}
	code := run(ctx, []string{"ptxsan", file}, nil, out, errw)
	report, search, _ := strings.Cut(out.text.String(), "PATCH: looking for")
	if code != command.Findings || !strings.Contains(report, "ERROR SUMMARY: 1 error") || !strings.Contains(search, "PATCH: not decided: interrupted") {
		t.Errorf("exit code %d, expected 1, and a report before %q:\n%s%s", code, search, report, errw)
	}
}
