package app

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// Bad files of all kinds, in place of IN in a command line. Which message each gives is
// the business of the packages that read them; here it counts that it is one.
var badInputs = []struct {
	kind, command string
	place         *regexp.Regexp // where the message says that the file is wrong
	files         []string
}{
	{
		"launch file", "check --launch IN -o out k.ptx", regexp.MustCompile(`IN:\d+:\d+: `),
		[]string{
			"", "[1, 2]", "hello", "\tbuffers: {}", "launches: [", "\x00\x01", "buffers: \xff", "buffers: *a", "buffers: &a {x: *a}",
			strings.Repeat("[", 100000), strings.Repeat("{a: ", 50000), "launches: 3", "launches: {}", "launches: [3]", "launches: [{}]",
			"launches: [{kernel: k}]\n---\na", "launches: [{kernel: k}]\nlaunches: []", "launches: [{kernel: nope, grid: 1, block: 1}]",
			"launches: [{kernel: k, grid: 0, block: 1}]", "launches: [{kernel: k, grid: -1, block: 1}]", "launches: [{kernel: k, grid: two, block: 1}]",
			"launches: [{kernel: k, grid: [1, 1, 1, 1], block: 1}]", "launches: [{kernel: k, grid: 1, block: 1025}]",
			"launches: [{kernel: k, grid: 1, block: [1, 1, 65]}]", "launches: [{kernel: k, grid: 1, block: 1, args: [1, 2]}]",
			"launches: [{kernel: k, grid: 1, block: 1, args: [gone]}]", "launches: [{kernel: k, grid: 1, block: 1, args: {}}]",
			"launches: [{kernel: k, grid: 1, block: 1, args: [{u17: 1}]}]", "launches: [{kernel: k, grid: 1, block: 1, args: [1.5]}]",
			"launches: [{kernel: k, grid: 1, block: 1, args: [99999999999999999999999]}]", "launches: [{kernel: k, grid: 1, block: 1, shared: -1}]",
			"buffers: {a: {type: u33, count: 1}}", "buffers: {a: {count: 1}}", "buffers: {a: {type: u32, count: -1}}",
			"buffers: {a: {type: u64, count: 2305843009213693952}}", "buffers: {a: {type: u32, count: many}}", "buffers: {a: {type: u8, count: 1, init: 256}}",
			"buffers: {a: {type: u32, count: 1, init: [1, 2]}}", "buffers: {a: {type: u32, init: {file: gone.npy}}}", "buffers: {a: {type: u32, init: {file: .}}}",
			"buffers: {a: {type: u32, init: [[1]]}}", "textures: {t: {buffer: gone, size: 4}}", "tensormaps: {t: {buffer: gone, dims: [1], box: [1]}}", "endpoints: {e: gone}", "endpoints: {e: [1]}",
			"globals: {gone: 1}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [0]}]", "expect: {verdict: maybe}", "expect: {lines: [[1]]}", "expect: {kinds: [x]}", "expect: 3",
		},
	},
	{
		"program", "rewrite --passes iguard -o out IN", regexp.MustCompile(`IN:\d+:\d+: `),
		[]string{
			"", "hello world", "MZ\x90\x00", ".version 7.5\n", ".target sm_70\n", ".version x.y\n.target sm_70\n", badProgram("", ".version 6.0", ".version 6"),
			badProgram("", "sm_70", "sm_xx"), badProgram("", ".address_size 64", ".address_size 16"), badProgram("", "ret;\n}", "ret;\n"), badProgram("foo.u32 %r1;"),
			badProgram("add.zzz.u32 %r1, %r1, %r1;"), badProgram("add.u32 %r1;"), badProgram("add.u32 %gone, %r1, 1;"), badProgram("bra GONE;"),
			badProgram("call gone;"), badProgram("add.f64 %r1, %r1, %r1;"), badProgram("mov.u32 %r1, 99999999999999999999;"), badProgram("A:\nA:"),
			badProgram("add.u32 %r1, %r1, €;"), badProgram("\x00"), badProgram("add.u32 %r1, %r1, %r1"), badProgram("ld.param.u32 %r1, [gone];"),
			badProgram(strings.Repeat("{", 100000)), badProgram("mov.u32 %r1, " + strings.Repeat("(", 100000)), badProgram("@%r1 bra A;"),
			badProgram("mov.u32 %r1, 1/0;"), badProgram("brx.idx %r1, GONE;"), badProgram("cp.async.wait_all;"), badProgram(".reg .b32 %big<4294967295>;"),
			badProgram("", ".visible", ".global .b8 big[99999999999999999999];\n.visible"), badProgram("", ".visible", ".global .align 3 .b8 odd[4];\n.visible"),
			badProgram("", ".visible", ".global .u8 few[2] = {1, 2, 3};\n.visible"), badProgram("", ".visible", "/* never closed\n.visible"),
		},
	},
	{
		"suppressions", "check --launch k.yaml --suppressions IN -o out k.ptx", regexp.MustCompile(`IN:\d+:\d+: `),
		[]string{
			"", "x", "suppressions: 3", "suppressions: [{}]", "suppressions: [{kernal: x}]", "suppressions: [{kernel: '['}]", "suppressions: [{kernel: [a]}]",
			"suppressions: [", "suppressions: [~]", "suppressions: &a [*a]", "suppressions: []\nraces: []", "suppressions: []\n---\n3", "suppressions: [{id: a, id: b}]",
		},
	},
	{
		"schedule", "check --launch k.yaml --replay IN -o out k.ptx", regexp.MustCompile(`IN: `),
		[]string{"", "hello", "ptxsan-schedule-1:", "ptxsan-schedule-1:!!!!", "ptxsan-schedule-9:AAAA", "ptxsan-schedule-1:AAAA", "\x00\x01"},
	},
	{
		"trace", "check --detector barracuda --trace IN -o out", regexp.MustCompile(`IN: `),
		[]string{"", "hello", "PTXSANBT", "PTXSANBT\x63", "PTXSANBT\x01", "PTXSANBT\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "PTXSANBT\x01\x02{}", "PTXSANBT\x01\x02[]\x01"},
	},
	{
		"program that holds PTX", "check --launch k.yaml -o out IN", regexp.MustCompile(`expected PTX: IN: offset 0x`),
		[]string{"\x7fELF\x02\x01\x01", "!<arch>\nfoo", "\x50\xed\x55\xba\x01\x00\x10\x00\xff\xff\xff\xff\xff\xff\xff\xff"},
	},
	{
		"fat binary", "extract -o out IN", regexp.MustCompile(`IN: `),
		[]string{
			"", "hello", "\x7fELF", "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 57), "!<arch>\n", "!<arch>\nfoo", "int x[] = {0x1, ",
			"\x50\xed\x55\xba\x01\x00\x10\x00\xff\xff\xff\xff\xff\xff\xff\xff", "\x50\xed\x55\xba\x01\x00\x10\x00\x40\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\xff", 64),
		},
	},
}

// badProgram returns a small program with a statement, and with some text replaced.
func badProgram(statement string, replacements ...string) string {
	return strings.NewReplacer(replacements...).Replace(goodProgram(statement))
}

func goodProgram(statement string) string {
	return ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n.reg .b32 %r<4>;\n" + statement + "\nret;\n}\n"
}

// TestBadInputs: a bad file is one message that says where, exit code 2, no output and
// nothing half-written.
func TestBadInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("k.ptx", goodProgram(""))
	write("k.yaml", "launches: [{kernel: k, grid: 1, block: 1, args: [0]}]")
	for _, kind := range badInputs {
		for _, text := range kind.files {
			write("IN", text)
			var out, errw bytes.Buffer
			code := run(context.Background(), strings.Fields("ptxsan "+kind.command), nil, &out, &errw)
			message := errw.String()
			if code != command.BadUsage || out.Len() > 0 || strings.Count(message, "\n") != 1 || len(message) > 400 || !kind.place.MatchString(message) {
				t.Errorf("%s %.60q: exit code %d, output %q, message %q", kind.kind, text, code, out.String(), message)
			}
			if _, err := os.Stat("out"); err == nil {
				t.Fatalf("%s %q: there is an output file", kind.kind, text)
			}
		}
	}
}
