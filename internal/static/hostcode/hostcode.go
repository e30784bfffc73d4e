// Package hostcode extracts launch facts from a file of host code: CUDA C++, of which clang makes LLVM IR, or LLVM IR
// as text (internal/static/hostir). CompileDevice compiles the kernels of a file, for patches of it. The package must
// know neither PTX nor facts files.
package hostcode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir"
	"github.com/ptxsan/ptxsan/passes/device"
)

// Options of Load.
type Options struct {
	Defines []string // macros, as NAME or NAME=TEXT

	Includes []string // folders of headers
	Args     []string // that the program is started with; nil: not known
	Nvcc     bool     // nvcc compiles kernels if it can, otherwise clang
	Depends  bool     // of CompileDevice: find out which files the compiler reads
}

// MaxFileBytes is the largest file of CUDA C++, MaxIRBytes the largest one of LLVM IR.
const (
	MaxFileBytes = 16 << 20
	MaxIRBytes   = hostir.MaxFileBytes
)

// Load reads files of host code, as one program. An error wraps exec.ErrNotFound where clang is needed and not
// installed, and is a *CompileError where clang cannot compile a file: without it, launches would be missing.
func Load(ctx context.Context, names []string, o Options) ([]*facts.File, error) {
	p, err := Read(ctx, names, o)
	if err != nil || len(p.sources) == 0 {
		return nil, err
	}
	return []*facts.File{hostir.Scan(hostir.Options{Args: o.Args, Differs: p.differs}, p.sources...)}, nil
}

// Program is host code as LLVM IR.
type Program struct {
	sources []hostir.Source
	differs string // why a program that is built of the files may be another one, "" for no reason
}

// Read reads files of host code; see Load for the error.
func Read(ctx context.Context, names []string, o Options) (*Program, error) {
	p := new(Program)
	for _, name := range names {
		text, differs, err := o.load(ctx, name)
		if err != nil {
			return nil, err
		}
		if p.differs == "" {
			p.differs = differs
		}
		p.sources = append(p.sources, hostir.Source{Name: filepath.ToSlash(name), Text: text})
	}
	return p, nil
}

// Examples returns launches that the program makes when it is started with these arguments, with any if they are nil.
// There may be others.
func (p *Program) Examples(args []string) *facts.File {
	return hostir.Scan(hostir.Options{Args: args, Partial: true}, p.sources...)
}

// load returns a file as LLVM IR, and a reason why a program that is built of it may be another one, if there is one.
func (o *Options) load(ctx context.Context, name string) (ir []byte, differs string, err error) {
	limit := int64(MaxFileBytes)
	if strings.HasSuffix(name, ".ll") {
		limit = hostir.MaxFileBytes
	}
	text, err := input.Read(name, limit)
	switch {
	case err != nil:
		return nil, "", err
	case hostir.Is(text):
		return text, "", nil
	case strings.HasSuffix(name, ".ll"):
		return nil, "", fmt.Errorf("%s:1:1: expected LLVM IR as text, as clang -S -emit-llvm writes it", name)
	}
	ir, read, err := Compile(ctx, name, *o)
	if errors.Is(err, exec.ErrNotFound) {
		return nil, "", fmt.Errorf("%s: clang, which reads host code, is not installed (Debian and Ubuntu: apt-get install clang-19; facts and launch files need none): %w", name, exec.ErrNotFound)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: clang cannot compile the host code: %w", name, err)
	}
	return ir, differing(read), nil
}

// maxTime is the time that clang has for a file.
const maxTime = 2 * time.Minute

// compilers are the names that clang has, the preferred ones first.
var compilers = []string{"clang-19", "clang"}

// Compile makes LLVM IR of a file of host code: with the header of the CUDA runtime that ptxsan has, or where that does
// not do with those of an installed CUDA toolkit. The code is not optimised, so that it shows the program as it is.
// Exceptions are part of it only where the file or its headers name them: clang leaves out what handles them otherwise.
// read has the files that clang has read, but headers of the system.
func Compile(ctx context.Context, name string, o Options) (ir []byte, read []string, err error) {
	o.Depends = true
	flags := append([]string{"-emit-llvm", hostOnly, "-O0", "-fno-discard-value-names", "-UNDEBUG", plainExtents},
		deviceAttributes...)
	for _, exceptions := range []string{"-fno-exceptions", "-fexceptions"} {
		with, files, err := o.depends(append(slices.Clone(flags), exceptions))
		if err != nil {
			return nil, nil, err
		}
		ir, _, err = o.compile(ctx, name, with...)
		if read = files(); err != nil {
			return nil, nil, err
		}
		if !mentioned(exceptionWords, read) {
			break
		}
	}
	return ir, read, nil
}

// deviceAttributes leaves out attributes of kernels that clang does not know and that mean nothing to host code.
var deviceAttributes = []string{
	"-D__cluster_dims__(...)=", "-D__block_size__(...)=", "-D__maxnreg__(...)=",
	"-D__grid_constant__=",
}

