// Package hostcode extracts launch facts from a file of host code: CUDA C++ by the scanner
// (runtime/static/host), or as LLVM IR that clang makes of it (runtime/static/hostir), or LLVM IR as
// text.
//
// The scanner needs no other program and gives the same result on any machine. Clang resolves
// templates, overloads and every header; where it is not installed or cannot compile a file, the
// scanner reads the file, and a note says so. CompileDevice compiles the kernels of a file, for
// patches of it. The package must know neither PTX nor facts files.
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

	"github.com/ptxsan/ptxsan/runtime/device"
	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
	"github.com/ptxsan/ptxsan/runtime/static/host"
	"github.com/ptxsan/ptxsan/runtime/static/hostir"
)

// Reader is what reads CUDA C++.
type Reader string

// The readers.
const (
	Scanner Reader = "scan"  // the scanner of runtime/static/host
	Clang   Reader = "clang" // clang and runtime/static/hostir, the scanner where clang cannot compile the file
)

// Options of Load.
type Options struct {
	Reader  Reader   // "" is Scanner
	Defines []string // macros, as NAME or NAME=TEXT

	Includes []string // folders of headers
	Args     []string // that the program is started with; nil: not known
	Nvcc     bool     // nvcc compiles kernels if it can, otherwise clang
	Depends  bool     // of CompileDevice: find out which files the compiler reads
}

// Load reads files of host code, as one program. Where some are read as LLVM IR and some are not, calls from
// the ones to the others are not followed.
func Load(ctx context.Context, names []string, o Options) ([]*facts.File, error) {
	var list []*facts.File
	var ir, text []host.Source
	var notes []string
	for _, name := range names {
		src, note, err := o.load(ctx, name)
		if err != nil {
			return nil, err
		}
		if note != "" {
			notes = append(notes, note)
		}
		if hostir.Is(src.Text) {
			ir = append(ir, src)
		} else {
			text = append(text, src)
		}
	}
	if len(text) > 0 {
		read := func(file string) ([]byte, error) { return input.Read(file, host.MaxFileBytes) }
		f := host.Scan(host.Options{Read: read, Defines: o.Defines, Includes: o.Includes, Part: len(ir) > 0, Args: o.Args}, text...)
		f.Notes = append(f.Notes, notes...)
		list = append(list, f)
	}
	if len(ir) > 0 {
		list = append(list, hostir.Scan(hostir.Options{Part: len(text) > 0, Args: o.Args}, ir...))
	}
	return list, nil
}

// load reads a file: as LLVM IR where it can, with a note where it cannot and should.
func (o *Options) load(ctx context.Context, name string) (src host.Source, note string, err error) {
	limit := int64(host.MaxFileBytes)
	if strings.HasSuffix(name, ".ll") {
		limit = hostir.MaxFileBytes
	}
	src = host.Source{Name: filepath.ToSlash(name)}
	if src.Text, err = input.Read(name, limit); err != nil {
		return src, "", err
	}
	if hostir.Is(src.Text) {
		return src, "", nil
	}
	if strings.HasSuffix(name, ".ll") {
		return src, "", fmt.Errorf("%s:1:1: expected LLVM IR as text, as clang -S -emit-llvm writes it", name)
	}
	if o.Reader != Clang {
		return src, "", nil
	}
	ir, wrong := Compile(ctx, name, *o)
	if wrong == nil {
		src.Text = ir
		return src, "", nil
	}
	return src, fmt.Sprintf("%s: read without clang: %v", src.Name, wrong), ctx.Err()
}

// maxTime is the time that clang has for a file.
const maxTime = 2 * time.Minute

// compilers are the names that clang has, the preferred ones first.
var compilers = []string{"clang-19", "clang"}

// Compile makes LLVM IR of a file of host code: with the header of the CUDA runtime that ptxsan has, or
// where that does not do with those of an installed CUDA toolkit. The code is not optimised, so that it
// shows the program as it is.
func Compile(ctx context.Context, name string, o Options) ([]byte, error) {
	text, _, err := o.compile(ctx, name, "-emit-llvm", "--cuda-host-only", "-O0", "-fno-discard-value-names", "-fno-exceptions", "-UNDEBUG")
	return text, err
}

// folderPrefix begins the names of temporary folders.
const folderPrefix = "ptxsan-hostcode-"

// compile runs clang with one set of headers, then with the other.
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
	if err = os.WriteFile(filepath.Join(dir, "cuda_runtime.h"), []byte(host.Header), 0o600); err != nil { // with more for the host
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	flags = append([]string{"-x", "cuda", "-S", "-gline-tables-only", "-w", "-o", "-"}, flags...)
	own := []string{"-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=12.0", "-I", dir, "-include", "cuda_runtime.h"}
	text, err = o.run(ctx, clang, slices.Concat(flags, own), "--", name)
	if err != nil && ctx.Err() == nil {
		if other, wrong := o.run(ctx, clang, flags, "--", name); wrong == nil {
			text, err = other, nil
		}
	}
	return text, clang, err
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
		return nil, &CompileError{Command: o.line(filepath.Base(compiler), flags, file[len(file)-1]), Text: messages.String(), err: err}
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

// Words splits a command line into arguments as a shell does: at white space that is not quoted. Without any it is not nil.
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
