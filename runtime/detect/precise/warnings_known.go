// Warnings that repeat: the cause of most is known without a look at the threads.

package precise

import "github.com/ptxsan/ptxsan/runtime/abi"

// knownWarning is the latest warning about two accesses of some classes whose threads have some distance. As long as the evidence
// contains nothing but messages, its cause depends on the message that the search for the two instructions has found, and on
// nothing else of the occurrence.
type knownWarning struct {
	of      classPair
	query   *query
	message *message       // of the query
	alike   *warningsAlike // nil for none
}

// repeatWarnings says that warnings are counted without a look at the threads.
var repeatWarnings = true

// knownWarning returns the slot for warnings about the classes of two accesses.
func (e *evidence) knownWarning(x, m *strongAccess) *knownWarning {
	of := classPair{x.class, m.class, e.kindOf(x.unit, m.unit)}
	known := &e.warnings.known[(of.first*5+of.second*3+uint32(of.kind))%uint32(len(e.warnings.known))]
	if known.of != of {
		*known = knownWarning{of: of}
	}
	return known
}

// know records the warning of a finding in its slot, if its cause depends on the message alone.
func (e *evidence) know(known *knownWarning, f *finding, alike *warningsAlike) {
	known.alike = nil
	x, y := e.class(f.first), e.class(f.second)
	_, _, locked := e.scorLocksAt(f)
	if locked || !e.hasOnlyMessages() || !x.isPlain() || !y.isPlain() || x.sem != abi.SemVolatile && y.sem != abi.SemVolatile {
		return
	}
	known.query = e.queries[pair{x.site, y.site, f.kind}]
	known.message, known.alike = known.query.message, alike
}

// isPlain reports whether an access is synchronous and by the generic proxy.
func (x *accessClass) isPlain() bool {
	return x.async == abi.Synchronous && x.proxy == abi.ProxyGeneric
}

// hasOnlyMessages reports whether the evidence contains neither operations whose scope is too narrow nor locks nor arrivals.
func (e *evidence) hasOnlyMessages() bool {
	return len(e.fences) == 0 && len(e.acquires) == 0 && len(e.misreads) == 0 && len(e.unheard) == 0 && len(e.relaxed) == 0 && e.locks.holds == nil
}

// repeats reports whether a further warning has the cause of the known one, and counts it.
func (e *evidence) repeats(v *strongHistory, known *knownWarning) bool {
	q := known.query
	if !repeatWarnings || known.alike == nil || q.message != known.message || q.isDue(false) || !e.hasOnlyMessages() || !v.countAlike(known.alike) {
		return false
	}
	q.times++
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
