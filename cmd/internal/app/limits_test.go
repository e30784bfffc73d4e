package app

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/certificate"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// limitCase is a run of a command at a limit: of emulate, or of rewrite when there is no
// launch file.
type limitCase struct {
	ptx, launch string
	flags       []string
	exit        int // at the limit, when something else stops the run

	line string // in place of all that: a command line, with FILE for a file of zeros
	size int64  // of FILE

	do func(t *testing.T) (code int, out string) // in place of all that
}

// limitTest meets a limit exactly and exceeds it by one. What is said then holds says.
type limitTest struct {
	meets, exceeds limitCase
	says           string
}

const limitHeader = ".version 8.0\n.target sm_90\n.address_size 64\n"

// limitKernel returns a kernel of a body.
func limitKernel(body string) string { return limitHeader + ".entry k ()\n{\n" + body + "ret;\n}\n" }

// oneLaunch returns a launch file that launches k, with more of its fields.
func oneLaunch(fields string) string {
	return "launches: [{kernel: k, grid: 1, block: 1" + fields + "}]\n"
}

// limitTests returns those of all limits, by what they are of.
func limitTests(t *testing.T) map[string]limitTest {
	tests := runLimitTests(t)
	for of, test := range launchLimitTests() {
		tests[of] = test
	}
	for of, test := range textLimitTests() {
		tests[of] = test
	}
	for of, test := range analyzeLimitTests(t) {
		tests[of] = test
	}
	tests["blocks searched for where lanes meet under lockstep"] = limitTest{joins(rewrite.MaxJoinSearch), joins(rewrite.MaxJoinSearch + 1), "beyond"}
	for of, test := range fileLimitTests(t) {
		tests[of] = test
	}
	return tests
}

// fileLimitTests returns those of limits of files that are read whole. What is in the files
// is wrong as well. Files that it takes long to read are not as large as the limit:
// internal/input has a test of one that is, for all of them.
func fileLimitTests(t *testing.T) map[string]limitTest {
	dir := t.TempDir()
	program, launches := filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.yaml")
	for name, text := range map[string]string{program: limitKernel(""), launches: oneLaunch("")} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := "check --launch " + launches + " %s FILE " + program
	tests := make(map[string]limitTest)
	for of, c := range map[string]struct {
		line  string
		most  int64
		quick bool // to read at the limit
	}{
		"bytes of PTX":                         {"inspect FILE", limits.ProgramBytes, false},
		"bytes of a program with fat binaries": {"extract FILE", limits.BinaryBytes, false},
		"bytes of a schedule":                  {fmt.Sprintf(check, "--replay"), limits.ScheduleBytes, true},
		"bytes of a saved report":              {"report convert FILE", limits.ReportBytes, false},
		"bytes of a list of suppressions":      {fmt.Sprintf(check, "--suppressions"), limits.SuppressionBytes, true},
		"bytes of a certificate":               {"verify FILE " + program, certificate.MaxBytes, false},
		"bytes of a file of passes":            {"rewrite --passes-file FILE " + program, limits.PassesBytes, true},
	} {
		meets := limitCase{line: c.line, size: c.most, exit: command.BadUsage}
		if !c.quick {
			meets.size = 1 << 10
		}
		tests[of] = limitTest{meets, limitCase{line: c.line, size: c.most + 1}, fmt.Sprintf("larger than the limit of %d bytes", c.most)}
	}
	return tests
}

