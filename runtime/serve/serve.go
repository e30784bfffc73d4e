// Package serve offers the checks of ptxsan as tools of the Model Context Protocol, for programs that write kernels. A call gives a
// kernel and its launches, as text or as files below one folder, and gets an Answer: one of three verdicts, the hashes of what it is
// about, and the report. A kernel that was not checked as a whole is never clean.
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
	slots chan struct{} // one for each call that may be executed
}

// New makes a server.
func New(o Options) *Server {
	if o.Jobs == 0 {
		o.Jobs = runtime.NumCPU()
	}
	return &Server{Options: o, slots: make(chan struct{}, o.Jobs)}
}

// Run serves one client, which writes to in and reads from out, until in ends or the context does.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	shared := &output{Writer: out, waiting: map[any]int{}, answered: make(chan struct{}, 1)}
	err := s.Protocol().Run(ctx, &mcp.IOTransport{Reader: messages(ctx, in, shared), Writer: shared, MaxLineLength: MaxMessage})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Protocol returns the server of the protocol, with all tools.
func (s *Server) Protocol() *mcp.Server {
	p := mcp.NewServer(&mcp.Implementation{Name: "ptxsan", Version: session.Version}, &mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	add(s, p, "check", "Run the launches of a PTX kernel once on an emulated GPU and decide whether they have a data race.", (*call).check)
	add(s, p, "explore", "As check, under many schedules of the threads: shows races and faults that one schedule does not.", (*call).explore)
	add(s, p, "fix", "Find the cheapest edits that leave no race, verify them under many schedules, and return the patch and the mended PTX.", (*call).fix)
	add(s, p, "analyze", "Decide statically, without execution, whether a kernel can race: for the given launches, or for any launch.", (*call).analyze)
	mcp.AddTool(p, &mcp.Tool{Name: "explain", Description: "Explain a cause of races (the field cause of a race), or list all causes."}, explain)
	return p
}

const instructions = `Each verdict is "racy", "clean" or "not-decided". Only "clean" says that no race was found in a complete check of exactly
the PTX and the launches whose hashes it has; "not-decided" comes with the reasons. To mend a kernel: check, fix, apply the patch
(or take the mended PTX), check again.`

// add adds a tool that gives an answer about a kernel.
func add(s *Server, p *mcp.Server, name, description string, run func(*call) error) {
	tool := &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}}
	mcp.AddTool(p, tool, func(ctx context.Context, _ *mcp.CallToolRequest, k Kernel) (*mcp.CallToolResult, *Answer, error) {
		return nil, s.answer(ctx, name, &k, run), nil
	})
}

// answer executes a call within its limits. A call that does not end with its time, since parsing and analysing do not look at
// the time, is left behind; it keeps its slot until it ends.
func (s *Server) answer(ctx context.Context, tool string, k *Kernel, run func(*call) error) *Answer {
	ctx, cancel := s.limited(ctx, k)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		a := newAnswer(tool)
		a.leave("the server is busy with other calls: %v", context.Cause(ctx))
		return a
	}
	done := make(chan *Answer, 1)
	go func() {
		defer func() { <-s.slots }()
		done <- s.execute(ctx, tool, k, run)
	}()
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
	}
	select {
	case a := <-done:
		return a
	case <-time.After(grace):
		a := newAnswer(tool)
		a.leave("the call did not end: %v", context.Cause(ctx))
		return a
	}
}

// limited returns a context with the time limit of a call: the server's, or a smaller one of the call.
func (s *Server) limited(ctx context.Context, k *Kernel) (context.Context, context.CancelFunc) {
	limit := s.Timeout
	if own := time.Duration(k.TimeoutSeconds * float64(time.Second)); own > 0 && (limit == 0 || own < limit) {
		limit = own
	}
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("the time limit of %s is over", limit))
}

// execute runs a tool. Whatever goes wrong is a reason for which the answer is not decided.
func (s *Server) execute(ctx context.Context, tool string, k *Kernel, run func(*call) error) (a *Answer) {
	c := &call{Server: s, Kernel: k, ctx: ctx, Answer: newAnswer(tool)}
	defer func() {
		if p := recover(); p != nil {
			a = newAnswer(tool)
			a.PTX, a.Launch = c.Answer.PTX, c.Answer.Launch
			a.leave("internal failure: %v", p)
		}
	}()
	err := c.read()
	if err == nil {
		err = run(c)
	}
	if err != nil {
		c.leave("%v", err)
	}
	c.settle()
	return c.Answer
}
