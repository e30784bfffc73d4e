// Queries: of the occurrences of two instructions, some are searched for a message between the threads.

package evidence

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// pair is two instructions and the relation of their threads.
type pair struct {
	first, second uint32 // sites
	kind          Relation
}

// query caches the search for a message between the accesses of a pair of instructions.
type query struct {
	times   int
	message *message
	cause   detect.Cause // of the occurrence with the message, if the message is direct; "" until computed
	narrow  narrow       // the operation with too narrow a scope there
	// chance says that the pair is one weak store, and that some occurrence has no message between the two executions
	// for which the second thread may have waited. Messages in other occurrences are then accidental.
	chance bool
}

// maxSearches is the number of occurrences of a pair that are searched for a message, in addition to the 8th, the 16th
// and so on: a search visits all messages.
const maxSearches = 4

// queryMessage searches for the message between the accesses of a finding, unless an earlier occurrence has found one.
// It is called when the second access happens.
func (e *Evidence) queryMessage(f *Finding) *query {
	q, one := e.queryOf(f), e.isOneStore(f)
	if q.isDue(one, 0) {
		m := e.findMessage(f)
		if m == nil || one && e.Consulted != nil && !e.Consulted.Has(m.read) {
			m, q.chance = e.nearMessage(f), one
		}
		if !q.told() || q.chance {
			q.message, q.cause = m, ""
		}
	}
	q.times++
	return q
}

// queryOf returns the query for the message between the accesses of a finding.
func (e *Evidence) queryOf(f *Finding) *query {
	k := pair{e.classes.At(f.First).Site, e.classes.At(f.Second).Site, f.Relation}
	q := e.queries[k]
	if q == nil {
		q = new(query)
		e.queries[k] = q
	}
	return q
}

// told reports whether the message found so far goes from access to access.
func (q *query) told() bool { return q.message != nil && q.message.how == direct }

// isDueWithin reports whether one of so many further occurrences is searched.
func (q *query) isDueWithin(one bool, occurrences int) bool {
	if q.told() && (!one || q.chance) || occurrences == 0 {
		return false
	}
	return q.times < maxSearches || bits.Len(uint(q.times+occurrences)) > bits.Len(uint(q.times))
}

// isDue reports whether an occurrence of the pair, which is that of one weak store or not, is searched: the next one,
// or the one so many after it.
func (q *query) isDue(one bool, later int) bool {
	n := q.times + 1 + later
	return (!q.told() || one && !q.chance) && (n <= maxSearches || n&(n-1) == 0)
}
