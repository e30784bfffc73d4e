// Source locations of lines of PTX: both are known of addresses of machine code.

package cubin

import (
	"cmp"
	"debug/elf"
	"slices"
)

// location is a line of the source, and the call at which it is inlined. Locations of a table are equal if they are the
// same.
type location struct {
	file     string
	line     int
	function string    // that is inlined
	call     *location // nil for none
}

// maxCalls limits the calls of a location.
const maxCalls = 64

// maxFunction limits the bytes of the name of a function: many offsets can be in one string.
const maxFunction = 4096

// locations makes locations.
type locations struct {
	*image
	section   []byte // .debug_str
	functions map[uint64]string
	known     map[location]*location
	depth     map[*location]int
}

func newLocations(m *image) *locations {
	section, _ := m.find(sectionString)
	return &locations{
		m, section, make(map[uint64]string), make(map[location]*location), make(map[*location]int),
	}
}

// of returns the locations of the rows of a sequence, nil for unknown ones.
func (l *locations) of(s sequence) []*location {
	list := make([]*location, len(s.rows))
	for i, r := range s.rows {
		loc := location{file: l.path(s.unit, r.file), line: r.line}
		if loc.file == "" || loc.line <= 0 || r.end {
			continue
		}
		if r.call > 0 && r.call <= uint64(i) {
			loc.call = list[r.call-1]
		}
		if loc.call != nil {
			loc.function = l.function(r.function)
		}
		list[i] = l.intern(loc)
	}
	return list
}

// function returns the name of a function.
func (l *locations) function(at uint64) string {
	name, ok := l.functions[at]
	if !ok {
		from := min(at, uint64(len(l.section)))
		if name = stringAt(l.section[from:min(from+maxFunction, uint64(len(l.section)))], 0); !l.affords(len(name)) {
			name = ""
		}
		l.functions[at] = name
	}
	return name
}

func (l *locations) intern(loc location) *location {
	if l.depth[loc.call] >= maxCalls {
		loc.call = nil
	}
	if l.known[loc] == nil {
		l.known[loc] = &loc
		l.depth[&loc] = l.depth[loc.call] + 1
	}
	return l.known[loc]
}

// span is a range of machine code of one line.
type span[T any] struct {
	from, to uint64
	of       T
}

// spans is the code of each section in the order of its addresses, without overlaps.
type spans[T any] map[elf.SectionIndex][]span[T]

// add adds the code between the rows of a sequence; of says which line a row is.
func (m spans[T]) add(s sequence, of func(i int) (T, bool)) {
	for i, r := range s.rows[:len(s.rows)-1] {
		if line, ok := of(i); ok && !r.end && r.at.offset < s.rows[i+1].at.offset {
			m[r.at.section] = append(m[r.at.section], span[T]{r.at.offset, s.rows[i+1].at.offset, line})
		}
	}
}

// sort orders the spans; of what overlaps, the first counts.
func (m spans[T]) sort() {
	for _, list := range m {
		slices.SortStableFunc(list, func(a, b span[T]) int { return cmp.Compare(a.from, b.from) })
		end := uint64(0)
		for i := range list {
			list[i].from = max(list[i].from, end)
			list[i].to = max(list[i].to, list[i].from)
			end = list[i].to
		}
	}
}

// join calls f for each range of code that two lists of spans share.
func join[A, B any](a []span[A], b []span[B], f func(A, B, uint64)) {
	for len(a) > 0 && len(b) > 0 {
		from, to := max(a[0].from, b[0].from), min(a[0].to, b[0].to)
		if from < to {
			f(a[0].of, b[0].of, to-from)
		}
		if a[0].to == to {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
}
