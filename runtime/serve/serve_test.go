package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ptxsan/ptxsan/runtime/serve"
)

// connect starts a server and returns a client that talks to it as over standard input and output.
func connect(t testing.TB, o serve.Options) *mcp.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve.New(o).Run(t.Context(), toServer, fromServer) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	c, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		if err := <-ended; err != nil && context.Cause(t.Context()) == nil {
			t.Errorf("the server ended: %v", err)
		}
	})
	return c
}

// call calls a tool. The answer is decoded strictly.
func call(t testing.TB, c *mcp.ClientSession, tool string, k serve.Kernel) *serve.Answer {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: k})
	if err != nil {
		t.Fatal(err)
	}
	text := res.Content[0].(*mcp.TextContent).Text
	if res.IsError {
		t.Fatalf("%s: %s", tool, text)
	}
	a := &serve.Answer{}
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(a); err != nil {
		t.Fatal(err)
	}
	return a
}

func want(t *testing.T, a *serve.Answer, verdict, reason string) {
	t.Helper()
	if all := strings.Join(a.Reasons, "\n"); a.Verdict != verdict || !strings.Contains(all, reason) {
		t.Errorf("verdict %s because of %q, expected %s because of %q", a.Verdict, all, verdict, reason)
	}
}

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMend mends a kernel as a client does: check, fix, apply the patch, check again.
func TestMend(t *testing.T) {
	c := connect(t, serve.Options{SelfTest: true})
	k := serve.Kernel{PTX: read(t, "fold.ptx"), Launch: read(t, "fold.yaml"), Schedules: 20}
	racy := call(t, c, "check", k)
	want(t, racy, serve.Racy, "")
	fixed := call(t, c, "fix", k)
	want(t, fixed, serve.Racy, "")
	if fixed.PTX != racy.PTX || fixed.Launch != racy.Launch || len(racy.PTX) != 64 || len(racy.Launch) != 64 {
		t.Errorf("hashes of check %s, %s, of fix %s, %s", racy.PTX, racy.Launch, fixed.PTX, fixed.Launch)
	}
	r := fixed.Repair
	if r == nil || !r.Mended || !strings.Contains(r.Edits, "verified: no race") {
		t.Fatalf("repair %+v", r)
	}
	if k.PTX = apply(t, k.PTX, r.Patch); k.PTX != r.PTX {
		t.Errorf("the patch makes\n%s\nthe mended PTX is\n%s", k.PTX, r.PTX)
	}
	for _, tool := range []string{"check", "explore"} {
		clean := call(t, c, tool, k)
		want(t, clean, serve.Clean, "")
		if clean.PTX != r.Hash || clean.PTX == racy.PTX {
			t.Errorf("%s: hash %s, of the repair %s, of the original %s", tool, clean.PTX, r.Hash, racy.PTX)
		}
		if clean.Control == nil || !clean.Control.Found || clean.Control.PTX == clean.PTX {
			t.Errorf("%s: the positive control: %+v", tool, clean.Control)
		}
	}
}

// apply applies a unified diff of one file.
func apply(t *testing.T, text, patch string) string {
	t.Helper()
	var out strings.Builder
	lines := strings.SplitAfter(text, "\n")
	at := 0
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		case line[0] == '@':
			start := 0
			for _, d := range line[len("@@ -"):] {
				if d < '0' || d > '9' {
					break
				}
				start = 10*start + int(d-'0')
			}
			for ; at < start-1; at++ {
				out.WriteString(lines[at])
			}
		case line[0] == '+':
			out.WriteString(line[1:])
		case lines[at] != line[1:]:
			t.Fatalf("the patch has %q for line %d: %q", line, at+1, lines[at])
		case line[0] == ' ':
			out.WriteString(line[1:])
			at++
		case line[0] == '-':
			at++
		}
	}
	return out.String() + strings.Join(lines[at:], "")
}

// two is a kernel of one block whose threads store to words of their own, and another one that no launch executes.
const two = `.version 7.0
.target sm_70
.address_size 64
.visible .entry used(.param .u64 out)
{
	.reg .b32 %t;
	.reg .b64 %p;
	ld.param.u64 %p, [out];
	mov.u32 %t, %tid.x;
	mad.wide.u32 %p, %t, 4, %p;
	st.global.u32 [%p], %t;
	ret;
}
`

const unused = `.visible .entry unused() { ret; }
`

const launches = `buffers: {out: {type: u32, count: 64}}
launches: [{kernel: used, grid: 1, block: 64, args: [out]}]
`

