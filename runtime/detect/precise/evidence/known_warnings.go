// Warnings that repeat: the cause of most is known without a look at the threads.

package evidence

import "slices"

// KnownWarning is the latest warning about a Pair, and its cause if further warnings about the pair have the same.
type KnownWarning struct {
	of Pair
	knownCause
	Alike *WarningsAlike // nil if the accesses need no order
}

// KnownWarning returns what is known of warnings about accesses of two classes by threads of that relation.
func (e *Evidence) KnownWarning(first, second uint32, kind Relation) *KnownWarning {
	of, w := Pair{first, second, kind}, &e.warnings
	latest := &w.latest[of.slot(len(w.latest))]
	if *latest != nil && (*latest).of == of {
		return *latest
	}
	known := w.known[of]
	if known == nil {
		if w.known == nil {
			w.known = make(map[Pair]*KnownWarning)
		}
		known = &KnownWarning{of: of}
		w.known[of] = known
	}
	*latest = known
	return known
}

// AsksAs reports whether two warnings ask for the same message.
func (k *KnownWarning) AsksAs(other *KnownWarning) bool { return k.query == other.query }

// Count counts n further occurrences.
func (k *KnownWarning) Count(n int) { k.query.times += k.queries * n }

// HoldsFor reports whether the next n occurrences of a warning are like the known one.
func (e *Evidence) HoldsFor(known *KnownWarning, n int) bool { return e.holds(&known.knownCause, n) }

// know records what has been found out about an occurrence. before is its query before that. alike is nil if there is no
// warning.
func (e *Evidence) know(known *KnownWarning, f *Finding, alike *WarningsAlike, before *query) {
	known.knownCause, known.Alike = e.causeKnownAfter(f, before), alike
}

// repeats reports whether a further occurrence, accesses x and m to a scalar, is like the known one, and counts it. The first one at a
// scalar may be the example that is reported, which needs an explanation; then repeats returns false.
func (e *Evidence) repeats(in *Memory, v *History, known *KnownWarning, at uint64, x, m *StrongAccess) bool {
	if !e.HoldsFor(known, 1) {
		return false
	}
	if known.Alike != nil && !v.CountAlike(known.Alike, 1) {
		if known.Alike.WantsExample(e.NextOrder(v)) {
			return false
		}
		e.AppendWarning(in, v, known.Alike, at, x, m)
	}
	known.Count(1)
	return true
}

// repeatTogether reports whether n further occurrences at a scalar that has had the known one, or no warning, are like it, and counts
// them.
func (e *Evidence) repeatTogether(v *History, known *KnownWarning, n int) bool {
	if !e.HoldsFor(known, n) || known.Alike != nil && !v.CountAlike(known.Alike, n) {
		return false
	}
	known.Count(n)
	return true
}

// CountAlike counts n further warnings about a scalar, and reports whether that is all to do: the scalar has had one that is alike,
// or as many others as are kept.
func (v *History) CountAlike(alike *WarningsAlike, n int) bool {
	for i := range v.warnings {
		if w := &v.warnings[i]; w.of == alike {
			w.count += uint64(n)
			return true
		}
	}
	return len(v.warnings) == maxWarnings
}

// HasRoomFor reports whether a further warning about a scalar would be added to the list, and not counted: the scalar has had none that
// is alike, and fewer than are kept.
func (v *History) HasRoomFor(alike *WarningsAlike) bool {
	return len(v.warnings) < maxWarnings && !slices.ContainsFunc(v.warnings, func(w warning) bool { return w.of == alike })
}
