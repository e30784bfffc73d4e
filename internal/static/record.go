// The record of an analysis, as users of this package see it.

package static

import "github.com/ptxsan/ptxsan/internal/static/query"

// Proofs, its refutations and its assignments are those of the session that asks the solver.
type (
	// Proofs records the refutations of an analysis, or holds those of an earlier one.
	Proofs = query.Proofs
	// Refutation is the proof that a query has no solution.
	Refutation = query.Refutation
	// Assignment is a solution of a query.
	Assignment = query.Assignment
)

// NewRecord returns an empty record.
func NewRecord() *Proofs { return query.NewRecord() }

// FromRecord returns the refutations and assignments of an earlier analysis.
func FromRecord(list []*Refutation, assigned []*Assignment) *Proofs {
	return query.FromRecord(list, assigned)
}