// runLimitTests returns those of limits of runs.
func runLimitTests(t *testing.T) map[string]limitTest {
	straight := limitKernel(".reg .u32 %r;\n" + strings.Repeat("mov.u32 %r, 0;\n", 99))
	endless := limitKernel(".reg .u32 %r;\nL:\nadd.u32 %r, %r, 1;\nbra L;\n")
	half := ".func %s () { .local .b8 a[512]; .reg .u64 %%a; .reg .u32 %%v; mov.u64 %%a, a; mov.u32 %%v, 1; st.local.u8 [%%a], %%v; %s ret; }\n"
	local := limitHeader + fmt.Sprintf(half, "g", "") + fmt.Sprintf(half, "f", "call g;") + ".entry k () { .reg .pred %p; setp.eq.u32 %p, 0, 0; @%p call f; ret; }\n"
	printf := limitHeader + ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n.global .b8 s[4] = {97, 98, 10, 0};\n" +
		".entry k () { .reg .u64 %a; mov.u64 %a, s; cvta.global.u64 %a, %a;\n" +
		"{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %a; st.param.b64 [a], 0; call (r), vprintf, (f, a); } ret; }\n"
	guarded := ".reg .pred %p; setp.eq.u32 %p, 0, 0; @%p call " // not inlined
	chain := limitHeader + ".func c () { ret; }\n.func b () { " + guarded + "c; ret; }\n.entry k () { " + guarded + "b; ret; }\n"
	flag := func(ptx, fields, name, value string) limitCase {
		return limitCase{ptx, oneLaunch(fields), []string{"--" + name, value}, 0, "", 0, nil}
	}
	buffer := func(size int) limitCase {
		return limitCase{limitKernel(""), fmt.Sprintf("buffers: {b: {type: u8, count: %d}}\n", size) + oneLaunch(""), []string{"--memory-limit", "4096"}, 0, "", 0, nil}
	}
	allocations := func(n int) limitCase { // and as many times malloc
		text := limitHeader + fmt.Sprintf(`.extern .func (.param .b64 p) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.entry k () { .reg .u64 %%p; .reg .u32 %%n; .reg .pred %%q; mov.u32 %%n, 0;
L:
{ .param .b64 n; .param .b64 p; st.param.b64 [n], 8; call (p), malloc, (n); ld.param.b64 %%p, [p]; }
setp.eq.u64 %%q, %%p, 0; @%%q trap;
{ .param .b64 p; st.param.b64 [p], %%p; call free, (p); }
add.u32 %%n, %%n, 1; setp.lt.u32 %%q, %%n, %d; @%%q bra L; ret; }
`, n)
		return flag(text, "", "memory-limit", "4096")
	}
	least := 1 + sort.Search(1<<20, func(n int) bool {
		c := flag(local, "", "state-limit", strconv.Itoa(n+1))
		code, _ := c.run(t)
		return code == command.Clean
	})
	return map[string]limitTest{
		"warp instructions of a launch":              {flag(straight, "", "max-steps", "100"), flag(straight, "", "max-steps", "99"), "has not finished after 99 warp instructions"},
		"time of a command":                          {flag(straight, "", "timeout", "1h"), flag(endless, "", "timeout", "20ms"), "has not finished in the time allowed, 20ms (--timeout)"},
		"device memory":                              {buffer(4096), buffer(4097), "4097"},
		"allocations of a run":                       {allocations(emu.LeastAllocations), allocations(emu.LeastAllocations + 1), "trap"},
		"local memory of a thread":                   {flag(local, "", "stack-limit", "1024"), flag(local, "", "stack-limit", "1023"), "stack overflow"},
		"calls in each other":                        {flag(chain, "", "call-depth", "3"), flag(chain, "", "call-depth", "2"), "stack overflow"},
		"state of resident threads":                  {flag(local, "", "state-limit", strconv.Itoa(least)), flag(local, "", "state-limit", strconv.Itoa(least-1)), fmt.Sprintf("more than %d bytes of", least-1)},
		"grids launched by grids, in each other":     {nested(emu.MaxNesting), nested(emu.MaxNesting + 1), "beyond"},
		"grids launched by a grid that have not run": {pending(emu.MaxPending), pending(emu.MaxPending + 1), "beyond"},
		"output of printf in a launch":               {flag(printf, "", "printf-limit", "3"), flag(printf, "", "printf-limit", "2"), "lost"},
	}
}

