package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// printing is, for every command, command lines that print something on standard
// output; files are those of writeSmallProgram.
var printing = map[string][]string{
	"check":   {"check --launch k.yaml k.ptx", "check --launch racy.yaml racy.ptx", "check --launch k.yaml --record - k.ptx", "check --launch racy.yaml --detector precise --timeline - racy.ptx", "check --trace trace"},
	"analyze": {"analyze --no-cache k.ptx", "analyze --no-cache --launch racy.yaml racy.ptx", "analyze --no-cache --launch k.yaml --write-facts - k.ptx"},
	"verify":  {"verify k.cert k.ptx"},
	"litmus":  {"litmus sb.litmus", "litmus --format json sb.litmus", "litmus --print-ptx sb.litmus"},
	"explore": {"explore --launch racy.yaml --schedules 2 racy.ptx", "explore --launch racy.yaml --schedules 2 --outcomes racy.ptx"},
	"emulate": {
		"emulate --launch k.yaml --print out k.ptx", "emulate --launch k.yaml --stats k.ptx", "emulate --launch k.yaml --trace - k.ptx", "emulate --launch k.yaml --timeline - k.ptx",
		"emulate --launch k.yaml --coverage - k.ptx", "emulate --launch k.yaml --instcount - k.ptx", "emulate --launch k.yaml --memtrace - k.ptx", "emulate --launch k.yaml --dump out=- k.ptx",
		"emulate --launch k.yaml --record - k.ptx", "emulate --launch fault.yaml k.ptx",
	},
	"skill": {"skill"},
	"fix":   {"fix --launch racy.yaml --schedules 2 racy.ptx", "fix --launch racy.yaml --schedules 2 --format json racy.ptx"},
	"sync": {
		"sync --launch k.yaml barrier.ptx", "sync --launch k.yaml --diff barrier.ptx", "sync --launch k.yaml --apply barrier.ptx",
		"sync --launch racy.yaml racy.ptx",
	},
	"rewrite": {"rewrite k.ptx", "rewrite --passes iguard k.ptx"},
	"diff":    {"diff k.ptx racy.ptx", "diff --semantic k.ptx racy.ptx", "diff --html k.ptx racy.ptx", "diff --stat k.ptx racy.ptx", "diff --side-by-side k.ptx racy.ptx", "diff --passes iguard k.ptx"},
	"extract": {"extract --list k.fatbin", "extract k.fatbin", "extract --dir out k.fatbin"},
	"embed":   {"embed -o - k.fatbin k.ptx"},
	"fmt":     {"fmt k.ptx", "fmt --diff k.ptx", "fmt --check k.ptx"},
	"inspect": {"inspect k.ptx", "inspect --dot k k.ptx"},
	"isa":     {"isa", "isa ld"},
	"exec":    {"exec --help"},    // what applications print is their own
	"devices": {"devices --help"}, // the GPUs of the machine
	"passes":  {"passes", "passes iguard"},
	"report":  {"report --help"}, // TestReportCommands has its formats
	"new":     {"new k.ptx", "new --kernel k k.ptx"},

	"campaign":   {"campaign --restart --workers 1 run plan.yaml"},
	"worker":     {"worker --help"}, // prints nothing otherwise
	"serve":      {"serve --help"},
	"explain":    {"explain", "explain not-strong"},
	"version":    {"version"},
	"completion": {"completion bash", "completion zsh", "completion fish"},
	"man":        {"man"},
}

// TestLostOutput tests that output that cannot be written is an error of every command, and that a closed reader ends
// the command without a message.
func TestLostOutput(t *testing.T) {
	long(t)
	t.Chdir(t.TempDir())
	writeSmallProgram(t)
	lines := []string{"", "--help", "--version", "help", "help check"}
	for _, cmd := range newApp(nil, nil, nil).Commands {
		if len(printing[cmd.Name]) == 0 {
			t.Errorf("add command lines of %s to printing", cmd.Name)
		}
		lines = append(lines, cmd.Name+" --help")
		for _, line := range printing[cmd.Name] {
			lines = append(append(lines, line), formatsOf(cmd.Name, line)...)
		}
	}
	for _, line := range lines {
		checkLostOutput(t, line)
	}
}

