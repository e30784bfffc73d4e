package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ptxsan/ptxsan/docs"
	"github.com/ptxsan/ptxsan/internal/serve"
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

// input is what a call may have.
type input struct {
	PTX            string  `json:"ptx"`
	Launch         string  `json:"launch,omitempty"`
	Schedules      int     `json:"schedules,omitempty"`
	SelfTest       bool    `json:"self_test,omitempty"`
	TimeoutSeconds float64 `json:"timeout_seconds,omitempty"`
	MemoryBytes    uint64  `json:"memory_bytes,omitempty"`
}

// ask calls a tool, and returns the text of its result, which is sent once, and whether it is an error.
func ask(t testing.TB, c *mcp.ClientSession, tool string, in any) (text string, isError bool) {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		t.Fatal(err)
	}
	all, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) > serve.MaxAnswer || len(res.Content) != 1 || res.StructuredContent != nil {
		t.Errorf("%s: %d bytes, %d contents, structured content %v: %.300s", tool, len(all), len(res.Content), res.StructuredContent, all)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

// document reads a document that an answer refers to.
func document(t testing.TB, c *mcp.ClientSession, address string) string {
	t.Helper()
	res, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: address})
	if err != nil {
		t.Fatal(err)
	}
	return res.Contents[0].Text
}

