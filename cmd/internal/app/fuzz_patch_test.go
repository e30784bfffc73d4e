// Mutants of sources and launch files through the search for a patch: it never panics, and no report is lost.

package app

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// patchSources are kernels with races of several kinds: the mutants begin with them.
var patchSources = []string{
	`__global__ void reverse(int *data) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = data[t];
  data[t] = tile[63 - t];
}
`,
	`__global__ void turn(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  for (int j = 0; j < 32; j += 8)
    if (y < height && x + j < width)
      out[(x + j) * height + y] = tile[threadIdx.x][threadIdx.y + j];
}
`,
	`__global__ void ends(unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 3 * i;
  unsigned x = out[n - 1 - i];
  out[n + i] = x;
}
__global__ void wrong(char *p) {
  *(int *)(p + 1) = threadIdx.x;
}
`,
	`__device__ int count;
extern __shared__ float sums[];
__global__ void total(const float *in, float *out, int n) {
  int t = threadIdx.x;
  sums[t] = t < n ? in[t] : 0;
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
  count += 1;
}
`,
}

// patchMutants is the number of mutants of each source; -mutants.seed says which.
var patchMutants = flag.Int("mutants.patch", 3, "mutants of each source in TestPatchMutants and TestFixMutants")

// shortPatchMutants is that of short tests.
const shortPatchMutants = 1

// needClang skips a test that compiles CUDA source.
func needClang(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: nothing compiles CUDA source")
	}
}

// writeSource writes a source to a file.
func writeSource(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "k.cu")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// patchMutator returns what mutates texts of a corpus: by numbers, words and lines.
func patchMutator(seed uint64, corpus []string) *mutator {
	m := &mutator{Rand: rand.New(rand.NewPCG(seed, 11))}
	for _, text := range corpus {
		m.corpus = append(m.corpus, fuzzInput{data: []byte(text)})
	}
	return m
}

// mutate returns a text with a few changes.
func (m *mutator) mutate(text string) string {
	m.data = []byte(text)
	changes := []func(){m.replaceNumber, m.replaceNumber, m.replaceWord, m.removeLine, m.repeatLine, m.swapLines}
	for range m.IntN(4) {
		changes[m.IntN(len(changes))]()
	}
	return string(m.data)
}

// eachMutant calls f with seeds from that of -mutants.seed on.
func eachMutant(t *testing.T, f func(t *testing.T, seed uint64)) {
	n := *patchMutants
	if testing.Short() {
		n = shortPatchMutants
	}
	for i := range uint64(n) {
		seed := *mutantsSeed + i
		t.Run(fmt.Sprint(seed), func(t *testing.T) { f(t, seed) })
	}
}

// limitsOfMutants keep the run of a mutant short.
const limitsOfMutants = " --max-steps 20000 --memory-limit 64M --state-limit 64M "

// runMutant runs a command line, which must neither panic nor lose a report of races or faults.
func runMutant(t *testing.T, line string, texts ...string) {
	t.Helper()
	var out, errw bytes.Buffer
	code := run(context.Background(), strings.Fields("ptxsan "+line), nil, &out, &errw)
	all := out.String() + errw.String()
	switch {
	case code == command.Failed || strings.Contains(all, "internal error") || strings.Contains(all, searchFailed):
		t.Errorf("%s: exit code %d\n%s\n%s", line, code, all, strings.Join(texts, "\n"))
	case code == command.BadUsage && !strings.HasPrefix(lastLines(errw.String()), "ptxsan: "):
		t.Errorf("%s: exit code 2 without a message\n%s", line, all)
	case code == command.BadUsage || strings.HasPrefix(line, "fix"):
	case strings.Contains(line, "json") && !json.Valid(out.Bytes()):
		t.Errorf("%s: exit code %d without a document\n%s", line, code, all)
	case !strings.Contains(line, "json") && !complete(out.String(), code):
		t.Errorf("%s: exit code %d without a complete report\n%s", line, code, all)
	}
}

// lastLines returns a text from the last line on that ptxsan has begun.
func lastLines(text string) string { return text[max(strings.LastIndex(text, "ptxsan: "), 0):] }

// complete reports whether a text is a report with a summary and, if a search for a patch has begun behind it, the end
// of that.
func complete(text string, code int) bool {
	report, search, begun := strings.Cut(text, "PATCH: looking for")
	summary := strings.Contains(report, "ERROR SUMMARY") || code == command.Faulted && strings.Contains(report, "INCOMPLETE")
	return strings.HasPrefix(report, "========= PTXSAN\n") && summary && (!begun || strings.Contains(search, "========= PATCH: "))
}

// TestPatchMutants runs ptxsan on mutants of CUDA sources, and on one of the sources with mutants of its launch file.
func TestPatchMutants(t *testing.T) {
	long(t)
	needClang(t)
	const budget = " --patch-budget 100" + limitsOfMutants
	for i, source := range patchSources {
		launches := launchesOf(t, source)
		t.Run(fmt.Sprint("source ", i), func(t *testing.T) {
			eachMutant(t, func(t *testing.T, seed uint64) {
				m := patchMutator(seed, patchSources)
				text, form := m.mutate(source), []string{"text", "json"}[seed%2]
				runMutant(t, "check --format "+form+budget+writeSource(t, text), text)
				if seed%3 == 0 {
					yaml := patchMutator(seed, []string{launches}).mutate(launches)
					runMutant(t, "check --format "+form+budget+"--launch "+writeLaunches(t, yaml)+" "+writeSource(t, source), yaml)
				}
			})
		})
	}
}

// launchesOf returns the template of a source.
func launchesOf(t *testing.T, source string) string {
	t.Helper()
	var out, errw bytes.Buffer
	if code := run(t.Context(), []string{"ptxsan", "new", writeSource(t, source)}, nil, &out, &errw); code != 0 {
		t.Fatalf("no template: %s", errw.String())
	}
	return out.String()
}

// writeLaunches writes a launch file.
func writeLaunches(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "k.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestFixMutants runs fix on mutants of PTX and of its template, which no compiler is needed for.
func TestFixMutants(t *testing.T) {
	long(t)
	for _, file := range []string{"barrier/exchange-shared-racy", "fence/message-block-fence-racy", "atomic/lost-increment-racy"} {
		text, err := os.ReadFile("../../../examples/suite/micro/" + file + ".ptx")
		if err != nil {
			t.Fatal(err)
		}
		program, err := session.Parse("k.ptx", text)
		if err != nil {
			t.Fatal(err)
		}
		yaml, err := session.Template(t.Context(), program, program.Module.Kernels())
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			eachMutant(t, func(t *testing.T, seed uint64) {
				ptx, launches := string(text), yaml
				if seed%2 == 0 {
					ptx = patchMutator(seed, []string{ptx}).mutate(ptx)
				} else {
					launches = patchMutator(seed, []string{launches}).mutate(launches)
				}
				name := filepath.Join(t.TempDir(), "k.ptx")
				if err := os.WriteFile(name, []byte(ptx), 0o600); err != nil {
					t.Fatal(err)
				}
				runMutant(t, "fix --patch-budget 100 --launch "+writeLaunches(t, launches)+limitsOfMutants+name, ptx, launches)
			})
		})
	}
}
