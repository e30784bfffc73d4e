// Goals: whole commands on generated files, compared with limits on their time and memory.

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Marks around the section of a document that contains the table.
const (
	goalsBegin = "<!-- written by make goals: begin -->\n"
	goalsEnd   = "<!-- written by make goals: end -->\n"
)

// goal is a command with a limit on its time.
type goal struct {
	what   string
	limit  time.Duration // of wall time
	memory int64         // limit in bytes, 0 for none
	args   string        // of ptxsan, in shell syntax; the files are in the folder in which commands run
	exit   int           // the exit code: 1 if it finds races
}

var goals = []goal{
	{what: "start: `check` of 1,024 threads, a module of 28 KB", limit: 8 * time.Millisecond, args: "check --launch saxpy.yaml half.ptx"},
	{what: "precise, hot word, 2^20 threads", limit: 2 * time.Second, args: "check -j 1 --launch hot-word.yaml words.ptx", exit: 1},
	{what: "precise, histogram with global atomics, 2^24 threads", limit: 2 * time.Second, memory: 400e6, args: "check -j 1 --launch histogram.yaml words.ptx"},
	{what: "the same, every access watched", limit: 2 * time.Second, memory: 400e6, args: "check -j 1 --detector 'precise<elide=false>' --launch histogram.yaml words.ptx"},
	{what: "precise, tiled product of matrices, 2^22 threads", limit: 20 * time.Second, args: "check -j 1 --launch tiled.yaml kernels.ptx"},
	{what: "50 MB module, one kernel, precise", limit: time.Second, args: "check --launch large.yaml large.ptx"},
	{what: "50 MB module, one kernel, iguard", limit: 2 * time.Second, args: "check --detector iguard --launch large.yaml large.ptx"},
	{what: "50 MB module, inspect", limit: 10 * time.Second, args: "inspect large.ptx"},
}

// goalLaunches holds the launch files, goalWords the kernels that are not in kernels.cu.
var goalLaunches = map[string]string{
	"saxpy.yaml":     launchFile("x: {type: f32, count: 1024}; y: {type: f32, count: 1024}", "kernel: saxpy, grid: [4, 1, 1], block: [256, 1, 1], args: [1024, 2.0, x, y]"),
	"large.yaml":     launchFile("x: {type: f32, count: 1024}; y: {type: f32, count: 1024}", "kernel: saxpy_400, grid: [4, 1, 1], block: [256, 1, 1], args: [1024, 2.0, x, y]"),
	"hot-word.yaml":  launchFile("a: {type: u32, count: 1}", "kernel: hot_word, grid: [4096, 1, 1], block: [256, 1, 1], args: [a]"),
	"histogram.yaml": launchFile("in: {type: u32, count: 1048576, init: random, seed: 1, min: 0, max: 1073741823}; bins: {type: u32, count: 1024}", "kernel: histogram, grid: [65536, 1, 1], block: [256, 1, 1], args: [in, bins]"),
	"tiled.yaml":     launchFile("a: {type: f32, count: 4194304, init: random, seed: 1, min: -1, max: 1}; b: {type: f32, count: 4194304, init: random, seed: 2, min: -1, max: 1}; c: {type: f32, count: 4194304}", "kernel: tiled, grid: [128, 128, 1], block: [16, 16, 1], args: [2048, a, b, c]"),
}

// launchFile returns a launch file with buffers, which semicolons separate, and one launch.
func launchFile(buffers, launch string) string {
	return "buffers:\n  " + strings.ReplaceAll(buffers, "; ", "\n  ") + "\nlaunches:\n  - {" + launch + "}\n"
}

const goalWords = `// a[0] = threadIdx.x, and atomicAdd(&bins[in[i & 0xfffff] & 1023], 1).
.version 7.0
.target sm_70
.address_size 64

.visible .entry hot_word(.param .u64 a)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [a];
	mov.u32 %r1, %tid.x;
	st.global.u32 [%rd1], %r1;
	ret;
}

.visible .entry histogram(.param .u64 in, .param .u64 bins)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [bins];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	and.b32 %r5, %r4, 1048575;
	mad.wide.u32 %rd3, %r5, 4, %rd1;
	ld.global.u32 %r6, [%rd3];
	and.b32 %r7, %r6, 1023;
	mad.wide.u32 %rd4, %r7, 4, %rd2;
	red.global.add.u32 [%rd4], 1;
	ret;
}
`

// writeGoalFiles writes the files of all goals to a folder.
func writeGoalFiles(dir string) error {
	files := map[string]string{
		"words.ptx": goalWords, "kernels.ptx": string(kernelSource),
		"half.ptx": firstKernels(28_000),
	}
	for name, text := range goalLaunches {
		files[name] = text
	}
	err := errors.Join(os.MkdirAll(dir, 0o777), writeManyKernels(filepath.Join(dir, "large.ptx"), 50_000_000))
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return err
}

