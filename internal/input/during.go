// Readers that end with a context.

package input

import (
	"context"
	"io"
)

// During returns a reader that works until its context ends. Then reads fail with the context's error.
func During(ctx context.Context, r io.Reader) io.Reader { return &timedReader{ctx, r} }

type timedReader struct {
	ctx context.Context
	r   io.Reader
}

func (t *timedReader) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.r.Read(p)
}
