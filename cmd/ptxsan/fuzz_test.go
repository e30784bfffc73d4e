package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// Fuzz targets for the whole command (docs/guarantees.md): each runs the application in this process on files
// of a folder of its own, and checks what must hold for any input. `make fuzz` runs one.

// bounded are flags that keep a run short.
const bounded = " --max-steps 3000 --memory-limit 16M --state-limit 16M --printf-limit 4K --resident-threads 256 --jobs 1 "

// longestRun is how long one bounded run may take on a slow machine that has other work.
const longestRun = 20 * time.Second

// commandFuzzer runs command lines on the files of a folder.
type commandFuzzer struct {
	*testing.F
	dir   string   // where they are
	top   string   // where the test began
	files []string // that are there before a run, sorted
	known map[string]*parsedLine
	out   *bytes.Buffer // standard output and standard error of the last run
	errw  *bytes.Buffer
}

// newCommandFuzzer makes a folder in memory, if there is such a place.
func newCommandFuzzer(f *testing.F) *commandFuzzer {
	dir := f.TempDir()
	if shm, err := os.MkdirTemp("/dev/shm", "ptxsan-fuzz-*"); err == nil {
		f.Cleanup(func() { os.RemoveAll(shm) })
		dir = shm
	}
	top, err := os.Getwd()
	if err != nil {
		f.Fatal(err)
	}
	return &commandFuzzer{F: f, dir: dir, top: top, out: new(bytes.Buffer), errw: new(bytes.Buffer), known: make(map[string]*parsedLine)}
}

// parsedLine is a command line that is parsed already: making the flags of the
// application and parsing them takes longer than most runs.
type parsedLine struct {
	context *cli.Context
	action  cli.ActionFunc
}

// parse parses a command line, once.
func (f *commandFuzzer) parse(t *testing.T, line string) *parsedLine {
	if p := f.known[line]; p != nil {
		return p
	}
	p := new(parsedLine)
	app := newApp(bytes.NewReader(nil), f.out, f.errw)
	for _, cmd := range app.Commands {
		action := cmd.Action
		cmd.Action = func(c *cli.Context) error {
			p.context, p.action = c, action
			return nil
		}
	}
	if err := app.Run(strings.Fields("ptxsan " + line)); err != nil || p.action == nil {
		t.Fatalf("%s: %v", line, err)
	}
	f.known[line] = p
	return p
}

// execute runs the action of a command line, as run does.
func (p *parsedLine) execute(out, errw io.Writer) int {
	return guard(context.Background(), out, errw, func(ctx context.Context, out, errw io.Writer) error {
		p.context.Context, p.context.App.Writer, p.context.App.ErrWriter = ctx, out, errw
		return p.action(p.context)
	})
}

// enter changes to the folder, and leave back. They are not called once for all: the
// package testing reads and writes the inputs of the target in the folder it began in.
func (f *commandFuzzer) enter() {
	if err := os.Chdir(f.dir); err != nil {
		f.Fatal(err)
	}
}

func (f *commandFuzzer) leave() {
	if err := os.Chdir(f.top); err != nil {
		f.Fatal(err)
	}
}

// output is what a command line prints, before the fuzzing begins.
func (f *commandFuzzer) output(line string) []byte {
	f.enter()
	defer f.leave()
	var out, errw bytes.Buffer
	if code := run(context.Background(), strings.Fields("ptxsan "+line), nil, &out, &errw); code > exitFindings {
		f.Fatalf("%s: exit code %d, %s", line, code, errw.String())
	}
	return out.Bytes()
}

// write makes a file that is there before the run.
func (f *commandFuzzer) write(name string, data []byte) {
	if err := os.WriteFile(filepath.Join(f.dir, name), data, 0o600); err != nil {
		f.Fatal(err)
	}
	if i, found := slices.BinarySearch(f.files, name); !found {
		f.files = slices.Insert(f.files, i, name)
	}
}

// run runs a command line, which may write the file "out", and checks what holds for all
// of them. place matches a message about bad input, which must say where that is.
func (f *commandFuzzer) run(t *testing.T, line string, place *regexp.Regexp) {
	f.out.Reset()
	f.errw.Reset()
	parsed := f.parse(t, line)
	f.enter()
	defer f.leave()
	start := time.Now()
	code := parsed.execute(f.out, f.errw)
	message := f.errw.String()
	switch {
	case time.Since(start) > longestRun:
		t.Errorf("%s: took %s", line, time.Since(start))
	case code < exitClean || code > exitFailure, code == exitFailure && !strings.Contains(message, "the run is not as expected"):
		t.Errorf("%s: exit code %d: %s", line, code, message)
	case code == exitUsage && (f.out.Len() > 0 || !place.MatchString(message)):
		t.Errorf("%s: output %.200q, message %q; expected no output and a message that matches %s", line, f.out.String(), message, place)
	}
	f.checkFiles(t, line, code)
}

