// Streams as input: standard input and descriptors that a shell has opened.

package input

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"sync"
)

// openDescriptor matches the names of open file descriptors.
var openDescriptor = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+)$`) })

// IsOpenDescriptor reports whether a name is that of an open file descriptor, such as /dev/fd/63 for <(command) of a
// shell. Opening it does not block.
func IsOpenDescriptor(name string) bool { return openDescriptor().MatchString(name) }

// ReadStream reads a stream to its end, up to the limit, or until the context ends. Errors contain the name, except
// that of the context.
func ReadStream(ctx context.Context, r io.Reader, name string, limit int64) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, limit+1))
		done <- result{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case read := <-done:
		switch {
		case read.err != nil:
			return nil, fmt.Errorf("%s: %w", name, read.err)
		case int64(len(read.data)) > limit:
			return nil, tooLarge(name, limit)
		}
		return read.data, nil
	}
}
