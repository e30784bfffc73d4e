// Package serve offers the checks of ptxsan as tools of the Model Context Protocol, for programs that write kernels. A
// call gives a kernel and its launches, as text or as files below one folder, and gets an Answer of at most MaxAnswer
// bytes: one of three verdicts, the hashes of what it is about, the findings, and addresses of longer documents. A
// kernel that was not checked as a whole is never clean. A call that is wrong is an error of the tool.
//
// The package must not know command lines. It starts no processes, and opens no files outside of Options.Root.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// Limits of calls.
const (
	MaxMessage = 64 << 20 // bytes of a message of the client
	MaxFile    = 64 << 20 // bytes of a file of PTX
	grace      = time.Second
)

// Options configure a server. The zero value is usable.
type Options struct {
	Root        string        // folder of the files that calls may name; "" for none
	Timeout     time.Duration // of a call, 0 for no limit
	MemoryLimit uint64        // bytes of device memory of a call, 0 for the emulator's default
	Jobs        int           // calls that are executed at a time, 0 for one per processor
	SelfTest    bool          // every clean verdict of check and explore needs a planted race that is found
}

// Server executes calls of tools.
type Server struct {
	Options
	slots     chan struct{} // one for each call that may be executed
	documents *store
}

// New makes a server.
func New(o Options) *Server {
	if o.Jobs == 0 {
		o.Jobs = runtime.NumCPU()
	}
	return &Server{Options: o, slots: make(chan struct{}, o.Jobs), documents: &store{texts: make(map[string]string)}}
}

// Run serves one client, which writes to in and reads from out, until in ends or the context does.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	shared := &output{Writer: out, waiting: map[any]int{}, answered: make(chan struct{}, 1)}
	err := s.Protocol().Run(ctx, &mcp.IOTransport{
		Reader: messages(ctx, in, shared), Writer: shared,
		MaxLineLength: MaxMessage,
	})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Protocol returns the server of the protocol, with all tools.
func (s *Server) Protocol() *mcp.Server {
	p := mcp.NewServer(&mcp.Implementation{Name: "ptxsan", Version: session.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	add(s, p, "check", "Run the launches of a PTX kernel once on an emulated GPU and decide whether they have a data race.", CheckInput.request, (*call).check)
	add(s, p, "explore",
		"As check, under many schedules of the threads: shows races and faults that one schedule does not.",
		ExploreInput.request, (*call).explore)
	add(s, p, "fix", "Find the cheapest edits that leave no race, verify them under many schedules, and return the patch and the mended PTX.", FixInput.request, (*call).fix)
	add(s, p, "sync", "Say of each barrier, fence and scope what goes wrong without it, or that it can go or be weaker, and return the patch of what can change together.", SyncInput.request, (*call).sync)
	add(s, p, "analyze",
		"Decide statically, without execution, whether a kernel can race: for the given launches, or for any launch.",
		AnalyzeInput.request, (*call).analyze)
	mcp.AddTool(p, &mcp.Tool{
		Name:        "explain",
		Description: "Explain a cause of races (the field what of a finding): wrong and right code, and why.",
		Annotations: reads,
	}, explain)
	s.documents.offer(p)
	return p
}

const instructions = `Each verdict is "racy", "clean" or "not-decided". Only "clean" says that no race was found in a complete check of exactly
the PTX and the launches whose hashes it has; "not-decided" comes with the reasons. Answers are short: the fields report, patch, ptx and
guessed_launch may be addresses (ptxsan://...) of resources with the whole text. To mend a kernel: check, fix, apply the patch (or take
the mended PTX), check again.`

// reads says that a tool changes nothing.
var reads = &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}

// add adds a tool that gives an answer about a kernel.
func add[In any](s *Server, p *mcp.Server, name, description string, asked func(In) request, run func(*call) error) {
	tool := &mcp.Tool{Name: name, Description: description, Annotations: reads}
	mcp.AddTool(p, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		r := asked(in)
		a, err := s.answer(ctx, name, &r, run)
		if err != nil {
			return nil, nil, err // the library makes it an error of the tool
		}
		return textResult(a.text()), nil, nil
	})
}

// textResult returns a result that is a text alone, so that it is sent once.
func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// answer executes a call within its limits. A call that does not end with its time, since parsing and analysing do not
// look at the time, is left behind; it keeps its slot until it ends. The error is what is wrong with the request, or an
// internal one.
func (s *Server) answer(ctx context.Context, tool string, k *request, run func(*call) error) (*Answer, error) {
	ctx, cancel := s.limited(ctx, k)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		a := newAnswer(tool)
		a.leave("the server is busy with other calls: %v", context.Cause(ctx))
		return a, nil
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { <-s.slots }()
		done <- s.execute(ctx, tool, k, run)
	}()
	select {
	case o := <-done:
		return o.answer, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.answer, o.err
	case <-time.After(grace):
		a := newAnswer(tool)
		a.leave("the call did not end: %v", context.Cause(ctx))
		return a, nil
	}
}

// outcome is the end of a call.
type outcome struct {
	answer *Answer
	err    error
}

// limited returns a context with the time limit of a call: the server's, or a smaller one of the call.
func (s *Server) limited(ctx context.Context, k *request) (context.Context, context.CancelFunc) {
	limit := s.Timeout
	if own := time.Duration(k.TimeoutSeconds * float64(time.Second)); own > 0 && (limit == 0 || own < limit) {
		limit = own
	}
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("the time limit of %s is over", limit))
}

// execute runs a tool. A request that is wrong is an error; whatever else stops it is a reason for which the answer is
// not decided.
func (s *Server) execute(ctx context.Context, tool string, k *request, run func(*call) error) (o outcome) {
	c := &call{Server: s, request: k, ctx: ctx, Answer: newAnswer(tool)}
	defer func() {
		if p := recover(); p != nil {
			o = outcome{err: fmt.Errorf("internal failure: %v", p)}
		}
	}()
	err := c.read()
	if err == nil {
		err = run(c)
	}
	var bad *badRequest
	switch {
	case errors.As(err, &bad):
		return outcome{err: err}
	case err != nil:
		c.leave("%v", err)
	}
	c.settle()
	return outcome{answer: c.Answer}
}