// checkFiles looks for files that a run must not leave, and removes its output.
func (f *commandFuzzer) checkFiles(t *testing.T, line string, code int) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, known := slices.BinarySearch(f.files, e.Name()); known {
			continue
		}
		if e.Name() != "out" || code == exitUsage {
			t.Errorf("%s: exit code %d, and the file %s is there", line, code, e.Name())
		}
		os.Remove(e.Name())
	}
}

// lastLine matches an error, which is the last line of standard error: others are
// warnings and what a kernel prints.
func lastLine(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(^|\n)ptxsan: (` + pattern + `)[^\n]*\n$`)
}

// programLines are the command lines that FuzzCommandPTX chooses from.
var programLines = []string{
	"fmt k.ptx", "inspect k.ptx", "diff --semantic k.ptx good.ptx", "rewrite --passes iguard,instcount k.ptx", "rewrite --passes coverage,memtrace,boundscheck k.ptx",
	"rewrite --passes barracuda k.ptx", "rewrite --link good.ptx k.ptx", "rewrite --no-check k.ptx",
	"check --detector precise --launch k.yaml -o out" + bounded + "k.ptx", "check --detector iguard --launch k.yaml -o out" + bounded + "k.ptx",
	"check --detector barracuda,scord --launch k.yaml --format json -o out" + bounded + "k.ptx",
	"emulate --launch k.yaml --stats --varcheck --initcheck --synccheck" + bounded + "k.ptx", "emulate --launch k.yaml --schedule lockstep --late-async --timeline out" + bounded + "k.ptx",
	"emulate --launch k.yaml --schedule random --no-memcheck --trace out" + bounded + "k.ptx", "emulate --launch k.yaml --schedule pct --max-faults 3 --passes boundscheck" + bounded + "k.ptx",
	"explore --launch k.yaml --schedules 2 -o out" + bounded + "k.ptx",
}

// fuzzLaunches launches two warps of the kernel k with one argument.
const fuzzLaunches = "buffers: {out: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: 2, block: [32, 1, 1], shared: 64, args: [out]}]\n"

// FuzzCommandPTX: any PTX, through every command that reads some.
func FuzzCommandPTX(f *testing.F) {
	c := newCommandFuzzer(f)
	c.write("k.yaml", []byte(fuzzLaunches))
	c.write("good.ptx", []byte(storing("mov.u32 %r1, %tid.x;")))
	for i := range programLines {
		f.Add([]byte(storing("mov.u32 %r1, %tid.x;")), byte(i))
		f.Add([]byte(variedProgram), byte(i))
	}
	place := lastLine(`k\.ptx:\d+:\d+: |k\.yaml:\d+:\d+: |good\.ptx:\d+:\d+: `)
	f.Fuzz(func(t *testing.T, ptx []byte, line byte) {
		c.write("k.ptx", ptx)
		c.run(t, programLines[int(line)%len(programLines)], place)
	})
}

// variedProgram has divergence, a call, memory of several spaces and synchronisation.
const variedProgram = `.version 7.0
.target sm_70
.address_size 64
.global .align 8 .b8 flag[16];
.func (.param .b32 r) f(.param .b32 a)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [a];
	add.u32 %r2, %r1, 1;
	st.param.b32 [r], %r2;
	ret;
}
.visible .entry k(.param .u64 out)
{
	.reg .pred %p;
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	.local .align 4 .b8 stack[16];
	.shared .align 4 .b8 s[128];
	.param .b32 a;
	.param .b32 r;
	ld.param.u64 %rd1, [out];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p, %r1, 7;
	@%p bra OVER;
	st.param.b32 [a], %r1;
	call (r), f, (a);
	ld.param.b32 %r2, [r];
	atom.global.add.u32 %r3, [flag+4], %r2;
OVER:
	st.shared.u32 [s+8], %r1;
	bar.sync 0;
	ld.shared.v2.u32 {%r4, %r5}, [s+8];
	st.local.u32 [stack], %r4;
	shfl.sync.bfly.b32 %r3, %r4, 1, 31, -1;
	fence.acq_rel.gpu;
	st.global.u32 [%rd2+4], %r3;
	ret;
}
`

// FuzzCommandLaunch: any launch file, and any program with it.
func FuzzCommandLaunch(f *testing.F) {
	c := newCommandFuzzer(f)
	c.write("k.ptx", []byte(variedProgram))
	c.write("raw", []byte("0123456789abcdef"))
	for _, text := range badInputs[0].files {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	f.Add([]byte(fuzzLaunches))
	f.Add([]byte("buffers: {out: {type: u64, init: {file: raw}}, a: {type: f16, count: 3, init: random, min: 1, max: 2}}\nglobals: {flag: 7}\n" +
		"launches: [{kernel: k, grid: [2, 1, 1], block: 33, args: [out]}]\nexpect: {verdict: racy, races: 1, lines: [[1, 2]], buffers: {out: {equals: iota}}}"))
	place := lastLine(`k\.yaml:\d+:\d+: |--kernel|k.yaml is larger`)
	f.Fuzz(func(t *testing.T, launch []byte) {
		c.write("k.yaml", launch)
		c.run(t, "check --detector barracuda --launch k.yaml -o out"+bounded+"k.ptx", place)
	})
}

// FuzzCommandContainer: any program with fat binaries in it.
func FuzzCommandContainer(f *testing.F) {
	c := newCommandFuzzer(f)
	good := storing("mov.u32 %r1, %tid.x;")
	c.write("k.ptx", []byte(good))
	for i := range byte(4) {
		f.Add(smallContainer(good), i)
		f.Add(append(smallContainer(good), smallContainer("x")...), i)
		f.Add([]byte("!<arch>\n"+"a/              0           0     0     644     16        `\n"+"0123456789abcdef"), i)
		f.Add([]byte("unsigned char x[] = {0x50, 0xed, 0x55, 0xba, 0x01};\n"), i)
	}
	lines := []string{"extract --list app", "extract -o out app", "embed -o out app k.ptx", "embed --module 0 --drop-ptx --compression lz4 -o out app k.ptx"}
	place := lastLine(`app|--module|k\.ptx`)
	f.Fuzz(func(t *testing.T, app []byte, line byte) {
		c.write("app", app)
		c.run(t, lines[int(line)%len(lines)], place)
	})
}

