// Warnings that repeat: the cause of most is known without a look at the threads.

package precise

import "github.com/ptxsan/ptxsan/runtime/abi"

// knownWarning is the latest warning about two accesses of some classes whose threads have some distance. As long as the evidence
// contains nothing but messages, its cause depends on the message that the search for the two instructions has found, and on
// nothing else of the occurrence.
type knownWarning struct {
	of      classPair
	query   *query         // nil if nothing is known
	message *message       // of the query
	queries int            // number of times that an occurrence asks for the message
	alike   *warningsAlike // nil if the accesses need no order
}

// countRepeats says that warnings and races like earlier ones are counted without a look at the threads.
var countRepeats = true

// knownWarning returns the slot for warnings about the classes of two accesses.
func (e *evidence) knownWarning(x, m *strongAccess) *knownWarning {
	of := classPair{x.class, m.class, e.kindOf(x.unit, m.unit)}
	known := &e.warnings.known[(of.first*5+of.second*3+uint32(of.kind))%uint32(len(e.warnings.known))]
	if known.of != of {
		*known = knownWarning{of: of}
	}
	return known
}

// know records in a slot what has been found out about an occurrence, if that depends on nothing but the message that was known before
// it. alike is nil if there is no warning.
func (e *evidence) know(known *knownWarning, f *finding, alike *warningsAlike, before *query) {
	known.query = nil
	x, y, q := e.class(f.first), e.class(f.second), e.queryOf(f)
	_, _, locked := e.scorLocksAt(f)
	if locked || q.message != before.message || !e.hasOnlyMessages() || !x.isPlain() || !y.isPlain() {
		return
	}
	known.query, known.message, known.queries, known.alike = q, q.message, q.times-before.times, alike
}

// isPlain reports whether an access is synchronous and by the generic proxy.
func (x *accessClass) isPlain() bool {
	return x.async == abi.Synchronous && x.proxy == abi.ProxyGeneric
}

// hasOnlyMessages reports whether the evidence contains neither operations whose scope is too narrow nor locks nor arrivals.
func (e *evidence) hasOnlyMessages() bool {
	return len(e.fences) == 0 && len(e.acquires) == 0 && len(e.misreads) == 0 && len(e.unheard) == 0 && len(e.relaxed) == 0 && e.locks.holds == nil
}

// repeats reports whether a further occurrence, accesses x and m to a scalar, is like the known one, and counts it. The first one at a
// scalar may be the example that is reported, which needs an explanation; then repeats returns false.
func (e *evidence) repeats(a *access, v *strongHistory, known *knownWarning, x, m *strongAccess) bool {
	q := known.query
	if !countRepeats || q == nil || q.message != known.message || !e.hasOnlyMessages() {
		return false
	}
	for i := range known.queries {
		if q.isDue(false, i) {
			return false
		}
	}
	if known.alike != nil && !v.countAlike(known.alike) {
		if known.alike.wantsExample(e.nextOrder(v)) {
			return false
		}
		e.append(a, v, known.alike, x, m)
	}
	q.times += known.queries
	return true
}

// countAlike counts a further warning about a scalar, and reports whether that is all to do: the scalar has had one that is alike,
// or as many others as are kept.
func (v *strongHistory) countAlike(alike *warningsAlike) bool {
	for i := range v.warnings {
		if w := &v.warnings[i]; w.of == alike {
			w.count++
			return true
		}
	}
	return len(v.warnings) == maxWarnings
}
