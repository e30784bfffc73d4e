// What of a run was not exact: parts of a run, and reports that were saved.

package report

import (
	"maps"
	"strings"
	"testing"
)

// inexact is what of a process was not exact that has launched a kernel with two instructions.
func inexact(kernel, library string) *Report {
	return &Report{Fidelity: &Fidelity{
		Memory: "sc", Libraries: []StandIn{{Library: library, Why: "w"}},
		Instructions: []*Inexact{{What: "ex2.approx.f32", Why: "w", Kernels: map[string]int{kernel: 2}}},
	}}
}

// TestFidelityOfProcesses: what several processes have in common is there once.
func TestFidelityOfProcesses(t *testing.T) {
	all := inexact("k", "cuBLAS")
	for _, kernel := range []string{"k", "l", "k"} {
		all.Merge(inexact(kernel, "cuFFT"))
	}
	var text strings.Builder
	if err := all.WriteText(&text, TextOptions{Fidelity: true}); err != nil {
		t.Fatal(err)
	}
	const line = "FIDELITY: approximated: ex2.approx.f32 at an unknown place (4 instructions in 2 kernels): w"
	if !strings.Contains(text.String(), line) || !strings.Contains(text.String(), "FIDELITY: cuFFT: w") {
		t.Errorf("%s\nlacks %s", text.String(), line)
	}
	f := all.Fidelity
	if len(f.Instructions) != 1 || !maps.Equal(f.Instructions[0].Kernels, map[string]int{"k": 2, "l": 2}) || len(f.Libraries) != 2 {
		t.Errorf("%+v, %+v", f, f.Instructions[0])
	}
}

// TestReadFidelity: a saved report with a part that others of the package rely on is refused without it.
func TestReadFidelity(t *testing.T) {
	for text, want := range map[string]string{
		`{"memory":"sc","instructions":[{"what":"a","why":"b","kernels":{"k":1}}]}`: "",
		`{"memory":"tso"}`:                      `the memory model of fidelity is "tso", expected sc or ptx`,
		`{"memory":"sc","instructions":[null]}`: "instructions of fidelity have no kernels",
		`{"memory":"sc","instructions":[{"what":"a","why":"b","kernels":{}}]}`: "instructions of fidelity have no kernels",
	} {
		_, err := Read("r.json", []byte(`{"schema":1,"tool":{"name":"ptxsan"},"fidelity":`+text+`}`))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
