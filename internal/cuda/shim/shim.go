// Package shim holds the drop-in libraries libcudart and libcuda, which are written in C. An
// application loads them in place of NVIDIA's, and they forward its calls to "ptxsan exec".
// Another libcuda stands in front of NVIDIA's, for applications that are checked on their own GPU.
// Packages contain them; otherwise the machine's C compiler compiles the libraries once, and they are cached.
//
// It must not know the server at the other end of their socket.
package shim

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

//go:embed src
var sources embed.FS

// ErrNoCompiler says that the libraries cannot be compiled.
var ErrNoCompiler = errors.New("the drop-in CUDA libraries have to be compiled once: expected a C compiler, cc, gcc or clang, on the path (or named by CC)")

// Libraries returns the folder with the drop-in libraries: that which this version of ptxsan was installed with
// (prebuilt), or one below cache, where it compiles them unless it has done so. It calls compiling before that, with
// the compiler.
func Libraries(cache string, compiling func(cc string)) (string, error) {
	text, err := digest()
	if err != nil {
		return "", err
	}
	if dir := prebuilt(text + "-" + runtime.GOARCH); dir != "" {
		return dir, nil
	}
	dir := filepath.Join(cache, "cuda-"+text+"-"+runtime.GOARCH)
	if _, err = os.Stat(dir); err == nil {
		return dir, nil
	}
	if err = compile(dir, compiling); err != nil {
		if _, there := os.Stat(dir); there == nil {
			return dir, nil // another process was faster
		}
		return "", err
	}
	return dir, nil
}

// versionFile is a file of prebuilt libraries. It holds the digest of their sources and the architecture.
const versionFile = "version"

// prebuilt returns the folder of the libraries that a package or an archive of ptxsan contains, "" if there is none or
// it belongs to another version.
func prebuilt(version string) string {
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	for _, place := range []string{"../lib/ptxsan", "lib/ptxsan"} { // of a package, of an archive
		dir := filepath.Join(filepath.Dir(program), place)
		if have, err := os.ReadFile(filepath.Join(dir, versionFile)); err == nil && string(have) == version {
			relink(dir, libraries...)
			relink(filepath.Join(dir, frontFolder), inFront)
			return dir
		}
	}
	return ""
}

// relink replaces copies by the links that they are copies of, where it may: wheels cannot contain links. The dynamic
// linker takes a library and its copy for two libraries, each with a state of its own.
func relink(dir string, libraries ...library) {
	for _, l := range libraries {
		for _, link := range l.links {
			path := filepath.Join(dir, link)
			if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
				continue
			}
			made := path + "-" + strconv.Itoa(os.Getpid())
			if os.Symlink(l.name, made) == nil && os.Rename(made, path) != nil {
				_ = os.Remove(made) // the copy remains
			}
		}
	}
}

// Prebuild compiles the libraries to the folder dir, which must not exist, for packages: for the machine that the
// compiler compiles for.
func Prebuild(dir string) error {
	text, err := digest()
	if err != nil {
		return err
	}
	var machine []byte
	if err = compile(dir, func(cc string) { machine, _ = exec.Command(cc, "-dumpmachine").Output() }); err != nil {
		return err
	}
	arch, _, _ := strings.Cut(strings.TrimSpace(string(machine)), "-")
	if name := (map[string]string{"x86_64": "amd64", "aarch64": "arm64"})[arch]; name != "" {
		arch = name
	}
	return os.WriteFile(filepath.Join(dir, versionFile), []byte(text+"-"+arch), 0o666)
}

// compile makes the folder dir, as a whole.
func compile(dir string, compiling func(cc string)) error {
	cc, err := compiler()
	if err != nil {
		return err
	}
	if compiling != nil {
		compiling(cc)
	}
	around := filepath.Dir(dir)
	if err = os.MkdirAll(around, 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp(around, "compiling-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	made := filepath.Join(work, "lib")
	if err := buildAll(cc, work, made); err != nil {
		return err
	}
	return os.Rename(made, dir)
}

// Version identifies the libraries and the replacements of NVIDIA's tools.
func Version() string {
	text, err := digest()
	if err != nil {
		panic("BUG: embedded files: " + err.Error())
	}
	return text
}

// digest identifies the sources, and what is made of them.
func digest() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(sources, "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := sources.ReadFile(name)
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
		return err
	})
	for _, text := range generated() {
		h.Write([]byte(text))
	}
	fmt.Fprintln(h, libraries)
	return hex.EncodeToString(h.Sum(nil))[:16], err
}

