// The C interface of runtime/cuda/ptxrun, as a shared library: make libptxrun.

//go:build linux

// Command libptxrun is the library libptxrun.so: functions of C that execute PTX on the memory of the program that loads it, on the
// emulated GPU, for programs that stand in for CUDA's driver.
//
//	int ptx_run(const char *ptx, int n, void **args, int block_x, int block_y, int block_z,
//	            int grid_x, int grid_y, int grid_z, int shared);
//	int ptx_errors(void);
//
// ptx_run executes the first kernel of the text with n arguments: args[i] is the value of one, a number or an address. It returns 0, or
// an error of CUDA's driver API, and then writes why to standard error. PTXRUN_DETECTOR names detectors that check the launches
// (precise): each launch with findings writes a report to standard error, and ptx_errors returns the number of errors so far.
package main

import "C"

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/cuda"
	"github.com/ptxsan/ptxsan/runtime/cuda/ptxrun"
)

var runner = ptxrun.Runner{Detector: os.Getenv("PTXRUN_DETECTOR"), Output: os.Stderr}

//export ptx_run
func ptx_run(ptx *C.char, n C.int, args *unsafe.Pointer, bx, by, bz, gx, gy, gz, shared C.int) C.int {
	l := &ptxrun.Launch{PTX: C.GoString(ptx), Shared: uint32(shared)}
	l.Block, l.Grid = dim(bx, by, bz), dim(gx, gy, gz)
	l.Args = slices.Clone(unsafe.Slice((*uint64)(unsafe.Pointer(args)), n))
	err := runner.Run(l)
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "ptx_run:", err)
	if outcome := (*cuda.Error)(nil); errors.As(err, &outcome) {
		return C.int(outcome.Result)
	}
	return C.int(cuda.InvalidValue)
}

//export ptx_errors
func ptx_errors() C.int { return C.int(runner.Errors()) }

func dim(x, y, z C.int) emu.Dim3 { return emu.Dim3{X: uint32(x), Y: uint32(y), Z: uint32(z)} }

func main() {} // of a library
