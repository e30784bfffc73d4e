//go:build linux

// Programs that use CUDA's libraries.

package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestCublas runs a program that uses cuBLAS: what it computes, the function that does not exist, and the call that
// fails.
func TestCublas(t *testing.T) {
	dir := libraries(t)
	out, code, notes, processes := run(t, dir, compile(t, "testdata/cublas.c", dir, "cublas", "-lcuda"), "testdata/driver.ptx")
	allRight(t, out, code, 16)
	rep := processes[0].Report()
	if l := rep.NotChecked; len(l) != 2 || l[0].Kernel != "cublasCgbmv" || l[1].Kernel != "cublasIsamax with a result for the host in a stream that is captured" || len(notes) != 0 {
		t.Errorf("not checked %+v, notes %q", rep.NotChecked, notes)
	}
	if l := rep.Fidelity.Libraries; len(l) != 1 || l[0].Library != "cuBLAS" || !strings.HasPrefix(l[0].Why, "computed by the host") {
		t.Errorf("computed by the host: %+v", l)
	}
}

// TestCublasLt runs a program that uses cuBLASLt.
func TestCublasLt(t *testing.T) {
	dir := libraries(t)
	out, code, _, processes := run(t, dir, compile(t, "testdata/cublaslt.c", dir, "cublasLt", "-lcuda"))
	allRight(t, out, code, 9)
	if l := processes[0].Report().NotChecked; len(l) != 1 || l[0].Kernel != "cublasLtMatmul with an epilogue" {
		t.Errorf("not checked %+v", l)
	}
}

// TestCublasOrders: a call is an operation of its stream.
func TestCublasOrders(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/cublas.c", dir, "cublas", "-lcuda")
	if got := pairsOf(t, dir, app, "testdata/driver.ptx", "racy"); !slices.Equal(got, []string{"a launch in stream 1, cublasSgemm in stream 2"}) {
		t.Errorf("races %q", got)
	}
	if got := pairsOf(t, dir, app, "testdata/driver.ptx", "right"); len(got) > 0 {
		t.Errorf("races %q without a missing order", got)
	}
}

// TestLibraries runs a program that uses cuRAND, cuFFT, cuSPARSE and NCCL.
func TestLibraries(t *testing.T) {
	dir := libraries(t)
	out, code, _, processes := run(t, dir, compile(t, "testdata/libraries.c", dir, "curand", "-lcufft", "-lcusparse", "-lnccl", "-lcuda", "-lm"))
	allRight(t, out, code, 19)
	rep := processes[0].Report()
	if !slices.Contains(rep.LibraryCalls, report.LibraryCalls{Function: "cufftExecC2C", Calls: 2}) || rep.Unchecked() {
		t.Errorf("calls %+v, nothing was checked: %t", rep.LibraryCalls, rep.Unchecked())
	}
	if len(rep.NotChecked) != 0 {
		t.Errorf("not checked %+v", rep.NotChecked)
	}
}
