package app

import (
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
	"golang.org/x/tools/go/packages"

	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/passes/device"
)

var wholeReleases = flag.Bool("releases", false, "build all that a release has, which takes minutes: make releases")

// releases holds the parts of .goreleaser.yaml that TestRelease and TestDebianPackage need.
type releases struct {
	Before struct{ Hooks []string }
	Builds []struct {
		Binary, Main      string
		Env, Goos, Goarch []string
		Flags             []string
	}
	Nfpms []map[string]any
}

func readReleases(t *testing.T) (r releases) {
	t.Helper()
	text, err := os.ReadFile("../../../.goreleaser.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &r)
	}
	if err != nil || len(r.Builds) != 2 || len(r.Nfpms) != 1 {
		t.Fatalf(".goreleaser.yaml: %v, %d builds, %d packages", err, len(r.Builds), len(r.Nfpms))
	}
	return r
}

// runIn runs a program in a folder and returns its output.
func runIn(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// TestCross checks that ptxsan-full compiles for Windows, and builds both commands by make cross for all systems of
// releases.
func TestCross(t *testing.T) {
	long(t)
	need(t, "make")
	r := readReleases(t)
	text, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range r.Builds {
		for _, goos := range b.Goos {
			for _, goarch := range b.Goarch {
				if !strings.Contains(string(text), " "+goos+"/"+goarch) {
					t.Errorf("make cross does not build for %s/%s, which .goreleaser.yaml has", goos, goarch)
				}
			}
		}
	}
	if *wholeReleases {
		runIn(t, "../../..", nil, "make", "cross")
	} else {
		typeCheck(t, "windows", "amd64")
	}
}

// typeCheck checks the types of the command's packages of this module for another system, which takes a tenth of a
// build.
func typeCheck(t *testing.T, goos, goarch string) {
	t.Helper()
	env := []string{"CGO_ENABLED=0", "GOOS=" + goos, "GOARCH=" + goarch}
	const ours = "github.com/ptxsan/ptxsan/"
	list := runIn(t, ".", env, "go", "list", "-deps", "../../ptxsan-full")
	paths := slices.DeleteFunc(strings.Fields(list), func(path string) bool { return !strings.HasPrefix(path, ours) })
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	// Of other modules, declarations are enough.
	parse := func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		file, failed := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if file != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					f.Body = nil
				}
			}
		}
		return file, failed
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Env: append(os.Environ(), env...), ParseFile: parse}, paths...)
	if err != nil || len(loaded) < 100 {
		t.Fatalf("%d packages, %v", len(loaded), err)
	}
	for _, p := range loaded {
		for _, err := range p.Errors {
			t.Errorf("%s/%s: %v", goos, goarch, err)
		}
	}
}

// TestRelease checks .goreleaser.yaml, and builds the files of a release if goreleaser is installed.
func TestRelease(t *testing.T) {
	r := readReleases(t)
	for i, binary := range []string{"ptxsan", fullName} {
		b := r.Builds[i]
		if b.Binary != binary || b.Main != "./cmd/"+binary || !slices.Contains(b.Env, "CGO_ENABLED=0") || strings.Join(b.Goos, " ") != "linux darwin windows" || len(b.Goarch) != 2 {
			t.Errorf("builds %+v", b)
		}
		if !slices.Contains(b.Flags, "-pgo=cmd/ptxsan/release.pgo") {
			t.Errorf("builds %s with %q, expected the flags of make build", b.Binary, b.Flags)
		}
	}
	need(t, "goreleaser")
	if !*wholeReleases {
		t.Skip("builds the archives and packages of six systems, which takes minutes; run by make releases")
	}
	clone := filepath.Join(t.TempDir(), "ptxsan")
	runIn(t, "../../..", nil, "git", "clone", "-q", ".", clone)
	runIn(t, clone, nil, "goreleaser", "check") // which wants a remote
	runIn(t, clone, nil, "goreleaser", "release", "--snapshot", "--clean", "--skip=publish,sign,sbom")
	for _, pattern := range []string{"*linux_amd64.tar.gz", "*linux_arm64.tar.gz", "*darwin_amd64.tar.gz", "*darwin_arm64.tar.gz", "*windows_amd64.zip", "*windows_arm64.zip", "*amd64.deb", "*arm64.deb", "checksums.txt"} {
		if found, _ := filepath.Glob(filepath.Join(clone, "dist", pattern)); len(found) != 1 {
			t.Errorf("dist/%s: %d files", pattern, len(found))
		}
	}
	runIn(t, filepath.Join(clone, "dist"), nil, "sha256sum", "--check", "--strict", "checksums.txt")
	if found, _ := filepath.Glob(filepath.Join(clone, "dist", "*"+runtime.GOARCH+".deb")); len(found) == 1 {
		need(t, "dpkg-deb")
		runPackage(t, filepath.Join(clone, "dist"), found[0])
		if _, err := os.Stat(filepath.Join(clone, "dist", "root", "usr", "bin", fullName)); err != nil {
			t.Error(err)
		}
	}
}

