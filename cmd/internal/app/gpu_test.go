package app

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/runtime/report"
)

var onGPU = flag.Bool("gpu", false, "check every case of the race suite with --device gpu")

// onDriver returns the words of a command line that runs ptxsan where it finds a CUDA driver: that of
// the machine's GPU, or the drop-in library of exec in its place.
func onDriver(t *testing.T, ptxsan string) []string {
	t.Helper()
	if n, err := gpu.Count(); err == nil && n > 0 {
		return []string{ptxsan}
	}
	provideDropIns(t)
	if _, err := shim.Libraries(filepath.Join(shared, "ptxsan"), nil); err != nil {
		t.Skip("needs a CUDA driver: this machine has no GPU, and no C compiler to make the drop-in library that can take its place: ", err)
	}
	useDropIns(t)
	return []string{ptxsan, "exec", "--output", filepath.Join(t.TempDir(), "report"), "--", ptxsan}
}

// TestDevice: what runs through the CUDA driver shows what runs on the emulator.
func TestDevice(t *testing.T) {
	long(t)
	ptxsan := buildCommand(t)
	words := onDriver(t, ptxsan)
	t.Run("findings", func(t *testing.T) { sameFindings(t, ptxsan, words) })
	t.Run("both", func(t *testing.T) { compareBoth(t, words) })
	t.Run("arrays", func(t *testing.T) { arrays(t, words) })
	t.Run("ends", func(t *testing.T) { ends(t, words) })
	t.Run("after a fault", func(t *testing.T) { afterFault(t, words) })
}