func compiler() (string, error) {
	candidates := []string{"cc", "gcc", "clang", "clang-19"}
	if own := os.Getenv("CC"); own != "" {
		candidates = []string{own}
	}
	for _, name := range candidates {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoCompiler
}

// buildAll compiles all libraries from sources in work to the folder made.
func buildAll(cc, work, made string) error {
	if err := os.CopyFS(work, sources); err != nil {
		return err
	}
	front := filepath.Join(made, frontFolder)
	if err := os.MkdirAll(front, 0o777); err != nil {
		return err
	}
	src := filepath.Join(work, "src")
	groups := alike(libraries)
	done := make(chan error, len(groups)+1)
	go func() {
		if !frontBuilds {
			done <- nil
			return
		}
		done <- errors.Join(build(cc, src, front, inFront), build(cc, src, front, register),
			build(cc, src, made, redirect))
	}()
	errs := []error{writeNames(src), writeCalls(src), build(cc, src, made, connection)} // which the others are linked with
	for _, group := range groups {
		go func() { done <- build(cc, src, made, group...) }()
	}
	errs = append(errs, installTools(filepath.Join(src, toolsFolder), filepath.Join(made, toolsFolder)))
	for range cap(done) {
		errs = append(errs, <-done)
	}
	return errors.Join(errs...)
}

// namesHeader renames the functions of the connection to names that no application has.
const namesHeader = "names.h"

var declared = regexp.MustCompile(`\bwire_[a-z_]+\(`)

// writeNames writes namesHeader, from the declarations in wire.h.
func writeNames(src string) error {
	header, err := os.ReadFile(filepath.Join(src, "wire.h"))
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("#define WIRE_SHARED 1\n")
	names := declared.FindAllString(string(header), -1)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		name = strings.TrimSuffix(name, "(")
		fmt.Fprintf(&out, "#define %s ptxsan_%s\n", name, name)
	}
	return os.WriteFile(filepath.Join(src, namesHeader), []byte(out.String()), 0o666)
}

// alike groups libraries that differ only in names and versions.
func alike(list []library) (groups [][]library) {
	for _, l := range list {
		i := slices.IndexFunc(groups, func(g []library) bool { return g[0].api == l.api && g[0].major == l.major })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], l)
	}
	return groups
}

// build makes shared libraries of one object.
func build(cc, src, made string, group ...library) error {
	object, err := group[0].object(cc, src)
	for _, l := range group {
		if err == nil {
			err = l.link(cc, src, made, object)
		}
	}
	return err
}

// object compiles the sources of a library to one object.
func (l *library) object(cc, src string) (string, error) {
	files, err := l.files(src)
	if err != nil {
		return "", err
	}
	object := filepath.Join(src, l.api+"-"+l.name+".o")
	args := append(l.flags(), "-r", "-nostdlib", "-o", object)
	if l.shares() {
		args = append(args, "-include", filepath.Join(src, namesHeader))
	}
	return object, run(l.name, cc, append(args, files...)...)
}

// link makes a shared library of an object.
func (l *library) link(cc, src, made, object string) error {
	args := []string{
		"-shared", "-Wl,-soname," + l.name, "-Wl,-z,nodelete", "-o", filepath.Join(made, l.name), object,
		"-lpthread", "-ldl",
	}
	if l.version != "" {
		script := filepath.Join(src, l.name+".version")
		if err := os.WriteFile(script, []byte(l.version+" { global: *; };\n"), 0o666); err != nil {
			return err
		}
		args = append(args, "-Wl,--version-script,"+script)
	}
	if l.shares() {
		args = append(args, "-Wl,-rpath,$ORIGIN")
		if l.name != connection.name {
			args = append(args, filepath.Join(made, connection.name))
		}
	}
	if l.needs != "" { // it may not be compiled yet: an empty one has its name
		empty := filepath.Join(src, l.needs)
		if err := run(l.name, cc, "-shared", "-nostdlib", "-Wl,-soname,"+l.needs, "-o", empty, "-x", "c", os.DevNull); err != nil {
			return err
		}
		args = append(args, "-Wl,--no-as-needed", empty)
	}
	if err := run(l.name, cc, args...); err != nil {
		return err
	}
	for _, link := range l.links {
		if err := os.Symlink(l.name, filepath.Join(made, link)); err != nil {
			return err
		}
	}
	return nil
}

// run executes a tool for a library.
func run(library, tool string, args ...string) error {
	if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s of %s: %w\n%s", tool, library, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// toolsFolder is the folder of replacements for NVIDIA's tools, beside the libraries.
const toolsFolder = "bin"

// Tool returns the path of the replacement for one of NVIDIA's tools, nvcc or ptxas. Applications that compile machine
// code at run time get PTX from it.
func Tool(libraries, name string) string { return filepath.Join(libraries, toolsFolder, name) }

func installTools(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	entries, err := os.ReadDir(to)
	for _, e := range entries {
		err = errors.Join(err, os.Chmod(filepath.Join(to, e.Name()), 0o755))
	}
	return err
}
