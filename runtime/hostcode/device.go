// Kernels of a file as PTX, compiled by clang or nvcc.

package hostcode

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/static/hostir"
)

// CompileDevice makes PTX of the kernels of a file, for an architecture such as sm_80: with clang and the headers that Compile
// takes, or with nvcc of an installed CUDA toolkit. If one compiler cannot compile the file, the other does; Options.Nvcc says
// which is tried first. It returns the name of the compiler; the error is that of the first one.
func CompileDevice(ctx context.Context, name, arch string, o Options) (ptx []byte, compiler string, err error) {
	list := []func(context.Context, string, string) ([]byte, string, error){o.clangDevice, o.nvccDevice}
	if o.Nvcc {
		slices.Reverse(list)
	}
	for _, compile := range list {
		text, by, wrong := compile(ctx, name, arch)
		if wrong == nil {
			return text, by, nil
		}
		if err == nil || errors.Is(err, exec.ErrNotFound) {
			err = wrong
		}
	}
	return nil, "", err
}

func (o *Options) clangDevice(ctx context.Context, name, arch string) ([]byte, string, error) {
	text, err := o.compile(ctx, name, "--cuda-device-only", "--cuda-gpu-arch="+arch, "--cuda-feature=+ptx81", "-O2")
	return text, "clang", err
}

func (o *Options) nvccDevice(ctx context.Context, name, arch string) ([]byte, string, error) {
	nvcc, err := exec.LookPath("nvcc")
	if err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp("", "ptxsan-hostcode-")
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	out := filepath.Join(dir, "out.ptx")
	if name, err = filepath.Abs(name); err != nil {
		return nil, "", err
	}
	if _, err = o.run(ctx, nvcc, []string{"-ptx", "-lineinfo", "-w", "-arch=" + arch, "-o", out}, name); err != nil {
		return nil, "", err
	}
	text, err := input.Read(out, hostir.MaxFileBytes)
	return text, "nvcc", err
}