func checkLostOutput(t *testing.T, line string) {
	t.Helper()
	args := strings.Fields("ptxsan " + line)
	var out, errw bytes.Buffer
	code := run(context.Background(), args, nil, &out, &errw)
	if out.Len() == 0 || code > command.Faulted {
		t.Errorf("%s: exit code %d, %d bytes of output; %s", line, code, out.Len(), errw.String())
	}
	explained := code == command.BadUsage // the output only goes with an error
	for room := range map[int]bool{0: true, out.Len() - 1: true} {
		errw.Reset()
		code := run(context.Background(), args, nil, &small{room: room, err: syscall.ENOSPC}, &errw)
		if !explained && (code != command.Failed || !strings.HasSuffix(errw.String(), "ptxsan: standard output cannot be written: no space left on device\n")) || explained && code != command.BadUsage {
			t.Errorf("%s, with room for %d of %d bytes: exit code %d, message %q", line, room, out.Len(), code, errw.String())
		}
		errw.Reset()
		code = run(context.Background(), args, nil, &small{room: room, err: syscall.EPIPE}, &errw)
		if message := errw.String(); !explained && (code != command.NoReader || strings.Contains(message, "pipe") || strings.Contains(message, "interrupted")) {
			t.Errorf("%s, a pipe that is closed after %d bytes: exit code %d, message %q", line, room, code, message)
		}
	}
}

var (
	listOfFormats = regexp.MustCompile(`--format: expected (.*), found "\?"`)
	hasFormat     = regexp.MustCompile(`^(check|explore|emulate|sync) .*launch|^analyze `)
)

// formatsOf returns a command line with every --format that the command has.
func formatsOf(command, line string) (lines []string) {
	var errw bytes.Buffer
	run(context.Background(), []string{"ptxsan", command, "--format", "?"}, nil, io.Discard, &errw)
	m := listOfFormats.FindStringSubmatch(errw.String())
	if m == nil || !hasFormat.MatchString(line) || strings.Contains(line, "--print") || strings.Contains(line, " - ") {
		return nil
	}
	for _, format := range regexp.MustCompile(`, | or `).Split(m[1], -1) {
		lines = append(lines, command+" --format "+format+strings.TrimPrefix(line, command))
	}
	return lines
}

// TestLostOutputFile: a named file that cannot be written is an error of every command
// that has --output.
func TestLostOutputFile(t *testing.T) {
	long(t)
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs a file to which no byte can be written; only Linux has one, /dev/full: ", err)
	}
	t.Chdir(t.TempDir())
	writeSmallProgram(t)
	endless := storing("mov.u32 %r1, %tid.x;\nL: st.global.u32 [%rd1], %r1;\nbra L;") // which a lost output ends
	if err := os.WriteFile("endless.ptx", []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"emulate --launch k.yaml --trace /dev/full endless.ptx", "emulate --launch k.yaml --timeline /dev/full endless.ptx", "emulate --launch k.yaml --memtrace /dev/full endless.ptx",
		"check --launch k.yaml --detector barracuda --save-trace /dev/full endless.ptx",
		"check --launch k.yaml -o /dev/full k.ptx", "explore --launch racy.yaml --schedules 2 -o /dev/full racy.ptx", "emulate --launch k.yaml --dump out=/dev/full k.ptx",
		"emulate --launch k.yaml --trace /dev/full k.ptx", "emulate --launch k.yaml --timeline /dev/full k.ptx", "emulate --launch k.yaml --record /dev/full k.ptx",
		"emulate --launch k.yaml --memtrace /dev/full k.ptx", "emulate --launch k.yaml --coverage /dev/full k.ptx", "emulate --launch k.yaml --instcount /dev/full k.ptx",
		"check --launch racy.yaml --detector precise --timeline /dev/full racy.ptx", "check --launch k.yaml --detector barracuda --save-trace /dev/full k.ptx", "check --launch k.yaml --record /dev/full k.ptx",
		"rewrite -o /dev/full k.ptx", "diff -o /dev/full k.ptx racy.ptx", "extract -o /dev/full k.fatbin",
		"extract --list -o /dev/full k.fatbin", "embed -o /dev/full k.fatbin k.ptx", "inspect -o /dev/full k.ptx", "isa -o /dev/full", "verify -o /dev/full k.cert k.ptx", "litmus -o /dev/full sb.litmus",
	} {
		var out, errw bytes.Buffer
		code := run(context.Background(), strings.Fields("ptxsan "+line), nil, &out, &errw)
		if code != command.Failed || !strings.Contains(errw.String(), "no space left") || strings.Count(errw.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d, message %q", line, code, errw.String())
		}
	}
}