// launchLimitTests returns those of limits of launch files.
func launchLimitTests() map[string]limitTest {
	empty := limitKernel("")
	shape := func(format string, n int, says string) limitTest {
		of := func(n int) limitCase {
			return limitCase{ptx: empty, launch: "launches: [{kernel: k, " + fmt.Sprintf(format, n) + "}]\n"}
		}
		return limitTest{of(n), of(n + 1), says}
	}
	args := func(n int) limitCase {
		params := strings.TrimSuffix(strings.Repeat(".param .u8 p%d, ", n), ", ")
		numbers := make([]any, n)
		for i := range numbers {
			numbers[i] = i
		}
		list := strings.TrimSuffix(strings.Repeat("1, ", n), ", ")
		return limitCase{limitHeader + ".entry k (" + fmt.Sprintf(params, numbers...) + ")\n{ ret; }\n", oneLaunch(", args: [" + list + "]"), []string{"--no-check"}, 0, "", 0, nil}
	}
	structOf := func(n int) limitCase {
		list := strings.TrimSuffix(strings.Repeat("{u8: 1}, ", n), ", ")
		return limitCase{limitHeader + fmt.Sprintf(".entry k (.param .b8 s[%d])\n{ ret; }\n", n), oneLaunch(", args: [[" + list + "]]"), nil, 0, "", 0, nil}
	}
	wide := func(blocks int) limitCase { // which no run gets through
		return limitCase{empty, fmt.Sprintf("launches: [{kernel: k, grid: %d, block: 1}]\n", blocks), []string{"--max-steps", "3000000000", "--timeout", "10ms"}, command.Faulted, "", 0, nil}
	}
	launches := func(n int) limitCase { // the first does not end
		text := "launches:\n" + strings.Repeat("- {kernel: k, grid: 1, block: 1}\n", n)
		return limitCase{limitKernel(".reg .u32 %r;\nL:\nadd.u32 %r, %r, 1;\nbra L;\n"), text, []string{"--timeout", "10ms"}, command.Faulted, "", 0, nil}
	}
	name := func(n int) limitCase {
		return limitCase{empty, "buffers:\n  ? " + strings.Repeat("a", n) + "\n  : {type: u8, count: 1}\n" + oneLaunch(""), nil, 0, "", 0, nil}
	}
	file := func(n int) limitCase {
		text := oneLaunch("")
		return limitCase{empty, text + "#" + strings.Repeat("x", n-len(text)-1), nil, 0, "", 0, nil}
	}
	return map[string]limitTest{
		"threads of a block":          shape("grid: 1, block: [32, %d, 1]", launch.MaxBlockThreads/32, "1056 threads"),
		"blocks of a grid in x":       {wide(launch.MaxGridX), wide(launch.MaxGridX + 1), "2147483647"},
		"blocks of a grid in y or z":  shape("grid: [1, 1, %d], block: 1", launch.MaxGridYZ, "65535"),
		"blocks of a cluster":         shape("grid: 32, block: 1, cluster: %d", launch.MaxClusterBlocks, "16"),
		"shared memory of a block":    shape("grid: 1, block: 1, shared: %d", launch.MaxSharedBytes, strconv.Itoa(launch.MaxSharedBytes)),
		"launches of a launch file":   {launches(launch.MaxLaunches), launches(launch.MaxLaunches + 1), strconv.Itoa(launch.MaxLaunches)},
		"arguments of a launch":       {args(launch.MaxArgs), args(launch.MaxArgs + 1), strconv.Itoa(launch.MaxArgs)},
		"fields of a struct argument": {structOf(launch.MaxFields), structOf(launch.MaxFields + 1), strconv.Itoa(launch.MaxFields)},
		"length of a buffer's name":   {name(launch.MaxNameLength), name(launch.MaxNameLength + 1), "name"},
		"bytes of a launch file":      {file(launch.MaxFileBytes), file(launch.MaxFileBytes + 1), strconv.Itoa(launch.MaxFileBytes)},
	}
}