// plainExtents keeps the constructor of dim3 from being inlined, so that the IR shows which extents were given.
const plainExtents = "-DPTXSAN_DIM3=__attribute__((host,device,noinline,optnone))"

// plainShared makes shared variables plain ones: clang refuses those that have a constructor, as cuda::barrier does, where
// nvcc warns.
const plainShared = "-DPTXSAN_SHARED="

// toolkitVersion is the value of CUDA_VERSION and CUDART_VERSION, which ptxsan's own header does not define, for headers
// of an installed toolkit. The headers of libcu++ end with an error for versions below 12.
const toolkitVersion = "12040"

// hostOnly is the flag for host code alone.
const hostOnly = "--cuda-host-only"

// folderPrefix begins the names of temporary folders.
const folderPrefix = "ptxsan-hostcode-"

// compile runs clang with ptxsan's own header of the CUDA runtime, then also with the headers that nvcc includes by
// itself and those of an installed toolkit, and then with those of the toolkit alone.
func (o *Options) compile(ctx context.Context, name string, flags ...string) (text []byte, clang string, err error) {
	if clang, err = firstOf(compilers); err != nil {
		return nil, "", fmt.Errorf("clang is not installed: %w", exec.ErrNotFound)
	}
	dir, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err = os.CopyFS(dir, device.Headers()); err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	flags = append([]string{"-x", "cuda", "-S", "-gline-tables-only", "-w", "-o", "-"}, flags...)
	own := []string{
		"-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=12.0", "-D__CUDACC__=1", "-I", dir,
		"-include", "cuda_runtime.h",
	}
	if slices.Contains(flags, hostOnly) { // whose bodies in device code are not compiled
		own = append(own, plainShared, "-include", "cuda_libdevice.h")
	}
	text, err = o.run(ctx, clang, slices.Concat(flags, own), "--", name)
	for _, headers := range [][]string{append(own, nvccHeaders()...), nil} {
		if err == nil || ctx.Err() != nil {
			break
		}
		if other, wrong := o.run(ctx, clang, slices.Concat(flags, headers), "--", name); wrong == nil {
			text, err = other, nil
		}
	}
	return text, clang, err
}

// nvccHeaders returns the flags that make clang include what nvcc does, and look last for headers in the toolkit of the
// installed nvcc, if there is one.
func nvccHeaders() (flags []string) {
	for _, header := range []string{"stdlib.h", "string.h", "math.h", "stdio.h", "assert.h", "time.h"} {
		flags = append(flags, "-include", header)
	}
	nvcc, err := firstOf(nvccs())
	if err != nil {
		return flags
	}
	if real, err := filepath.EvalSymlinks(nvcc); err == nil {
		nvcc = real
	}
	include := filepath.Join(filepath.Dir(filepath.Dir(nvcc)), "include")
	return append(flags, "-DCUDA_VERSION="+toolkitVersion, "-DCUDART_VERSION="+toolkitVersion,
		"-D_CG_CLUSTER_INTRINSICS_AVAILABLE", // of cooperative groups
		"-idirafter", include, "-idirafter", filepath.Join(include, "cccl"))
}

// run runs a compiler once; file is the file, after what says that it is no flag.
func (o *Options) run(ctx context.Context, compiler string, flags []string, file ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, compiler, append(o.flags(flags), file...)...)
	cmd.Stdin = nil
	endTogether(cmd)
	var out, messages bounded
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil || messages.Len() == 0 {
			return nil, err
		}
		for line := range strings.Lines(messages.String()) {
			if strings.Contains(line, "error: ") || strings.Contains(line, "fatal") {
				err = errors.New(strings.TrimSpace(line))
				break
			}
		}
		return nil, &CompileError{
			Command: o.line(filepath.Base(compiler), flags, file[len(file)-1]),
			Text:    messages.String(), err: err,
		}
	}
	return out.Bytes(), nil
}

// flags adds macros and folders to the flags of a compiler.
func (o *Options) flags(list []string) []string {
	list = slices.Clone(list)
	for _, d := range o.Defines {
		list = append(list, "-D"+d)
	}
	for _, folder := range o.Includes {
		list = append(list, "-I", folder)
	}
	return list
}

// bounded keeps what is written to it, and fails where that is too much.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > hostir.MaxFileBytes {
		return 0, fmt.Errorf("more than %d bytes of output", hostir.MaxFileBytes)
	}
	return b.Buffer.Write(p)
}

// Words splits a command line into arguments as a shell does: at white space that is not quoted. Without any it is not
// nil.
func Words(line string) ([]string, error) {
	list := []string{}
	var word []byte
	quote, begun := byte(0), false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == quote && quote != 0:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true
		case c == '\\' && quote != '\'' && i+1 < len(line):
			i++
			word, begun = append(word, line[i]), true
		case quote == 0 && strings.IndexByte(" \t\n", c) >= 0:
			if begun {
				list = append(list, string(word))
			}
			word, begun = nil, false
		default:
			word, begun = append(word, c), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("expected a closing %c", quote)
	}
	if begun {
		list = append(list, string(word))
	}
	return list, nil
}