// kernelBegin is the line before each kernel of kernels.ptx, and kernelsEnd the one after the last.
const (
	kernelBegin = "\t// .globl\t"
	kernelsEnd  = "\t.section"
)

// firstKernels returns a module of the first kernels, of at most the given number of bytes.
func firstKernels(bytes int) string {
	text, rest, _ := strings.Cut(string(kernelSource), kernelsEnd)
	return text[:strings.LastIndex(text[:bytes], kernelBegin)] + kernelsEnd + rest
}

// writeManyKernels writes a module of at least the given number of bytes: the kernels repeatedly, each with a number
// after its name.
func writeManyKernels(file string, bytes int) error {
	text, rest, _ := strings.Cut(string(kernelSource), kernelsEnd)
	kernels := strings.Split(text, kernelBegin)
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	fmt.Fprint(w, kernels[0])
	for i, written := 0, 0; written < bytes; i++ {
		for _, kernel := range kernels[1:] {
			name := strings.Fields(kernel)[0]
			n, _ := w.WriteString(kernelBegin + strings.Replace(kernel, ".entry "+name,
				fmt.Sprintf(".entry %s_%d", name, i), 1))
			written += n
		}
	}
	fmt.Fprint(w, kernelsEnd, rest)
	return errors.Join(w.Flush(), f.Close())
}

// costs is the least time of several runs of a command, and the most memory.
type costs struct {
	wall, processor time.Duration
	memory          int64 // bytes, 0 if not more than this process's peak
}

// used returns the memory as text.
func (c costs) used() string {
	if c.memory == 0 {
		return fmt.Sprintf("below %d MB", ownMemory()/1e6)
	}
	return fmt.Sprintf("%d MB", c.memory/1e6)
}

// measureGoals runs the commands of all goals with the ptxsan in the folder of the settings, and writes the table. It
// returns an error when a command exceeds its limit.
func measureGoals(ctx context.Context, s *settings, w io.Writer) error {
	dir, err := filepath.Abs(s.goals)
	if err != nil {
		return err
	}
	if err = writeGoalFiles(dir); err != nil {
		return err
	}
	var over []string
	var b strings.Builder
	fmt.Fprintf(&b, "On %s, on one processor (`GOMAXPROCS=1`); the least of several runs, in the folder `build/goals`.\n\n| | limit | wall | processor | memory | command |\n|---|---|---|---|---|---|\n", machineName())
	for _, g := range goals {
		c, failed := g.measure(ctx, dir, s.budget)
		if failed != nil {
			return fmt.Errorf("ptxsan %s: %w", g.args, failed)
		}
		if c.wall > g.limit || g.memory != 0 && c.memory > g.memory {
			over = append(over, "ptxsan "+g.args)
		}
		limit := figures(g.limit)
		if g.memory != 0 {
			limit += fmt.Sprintf(", %d MB", g.memory/1e6)
		}
		row := fmt.Sprintf("| %s | %s | %s | %s | %s | `ptxsan %s` |\n", g.what, limit, figures(c.wall), figures(c.processor), c.used(), g.args)
		b.WriteString(row)
		if _, err = io.WriteString(w, row); err != nil {
			return err
		}
	}
	if s.doc != "" {
		err = replaceSection(s.doc, goalsBegin, goalsEnd, b.String())
	}
	if err == nil && len(over) > 0 {
		err = fmt.Errorf("over their limits:\n%s", strings.Join(over, "\n"))
	}
	return err
}

// measure runs the command on one processor until the runs have taken ten times the budget, and at least three times.
func (g goal) measure(ctx context.Context, dir string, budget time.Duration) (c costs, err error) {
	began := time.Now()
	for n := 0; n < 3 || time.Since(began) < 10*budget; n++ {
		cmd := exec.CommandContext(ctx, filepath.Join(dir, "ptxsan"),
			strings.Fields(strings.ReplaceAll(g.args, "'", ""))...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=1")
		start := time.Now()
		out, err := cmd.CombinedOutput()
		wall := time.Since(start)
		if cmd.ProcessState == nil { // it has not started
			return c, err
		}
		if code := cmd.ProcessState.ExitCode(); code != g.exit {
			return c, fmt.Errorf("exit code %d, expected %d\n%s", code, g.exit, out)
		}
		processor := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if n == 0 || wall < c.wall {
			c.wall = wall
		}
		if n == 0 || processor < c.processor {
			c.processor = processor
		}
		if used := memoryOf(cmd.ProcessState); used > ownMemory() { // the system's figure includes this process's peak
			c.memory = max(c.memory, used)
		}
	}
	return c, nil
}

// figures formats a time with two or three digits.
func figures(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.3g ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}
