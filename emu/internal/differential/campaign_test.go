package differential

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/emu"
)

var (
	number = flag.Int("n", 0, "compare so many random programs with the host")
	seed   = flag.Uint64("seed", 1, "seed of the first of them")
	inputs = flag.Int("inputs", 32, "run each program with so many inputs")
	limit  = flag.Duration("limit", 0, "begin no more after this time")
	only   = flag.String("ways", "", "only the ways whose name matches this expression")
	builds = flag.String("build", "", "compile so, such as clang-O2-sm_70, rather than each batch in another way")
	output = flag.String("o", "", "folder for programs that differ")
)

// batchSize is how many programs are compiled together.
const batchSize = 64

// TestCampaign compares random programs with the host: make differential.
func TestCampaign(t *testing.T) {
	if *number == 0 {
		t.Skip("compiles new random programs, which takes minutes: run by make differential N=1000. TestSample compares programs that are compiled already")
	}
	tools := FindToolchain("../../../passes/device/include")
	if tools.Host == "" || tools.Clang == "" && tools.NVCC == "" {
		t.Skip("needs a C++ compiler for the reference, and clang-19 or nvcc for the PTX; found ", *tools)
	}
	begin := time.Now()
	done, compared := 0, 0
	for done < *number && (*limit == 0 || time.Since(begin) < *limit) {
		n := min(batchSize, *number-done)
		first := *seed + uint64(done)
		if checkBatch(t, tools, first, n) {
			compared += n
		}
		done += n
		t.Logf("%d programs, %.1f per second, last %s", compared, float64(compared)/time.Since(begin).Seconds(), chooseBuild(t, tools, first))
	}
}

// chooseBuild is the compiler, level and architecture for the batch that begins with a
// seed. A program alone is compiled as in its batch, if batches begin at 1, 65 and so on.
func chooseBuild(t *testing.T, tools *Toolchain, first uint64) Build {
	t.Helper()
	if *builds != "" {
		b, err := ParseBuild(*builds)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	r := rand.New(rand.NewPCG((first-1)/batchSize, 99))
	b := Build{Level: r.IntN(4), SM: []int{60, 70, 75, 80, 86, 90}[r.IntN(6)]}
	b.NVCC = r.IntN(4) == 0
	if tools.NVCC == "" || tools.Clang == "" {
		b.NVCC = tools.Clang == ""
	}
	return b
}

// chooseWays are the ways that -ways asks for and that can run what a build makes.
func chooseWays(t *testing.T, build Build, seed uint64) (ways []Way) {
	t.Helper()
	expr, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range Ways(seed) {
		if expr.MatchString(w.Name) && (w.Config.Policy != emu.Lockstep || build.KeepsConvergence()) {
			ways = append(ways, w)
		}
	}
	return ways
}

// checkBatch reports the programs of a batch that differ, reduced. It returns false when the batch was left out,
// because the compiler exceeded its limits.
func checkBatch(t *testing.T, tools *Toolchain, first uint64, n int) bool {
	t.Helper()
	build := chooseBuild(t, tools, first)
	b := NewBatch(first, n, build.SM)
	b.Inputs = *inputs
	list, err := tools.Check(t.Context(), b, build, chooseWays(t, build, (first-1)/batchSize))
	if errors.Is(err, ErrCompiler) {
		t.Logf("batch %d, %s, is left out: %v", first, build, err)
		return false
	}
	if err != nil {
		t.Errorf("batch %d, %s: %v", first, build, err)
		return false
	}
	seen := map[uint64]bool{}
	for _, d := range list {
		if seen[d.Program.Seed] {
			continue
		}
		seen[d.Program.Seed] = true
		t.Errorf("%s: %v", build, d)
		if *output != "" {
			save(t, tools, d, build)
		}
	}
	return true
}

// save reduces a program and writes it with its PTX.
func save(t *testing.T, tools *Toolchain, d Difference, build Build) {
	t.Helper()
	ways := []Way{d.Way}
	small := Reduce(d.Program, func(b *Batch) bool {
		b.Inputs = *inputs
		list, err := tools.Check(t.Context(), b, build, ways)
		return err == nil && len(list) > 0
	})
	ptx, err := tools.PTX(context.Background(), small, build)
	if err != nil {
		t.Error(err)
	}
	base := filepath.Join(*output, fmt.Sprintf("%d-%s-%s", d.Program.Seed, build, d.Way.Name))
	for ext, text := range map[string]string{".cu": small.Device(), ".cc": small.Host(), ".ptx": string(ptx)} {
		if err := os.WriteFile(base+ext, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
}
