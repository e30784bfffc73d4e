// Package habits accepts common mistakes on command lines or explains them: flags after files, misspelt names, and
// input of another file type. It must not know what commands do.
package habits

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// Shorthand completes a command line without a command, or with flags before a file: CUDA source, k.cu, or PTX is for
// check; a Python program and an executable, ./app, are for exec, and all that follows is for the program. A check of a
// Python program is exec, too.
func Shorthand(args []string) []string {
	if len(args) < 2 || args[1] == "" {
		return args
	}
	python := slices.IndexFunc(args, func(a string) bool { return filepath.Ext(a) == ".py" && a[0] != '-' })
	if python == 1 || python > 1 && args[1] == "check" {
		flags := args[min(python, 2):python]
		return slices.Concat(args[:1], []string{"exec"}, flags, []string{"--", "python3"}, args[python:])
	}
	if args[1][0] != '-' && !kernels(args[1]) && !program(args[1]) {
		return args
	}
	for i, a := range args[1:] {
		switch {
		case strings.HasPrefix(a, "-"):
		case kernels(a):
			return slices.Insert(slices.Clone(args), 1, "check")
		case program(a):
			flags := slices.DeleteFunc(slices.Clone(args[1:i+1]), func(f string) bool { return f == "--" })
			return slices.Concat(args[:1], []string{"exec"}, flags, []string{"--"}, args[i+1:])
		}
	}
	return args
}

// program reports whether a word is the path of an executable: an ELF file with an x bit that is linked for a fixed
// address or names an interpreter, as shared libraries do not. A word without a separator is the name of a command.
func program(a string) bool {
	if !strings.ContainsRune(a, filepath.Separator) {
		return false
	}
	if info, err := os.Stat(a); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return false
	}
	f, err := elf.Open(a)
	if err != nil {
		return false
	}
	defer f.Close()
	interpreted := slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
	return f.Type == elf.ET_EXEC || f.Type == elf.ET_DYN && interpreted
}

// kernels reports whether a word is the name of a file that check checks.
func kernels(a string) bool {
	return filepath.Ext(a) == ".cu" || filepath.Ext(a) == ".ptx" || source(a)
}

// Attached separates the values of flags of one capital letter that compilers take with their value in one word:
// -DNAME, -Idir. For a flag, without dashes, known reports whether it exists.
func Attached(args []string, known func(flag string) bool) (list []string) {
	for i, a := range args {
		if a == "--" {
			return append(list, args[i:]...)
		}
		if len(a) > 2 && a[0] == '-' && a[1] >= 'A' && a[1] <= 'Z' && known(a[1:2]) {
			list = append(list, a[:2], strings.TrimPrefix(a[2:], "="))
			continue
		}
		list = append(list, a)
	}
	return list
}

// Order moves flags before files, and inserts -- between them if a file looks like a flag. For a flag, without dashes,
// takes reports whether a value follows it, and whether the flag exists. All words after -- are files.
func Order(args []string, takes func(flag string) (value, known bool)) []string {
	var flags, files []string
	dashed := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, _, valued := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch {
		case a == "--":
			files, dashed = append(files, args[i+1:]...), true
			i = len(args)
		case len(a) < 2 || a[0] != '-':
			files = append(files, a)
		default:
			flags = append(flags, a)
			if value, _ := takes(name); value && !valued && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		}
	}
	if dashed {
		flags = append(flags, "--")
	}
	return append(flags, files...)
}

// Nearest returns the known name that is most similar to a misspelt one, or "" if none is similar.
func Nearest(name string, known []string) string {
	const like = 0.8
	best, most := "", like
	for _, k := range known {
		if s := smetrics.JaroWinkler(k, name, 0.7, 4); s > most {
			best, most = k, s
		}
	}
	return best
}

// DidYouMean returns a question that suggests the known name similar to a misspelt one.
func DidYouMean(dashes, name string, known []string) string {
	near := Nearest(name, known)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", dashes+near)
}

// NotPTX explains an error in a file that is not PTX, if its content or its name shows a known file type.
func NotPTX(name string, src []byte, err error) error {
	base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	switch {
	case bytes.HasPrefix(src, []byte("MZ")), bytes.HasPrefix(src, []byte("\xcf\xfa\xed\xfe")):
		return fmt.Errorf("%s:1:1: this is a program for Windows or macOS, expected PTX, or a program for Linux that holds some", name)
	case source(name) && filepath.Ext(name) != ".cu":
		return fmt.Errorf("%s:1:1: expected PTX, or CUDA source in a file k.cu: check the file that has the kernels (a header is compiled with the one that includes it), or give it the ending .cu", name)
	case source(name):
		return fmt.Errorf("%s:1:1: this is CUDA source, expected PTX; make PTX of it: nvcc -ptx -lineinfo -arch=sm_80 %[1]s, or without a CUDA toolkit: clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -S -O2 -gline-directives-only -nocudainc -nocudalib --cuda-feature=+ptx81 -Ipasses/device/include -include cuda_runtime.h %[1]s -o %s.ptx; check, explore, analyze and fix compile it themselves", name, base)
	case bytes.HasPrefix(bytes.TrimSpace(src), []byte("Fatbin ")):
		return fmt.Errorf("%w; this is what cuobjdump prints: ptxsan extract takes the PTX out of the program itself, cuobjdump -xptx all writes it to files", err)
	}
	return err
}

// source reports whether the name of a file is that of CUDA or C++ source.
func source(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".cu", ".cuh", ".h", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx":
		return true
	}
	return false
}
