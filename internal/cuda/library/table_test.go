// The table of functions, and calls with arguments that make no sense.

package library_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

// TestAnyArguments: whatever the arguments are, a call ends, with results or an error of the package or the memory.
func TestAnyArguments(t *testing.T) {
	m := newMemory(t)
	m.put(library.C64, m.numbers(library.C64, 64))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, f := range library.Functions() {
		for range 60 {
			args := make([]library.Arg, len(f.Kinds))
			for i := range args {
				args[i] = library.Arg{Words: [2]uint64{word(m.random), word(m.random)}, OnDevice: m.random.IntN(8) == 0}
			}
			_, err := m.state.Call(ctx, f.Name, args, m)
			if own := (*library.Error)(nil); err != nil && !errors.As(err, &own) && !errors.Is(err, errOutside) {
				t.Fatalf("%s with %v: %v", f.Name, args, err)
			}
		}
	}
	if _, err := m.state.Call(ctx, "cublasSgemm_v2", nil, m); err == nil {
		t.Error("a call without arguments is accepted")
	}
	if _, err := m.state.Call(ctx, "cublasNothing", nil, m); err == nil {
		t.Error("a function that does not exist is accepted")
	}
}

// word returns a number, of which small ones and addresses are the most frequent.
func word(r *rand.Rand) uint64 {
	switch r.IntN(8) {
	case 0:
		return base + uint64(r.IntN(1<<10))
	case 1:
		return base
	case 2:
		return -r.Uint64N(4)
	case 3:
		return r.Uint64() >> r.IntN(64)
	}
	return r.Uint64N(4)
}
