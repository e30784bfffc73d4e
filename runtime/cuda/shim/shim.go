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
	"strings"
)

//go:embed src
var sources embed.FS

// library is a drop-in library, under the name that applications load.
type library struct {
	name    string // its SONAME
	links   []string
	major   string // CUDA's major version, which determines the layout of structures
	api     string // prefix of the sources and of the names
	version string // of the symbols, "" for none
}

var libraries = []library{
	{name: "libcudart.so.10.0", major: "10", api: "cudart", version: "libcudart.so.10.0"},
	{name: "libcudart.so.10.1", major: "10", api: "cudart", version: "libcudart.so.10.1"},
	{name: "libcudart.so.10.2", major: "10", api: "cudart", version: "libcudart.so.10.2"},
	{name: "libcudart.so.11.0", links: []string{"libcudart.so"}, major: "11", api: "cudart", version: "libcudart.so.11.0"},
	{name: "libcudart.so.12", major: "12", api: "cudart", version: "libcudart.so.12"},
	{name: "libcudart.so.13", major: "13", api: "cudart", version: "libcudart.so.13"},
	{name: "libcuda.so.1", links: []string{"libcuda.so"}, major: "13", api: "cuda"},
	{name: "libnvidia-ml.so.1", major: "13", api: "nvml"},
	{name: "libcublas.so.11", major: "13", api: "cublas", version: "libcublas.so.11"},
	{name: "libcublas.so.12", major: "13", api: "cublas", version: "libcublas.so.12"},
	{name: "libcublas.so.13", links: []string{"libcublas.so"}, major: "13", api: "cublas", version: "libcublas.so.13"},
	{name: "libcurand.so.10", links: []string{"libcurand.so"}, major: "13", api: "curand", version: "libcurand.so.10"},
	{name: "libcufft.so.10", major: "13", api: "cufft", version: "libcufft.so.10"},
	{name: "libcufft.so.11", major: "13", api: "cufft", version: "libcufft.so.11"},
	{name: "libcufft.so.12", links: []string{"libcufft.so"}, major: "13", api: "cufft", version: "libcufft.so.12"},
	{name: "libcusparse.so.11", major: "13", api: "cusparse", version: "libcusparse.so.11"},
	{name: "libcusparse.so.12", links: []string{"libcusparse.so"}, major: "13", api: "cusparse", version: "libcusparse.so.12"},
	{name: "libnccl.so.2", links: []string{"libnccl.so"}, major: "13", api: "nccl"},
	{name: "libcudnn.so.9", major: "13", api: "cudnn", version: "libcudnn.so.9"},
	{name: "libptxsan-jitlink.so", major: "13", api: "jitlink"}, // to which redirect.c redirects nvJitLink
}

// connection is the library with the connection, which the drop-in libraries share: a process has one connection, whichever of
// them it loads.
var connection = library{name: "libptxsan-wire.so", major: "12", api: "wire"}

// inFront is the library in front of the driver, in a folder of its own.
var inFront = library{name: "libcuda.so.1", links: []string{"libcuda.so"}, major: "12", api: "attached"}

// Register is the library in the folder of Front that is preloaded into an application: it instruments what the application
// registers with a shared runtime.
const Register = "libptxsan-register.so"

var register = library{name: Register, major: "12", api: "register"}

// redirect is the audit library that the dynamic linker loads into an application: it redirects a runtime that is linked statically
// to the drop-in libraries.
var redirect = library{name: RedirectName, major: "12", api: "redirect"}

// RedirectName is the file name of that library.
const RedirectName = "libptxsan-redirect.so"

// frontFolder is the folder of the library in front of the driver, beside the drop-in libraries.
const frontFolder = "gpu"

// Front returns the folder with the library in front of the driver, "" on machines whose instruction set it does not support.
func Front(libraries string) string {
	if !frontBuilds {
		return ""
	}
	return filepath.Join(libraries, frontFolder)
}