// TestWeakOutcome: a check finds that data are published by relaxed accesses without a release.
func TestWeakOutcome(t *testing.T) {
	const folder = "../../../examples/litmus/patterns/" // from testdata
	for name, verdict := range map[string]string{"last-block": serve.Racy, "last-block-fixed": serve.Clean} {
		k := serve.Kernel{PTX: read(t, folder+name+".ptx"), Launch: read(t, folder+name+".yaml")}
		a := call(t, connect(t, serve.Options{}), "check", k)
		want(t, a, verdict, "")
		if doc, err := json.Marshal(a.Report); err != nil || strings.Contains(string(doc), `"weak-outcome"`) != (verdict == serve.Racy) {
			t.Errorf("%s: %v: %.500s", name, err, doc)
		}
	}
}

// TestNeverSilent: what was not checked is a reason, and there is no clean verdict beside a reason.
func TestNeverSilent(t *testing.T) {
	c := connect(t, serve.Options{})
	k := func(ptx, launch string) serve.Kernel { return serve.Kernel{PTX: ptx, Launch: launch} }
	for name, test := range map[string]struct {
		tool    string
		kernel  serve.Kernel
		verdict string
		reason  string
	}{
		"clean":             {"check", k(two, launches), serve.Clean, ""},
		"self-test":         {"check", serve.Kernel{PTX: two, Launch: launches, SelfTest: true}, serve.Clean, ""},
		"explored":          {"explore", serve.Kernel{PTX: two, Launch: launches, SelfTest: true, Schedules: 3}, serve.Clean, ""},
		"proved":            {"analyze", k(two, launches), serve.Clean, ""},
		"nothing to mend":   {"fix", k(two, launches), serve.Clean, ""},
		"any launch":        {"analyze", k(read(t, "fold.ptx"), ""), serve.Racy, ""},
		"kernel left out":   {"check", k(two+unused, launches), serve.NotDecided, "unused: no launch executes it"},
		"template":          {"check", k(two, ""), serve.NotDecided, "guesses"},
		"one thread":        {"check", serve.Kernel{PTX: two, Launch: strings.Replace(launches, "block: 64", "block: 1", 1), SelfTest: true}, serve.NotDecided, "planted into used was not found"},
		"fault":             {"check", k(two, strings.Replace(launches, "64}", "4}", 1)), serve.NotDecided, "fault: out-of-bounds"},
		"expectation":       {"check", k(two, launches+"expect: {buffers: {out: {equals: 1}}}\n"), serve.NotDecided, "the launch file expects"},
		"time":              {"check", serve.Kernel{PTX: endless, Launch: launches, TimeoutSeconds: 0.2}, serve.NotDecided, "the time limit of 200ms is over"},
		"memory":            {"check", serve.Kernel{PTX: two, Launch: launches, MemoryBytes: 100}, serve.NotDecided, "launch.yaml:1:"},
		"no kernel":         {"check", serve.Kernel{}, serve.NotDecided, "expected ptx or file"},
		"both":              {"check", serve.Kernel{PTX: two, File: "k.ptx"}, serve.NotDecided, "found both"},
		"no root":           {"check", serve.Kernel{File: "k.ptx"}, serve.NotDecided, "without a root"},
		"data without root": {"check", k(two, strings.Replace(launches, "count: 64", "count: 64, init: {file: data.bin}", 1)), serve.NotDecided, "without a root"},
		"bad PTX":           {"check", k("st.global", launches), serve.NotDecided, "kernel.ptx:1:1"},
		"bad launch":        {"analyze", k(two, "launches: 3"), serve.NotDecided, "launch.yaml:1:"},
		"no launch":         {"check", k(".version 7.0\n.target sm_70\n.address_size 64\n", ""), serve.NotDecided, ""},
		"nothing to prove":  {"analyze", k(".version 7.0\n.target sm_70\n.address_size 64\n", ""), serve.NotDecided, "no kernel"},
	} {
		t.Run(name, func(t *testing.T) {
			a := call(t, c, test.tool, test.kernel)
			want(t, a, test.verdict, test.reason)
			if (a.Verdict == serve.Clean) != (len(a.Reasons) == 0 && a.Verdict != serve.Racy) {
				t.Errorf("%s with reasons %q", a.Verdict, a.Reasons)
			}
			if a.Version == "" || a.Tool != test.tool || test.kernel.PTX != "" && test.kernel.File == "" && a.PTX == "" {
				t.Errorf("answer %+v", a)
			}
		})
	}
}

// endless is two with a loop that each thread executes for ever.
var endless = strings.Replace(two, "\tret;", "L:\n\tadd.u32 %t, %t, 1;\n\tst.global.u32 [%p], %t;\n\tbra L;\n\tret;", 1)

