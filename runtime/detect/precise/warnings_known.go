// Warnings that repeat: the cause of most is known without a look at the threads.

package precise

import "slices"

// knownWarning is the latest warning about a classPair, and its cause if further warnings about the pair have the same.
type knownWarning struct {
	of classPair
	knownCause
	alike *warningsAlike // nil if the accesses need no order
}

// knownWarning returns what is known of warnings about accesses of two classes by threads of that relation.
func (e *evidence) knownWarning(first, second uint32, kind kind) *knownWarning {
	of, w := classPair{first, second, kind}, &e.warnings
	latest := &w.latest[of.slot(len(w.latest))]
	if *latest != nil && (*latest).of == of {
		return *latest
	}
	known := w.known[of]
	if known == nil {
		if w.known == nil {
			w.known = make(map[classPair]*knownWarning)
		}
		known = &knownWarning{of: of}
		w.known[of] = known
	}
	*latest = known
	return known
}

// know records what has been found out about an occurrence. before is its query before that. alike is nil if there is no
// warning.
func (e *evidence) know(known *knownWarning, f *finding, alike *warningsAlike, before *query) {
	known.knownCause, known.alike = e.causeKnownAfter(f, before), alike
}

// repeats reports whether a further occurrence, accesses x and m to a scalar, is like the known one, and counts it. The first one at a
// scalar may be the example that is reported, which needs an explanation; then repeats returns false.
func (e *evidence) repeats(a *access, v *strongHistory, known *knownWarning, at uint64, x, m *strongAccess) bool {
	if !e.holds(&known.knownCause, 1) {
		return false
	}
	if known.alike != nil && !v.countAlike(known.alike, 1) {
		if known.alike.wantsExample(e.nextOrder(v)) {
			return false
		}
		e.append(a, v, known.alike, at, x, m)
	}
	known.query.times += known.queries
	return true
}

// repeatTogether reports whether n further occurrences at a scalar that has had the known one, or no warning, are like it, and counts
// them.
func (e *evidence) repeatTogether(v *strongHistory, known *knownWarning, n int) bool {
	if !e.holds(&known.knownCause, n) || known.alike != nil && !v.countAlike(known.alike, n) {
		return false
	}
	known.query.times += known.queries * n
	return true
}

// countAlike counts n further warnings about a scalar, and reports whether that is all to do: the scalar has had one that is alike,
// or as many others as are kept.
func (v *strongHistory) countAlike(alike *warningsAlike, n int) bool {
	for i := range v.warnings {
		if w := &v.warnings[i]; w.of == alike {
			w.count += uint64(n)
			return true
		}
	}
	return len(v.warnings) == maxWarnings
}

// hasRoomFor reports whether a further warning about a scalar would be added to the list, and not counted: the scalar has had none that
// is alike, and fewer than are kept.
func (v *strongHistory) hasRoomFor(alike *warningsAlike) bool {
	return len(v.warnings) < maxWarnings && !slices.ContainsFunc(v.warnings, func(w warning) bool { return w.of == alike })
}