// sameFindings compares what detectors inside the kernel find. On a GPU, differences in racy kernels are only shown:
// which of their races happen, and whether they wait for ever, depends on its schedule.
func sameFindings(t *testing.T, ptxsan string, words []string) {
	cases, err := filepath.Glob("../../../examples/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cases = append(cases, "../../../examples/suite/micro/barrier/exchange-shared-racy.yaml", "../../../examples/suite/micro/barrier/exchange-shared-fixed.yaml")
	for _, name := range []string{"async/tensor-no-wait-racy", "texture/global-write-then-fetch-fixed", "texture/surface-write-then-fetch-racy"} {
		cases = append(cases, "../../../examples/suite/micro/"+name+".yaml")
	}
	cases = slices.DeleteFunc(cases, func(name string) bool { return strings.Contains(name, "litmus") || !exists(moduleOfCase(name)) })
	if *onGPU {
		micro, err := filepath.Glob("../../../examples/suite/micro/*/*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases[:len(cases)-5], micro...)
	}
	if len(cases) < 10 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, detector := range []string{"iguard", "ldetector", "collide", "barracuda<instrumented>"} {
		for i, name := range cases {
			if detector == "iguard" && i/2%2 == 1 && !*onGPU && len(cases)-i > 5 { // half of the examples, and all that are named
				continue
			}
			queues := strings.HasPrefix(detector, "barracuda") && strings.Contains(name, "thread-locks") // they fill while the kernel runs
			if detector != "iguard" && !*onGPU && !strings.Contains(name, "exchange-shared") && !queues {
				continue
			}
			t.Run(detector+"/"+strings.TrimPrefix(name, "../../../examples/"), func(t *testing.T) {
				on := func(device string) []string {
					return []string{"check", "--device", device, "--timeout", "20s", "--detector", detector, "--format", "json", "--launch", name, moduleOfCase(name)}
				}
				want, got := findings(t, ptxsan, on("emu")), findings(t, words[0], slices.Concat(words[1:], on("gpu")))
				verdict, _, _ := strings.Cut(got, " ")
				switch real := len(words) == 1; {
				case want == got:
				case real && strings.Contains(got, "SM version specified by .target is higher"):
					t.Skip("needs a newer GPU: ", got)
				case real && strings.HasSuffix(name, "racy.yaml") && slices.Contains([]string{report.Racy, report.Clean, report.Fault, report.Unknown}, verdict):
					t.Logf("on the emulator %s, on the GPU %s", want, got)
				default:
					t.Errorf("on the emulator %s, through the driver %s", want, got)
				}
			})
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// moduleOfCase returns the module of a launch file.
func moduleOfCase(launch string) string { return strings.TrimSuffix(launch, ".yaml") + ".ptx" }

// findings returns the verdict and the races of a check, or why there was none.
func findings(t *testing.T, command string, args []string) string {
	t.Helper()
	cmd := exec.Command(command, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, _ := cmd.Output() // the exit code is that of the verdict
	var rep report.Report
	if err := json.Unmarshal(out, &rep); err != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return lines[0]
	}
	ids := make([]string, len(rep.Races))
	for i, r := range rep.Races {
		ids[i] = r.ID
	}
	slices.Sort(ids)
	return rep.Verdict + " " + strings.Join(ids, " ")
}

// compareBoth: --device both says how GPU and emulator compare.
func compareBoth(t *testing.T, words []string) {
	run := func(args ...string) string {
		out, err := exec.Command(words[0], slices.Concat(words[1:], args)...).CombinedOutput()
		return string(out) + errorText(err)
	}
	dir := "../../../examples/message-passing/"
	out := run("check", "--device", "both", "--detector", "iguard", "--launch", dir+"racy.yaml", dir+"racy.ptx")
	for _, want := range []string{"Device: emulator and ", "expect: GPU: findings: 88d30a104c343fb1: ok", "expect: GPU: buffer value: as on the emulator: ok"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, c := range [][2]string{
		{"precise", "one detector inside the kernel can run (iguard, ldetector, collide, barracuda<instrumented>), found precise"},
		{"iguard,ldetector", "one detector inside the kernel"},
	} {
		if out := run("check", "--device", "gpu", "--detector", c[0], "--launch", dir+"racy.yaml", dir+"racy.ptx"); !strings.Contains(out, c[1]) {
			t.Errorf("%s: %s", c[0], out)
		}
	}
	if out := run("devices"); !strings.Contains(out, "gpu:0  ") {
		t.Errorf("devices: %s", out)
	}
}

// ending has a kernel that waits for ever, and one that stores beside its buffer.
const ending = `.version 7.0
.target sm_70
.address_size 64
.visible .entry hang(.param .u64 out)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [out];
AGAIN:
	ld.volatile.global.u32 %r1, [%rd1];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra AGAIN;
	ret;
}
.visible .entry wild(.param .u64 out)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1+1073741824], 1;
	ret;
}
`

// ends: a kernel is given up after --timeout, another one faults, and memory is exhausted. No detector is named.
func ends(t *testing.T, words []string) {
	for _, c := range []struct {
		kernel, limit, timeout string
		class, text            string // of the fault; or the error
	}{
		{"hang", "1G", "200ms", "timeout", "still ran after 200ms"},
		{"wild", "1G", "20s", "out-of-bounds", "CUDA_ERROR_ILLEGAL_ADDRESS"}, // which takes a GPU longer than the kernel
		{"wild", "64K", "20s", "", "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"k.ptx": ending, "k.yaml": "buffers:\n  out: {type: u32, count: 1, init: 0}\nlaunches:\n  - {kernel: " + c.kernel + ", grid: 1, block: 32, args: [out]}\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		command := words
		if len(words) > 1 { // the drop-in library
			command = slices.Insert(slices.Clone(words), 2, "--memory-limit", c.limit)
		} else if c.class == "" {
			continue
		}
		args := []string{"check", "--device", "gpu", "--timeout", c.timeout, "--format", "json", "--launch", filepath.Join(dir, "k.yaml"), filepath.Join(dir, "k.ptx")}
		cmd := exec.Command(command[0], slices.Concat(command[1:], args)...)
		var said strings.Builder
		cmd.Stderr = &said
		out, _ := cmd.Output() // the exit code is that of the verdict
		var rep report.Report
		if c.class == "" {
			if !strings.Contains(said.String(), c.text) {
				t.Errorf("%s: no %q in %s", c.kernel, c.text, said.String())
			}
			continue
		}
		if err := json.Unmarshal(out, &rep); err != nil || len(rep.Faults) != 1 {
			t.Fatalf("%s: %v\n%s%s", c.kernel, err, out, said.String())
		}
		if f := rep.Faults[0]; f.Class != c.class || !strings.Contains(f.Message, c.text) || !strings.HasPrefix(rep.Detector, "iguard") {
			t.Errorf("%s: detector %s, fault %s: %s", c.kernel, rep.Detector, f.Class, f.Message)
		}
	}
}

// afterFault: races that a kernel's threads had before a fault are reported with it, although the driver has destroyed
// the context.
func afterFault(t *testing.T, words []string) {
	dir := t.TempDir()
	launch := "buffers:\n  out: {type: u32, count: 64, init: 0}\nlaunches:\n  - {kernel: falls, grid: 1, block: 64, args: [out]}\n"
	if err := os.WriteFile(filepath.Join(dir, "k.yaml"), []byte(launch), 0o666); err != nil {
		t.Fatal(err)
	}
	check := []string{"check", "--device", "gpu", "--detector", "collide", "--format", "json", "--launch", filepath.Join(dir, "k.yaml"), "testdata/attached/kernels.ptx"}
	out, err := exec.Command(words[0], slices.Concat(words[1:], check)...).Output()
	var rep report.Report
	if json.Unmarshal(out, &rep) != nil || len(rep.Faults) != 1 || rep.Faults[0].Class != "out-of-bounds" || len(rep.Races) == 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, r := range rep.Races {
		if r.Space != "global" || r.First.Thread == r.Second.Thread || !strings.Contains(r.Second.Instruction, "global") {
			t.Errorf("%+v", r)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return "\n" + err.Error()
}
