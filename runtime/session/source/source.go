// Compilation of a file, for the architecture that it needs.

package source

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// DefaultArch is the architecture for which files are compiled that need no newer one.
const DefaultArch = "sm_80"

// newerArchs are the architectures for which a file is compiled that DefaultArch does not have enough for, the oldest
// first.
var newerArchs = []string{"sm_90", "sm_90a", "sm_100a", "sm_103a", "sm_120a"}

// ErrNoCompiler is the error of Compile on a machine without a compiler.
var ErrNoCompiler = errors.New("neither nvcc nor clang is installed")

// Options of Compile.
type Options struct {
	Arch              string // "" for DefaultArch, or what the file needs
	Defines, Includes []string
	Depends           bool // find out which files the compiler reads
}

// Unit is a compiled file.
type Unit struct {
	Tree *ptxgrammar.Module
	hostcode.Compiled
	Arch string
	Why  string // why Arch is not DefaultArch, "" if it is or was asked for
}

// Is reports whether a file is CUDA source, by its name.
func Is(name string) bool { return filepath.Ext(name) == ".cu" }

// PTXName is the name that the PTX of a file has in reports.
func PTXName(name string) string { return name + ".ptx" }

// Compile compiles the kernels of a file with nvcc, or without one with clang. Without an architecture in the options
// it takes DefaultArch, and a newer one in two cases: the compiler refuses the file and names the architecture as the
// reason, or the PTX has instructions that DefaultArch lacks. Errors in the file are a *hostcode.CompileError.
func Compile(ctx context.Context, name string, o Options) (*Unit, error) {
	if o.Arch != "" {
		return compile(ctx, name, o.Arch, o)
	}
	u, err := compile(ctx, name, DefaultArch, o)
	var refused *hostcode.CompileError
	if errors.As(err, &refused) && lacking().MatchString(refused.Text) {
		for _, arch := range newerArchs {
			if newer, wrong := compile(ctx, name, arch, o); wrong == nil {
				newer.Why = "the compiler refuses it for " + DefaultArch
				u, err = newer, nil
				break
			}
		}
	}
	if err != nil {
		return nil, err
	}
	arch, what := needed(u.Tree)
	if arch == "" {
		return u, nil
	}
	newer, err := compile(ctx, name, arch, o)
	if err != nil {
		return nil, err
	}
	newer.Why = what + " does not exist for " + u.Arch
	return newer, nil
}

// lacking matches messages of compilers about what an architecture lacks.
var lacking = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`GPU architecture|compute capability|this_cluster|sm_\d\d|target feature`)
})

func compile(ctx context.Context, name, arch string, o Options) (*Unit, error) {
	made, err := hostcode.CompileDevice(ctx, name, arch,
		hostcode.Options{Defines: o.Defines, Includes: o.Includes, Nvcc: true, Depends: o.Depends})
	if errors.Is(err, exec.ErrNotFound) {
		err = &session.InputError{Err: fmt.Errorf("%s:1:1: this is CUDA source, and %w: install one, or compile it elsewhere: nvcc -ptx -lineinfo -arch=%s %[1]s", name, ErrNoCompiler, arch)}
	}
	if err != nil {
		return nil, err
	}
	tree, err := ptxgrammar.Parse(PTXName(name), made.PTX)
	if err != nil {
		return nil, err
	}
	return &Unit{Tree: tree, Compiled: *made, Arch: arch}, nil
}

// needed returns the first architecture that has all instructions of a module, and the first instruction that its own
// one lacks; "" if it lacks none, or if no architecture has all.
func needed(tree *ptxgrammar.Module) (arch, what string) {
	m, err := rewrite.LoadNewer(tree)
	if err != nil {
		return "", "" // the module's reader says what is wrong
	}
	if what = unmet(m, isa.ModuleTarget(tree.Target)); what == "" {
		return "", ""
	}
	for _, name := range newerArchs {
		if unmet(m, isa.ModuleTarget([]string{name})) == "" {
			return name, what
		}
	}
	return "", ""
}

// unmet returns the first instruction that a target lacks, "" for none.
func unmet(m *rewrite.Module, target isa.Target) string {
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			if in.Unmet(isa.Module{Version: isa.NewestVersion, Target: target}) != "" {
				return session.OpcodeText(in)
			}
		}
	}
	return ""
}
