package app

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// A commandTarget is a file that the command reads, of any content. `make fuzz` runs one with coverage
// feedback, `make mutants` without.
type commandTarget struct {
	file  string   // its name
	lines []string // command lines that read it: one more byte of the input chooses among several
	place *regexp.Regexp
	seeds func(c *commandFuzzer) []string // contents to begin with; writes the other files
}

// fuzz runs a target.
func (target *commandTarget) fuzz(f *testing.F) {
	c := newCommandFuzzer(f)
	seeds := target.seeds(c)
	if len(target.lines) == 1 {
		for _, text := range seeds {
			f.Add([]byte(text))
		}
		f.Fuzz(func(t *testing.T, data []byte) { target.run(t, c, data, 0) })
		return
	}
	for _, text := range seeds {
		for i := range target.lines {
			f.Add([]byte(text), byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, line byte) { target.run(t, c, data, line) })
}

// run executes a target once.
func (target *commandTarget) run(t *testing.T, c *commandFuzzer, data []byte, line byte) {
	c.write(target.file, data)
	c.run(t, target.lines[int(line)%len(target.lines)], target.place)
}

// commandTargets are the targets by name.
var commandTargets = map[string]*commandTarget{
	"PTX": &fuzzPTX, "Launch": &fuzzLaunch, "Container": &fuzzContainer, "Trace": &fuzzTrace, "Schedule": &fuzzSchedule, "Suppressions": &fuzzSuppressions,
}

func FuzzCommandPTX(f *testing.F)          { fuzzPTX.fuzz(f) }
func FuzzCommandLaunch(f *testing.F)       { fuzzLaunch.fuzz(f) }
func FuzzCommandContainer(f *testing.F)    { fuzzContainer.fuzz(f) }
func FuzzCommandTrace(f *testing.F)        { fuzzTrace.fuzz(f) }
func FuzzCommandSchedule(f *testing.F)     { fuzzSchedule.fuzz(f) }
func FuzzCommandSuppressions(f *testing.F) { fuzzSuppressions.fuzz(f) }

// fuzzLaunches launches two warps of the kernel k with one argument.
const fuzzLaunches = "buffers: {out: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: 2, block: [32, 1, 1], shared: 64, args: [out]}]\n"

// fuzzPTX: any PTX, through every command that reads some.
var fuzzPTX = commandTarget{
	file: "k.ptx",
	lines: []string{
		"fmt k.ptx", "inspect k.ptx", "diff --semantic k.ptx good.ptx", "rewrite --passes iguard,instcount k.ptx", "rewrite --passes coverage,memtrace,boundscheck k.ptx",
		"rewrite --passes barracuda k.ptx", "rewrite --link good.ptx k.ptx", "rewrite --no-check k.ptx",
		"check --detector precise --launch k.yaml -o out" + bounded + "k.ptx", "check --detector iguard --launch k.yaml -o out" + bounded + "k.ptx",
		"check --detector barracuda,scord --launch k.yaml --format json -o out" + bounded + "k.ptx",
		"emulate --launch k.yaml --stats --varcheck --initcheck --synccheck" + bounded + "k.ptx", "emulate --launch k.yaml --schedule lockstep --late-async --timeline out" + bounded + "k.ptx",
		"emulate --launch k.yaml --schedule random --no-memcheck --trace out" + bounded + "k.ptx", "emulate --launch k.yaml --schedule pct --max-faults 3 --passes boundscheck" + bounded + "k.ptx",
		"explore --launch k.yaml --schedules 2 -o out" + bounded + "k.ptx", "fix --launch k.yaml --schedules 2 --attempts 4 -o out" + bounded + "k.ptx",
		"sync --launch k.yaml --schedules 2 --patch-budget 100 -o out" + bounded + "k.ptx",
	},
	place: lastLine(`(?:pass \w+: )?k\.ptx:\d+:\d+: |k\.yaml:\d+:\d+: |good\.ptx:\d+:\d+: `),
	seeds: func(c *commandFuzzer) []string {
		c.write("k.yaml", []byte(fuzzLaunches))
		c.write("good.ptx", []byte(storing("mov.u32 %r1, %tid.x;")))
		return []string{storing("mov.u32 %r1, %tid.x;"), variedProgram}
	},
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

// fuzzLaunch: any launch file, and any program with it.
var fuzzLaunch = commandTarget{
	file:  "k.yaml",
	lines: []string{"check --detector barracuda --launch k.yaml -o out" + bounded + "k.ptx"},
	place: lastLine(`k\.yaml:\d+:\d+: |--kernel|k.yaml is larger`),
	seeds: func(c *commandFuzzer) []string {
		c.write("k.ptx", []byte(variedProgram))
		c.write("raw", []byte("0123456789abcdef"))
		seeds := []string{
			fuzzLaunches,
			"buffers: {out: {type: u64, init: {file: raw}}, a: {type: f16, count: 3, init: random, min: 1, max: 2}}\nglobals: {flag: 7}\n" +
				"launches: [{kernel: k, grid: [2, 1, 1], block: 33, args: [out]}]\nexpect: {verdict: racy, races: 1, lines: [[1, 2]], buffers: {out: {equals: iota}}}",
		}
		for _, text := range badInputs[0].files {
			if len(text) < 1000 {
				seeds = append(seeds, text)
			}
		}
		return seeds
	},
}

// fuzzContainer: any program with fat binaries in it.
var fuzzContainer = commandTarget{
	file:  "app",
	lines: []string{"extract --list app", "extract -o out app", "embed -o out app k.ptx", "embed --module 0 --drop-ptx --compression lz4 -o out app k.ptx"},
	place: lastLine(`app|--module|k\.ptx`),
	seeds: func(c *commandFuzzer) []string {
		good := storing("mov.u32 %r1, %tid.x;")
		c.write("k.ptx", []byte(good))
		return []string{
			string(smallContainer(good)), string(append(smallContainer(good), smallContainer("x")...)),
			"!<arch>\n" + "a/              0           0     0     644     16        `\n" + "0123456789abcdef",
			"unsigned char x[] = {0x50, 0xed, 0x55, 0xba, 0x01};\n",
		}
	},
}

// fuzzTrace: any trace of operations, as --save-trace writes them.
var fuzzTrace = commandTarget{
	file:  "trace",
	lines: []string{"check --trace trace --stats -o out"},
	place: lastLine(`trace: `),
	seeds: func(c *commandFuzzer) (seeds []string) {
		for _, text := range []string{"mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.x;\nbar.sync 0;\natom.global.add.u32 %r1, [%rd1+4], 1;\nfence.acq_rel.gpu;"} {
			c.write("k.ptx", []byte(storing(text)))
			c.write("k.yaml", []byte(fuzzLaunches))
			seeds = append(seeds, string(c.output("check --detector barracuda --launch k.yaml --save-trace - -o report k.ptx")))
			os.Remove(filepath.Join(c.dir, "report"))
		}
		return seeds
	},
}

// fuzzSchedule: any schedule to replay.
var fuzzSchedule = commandTarget{
	file:  "schedule",
	lines: []string{"emulate --launch k.yaml --replay schedule" + bounded + "k.ptx"},
	place: lastLine(`--replay schedule: |k\.ptx:\d+:\d+: |k\.yaml:\d+:\d+: `),
	seeds: func(c *commandFuzzer) (seeds []string) {
		c.write("k.ptx", []byte(storing("mov.u32 %r1, %tid.x;")))
		c.write("k.yaml", []byte(fuzzLaunches))
		for _, policy := range session.PolicyNames() {
			seeds = append(seeds, string(c.output("emulate --launch k.yaml --record - --schedule "+policy+" k.ptx")))
		}
		return seeds
	},
}

// fuzzSuppressions: any list of suppressions, YAML or XML.
var fuzzSuppressions = commandTarget{
	file:  "suppressions",
	lines: []string{"check --detector barracuda --launch k.yaml --suppressions suppressions -o out" + bounded + "k.ptx"},
	place: lastLine(`suppressions:\d+:\d+: |suppressions: `),
	seeds: func(c *commandFuzzer) []string {
		c.write("k.ptx", []byte(storing("mov.u32 %r1, %tid.x;")))
		c.write("k.yaml", []byte(fuzzLaunches))
		return append([]string{
			"suppressions:\n  - {kernel: 'k*', line: 10, kind: intra-warp, space: global}\n",
			"<?xml version=\"1.0\"?>\n<ComputeSanitizerOutput>\n<record><kind>Race</kind><what><kernel>k</kernel></what></record>\n</ComputeSanitizerOutput>\n",
		}, badInputs[2].files...)
	},
}