// small is an output with a capacity in bytes.
type small struct {
	room int
	err  error
}

func (s *small) Write(p []byte) (int, error) {
	n := min(len(p), s.room)
	if s.room -= n; n < len(p) {
		return n, s.err
	}
	return n, nil
}

// smallProgram returns a program without a race and one with, their launch files, a launch file that makes the kernel
// fault, and a fat binary, by the names of their files.
func smallProgram() map[string]string {
	const address = "cvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd1, %rd1, %rd2;"
	clean := storing(address)
	launches := "buffers: {out: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [out]}]\n"
	return map[string]string{
		"k.ptx": clean, "k.yaml": launches, "racy.ptx": storing("mov.u32 %r1, %tid.x;"), "racy.yaml": launches,
		"barrier.ptx": storing(address + "\nbar.sync 0;"),
		"fault.yaml":  "launches: [{kernel: k, grid: 1, block: 1, args: [0]}]\n", "k.fatbin": string(smallContainer(clean)),
		"plan.yaml": "kernels: [{ptx: racy.ptx}]\nschedules: 2\n",
		"sb.litmus": "PTX SB\n{ x=0; y=0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\nst.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\nld.relaxed.gpu r0, y | ld.relaxed.gpu r1, x ;\nexists (P0:r0 == 0 /\\ P1:r1 == 1)\n",
	}
}

// deriving has the command lines that make a trace and a certificate from these files, with their exit codes.
var deriving = map[string]int{
	"check --detector barracuda --launch racy.yaml --save-trace trace racy.ptx": command.Findings,
	"analyze --no-cache --launch k.yaml --certificate k.cert k.ptx":             0,
}

// writeSmallProgram writes the files of smallProgram, a trace and a certificate.
func writeSmallProgram(t *testing.T) { writeProgram(t, smallProgram(), nil) }

// writeProgram writes files, and what is derived from them. Words of command lines are replaced by others.
func writeProgram(t *testing.T, files, words map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range deriving {
		var errw bytes.Buffer
		if code := run(context.Background(), wordsOf(line, words), nil, io.Discard, &errw); code != want {
			t.Fatalf("%s: exit code %d, %s", line, code, errw.String())
		}
	}
}

// wordsOf returns the words of a command line, with some replaced by others.
func wordsOf(line string, others map[string]string) []string {
	words := strings.Fields("ptxsan " + line)
	for i, w := range words {
		words[i] = cmp.Or(others[w], w)
	}
	return words
}

// storing returns a kernel in which every thread stores its number where %rd1 points to: its
// parameter, after some instructions.
func storing(instructions string) string {
	return ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\n" +
		instructions + "\nst.global.u32 [%rd1], %r1;\nret;\n}\n"
}

// smallContainer returns a fat binary with one entry, PTX that is not compressed.
func smallContainer(ptx string) []byte {
	le := binary.LittleEndian
	payload := append([]byte(ptx), make([]byte, 8-len(ptx)%8)...)
	entry := make([]byte, 64)
	le.PutUint16(entry, 1)         // PTX
	le.PutUint16(entry[2:], 0x101) // version
	le.PutUint32(entry[4:], uint32(len(entry)))
	le.PutUint64(entry[8:], uint64(len(payload)))
	le.PutUint16(entry[26:], 7)
	le.PutUint32(entry[28:], 70)
	head := le.AppendUint32(nil, 0xba55ed50)
	head = le.AppendUint16(le.AppendUint16(head, 1), 16)
	head = le.AppendUint64(head, uint64(len(entry)+len(payload)))
	return append(append(head, entry...), payload...)
}
