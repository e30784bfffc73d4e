// Messages between client and server.

package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// output is where the server writes, a message at a time. The protocol does not close it.
type output struct {
	mu sync.Mutex
	io.Writer
	waiting  map[any]int   // the identities of calls that have no answer yet
	answered chan struct{} // gets a value when there may be none of them left
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.Writer.Write(p)
	if m, wrong := jsonrpc.DecodeMessage(p); wrong == nil {
		if a, ok := m.(*jsonrpc.Response); ok {
			o.forget(a.ID.Raw())
		}
	}
	return n, err
}

// forget counts a call as answered.
func (o *output) forget(id any) {
	if o.waiting[id]--; o.waiting[id] <= 0 {
		delete(o.waiting, id)
	}
	select {
	case o.answered <- struct{}{}:
	default:
	}
}

// await counts a message of the client that wants an answer. One that is cancelled may get none (cancellation, in the
// protocol's specification).
func (o *output) await(m jsonrpc.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch r, ok := m.(*jsonrpc.Request); {
	case !ok:
	case r.IsCall():
		o.waiting[r.ID.Raw()]++
	case r.Method == "notifications/cancelled":
		var of struct{ RequestID any }
		if json.Unmarshal(r.Params, &of) == nil {
			if id, err := jsonrpc.MakeID(of.RequestID); err == nil {
				o.forget(id.Raw())
			}
		}
	}
}

// drain returns when all calls have their answers, or the context has ended.
func (o *output) drain(ctx context.Context) {
	for {
		o.mu.Lock()
		n := len(o.waiting)
		o.mu.Unlock()
		if n == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-o.answered:
		}
	}
}

// Close implements io.Closer.
func (*output) Close() error { return nil }

// messages returns the lines of in that are messages. Others are answered with an error of JSON-RPC (section 5.1),
// since the protocol would end at them. The end of in comes after the answers to all calls: the protocol gives up those
// that it has at the end.
func messages(ctx context.Context, in io.Reader, out *output) io.ReadCloser {
	r, w := io.Pipe()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MaxMessage)
	go func() {
		for lines.Scan() {
			line := lines.Bytes()
			if len(line) == 0 {
				continue
			}
			var err error
			if m, wrong := jsonrpc.DecodeMessage(line); wrong != nil {
				_, err = fmt.Fprintln(out, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: expected one JSON-RPC message in the line"}}`)
			} else {
				out.await(m)
				_, err = w.Write(append(line, '\n'))
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
		out.drain(ctx)
		w.CloseWithError(lines.Err()) // nil is io.EOF
	}()
	return r
}