// FuzzCommandTrace: any trace of operations, as --save-trace writes them.
func FuzzCommandTrace(f *testing.F) {
	c := newCommandFuzzer(f)
	for _, text := range []string{"mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.x;\nbar.sync 0;\natom.global.add.u32 %r1, [%rd1+4], 1;\nfence.acq_rel.gpu;"} {
		c.write("k.ptx", []byte(storing(text)))
		c.write("k.yaml", []byte(fuzzLaunches))
		f.Add(c.output("check --detector barracuda --launch k.yaml --save-trace - -o report k.ptx"))
		os.Remove(filepath.Join(c.dir, "report"))
	}
	place := lastLine(`trace: `)
	f.Fuzz(func(t *testing.T, trace []byte) {
		c.write("trace", trace)
		c.run(t, "check --trace trace --stats -o out", place)
	})
}

// FuzzCommandSchedule: any schedule to replay.
func FuzzCommandSchedule(f *testing.F) {
	c := newCommandFuzzer(f)
	c.write("k.ptx", []byte(storing("mov.u32 %r1, %tid.x;")))
	c.write("k.yaml", []byte(fuzzLaunches))
	for _, policy := range session.PolicyNames() {
		f.Add(c.output("emulate --launch k.yaml --record - --schedule " + policy + " k.ptx"))
	}
	place := lastLine(`--replay schedule: |k\.ptx:\d+:\d+: |k\.yaml:\d+:\d+: `)
	f.Fuzz(func(t *testing.T, schedule []byte) {
		c.write("schedule", schedule)
		c.run(t, "emulate --launch k.yaml --replay schedule"+bounded+"k.ptx", place)
	})
}

// FuzzCommandSuppressions: any list of suppressions, YAML or XML.
func FuzzCommandSuppressions(f *testing.F) {
	c := newCommandFuzzer(f)
	c.write("k.ptx", []byte(storing("mov.u32 %r1, %tid.x;")))
	c.write("k.yaml", []byte(fuzzLaunches))
	for _, text := range badInputs[2].files {
		f.Add([]byte(text))
	}
	f.Add([]byte("suppressions:\n  - {kernel: 'k*', line: 10, kind: intra-warp, space: global}\n"))
	f.Add([]byte("<?xml version=\"1.0\"?>\n<ComputeSanitizerOutput>\n<record><kind>Race</kind><what><kernel>k</kernel></what></record>\n</ComputeSanitizerOutput>\n"))
	place := lastLine(`suppressions:\d+:\d+: |suppressions: `)
	f.Fuzz(func(t *testing.T, list []byte) {
		c.write("suppressions", list)
		c.run(t, "check --detector barracuda --launch k.yaml --suppressions suppressions -o out"+bounded+"k.ptx", place)
	})
}