// Redirect returns the path of the audit library for LD_AUDIT (ld.so(8)), "" on machines whose instruction set it does not support.
func Redirect(libraries string) string {
	if !frontBuilds {
		return ""
	}
	return filepath.Join(libraries, redirect.name)
}

// frontBuilds says that attached_forward.c and redirect.c support jumps of this machine.
const frontBuilds = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"

// Names returns the SONAMEs of the libraries that applications get.
func Names() (names []string) {
	for _, l := range libraries {
		names = append(names, l.name)
	}
	return names
}

// ErrNoCompiler says that the libraries cannot be compiled.
var ErrNoCompiler = errors.New("the drop-in CUDA libraries have to be compiled once: expected a C compiler, cc, gcc or clang, on the path (or named by CC)")

// Libraries returns the folder with the drop-in libraries: that which this version of ptxsan was installed with (prebuilt), or one
// below cache, where it compiles them unless it has done so. It calls compiling before that, with the compiler.
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

// prebuilt returns the folder of the libraries that a package or an archive of ptxsan contains, "" if there is none or it belongs to
// another version.
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
			return dir
		}
	}
	return ""
}

// Prebuild compiles the libraries to the folder dir, which must not exist, for packages: for the machine that the compiler compiles
// for.
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

// digest identifies the sources.
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
		done <- errors.Join(build(cc, src, front, inFront), build(cc, src, front, register), build(cc, src, made, redirect))
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

// flags returns the compiler flags for a library of either kind.
func (l *library) flags() []string {
	missing := "-DNOT_SUPPORTED=WIRE_NOT_SUPPORTED"
	if result := notSupported(l.api); result != "" {
		missing = "-DNOT_SUPPORTED=" + result
	}
	tls := "global-dynamic"
	if l.api == connection.api {
		tls = "initial-exec" // a few bytes; what is allocated may be in a page that the connection protects
	}
	return []string{
		"-std=gnu11", missing, "-ftls-model=" + tls, "-O1", "-Werror=int-conversion", "-fno-optimize-sibling-calls", "-fPIC", "-fvisibility=hidden",
		"-DCUDA_MAJOR=" + l.major, "-DLIBRARY=\"lib" + l.api + "\"", "-DNAMES=\"" + l.api + "_names.h\"",
	}
}

// notSupported returns the result of a library's functions that exist by name only, or "" for CUDA's own.
func notSupported(api string) string {
	switch api {
	case "nvml":
		return "3" // NVML_ERROR_NOT_SUPPORTED
	case "cudnn":
		return "3000" // CUDNN_STATUS_NOT_SUPPORTED
	case "jitlink":
		return "6" // NVJITLINK_ERROR_INTERNAL
	}
	return standIns[api]
}

// shares reports whether a library uses the common connection.
func (l *library) shares() bool {
	return l.api == connection.api || slices.ContainsFunc(libraries, func(o library) bool { return o.api == l.api })
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

// files returns the sources of a library.
func (l *library) files(src string) ([]string, error) {
	if l.api == register.api || l.api == redirect.api {
		return []string{filepath.Join(src, l.api+".c")}, nil
	}
	files, err := filepath.Glob(filepath.Join(src, l.api+"_*.c"))
	common := "missing.c"
	if standIns[l.api] != "" {
		files = append(files, filepath.Join(src, "library.c"))
	}
	switch l.api {
	case inFront.api:
		common = "wire_image.c"
	case connection.api:
		common = "wire.c"
	}
	return append(files, filepath.Join(src, common)), err
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
	args := []string{"-shared", "-Wl,-soname," + l.name, "-Wl,-z,nodelete", "-o", filepath.Join(made, l.name), object, "-lpthread", "-ldl"}
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

// Tool returns the path of the replacement for one of NVIDIA's tools, nvcc or ptxas. Applications that compile machine code at
// run time get PTX from it.
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