// makeExtras creates the output of a release's hooks, in a folder with the license.
func makeExtras(t *testing.T, r releases, ptxsan string) string {
	t.Helper()
	dir := t.TempDir()
	license, err := os.ReadFile("../../../LICENSE")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "LICENSE"), license, 0o666)
	}
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, "passes/device/include"), device.Headers())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, hook := range r.Before.Hooks {
		words := strings.Fields(hook)
		if cc, of, ok := strings.Cut(strings.TrimPrefix(hook, "env CC="), " go run ./cmd/ptxsan "); ok && words[0] == "env" {
			if strings.HasSuffix(of, "/"+runtime.GOARCH) { // the other architecture needs another compiler
				need(t, cc)
				runIn(t, dir, []string{"CC=" + cc}, ptxsan, strings.Fields(of)...)
			}
			continue
		}
		if args, own := strings.CutPrefix(strings.Replace(hook, fullName, "ptxsan", 1), "go run ./cmd/ptxsan "); own {
			words = append([]string{ptxsan}, strings.Fields(args)...)
		}
		runIn(t, dir, nil, words[0], words[1:]...)
	}
	return dir
}

// TestDebianPackage builds the Debian package of .goreleaser.yaml with nfpm, unpacks it and runs its programs.
func TestDebianPackage(t *testing.T) {
	r := readReleases(t)
	need(t, "nfpm")
	need(t, "dpkg-deb")
	ptxsan := buildCommand(t)
	dir := makeExtras(t, r, ptxsan)
	config := r.Nfpms[0]
	for _, entry := range config["contents"].([]any) {
		entry := entry.(map[string]any)
		entry["src"] = strings.ReplaceAll(entry["src"].(string), "{{ .Arch }}", runtime.GOARCH)
	}
	config["name"], config["arch"], config["version"] = config["package_name"], runtime.GOARCH, "0.1.0"
	config["contents"] = append(config["contents"].([]any), map[string]any{"src": ptxsan, "dst": config["bindir"].(string) + "/ptxsan", "file_info": map[string]any{"mode": 0o755}})
	for _, own := range []string{"id", "package_name", "formats", "bindir"} { // of goreleaser
		delete(config, own)
	}
	text, err := yaml.Marshal(config)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "nfpm.yaml"), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	runIn(t, dir, nil, "nfpm", "package", "--packager", "deb", "--target", "ptxsan.deb")
	runPackage(t, dir, "ptxsan.deb")
}

