// Messages between client and server.

package serve

import (
	"bufio"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// output is where the server writes, a message at a time. The protocol does not close it.
type output struct {
	mu sync.Mutex
	io.Writer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.Writer.Write(p)
}

// Close implements io.Closer.
func (*output) Close() error { return nil }

// messages returns the lines of in that are messages. Others are answered with an error of JSON-RPC (section 5.1), since the protocol
// would end at them.
func messages(in io.Reader, out io.Writer) io.ReadCloser {
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
			if _, wrong := jsonrpc.DecodeMessage(line); wrong != nil {
				_, err = fmt.Fprintln(out, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: expected one JSON-RPC message in the line"}}`)
			} else {
				_, err = w.Write(append(line, '\n'))
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
		w.CloseWithError(lines.Err()) // nil is io.EOF
	}()
	return r
}
