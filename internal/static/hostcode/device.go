// Kernels of a file as PTX, compiled by clang or nvcc.

package hostcode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/internal/static/hostir"
)

// Compiled is the PTX of the kernels of a file.
type Compiled struct {
	PTX      []byte
	Compiler string // clang or nvcc
	Command  string // line that has compiled it, without temporary files
	// Read has the files that the compiler has read, but headers of the system, with Options.Depends.
	Read []string
	// Refused is the error of the compiler that was tried before this one, nil for none, or one that is not installed.
	Refused error
}

// CompileError is the failure of a compiler.
type CompileError struct {
	Command string
	Text    string // all messages of the compiler
	err     error  // the first of them
}

func (e *CompileError) Error() string { return e.err.Error() }

func (e *CompileError) Unwrap() error { return e.err }

// CompileDevice makes PTX of the kernels of a file, for an architecture such as sm_80: with clang and the headers that
// Compile takes, or with nvcc of an installed CUDA toolkit. If one compiler cannot compile the file, the other does;
// Options.Nvcc says which is tried first. The error is that of the first compiler that is installed, a CompileError if
// it has run, or wraps exec.ErrNotFound if none is.
func CompileDevice(ctx context.Context, name, arch string, o Options) (*Compiled, error) {
	list := []func(context.Context, string, string) (*Compiled, error){o.clangDevice, o.nvccDevice}
	if o.Nvcc {
		slices.Reverse(list)
	}
	var err error
	for _, compile := range list {
		made, wrong := compile(ctx, name, arch)
		if wrong == nil {
			if !errors.Is(err, exec.ErrNotFound) {
				made.Refused = err
			}
			return made, nil
		}
		if err == nil || errors.Is(err, exec.ErrNotFound) {
			err = wrong
		}
	}
	if errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("neither nvcc nor clang is installed: %w", exec.ErrNotFound)
	}
	return nil, err
}

func (o *Options) clangDevice(ctx context.Context, name, arch string) (*Compiled, error) {
	flags := []string{"--cuda-device-only", "--cuda-gpu-arch=" + arch, "--cuda-feature=+ptx81", "-O2"}
	with, read, err := o.depends(flags)
	if err != nil {
		return nil, err
	}
	text, clang, err := o.compile(ctx, name, with...)
	files := read()
	if err != nil {
		return nil, err
	}
	return &Compiled{PTX: text, Compiler: "clang", Command: o.line(filepath.Base(clang),
		append([]string{"-x", "cuda", "-S", "-gline-tables-only"}, flags...), name), Read: files}, nil
}

// nvccs are the names that nvcc has: in the search path, or where the variables and habits of CUDA's installers have
// it.
func nvccs() []string {
	list := []string{"nvcc"}
	for _, folder := range []string{os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), "/usr/local/cuda"} {
		if folder != "" {
			list = append(list, filepath.Join(folder, "bin", "nvcc"))
		}
	}
	return list
}

// shellCharacters are those that may make a shell execute something else. nvcc starts its steps by a shell, with its
// arguments as they are.
const shellCharacters = "$`\"'\\;&|<>\n\r\x00"

func (o *Options) nvccDevice(ctx context.Context, name, arch string) (*Compiled, error) {
	nvcc, err := firstOf(nvccs())
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	out := filepath.Join(dir, "out.ptx")
	file := name
	if strings.HasPrefix(name, "-") {
		file = "." + string(filepath.Separator) + name
	}
	flags := []string{"-ptx", "-lineinfo", "-w", "-arch=" + arch}
	for _, word := range append(o.flags(flags), file) {
		if strings.ContainsAny(word, shellCharacters) {
			return nil, fmt.Errorf("%q has characters that nvcc would give to a shell", word)
		}
	}
	with, read, err := o.depends(flags)
	if err != nil {
		return nil, err
	}
	_, err = o.run(ctx, nvcc, append(with, "-o", out), file)
	files := read()
	if err != nil {
		return nil, err
	}
	text, err := input.Read(out, hostir.MaxFileBytes)
	return &Compiled{PTX: text, Compiler: "nvcc", Command: o.line(filepath.Base(nvcc), flags, file), Read: files}, err
}

// depends adds the flags with which a compiler writes what it reads to flags, if Options.Depends says so. read returns
// that, none if there is nothing, and removes the file.
func (o *Options) depends(flags []string) (with []string, read func() []string, err error) {
	if !o.Depends {
		return flags, func() []string { return nil }, nil
	}
	dir, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, "out.d")
	return append(slices.Clone(flags), "-MMD", "-MF", file), func() []string {
		defer func() { _ = os.RemoveAll(dir) }()
		text, err := input.Read(file, hostir.MaxFileBytes)
		if err != nil {
			return nil
		}
		return prerequisites(string(text))
	}, nil
}

// prerequisites returns the files that a rule of make names after its target, without temporary ones of ours. Blanks in
// names have a backslash before them.
func prerequisites(rule string) (list []string) {
	const blank = "\x00"
	_, rule, _ = strings.Cut(rule, ": ")
	rule = strings.NewReplacer("\\\r\n", " ", "\\\n", " ", `\ `, blank, "$$", "$").Replace(rule)
	for _, name := range strings.Fields(rule) {
		name = strings.ReplaceAll(name, blank, " ")
		if !strings.Contains(name, folderPrefix) && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// line returns a command line for people, quoted for a shell.
func (o *Options) line(compiler string, flags []string, file string) string {
	words := append(append([]string{compiler}, o.flags(flags)...), file)
	for i, w := range words {
		if strings.ContainsAny(w, " \t\n\"'`$&|;<>()*?[]#~!\\{}") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// firstOf returns the path of the first program that is installed.
func firstOf(names []string) (string, error) {
	var err error
	for _, name := range names {
		path, wrong := exec.LookPath(name)
		if wrong == nil {
			return path, nil
		}
		if err == nil {
			err = wrong
		}
	}
	return "", err
}
