// Cases: a module, its launch file and its source.

package racesuite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// The build of an application without races, and the launch files of the papers' size and of that for measurements.
const (
	CorrectBuild = "correct"
	PaperSize    = "paper"
	MiddleSize   = "middle"
)

// A Case is a program with a launch file that states what is right. Its module is parsed once, on first use; a case is
// not for several goroutines.
type Case struct {
	Category, Pair, Variant string
	PTX, CUDA, YAML         string // paths
	File                    *launch.File

	program *session.Program
}

// Name is the case as documents and notes name it.
func (c *Case) Name() string {
	if c.Pair == "" { // an example
		return c.Category + "/" + c.Variant
	}
	return c.Category + "/" + c.Pair + "-" + c.Variant
}

// Application reports whether the case is an application of the suite, which takes longer than a kernel.
func (c *Case) Application() bool { return strings.HasPrefix(c.Category, "apps/") }

// Program returns the module of the case, without the rules of the manual.
func (c *Case) Program(t testing.TB) *session.Program {
	t.Helper()
	if c.program == nil {
		src, err := os.ReadFile(c.PTX)
		if err != nil {
			t.Fatal(err)
		}
		c.program = Program(t, c.PTX, src)
	}
	return c.program
}

// Run returns a run with detectors, without any for "".
func (c *Case) Run(t testing.TB, detectors string) *Run {
	t.Helper()
	return NewRun(t, c.Program(t), c.File, detectors)
}

// Program parses a module without the rules of the manual.
func Program(t testing.TB, name string, text []byte) *session.Program {
	t.Helper()
	tree, err := ptxgrammar.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return session.NewProgram(mod)
}

// Dir returns a path below the examples, relative to the directory of the test that asks.
func Dir(path string) string {
	for root := "."; len(root) < 64; root = filepath.Join("..", root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return filepath.Join(root, "examples", path)
		}
	}
	return path
}

// Glob returns the files of a pattern, of which there is at least one.
func Glob(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing like %s: %v", pattern, err)
	}
	return files
}

// Micro loads the kernels of the suite, examples/suite/micro/CATEGORY/PAIR-VARIANT, in order of name.
func Micro(t testing.TB) []*Case {
	t.Helper()
	var out []*Case
	for _, path := range Glob(t, Dir("suite/micro/*/*.yaml")) {
		base := strings.TrimSuffix(path, ".yaml")
		cut := strings.LastIndexByte(base, '-')
		out = append(out, Load(t, Case{
			Category: filepath.Base(filepath.Dir(path)), Pair: filepath.Base(base[:cut]), Variant: base[cut+1:],
			PTX: base + ".ptx", CUDA: base[:cut] + ".cu", YAML: path,
		}))
	}
	return out
}

// Applications loads the applications of the suite: a case for each race, and one for the correct build.
func Applications(t testing.TB) []*Case {
	t.Helper()
	var out []*Case
	for _, path := range Glob(t, Dir("suite/apps/*/*.yaml")) {
		base, dir := strings.TrimSuffix(path, ".yaml"), filepath.Dir(path)
		c := Case{
			Category: "apps/" + filepath.Base(dir), Pair: filepath.Base(base), Variant: "racy",
			PTX: base + ".ptx", CUDA: filepath.Join(dir, filepath.Base(dir)+".cu"), YAML: path,
		}
		switch c.Pair {
		case PaperSize, MiddleSize:
			continue
		case CorrectBuild:
			c.Variant = "fixed"
		}
		out = append(out, Load(t, c))
	}
	return out
}

// Resized loads the correct builds of the applications that have a launch file of another size, with that file.
func Resized(t testing.TB, size string) []*Case {
	t.Helper()
	var out []*Case
	for _, c := range Applications(t) {
		if again := c.Resized(t, size); c.Pair == CorrectBuild && again != nil {
			out = append(out, again)
		}
	}
	return out
}

// Resized returns the case with another launch file of its directory, nil if there is none of that name.
func (c *Case) Resized(t testing.TB, size string) *Case {
	t.Helper()
	again := *c
	again.YAML = filepath.Join(filepath.Dir(c.YAML), size+".yaml")
	if _, err := os.Stat(again.YAML); err != nil {
		return nil
	}
	return Load(t, again)
}

// Mining loads a case for each build and launch of the data-mining kernels: the launch file with that launch alone.
func Mining(t testing.TB) []*Case {
	t.Helper()
	var out []*Case
	for _, path := range Glob(t, Dir("suite/mining/*/*.yaml")) {
		if filepath.Base(path) != MiddleSize+".yaml" {
			out = append(out, Launches(t, path, strings.TrimSuffix(path, ".yaml"))...)
		}
	}
	return out
}

// Launches returns a case for each launch of a launch file with a build.
func Launches(t testing.TB, path, base string) (out []*Case) {
	t.Helper()
	dir := filepath.Dir(path)
	for i := 0; ; i++ {
		file, err := launch.Load(path, launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if i == len(file.Launches) {
			return out
		}
		file.Launches = file.Launches[i : i+1]
		out = append(out, &Case{
			Category: filepath.Base(dir), Pair: filepath.Base(base), Variant: fmt.Sprint(file.Launches[0].Block[0]),
			PTX: base + ".ptx", CUDA: filepath.Join(dir, filepath.Base(dir)+".cu"), YAML: path, File: file,
		})
	}
}

// Examples loads the examples that are kernels, examples/TOPIC/VARIANT.
func Examples(t testing.TB) []*Case {
	t.Helper()
	var out []*Case
	for _, path := range Glob(t, Dir("*/*.yaml")) {
		topic := filepath.Base(filepath.Dir(path))
		if topic == "litmus" { // which are not races but outcomes
			continue
		}
		base := strings.TrimSuffix(path, ".yaml")
		c := Load(t, Case{Category: topic, Variant: filepath.Base(base), PTX: base + ".ptx", YAML: path})
		if c.File.Expect == nil || c.File.Expect.Verdict == "" {
			t.Errorf("%s expects no verdict", path)
			continue
		}
		out = append(out, c)
	}
	return out
}

// Load returns a case with its launch file.
func Load(t testing.TB, c Case) *Case {
	t.Helper()
	file, err := launch.Load(c.YAML, launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c.File = file
	return &c
}
