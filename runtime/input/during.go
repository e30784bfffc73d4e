// Readers that end with a context.

package input

import (
	"context"
	"io"
)

// During is a reader until its context ends: then reads fail with the context's error.
func During(ctx context.Context, r io.Reader) io.Reader { return &timed{ctx, r} }

type timed struct {
	ctx context.Context
	r   io.Reader
}

func (t *timed) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.r.Read(p)
}
