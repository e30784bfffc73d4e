// Tests of the cells of tensor memory.

package operations

import (
	"math/rand/v2"
	"testing"
)

// TestTensorRow: the cells of a lane are as if each column had its own, and neighbours that are alike are one run.
func TestTensorRow(t *testing.T) {
	ops := [3]tensorOp{}
	for seed := range uint64(200) {
		r, row, want := rand.New(rand.NewPCG(seed, 1)), tensorRow(nil), [tensorColumns]*tensorOp{}
		for range 40 {
			first := r.Uint64N(tensorColumns)
			end, op := first+1+r.Uint64N(tensorColumns-first), &ops[r.IntN(len(ops))]
			from, to := row.runs(first, end)
			for i := from; i < to; i++ {
				row[i].write = op
			}
			row.unite(from, to)
			for c := first; c < end; c++ {
				want[c] = op
			}
			i, runs := 0, 1
			for c := range uint64(tensorColumns) {
				if i+1 < len(row) && row[i+1].first == c {
					i++
				}
				if c > 0 && want[c] != want[c-1] {
					runs++
				}
				if row[i].write != want[c] {
					t.Fatalf("seed %d: column %d has another write", seed, c)
				}
			}
			if len(row) != runs {
				t.Fatalf("seed %d: %d runs, expected %d", seed, len(row), runs)
			}
		}
	}
}
