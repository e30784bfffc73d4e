// Warnings that wait for the end of the launch, which shows whether threads synchronise through their locations.

package precise

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Many locations usually have warnings that differ in nothing but threads and address. One of them, the first, is reported, with
// the number of all. So a location keeps of a warning what is alike and a count, and few are kept as findings, for the report:
// the first ones, of which some may be about locations through which threads turn out to synchronise.

const (
	maxWarnings = 4  // about one scalar
	maxExamples = 16 // findings that are kept of warnings alike
)

// warning is what a location keeps of a warning.
type warning struct {
	of                    *warningsAlike
	count                 uint64
	firstUnit, secondUnit unit
	at                    uint64
	since                 stamp
	first, second         uint32
	firstLane, secondLane uint8
}

// warningsAlike holds the warnings that differ in threads, addresses and locations only.
type warningsAlike struct {
	key      findingKey
	examples []example // by order
	final    uint64    // number of warnings about locations that nothing accesses any more
	first    *finding  // the first of these, without an explanation
}

// example is a warning that may be reported, with its explanation.
type example struct {
	*finding
	of    *strongHistory
	final bool // nothing accesses the location any more
}

// holds reports whether the warning is not known to be about a location through which threads synchronise.
func (x example) holds() bool { return x.final || len(x.of.warnings) > 0 }

// warnings holds the warnings of a launch.
type warnings struct {
	alike map[findingKey]*warningsAlike
	of    []*strongHistory // those with warnings, in the order of their first warnings
	known map[classPair]*knownWarning
	// latest caches known by the hash of the pair.
	latest [64]*knownWarning
	count  uint64  // number of scalars that have had warnings
	done   int     // number of those in of that have none any more
	next   finding // the warning in progress
}

// addWarning adds a warning about accesses x and m to a scalar at an address, of which m, the later one, is by a.
func (e *evidence) addWarning(a *access, v *strongHistory, at uint64, x, m *strongAccess) {
	e.replayCounts() // may add warnings
	known := e.knownWarning(x.class, m.class, e.kindOf(x.unit, m.unit))
	if e.repeats(a, v, known, at, x, m) {
		return
	}
	f := &e.warnings.next
	*f = finding{
		first: x.class, second: m.class, firstUnit: x.unit, secondUnit: m.unit, firstLane: x.lane, secondLane: m.lane,
		at: at, since: x.at, warning: true, kind: known.of.kind,
	}
	before := *e.queryOf(f)
	e.describe(f)
	if !e.dependsOnOrder(f) {
		e.know(known, f, nil, &before)
		return
	}
	alike := e.warnings.alikeOf(e.keyOf(f))
	e.know(known, f, alike, &before)
	if v.countAlike(alike, 1) {
		return
	}
	f.count, f.order = 1, e.nextOrder(v)
	e.append(a, v, alike, at, x, m)
	if alike.wantsExample(f.order) {
		kept := *f
		e.explain(&kept)
		alike.add(example{finding: &kept, of: v})
	}
}

// nextOrder returns the order of the next warning about a scalar among all.
func (e *evidence) nextOrder(v *strongHistory) uint64 {
	if len(v.warnings) == 0 {
		return (e.warnings.count + 1) * maxWarnings
	}
	return v.order*maxWarnings + uint64(len(v.warnings))
}

// append adds a warning about accesses x and m, the later one, which is by a, to those of a scalar at an address.
func (e *evidence) append(a *access, v *strongHistory, alike *warningsAlike, at uint64, x, m *strongAccess) {
	if len(v.warnings) == 0 {
		e.remember(a, v)
	}
	if len(v.warnings) == cap(v.warnings) {
		e.uses(unsafe.Sizeof(warning{}) * uintptr(max(len(v.warnings), 1)))
	}
	v.warnings = append(v.warnings, warning{
		of: alike, count: 1, firstUnit: x.unit, secondUnit: m.unit, at: at, since: x.at,
		first: x.class, second: m.class, firstLane: x.lane, secondLane: m.lane,
	})
}

// dependsOnOrder reports whether a value depends on the order of two strong accesses, other than that of a relaxed operation,
// which asks for none.
func (e *evidence) dependsOnOrder(f *finding) bool {
	x, y := e.class(f.first), e.class(f.second)
	atomic := x.kind == abi.AccessRMW || y.kind == abi.AccessRMW
	return x.sem == abi.SemVolatile || y.sem == abi.SemVolatile || !atomic && e.isDirectMessage(f)
}