// call calls a tool. The answer is decoded strictly.
func call(t testing.TB, c *mcp.ClientSession, tool string, in any) *serve.Answer {
	t.Helper()
	text, isError := ask(t, c, tool, in)
	if isError {
		t.Fatalf("%s: %s", tool, text)
	}
	a := &serve.Answer{}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(a); err != nil {
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
	k := input{PTX: read(t, "fold.ptx"), Launch: read(t, "fold.yaml")}
	racy := call(t, c, "check", k)
	want(t, racy, serve.Racy, "")
	if f := racy.Findings; len(f) == 0 || f[0].What != "missing-barrier" || f[0].Fix == "" || !strings.Contains(document(t, c, racy.Report), f[0].ID) {
		t.Errorf("findings %+v", f)
	}
	k.Schedules = 20
	fixed := call(t, c, "fix", k)
	k.Schedules = 0
	want(t, fixed, serve.Racy, "")
	if fixed.PTX != racy.PTX || fixed.Launch != racy.Launch || len(racy.PTX) != 64 || len(racy.Launch) != 64 {
		t.Errorf("hashes of check %s, %s, of fix %s, %s", racy.PTX, racy.Launch, fixed.PTX, fixed.Launch)
	}
	r := fixed.Repair
	if r == nil || !r.Mended || !strings.Contains(r.Edits, "verified: no race") {
		t.Fatalf("repair %+v", r)
	}
	if k.PTX = apply(t, k.PTX, r.Patch); k.PTX != document(t, c, r.PTX) {
		t.Errorf("the patch makes\n%s\nthe mended PTX is\n%s", k.PTX, document(t, c, r.PTX))
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
		k, c := input{PTX: read(t, folder+name+".ptx"), Launch: read(t, folder+name+".yaml")}, connect(t, serve.Options{})
		a := call(t, c, "check", k)
		want(t, a, verdict, "")
		if doc := document(t, c, a.Report); strings.Contains(doc, `"weak-outcome"`) != (verdict == serve.Racy) {
			t.Errorf("%s: %.500s", name, doc)
		}
	}
}

// barriers is two with a store and a load of shared memory, and a barrier between them and one behind them.
var barriers = strings.Replace(two, "\tret;", `	.shared .align 4 .b8 s[256];
	.reg .b32 %b;
	mov.u32 %b, s;
	mad.lo.u32 %b, %t, 4, %b;
	st.shared.u32 [%b], %t;
	bar.sync 0;
	mov.u32 %b, s;
	xor.b32 %t, %t, 63;
	mad.lo.u32 %b, %t, 4, %b;
	ld.shared.u32 %t, [%b];
	bar.sync 0;
	ret;`, 1)

// TestSync: the answers name the lines and threads of a needed barrier, and the changed PTX lacks the other one.
func TestSync(t *testing.T) {
	c := connect(t, serve.Options{})
	k := input{PTX: barriers, Launch: launches}
	a := call(t, c, "sync", k)
	want(t, a, serve.Clean, "")
	if len(a.Sync) != 2 || !strings.Contains(a.Sync[0], "bar.sync: not needed") || !strings.Contains(a.Sync[1], " race without it (write by thread (") {
		t.Errorf("answers %q", a.Sync)
	}
	if x := a.Changes; x == nil || len(x.Edits) != 1 || x.Verified == "" || document(t, c, x.PTX) != apply(t, k.PTX, x.Patch) {
		t.Errorf("changes %+v", x)
	}
	if doc := document(t, c, a.Report); !strings.Contains(doc, `"sync": [`) {
		t.Errorf("no answers in %.500s", doc)
	}
	a = call(t, c, "sync", map[string]any{"ptx": barriers, "launch": launches, "lines": []int{1}})
	want(t, a, serve.NotDecided, "there is no synchronisation to ask about")
	a = call(t, c, "sync", input{PTX: read(t, "fold.ptx"), Launch: read(t, "fold.yaml")})
	want(t, a, serve.Racy, "no synchronisation was asked about: the program has races")
}

// TestNeverSilent: what was not checked is a reason, and there is no clean verdict beside a reason.
func TestNeverSilent(t *testing.T) {
	c := connect(t, serve.Options{})
	k := func(ptx, launch string) input { return input{PTX: ptx, Launch: launch} }
	for name, test := range map[string]struct {
		tool    string
		kernel  input
		verdict string
		reason  string
	}{
		"clean":           {"check", k(two, launches), serve.Clean, ""},
		"self-test":       {"check", input{PTX: two, Launch: launches, SelfTest: true}, serve.Clean, ""},
		"explored":        {"explore", input{PTX: two, Launch: launches, SelfTest: true, Schedules: 3}, serve.Clean, ""},
		"proved":          {"analyze", k(two, launches), serve.Clean, ""},
		"nothing to mend": {"fix", k(two, launches), serve.Clean, ""},
		"any launch":      {"analyze", k(read(t, "fold.ptx"), ""), serve.Racy, ""},
		"kernel left out": {"check", k(two+unused, launches), serve.NotDecided, "unused: no launch executes it"},
		"template":        {"check", k(two, ""), serve.NotDecided, "guesses"},
		"one thread":      {"check", input{PTX: two, Launch: strings.Replace(launches, "block: 64", "block: 1", 1), SelfTest: true}, serve.NotDecided, "planted into used was not found"},
		"fault":           {"check", k(two, strings.Replace(launches, "64}", "4}", 1)), serve.NotDecided, "fault: out-of-bounds"},
		"expectation":     {"check", k(two, launches+"expect: {buffers: {out: {equals: 1}}}\n"), serve.NotDecided, "the launch file expects"},
		"time":            {"check", input{PTX: endless, Launch: launches, TimeoutSeconds: 0.2}, serve.NotDecided, "the time limit of 200ms is over"},
	} {
		t.Run(name, func(t *testing.T) {
			a := call(t, c, test.tool, test.kernel)
			want(t, a, test.verdict, test.reason)
			if (a.Verdict == serve.Clean) != (len(a.Reasons) == 0 && a.Verdict != serve.Racy) {
				t.Errorf("%s with reasons %q", a.Verdict, a.Reasons)
			}
			if a.Version == "" || a.Tool != test.tool || a.PTX == "" {
				t.Errorf("answer %+v", a)
			}
		})
	}
}

// TestBadRequests: a request that is wrong is an error of the tool, which says what was expected.
func TestBadRequests(t *testing.T) {
	c := connect(t, serve.Options{})
	empty := ".version 7.0\n.target sm_70\n.address_size 64\n"
	for name, test := range map[string]struct {
		tool   string
		in     any
		reason string
	}{
		"no kernel":         {"check", map[string]any{"launch": launches}, `missing properties: ["ptx"]`},
		"empty":             {"check", input{PTX: " "}, "ptx: expected a text, or the path of a file"},
		"another field":     {"analyze", map[string]any{"ptx": two, "schedules": 3}, `additional properties ["schedules"]`},
		"another type":      {"explore", map[string]any{"ptx": two, "schedules": "3"}, "schedules"},
		"no root":           {"check", input{PTX: "k.ptx"}, "without a root"},
		"data without root": {"check", input{PTX: two, Launch: strings.Replace(launches, "count: 64", "count: 64, init: {file: data.bin}", 1)}, "without a root"},
		"bad PTX":           {"fix", input{PTX: "st.global\n", Launch: launches}, "kernel.ptx:1:1"},
		"bad launch":        {"analyze", input{PTX: two, Launch: "launches: 3\n"}, "launch.yaml:1:"},
		"memory":            {"check", input{PTX: two, Launch: launches, MemoryBytes: 100}, "launch.yaml:1:"},
		"no kernel in it":   {"check", input{PTX: empty}, "kernel.ptx has no kernel"},
		"nothing to prove":  {"analyze", input{PTX: empty}, "no kernel"},
	} {
		if text, isError := ask(t, c, test.tool, test.in); !isError || !strings.Contains(text, test.reason) {
			t.Errorf("%s: error %v, %q, expected one with %q", name, isError, text, test.reason)
		}
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
	want(t, call(t, c, "check", input{PTX: "k.ptx", Launch: "k.yaml"}), serve.Clean, "")
	for _, name := range []string{"../outside.ptx", filepath.Join(dir, "outside.ptx"), "link.ptx", "absent.ptx", "sub"} {
		if text, isError := ask(t, c, "check", input{PTX: name, Launch: "k.yaml"}); !isError {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text, isError := ask(t, c, "check", input{PTX: "k.ptx", Launch: "sub/k.yaml"}); !isError || !strings.Contains(text, "outside") {
		t.Errorf("a launch file that names a file outside of the root: %s", text)
	}
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
	line(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"explain","arguments":{"cause":"all"}}}`)
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

// TestExplain lists the causes, and explains each within the limit of an answer.
func TestExplain(t *testing.T) {
	c := connect(t, serve.Options{})
	for _, cause := range docs.CauseNames() {
		if page, isError := ask(t, c, "explain", serve.Cause{Cause: cause}); isError || !strings.HasPrefix(page, "# "+cause) {
			t.Errorf("%s: %.100s", cause, page)
		}
	}
	if page, isError := ask(t, c, "explain", serve.Cause{Cause: "all"}); isError || !strings.Contains(page, docs.CauseNames()[0]) {
		t.Errorf("%s", page)
	}
	if text, isError := ask(t, c, "explain", serve.Cause{Cause: "bad luck"}); !isError || !strings.Contains(text, docs.CauseNames()[0]) {
		t.Errorf("there is no cause of that name: %s", text)
	}
}

// TestSchemas: every tool says what it takes and what it needs, and takes nothing else.
func TestSchemas(t *testing.T) {
	list, err := connect(t, serve.Options{}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{
		"check": "launch memory_bytes ptx seed self_test timeout_seconds", "explore": "launch memory_bytes ptx schedules seed self_test timeout_seconds",
		"fix": "launch memory_bytes ptx schedules timeout_seconds", "analyze": "launch memory_bytes ptx timeout_seconds", "explain": "cause",
		"sync": "launch lines memory_bytes ptx timeout_seconds",
	}
	for _, tool := range list.Tools {
		var schema struct {
			Properties           map[string]struct{ Description string }
			Required             []string
			AdditionalProperties any
		}
		if text, err := json.Marshal(tool.InputSchema); err != nil || json.Unmarshal(text, &schema) != nil {
			t.Fatal(err)
		}
		names := slices.Sorted(maps.Keys(schema.Properties))
		required := "ptx"
		if tool.Name == "explain" {
			required = "cause"
		}
		if strings.Join(names, " ") != fields[tool.Name] || !slices.Equal(schema.Required, []string{required}) || schema.AdditionalProperties == nil {
			t.Errorf("%s: fields %v, required %v, others %v", tool.Name, names, schema.Required, schema.AdditionalProperties)
		}
		for name, p := range schema.Properties {
			if p.Description == "" {
				t.Errorf("%s: %s is not described", tool.Name, name)
			}
		}
		delete(fields, tool.Name)
	}
	if len(fields) > 0 {
		t.Errorf("no tools %v", fields)
	}
}

// BenchmarkCheck measures checks of a small kernel by a warm server, each of another text, as a client makes them one
// after the other.
func BenchmarkCheck(b *testing.B) {
	c := connect(b, serve.Options{})
	launch := read(b, "fold.yaml")
	text := read(b, "fold.ptx")
	n := 0
	for b.Loop() {
		n++
		a := call(b, c, "check", input{PTX: text + "// " + strings.Repeat("x", n%100) + "\n", Launch: launch})
		if a.Verdict != serve.Racy {
			b.Fatal(a.Verdict, a.Reasons)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "kernels/s")
}