// TestRoot: files are read below the root, and not outside of it.
func TestRoot(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	for name, text := range map[string]string{
		"outside.ptx": two, "root/k.ptx": two, "root/k.yaml": strings.Replace(launches, "count: 64", "count: 64, init: {file: data.bin}", 1),
		"root/data.bin": strings.Repeat("word", 64), "root/sub/k.yaml": strings.Replace(launches, "count: 64", "count: 64, init: {file: ../../outside.ptx}", 1),
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../outside.ptx", filepath.Join(root, "link.ptx")); err != nil {
		t.Skip(err)
	}
	c := connect(t, serve.Options{Root: root})
	want(t, call(t, c, "check", serve.Kernel{File: "k.ptx", LaunchFile: "k.yaml"}), serve.Clean, "")
	for _, name := range []string{"../outside.ptx", filepath.Join(dir, "outside.ptx"), "link.ptx", "absent.ptx", "sub"} {
		want(t, call(t, c, "check", serve.Kernel{File: name, LaunchFile: "k.yaml"}), serve.NotDecided, "")
	}
	want(t, call(t, c, "check", serve.Kernel{File: "k.ptx", LaunchFile: "sub/k.yaml"}), serve.NotDecided, "outside")
}

// TestMalformed: a line that is no message is answered with an error, and the server goes on.
func TestMalformed(t *testing.T) {
	in := strings.NewReader("{bad\n[]\n\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n{\"x\":1}\n")
	var out bytes.Buffer
	if err := serve.New(serve.Options{}).Run(t.Context(), in, &out); err != nil {
		t.Error(err)
	}
	if n := strings.Count(out.String(), `"code":-32700`); n != 3 {
		t.Errorf("%d errors, expected 3\n%s", n, out.String())
	}
}

// TestEndOfInput: calls of a client that writes a file have their answers, though the input ends before them.
func TestEndOfInput(t *testing.T) {
	var in bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&in, format+"\n", args...) }
	line(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	line(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	line(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"explore","arguments":{"ptx":%q,"launch":%q}}}`, read(t, "fold.ptx"), read(t, "fold.yaml"))
	line(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"explain","arguments":{}}}`)
	var out bytes.Buffer
	if err := serve.New(serve.Options{}).Run(t.Context(), &in, &out); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{`"id":1,`, `"id":"a",`, `"id":3,`} {
		if strings.Count(out.String(), id) != 1 {
			t.Errorf("no answer to %s: %.300s", id, out.String())
		}
	}
	if !strings.Contains(out.String(), `\"verdict\":\"racy\"`) {
		t.Errorf("no verdict: %.300s", out.String())
	}
}

// TestExplain lists the causes, and explains one.
func TestExplain(t *testing.T) {
	c := connect(t, serve.Options{})
	ask := func(cause string) *mcp.CallToolResult {
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "explain", Arguments: serve.Cause{Cause: cause}})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	var out serve.Explanation
	if err := json.Unmarshal([]byte(ask("missing-barrier").Content[0].(*mcp.TextContent).Text), &out); err != nil || !strings.HasPrefix(out.Page, "# missing-barrier") || !strings.Contains(out.Page, "__syncthreads()") {
		t.Errorf("%+v, %v", out, err)
	}
	if err := json.Unmarshal([]byte(ask("").Content[0].(*mcp.TextContent).Text), &out); err != nil || len(out.Causes) < 10 || !strings.Contains(out.Page, out.Causes[0]) {
		t.Errorf("%+v, %v", out, err)
	}
	if !ask("bad luck").IsError {
		t.Error("there is no cause of that name")
	}
}

// TestSchemas: every tool says what it takes and gives.
func TestSchemas(t *testing.T) {
	list, err := connect(t, serve.Options{}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		if names = append(names, tool.Name); tool.InputSchema == nil || tool.OutputSchema == nil || tool.Description == "" {
			t.Errorf("tool %+v", tool)
		}
	}
	if got := strings.Join(names, " "); got != "analyze check explain explore fix" {
		t.Errorf("tools %s", got)
	}
}

// BenchmarkCheck measures checks of a small kernel by a warm server, each of another text, as a client makes them one after the
// other.
func BenchmarkCheck(b *testing.B) {
	c := connect(b, serve.Options{})
	launch := read(b, "fold.yaml")
	text := read(b, "fold.ptx")
	n := 0
	for b.Loop() {
		n++
		a := call(b, c, "check", serve.Kernel{PTX: text + "// " + strings.Repeat("x", n%100) + "\n", Launch: launch})
		if a.Verdict != serve.Racy {
			b.Fatal(a.Verdict, a.Reasons)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "kernels/s")
}
