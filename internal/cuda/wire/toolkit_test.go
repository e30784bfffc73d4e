//go:build linux

// Programs that NVIDIA's compiler makes, in the ways in which people have it make them.

package wire_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
)

// compilers makes TestToolkits build every program in every way.
var compilers = flag.String("nvcc", "", "paths of nvcc, separated by commas, with which TestToolkits builds all programs in all ways; \"\" for that on the path, and one way each")

// toolkitPrograms are programs of testdata/toolkit, which race if they get an argument.
var toolkitPrograms = []struct {
	sources string
	since   int      // version of the toolkit, as 1308 for 13.8
	out     string   // in any case
	flags   string   // of all ways
	ways    []string // the first of which is that of a test without -nvcc
}{
	{"linked.cu linked_more.cu", 1100, "290 100\n", "-rdc=true --extended-lambda", []string{
		"-arch=sm_80", "-arch=sm_80 -cudart shared", "-arch=native", "-arch=all", "-arch=all-major", "-gencode arch=compute_80,code=lto_80 -gencode arch=compute_80,code=compute_80",
		"-arch=sm_80 -dlto", "-arch=sm_80 -std=c++17", "-arch=sm_80 --compress-mode=size", "-arch=sm_80 --compress-mode=speed", "-arch=sm_80 --compress-mode=none",
	}},
	{"attributes.cu", 1200, "12 5\n", "-std=c++17 -arch=sm_90", []string{"", "-cudart shared"}},
	{"current.cu", 1202, "2 10 32\n", "-std=c++20 -arch=sm_90", []string{"", "-cudart shared", "-default-stream per-thread"}},
	{"loops.cu", 1204, "0 15 7\n", "-rdc=true -arch=sm_90", []string{"", "-cudart shared"}},
	{"contexts.cu", 1301, "1 7\n", "-arch=sm_90", []string{"", "-cudart shared"}},
}

// TestToolkits builds programs by nvcc: they compute what they should, with an argument a race is found, without one
// none, and no function is missing.
func TestToolkits(t *testing.T) {
	list := strings.Split(*compilers, ",")
	if *compilers == "" {
		nvcc, err := exec.LookPath("nvcc")
		if err != nil {
			t.Skip("the programs are compiled by nvcc: ", err)
		}
		list = []string{nvcc}
	}
	dir := libraries(t)
	for _, nvcc := range list {
		version := nvccVersion(t, nvcc)
		for _, p := range toolkitPrograms {
			ways := p.ways
			if *compilers == "" {
				ways = ways[:1]
			}
			for _, way := range ways {
				if version < p.since || version < 1209 && strings.Contains(way, "compress-mode") {
					continue
				}
				t.Run(strings.Join(strings.Fields(fmt.Sprint(version, " ", p.sources, " ", way)), "_"), func(t *testing.T) {
					raceAsTold(t, dir, p.out, nvccBuild(t, nvcc, version, p.sources, p.flags+" "+way))
				})
			}
		}
	}
}

// raceAsTold runs a program, without an argument and with one.
func raceAsTold(t *testing.T, dir, want, app string) {
	t.Helper()
	for _, args := range [][]string{{app}, {app, "racy"}} {
		var notes []string
		o := precise(t)
		o.Target, o.Note = cuda.Target{Major: 9}, func(text string) { notes = append(notes, text) }
		out, code, processes := runWith(t, o, dir, args...)
		if out != want || code != 0 || len(notes) != 0 || len(processes) != 1 {
			t.Fatalf("%v: exit code %d, notes %q, %d processes, output %q, want %q", args, code, notes, len(processes), out, want)
		}
		if rep := processes[0].Report(); len(rep.Races) > 0 != (len(args) > 1) || len(rep.Faults)+len(rep.NotChecked) != 0 {
			t.Errorf("%v: races %+v, faults %+v, not checked %+v", args, rep.Races, rep.Faults, rep.NotChecked)
		}
	}
}

// nvccVersion is that of a compiler, as 1308 for 13.8.
func nvccVersion(t *testing.T, nvcc string) int {
	t.Helper()
	text, err := exec.Command(nvcc, "--version").Output()
	_, release, _ := bytes.Cut(text, []byte("release "))
	var major, minor int
	if _, scanned := fmt.Sscanf(string(release), "%d.%d", &major, &minor); err != nil || scanned != nil {
		t.Fatalf("%s --version: %v\n%s", nvcc, err, text)
	}
	return 100*major + minor
}

// nvccBuild builds a program. Toolkits from package indexes have the shared runtime without the name for the linker,
// and nvlink refuses a device runtime that is newer than it; the programs need none, but the linker of intermediate
// code does.
func nvccBuild(t *testing.T, nvcc string, version int, sources, flags string) string {
	t.Helper()
	app := filepath.Join(t.TempDir(), "app")
	args := append(strings.Fields(flags), "-w", "-lineinfo", "-o", app)
	if !strings.Contains(flags, "-dlto") {
		args = append(args, "-cudadevrt", "none")
	}
	if strings.Contains(flags, "-cudart shared") {
		links := t.TempDir()
		for _, name := range []string{"lib", "lib64"} {
			so := filepath.Join(filepath.Dir(nvcc), "..", name, fmt.Sprintf("libcudart.so.%d", version/100))
			if _, err := os.Stat(so); err == nil {
				if err = os.Symlink(so, filepath.Join(links, "libcudart.so")); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		args = append(args, "-L"+links)
	}
	for _, s := range strings.Fields(sources) {
		args = append(args, "testdata/toolkit/"+s)
	}
	text, err := exec.Command(nvcc, args...).CombinedOutput()
	if bytes.Contains(text, []byte("linker library load error")) || bytes.Contains(text, []byte("newer than toolkit")) {
		t.Skip("the toolkit is not complete: ", string(text))
	}
	if err != nil {
		t.Fatalf("nvcc %v: %v\n%s", args, err, text)
	}
	return app
}