// isDirectMessage reports whether a message goes from thread to thread between their accesses.
func (e *evidence) isDirectMessage(f *finding) bool {
	m := e.queryMessage(f).message
	return m != nil && m.how == direct
}

// remember lists a scalar that gets its first warning.
func (e *evidence) remember(a *access, v *strongHistory) {
	w := &e.warnings
	w.count++
	v.order = w.count
	w.of = append(w.of, v)
	if a.shared {
		a.warp.shared.warned = append(a.warp.shared.warned, v)
	}
}

func (w *warnings) alikeOf(key findingKey) *warningsAlike {
	alike := w.alike[key]
	if alike == nil {
		if w.alike == nil {
			w.alike = make(map[findingKey]*warningsAlike)
		}
		alike = &warningsAlike{key: key}
		w.alike[key] = alike
	}
	return alike
}

// wantsExample reports whether a warning may be the one that is reported, as far as is known.
func (alike *warningsAlike) wantsExample(order uint64) bool {
	if n := len(alike.examples); n > 0 && order > alike.examples[n-1].order && alike.examples[n-1].final {
		return false
	}
	if len(alike.examples) == maxExamples {
		alike.examples = slices.DeleteFunc(alike.examples, func(x example) bool { return !x.holds() })
	}
	n := len(alike.examples)
	return n < maxExamples || order < alike.examples[n-1].order
}

// add inserts an example by its order.
func (alike *warningsAlike) add(x example) {
	i, _ := slices.BinarySearchFunc(alike.examples, x.order, func(y example, order uint64) int { return cmp.Compare(y.order, order) })
	alike.examples = slices.Insert(alike.examples, i, x)
	if len(alike.examples) > maxExamples {
		alike.examples = alike.examples[:maxExamples]
	}
}

// settle makes the warnings about a scalar final: nothing accesses it any more.
func (v *strongHistory) settle() {
	for i := range v.warnings {
		w := &v.warnings[i]
		w.of.settle(w, v.order*maxWarnings+uint64(i))
	}
	v.warnings = nil
}

func (alike *warningsAlike) settle(w *warning, order uint64) {
	alike.final += w.count
	if alike.first == nil || order < alike.first.order {
		alike.first = &finding{
			first: w.first, second: w.second, firstUnit: w.firstUnit, secondUnit: w.secondUnit, firstLane: w.firstLane, secondLane: w.secondLane,
			at: w.at, since: w.since, kind: alike.key.kind, cause: alike.key.cause, warning: true, order: order,
		}
	}
	for i := range alike.examples {
		if x := &alike.examples[i]; x.order == order {
			x.final = true
			alike.examples = slices.Delete(alike.examples, i+1, len(alike.examples)) // no later one is reported
			return
		}
	}
}

// settleWarnings makes the warnings about a shared memory final. Its block has ended, so that no thread accesses it any more.
func (e *evidence) settleWarnings(s *shadow) {
	for _, v := range s.warned {
		e.unuses(unsafe.Sizeof(warning{}) * uintptr(cap(v.warnings)))
		v.settle()
	}
	w := &e.warnings
	if w.done += len(s.warned); w.done > len(w.of)/2 {
		w.of = slices.DeleteFunc(w.of, func(v *strongHistory) bool { return len(v.warnings) == 0 })
		w.done = 0
	}
	s.warned = nil
}

// settleAllWarnings makes all warnings final, about locations that turned out to hold data.
func (e *evidence) settleAllWarnings() {
	for _, v := range e.warnings.of {
		v.settle() // none if threads synchronise through the location
	}
	e.warnings.of, e.warnings.done = nil, 0
}

// enterWarnings turns the warnings into findings.
func (e *evidence) enterWarnings() {
	e.settleAllWarnings()
	var list []*finding
	for _, alike := range e.warnings.alike {
		if alike.final > 0 {
			f := alike.reported()
			f.count = alike.final
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *finding) int { return cmp.Compare(a.order, b.order) })
	for _, f := range list {
		e.enter(f, e.keyOf(f))
	}
}

// reported returns the warning that is reported when all are final: the first one with an explanation, if there is one.
func (alike *warningsAlike) reported() *finding {
	for _, x := range alike.examples {
		if x.final {
			return x.finding
		}
	}
	return alike.first
}
