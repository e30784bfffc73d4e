// The CUDA on the pages of causes, compiled.

package app

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/docs"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// causeCUDA is a piece of CUDA on the page of a cause.
var causeCUDA = regexp.MustCompile("(?ms)^```cuda\n(.*?)^```$")

// The code around a piece: headers, and what the statements of a kernel, or of host code, use.
const (
	causeHeaders = `#include <cstdio>
#include <cuda_runtime.h>
#if PIPELINE
#include <cuda_pipeline.h>
#elif ATOMIC
#include <cuda/atomic>
#endif
#if !defined(CUDART_VERSION) || CUDART_VERSION < 12000
extern "C" __device__ void cudaGridDependencySynchronize();
#endif
`
	causeKernel = `__global__ void piece(int *data, int *out, int *flag, int *lock, int *count, int *histogram) {
  __shared__ int tile[256], word, slot;
  int t = threadIdx.x, bin = t % 8;
`
	causeHost = `__global__ void fill(int *data) {}
__global__ void produce(int *data) {}
__global__ void consume(int *data) {}
void use(int *pinned);
void piece(int *managed, int *data, int *pinned, size_t bytes, int grid, int block, cudaStream_t stream, cudaStream_t a, cudaStream_t b, cudaEvent_t ready) {
`
)

// TestDocsCausesCUDA: all pieces of CUDA on the pages of causes, wrong and right ones, are what nvcc or clang compiles.
// The page about autotuners, which are in Python, has none.
func TestDocsCausesCUDA(t *testing.T) {
	long(t)
	pieces := 0
	for _, cause := range docs.CauseNames() {
		page, _ := docs.CausePage(cause)
		list := causeCUDA.FindAllStringSubmatch(page, -1)
		if len(list) == 0 && cause != string(detect.RepeatedUpdate) {
			t.Errorf("%s has no CUDA", cause)
		}
		pieces += len(list)
		t.Run(cause, func(t *testing.T) {
			for _, m := range list {
				compilesCUDA(t, m[1])
			}
		})
	}
	if pieces < 2*len(docs.CauseNames())-3 {
		t.Errorf("%d pieces on %d pages", pieces, len(docs.CauseNames()))
	}
}

// compilesCUDA compiles a piece: functions as they are, statements in a kernel or, if they launch or copy, in host
// code.
func compilesCUDA(t *testing.T, piece string) {
	t.Helper()
	before, after := causeKernel, "}\n"
	switch {
	case strings.Contains(piece, "__global__"):
		before, after = "", ""
	case strings.Contains(piece, "<<<") || strings.Contains(piece, "cudaMemcpyAsync"):
		before = causeHost
	}
	name := filepath.Join(t.TempDir(), "piece.cu")
	if err := os.WriteFile(name, []byte(causeHeaders+before+piece+after), 0o600); err != nil {
		t.Fatal(err)
	}
	o := hostcode.Options{Nvcc: true}
	for word, macro := range map[string]string{"__pipeline": "PIPELINE=1", "cuda::": "ATOMIC=1"} {
		if strings.Contains(piece, word) {
			o.Defines = append(o.Defines, macro)
		}
	}
	made, err := hostcode.CompileDevice(t.Context(), name, "sm_90", o)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		t.Skip("neither nvcc nor clang is installed: nothing compiles CUDA")
	case err != nil && (strings.Contains(err.Error(), "file not found") || !strings.Contains(err.Error(), filepath.Base(name))):
		t.Skip("there are no headers of a CUDA toolkit that this compiler takes: ", err)
	case err != nil:
		t.Errorf("%v\n%s", err, piece)
	case before != causeHost && !strings.Contains(string(made.PTX), ".entry"):
		t.Errorf("%s makes no kernel of\n%s", made.Compiler, piece)
	}
}
