// Warnings that repeat: the cause of most is known without a look at the threads.

package evidence

// knownWarning is the latest warning about a Pair, and its cause if further warnings about the pair have the same.
type knownWarning struct {
	of Pair
	knownCause
	alike *warningsAlike // nil if the accesses need no order
}

// knownWarning returns what is known of warnings about accesses of two classes by threads of that relation.
func (e *Evidence) knownWarning(first, second uint32, kind Relation) *knownWarning {
	of, w := Pair{first, second, kind}, &e.warnings
	latest := &w.latest[of.slot(len(w.latest))]
	if *latest != nil && (*latest).of == of {
		return *latest
	}
	known := w.known[of]
	if known == nil {
		if w.known == nil {
			w.known = make(map[Pair]*knownWarning)
		}
		known = &knownWarning{of: of}
		w.known[of] = known
	}
	*latest = known
	return known
}

// count counts n further occurrences.
func (k *knownWarning) count(n int) { k.query.times += k.queries * n }

// holdsFor reports whether the next n occurrences of a warning are like the known one.
func (e *Evidence) holdsFor(known *knownWarning, n int) bool { return e.holds(&known.knownCause, n) }

// know records what has been found out about an occurrence. before is its query before that. alike is nil if there is
// no warning.
func (e *Evidence) know(known *knownWarning, f *Finding, alike *warningsAlike, before *query) {
	known.knownCause, known.alike = e.causeKnownAfter(f, before), alike
}

// repeats reports whether a further occurrence, accesses x and m to a scalar, is like the known one, and counts it. The
// first one at a scalar may be the example that is reported, which needs an explanation; then repeats returns false.
func (e *Evidence) repeats(in *Memory, v *History, known *knownWarning, at uint64, x, m *StrongAccess) bool {
	if !e.holdsFor(known, 1) {
		return false
	}
	if known.alike != nil && !v.countAlike(known.alike, 1) {
		if known.alike.wantsExample(e.nextOrder(v)) {
			return false
		}
		e.appendWarning(in, v, known.alike, at, x, m)
	}
	known.count(1)
	return true
}

// repeatTogether reports whether n further occurrences at a scalar that has had the known one, or no warning, are like
// it, and counts them.
func (e *Evidence) repeatTogether(v *History, known *knownWarning, n int) bool {
	if !e.holdsFor(known, n) || known.alike != nil && !v.countAlike(known.alike, n) {
		return false
	}
	known.count(n)
	return true
}

// countAlike counts n further warnings about a scalar, and reports whether that is all to do: the scalar has had one
// that is alike, or as many others as are kept.
func (v *History) countAlike(alike *warningsAlike, n int) bool {
	for i := range v.warnings {
		if w := &v.warnings[i]; w.of == alike {
			w.count += uint64(n)
			return true
		}
	}
	return len(v.warnings) == maxWarnings
}
