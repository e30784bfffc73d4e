// Warnings that repeat: the cause of most is known without a look at the threads.

package precise

// knownWarning is the latest warning about two accesses of some classes whose threads have some distance.
type knownWarning struct {
	of classPair
	knownCause
	alike *warningsAlike // nil if the accesses need no order
}

// knownWarning returns the slot for warnings about the classes of two accesses.
func (e *evidence) knownWarning(x, m *strongAccess) *knownWarning {
	of := classPair{x.class, m.class, e.kindOf(x.unit, m.unit)}
	known := &e.warnings.known[of.slot(len(e.warnings.known))]
	if known.of != of {
		*known = knownWarning{of: of}
	}
	return known
}

// know records in a slot what has been found out about an occurrence. before is its query before that. alike is nil if there is no
// warning.
func (e *evidence) know(known *knownWarning, f *finding, alike *warningsAlike, before *query) {
	known.knownCause, known.alike = e.causeKnownAfter(f, before), alike
}

// repeats reports whether a further occurrence, accesses x and m to a scalar, is like the known one, and counts it. The first one at a
// scalar may be the example that is reported, which needs an explanation; then repeats returns false.
func (e *evidence) repeats(a *access, v *strongHistory, known *knownWarning, x, m *strongAccess) bool {
	if !e.holds(&known.knownCause, 1) {
		return false
	}
	if known.alike != nil && !v.countAlike(known.alike) {
		if known.alike.wantsExample(e.nextOrder(v)) {
			return false
		}
		e.append(a, v, known.alike, x, m)
	}
	known.query.times += known.queries
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