// runPackage unpacks a Debian package in a folder, and runs its programs.
func runPackage(t *testing.T, dir, deb string) {
	t.Helper()
	if info := runIn(t, dir, nil, "dpkg-deb", "--info", deb); !strings.Contains(info, "Package: ptxsan\n") {
		t.Error(info)
	}
	runIn(t, dir, nil, "dpkg-deb", "-x", deb, "root")
	if out := runIn(t, dir, nil, filepath.Join(dir, "root/usr/bin/ptxsan"), "version"); !strings.HasPrefix(out, "ptxsan version ") {
		t.Error(out)
	}
	prebuiltIn(t, filepath.Join(dir, "root/usr/bin/ptxsan"), filepath.Join(dir, "root/usr/lib/ptxsan"))
	for _, name := range []string{"man/man1/ptxsan.1", "bash-completion/completions/ptxsan", "doc/ptxsan/copyright", "ptxsan/include/cuda_runtime.h", "ptxsan/include/cuda_math.h"} {
		if info, err := os.Stat(filepath.Join(dir, "root/usr/share", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// prebuiltIn checks that an installed command takes the libraries in a folder: there is neither a compiler nor a cache.
func prebuiltIn(t *testing.T, ptxsan, libraries string) {
	t.Helper()
	env := []string{"PATH=", "CC=", "XDG_CACHE_HOME=" + filepath.Join(t.TempDir(), "none")}
	if out := runIn(t, ".", env, ptxsan, "exec", "--libraries"); out != libraries+"\n" {
		t.Errorf("the libraries are in %q, want %s", out, libraries)
	}
}

// standInCompiler is a compiler whose files are empty.
const standInCompiler = `#!/bin/sh
[ "$1" = -dumpmachine ] && exec echo "$(uname -m)-linux-gnu"
while [ "$1" != -o ]; do shift; done
: >"$2"
`

// TestPrebuilt makes the drop-in libraries for an archive and a package, where the command finds them without a
// compiler, unless they are of another version. That they compile is what other tests are about.
func TestPrebuilt(t *testing.T) {
	long(t)
	need(t, "sh")
	built, err := os.ReadFile(buildCommand(t))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, dir := range []string{"usr/bin", "archive"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(root, dir), 0o777), os.WriteFile(filepath.Join(root, dir, "ptxsan"), built, 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	compiler := filepath.Join(root, "cc")
	if err := os.WriteFile(compiler, []byte(standInCompiler), 0o777); err != nil {
		t.Fatal(err)
	}
	installed, libraries := filepath.Join(root, "usr/bin/ptxsan"), filepath.Join(root, "usr/lib/ptxsan")
	runIn(t, ".", []string{"CC=" + compiler}, installed, "exec", "--libraries", "-o", libraries)
	prebuiltIn(t, installed, libraries)
	inArchive := filepath.Join(root, "archive/lib/ptxsan")
	if err := os.CopyFS(inArchive, os.DirFS(libraries)); err != nil {
		t.Fatal(err)
	}
	prebuiltIn(t, filepath.Join(root, "archive/ptxsan"), inArchive)
	if err := os.WriteFile(filepath.Join(inArchive, "version"), []byte("another"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(root, "archive/ptxsan"), "exec", "--libraries")
	cmd.Env = append(os.Environ(), "PATH=", "CC=", "XDG_CACHE_HOME="+filepath.Join(root, "none"))
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), shim.ErrNoCompiler.Error()) {
		t.Errorf("libraries of another version, and no compiler: %v\n%s", err, out)
	}
}

// TestContainer builds the container and runs the command in it, if there is an engine that can fetch the base image.
func TestContainer(t *testing.T) {
	engine := "docker"
	if _, err := exec.LookPath(engine); err != nil {
		engine = "podman"
	}
	need(t, engine)
	if out, err := exec.Command(engine, "info").CombinedOutput(); err != nil {
		t.Skipf("needs a running container engine; %s info: %v: %.200s", engine, err, out)
	}
	if !*wholeReleases {
		t.Skip("compiles ptxsan within a container, which takes minutes; run by make releases")
	}
	for _, image := range []string{"golang:1.26", "debian:stable-slim"} {
		if out, err := exec.Command(engine, "pull", "-q", image).CombinedOutput(); err != nil {
			t.Skipf("needs the image %s, which this machine cannot fetch: %v: %.200s", image, err, out)
		}
	}
	runIn(t, "../../..", nil, engine, "build", "-t", "ptxsan-test", "-f", "Containerfile", ".")
	if out := runIn(t, "../../..", nil, engine, "run", "--rm", "ptxsan-test", "version"); !strings.HasPrefix(out, "ptxsan version ") {
		t.Error(out)
	}
}

// TestGoInstall installs the command from a tag of the module, by way of a module proxy in a folder.
func TestGoInstall(t *testing.T) {
	if !*wholeReleases {
		t.Skip("compiles the module and all that it uses with an empty cache, which takes minutes; run by make releases")
	}
	const path, version = "github.com/ptxsan/ptxsan", "v0.0.1-test"
	proxy := t.TempDir()
	at := filepath.Join(proxy, path, "@v")
	tree := filepath.Join(t.TempDir(), "tree")
	runIn(t, "../../..", nil, "git", "clone", "-q", ".", tree)
	mod, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	if err == nil {
		err = os.MkdirAll(at, 0o777)
	}
	for name, text := range map[string]string{"list": version + "\n", version + ".info": `{"Version":"` + version + `"}`, version + ".mod": string(mod)} {
		if err == nil {
			err = os.WriteFile(filepath.Join(at, name), []byte(text), 0o666)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(at, version+".zip"))
	if err == nil {
		err = zip.CreateFromDir(f, module.Version{Path: path, Version: version}, tree)
	}
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	cache := strings.TrimSpace(runIn(t, ".", nil, "go", "env", "GOMODCACHE"))
	bin := t.TempDir()
	runIn(t, bin, []string{"GOBIN=" + bin, "GOFLAGS=-modcacherw -trimpath", "GOSUMDB=off", "GOMODCACHE=" + filepath.Join(bin, "cache"), "GOPROXY=file://" + proxy + ",file://" + filepath.Join(cache, "cache/download")},
		"go", "install", path+"/cmd/ptxsan@"+version)
	if out := runIn(t, bin, nil, filepath.Join(bin, "ptxsan"), "version"); !strings.Contains(out, strings.TrimPrefix(version, "v")) {
		t.Error(out)
	}
}