// textLimitTests returns those of limits of PTX.
func textLimitTests() map[string]limitTest {
	text := func(format func(n int) string, most int, says string) limitTest {
		return limitTest{limitCase{ptx: format(most)}, limitCase{ptx: format(most + 1)}, says}
	}
	modifiers := text(func(n int) string { return limitKernel("ret" + strings.Repeat(".uni", n) + ";\n") }, ptxgrammar.MaxModifiers, "more than 255 modifiers")
	modifiers.meets.exit = command.BadUsage // no instruction has that many
	return map[string]limitTest{
		"brackets in each other": text(func(n int) string {
			return limitKernel(strings.Repeat("{", n-1) + strings.Repeat("}", n-1))
		}, ptxgrammar.MaxNesting, "nested more than 1000 deep"),
		"operators of an expression": text(func(n int) string {
			return limitHeader + ".global .u32 x = 0" + strings.Repeat("+1", n-1) + ";\n"
		}, ptxgrammar.MaxChain, "more than 10000 operators"),
		"modifiers of an instruction":                    modifiers,
		"edges of branches that share a list of targets": text(branches, rewrite.MaxSharedEdges, "have more than 262144 edges"),
		"registers of a function that instructions name": text(func(n int) string {
			return limitKernel(fmt.Sprintf(".reg .b32 %%r<%d>;\n", n) + registers(n))
		}, rewrite.MaxRegisters, "has more than 262144 registers"),
		"bytes of a token": text(func(n int) string {
			return limitHeader + "// " + strings.Repeat("x", 3) + "\n.global .u32 " + strings.Repeat("x", n) + ";\n"
		}, ptxgrammar.MaxToken, "token of more than"),
	}
}

// registers returns instructions that name n registers.
func registers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "mov.u32 %%r%d, 1;\n", i)
	}
	return b.String()
}

// branches returns a kernel with a number of edges through two lists of targets that branches share, of 512 labels and
// of one.
func branches(n int) string {
	const labels = 512
	var b strings.Builder
	b.WriteString(".reg .u32 %r;\nmov.u32 %r, 0;\none: .branchtargets L0;\nall: .branchtargets L0")
	for i := 1; i < labels; i++ {
		fmt.Fprintf(&b, ", L%d", i)
	}
	b.WriteString(";\n")
	for i := range n/labels + 1 {
		if i < labels {
			fmt.Fprintf(&b, "L%d:\n", i)
		}
		b.WriteString("brx.idx %r, all;\n")
	}
	return limitKernel(b.String() + strings.Repeat("brx.idx %r, one;\n", n%labels+1))
}

// run runs the case and returns the exit code and what was written.
func (l *limitCase) run(t *testing.T) (int, string) {
	t.Helper()
	if l.do != nil {
		return l.do(t)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if l.line != "" {
		path := write("zeros", "")
		if err := os.Truncate(path, l.size); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		code := run(context.Background(), strings.Fields("ptxsan "+strings.ReplaceAll(l.line, "FILE", path)), nil, &out, &out)
		return code, out.String()
	}
	args := []string{"ptxsan", "rewrite", "--passes", "", "-o", filepath.Join(dir, "out.ptx")}
	if l.launch != "" {
		args = append([]string{"ptxsan", "emulate"}, append(l.flags, "--launch", write("k.yaml", l.launch))...)
	}
	var out bytes.Buffer
	code := run(context.Background(), append(args, write("k.ptx", l.ptx)), nil, &out, &out)
	return code, out.String()
}

// TestLimits meets every limit of docs/generated/limits.md exactly, and exceeds it by one.
func TestLimits(t *testing.T) {
	long(t)
	tests := limitTests(t)
	for _, l := range limits.All {
		test, ok := tests[l.Of]
		if !ok {
			t.Errorf("%s: there is no test", l.Of)
			continue
		}
		delete(tests, l.Of)
		t.Run(l.Of, func(t *testing.T) {
			if code, out := test.meets.run(t); code != test.meets.exit || strings.Contains(out, test.says) {
				t.Errorf("at the limit: exit code %d, want %d and no %q\n%.500s", code, test.meets.exit, test.says, out)
			}
			code, out := test.exceeds.run(t)
			if code != l.Exit || !strings.Contains(out, test.says) {
				t.Errorf("beyond the limit: exit code %d, want %d and %q\n%.500s", code, l.Exit, test.says, out)
			}
		})
	}
	for of := range tests {
		t.Errorf("%s: there is a test, but no limit", of)
	}
}
