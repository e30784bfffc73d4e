// The loader: scopes of names, with ranges such as %r<10>.

package rewrite

import (
	"iter"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// scope is one brace-enclosed region: names declared in it hide those outside.
type scope struct {
	parent *scope
	names  map[string]Symbol
	ranges map[string]*ptxgrammar.Var // ranges by prefix: %r<10> declares %r0 to %r9
	stems  map[string]*stem           // declared names that end in a digit, by the part before all digits
}

// stem holds the numbered names of one scope with a common beginning, so that a range finds a collision without a
// search through all names.
type stem struct {
	fresh  []string          // names that are not in lowest yet
	lowest map[string]uint64 // for each prefix, digits included: the smallest number that follows it
}

// add declares a name and reports whether it was free in this scope.
func (s *scope) add(name string, sym Symbol) bool {
	if s.names[name] != nil || s.inRange(name) != nil {
		return false
	}
	if s.names == nil {
		s.names = make(map[string]Symbol)
	}
	s.names[name] = sym
	s.number(name)
	return true
}

// number records a declared name that ends in a digit, for later ranges.
func (s *scope) number(name string) {
	key := trimDigits(name)
	if len(key) == len(name) {
		return
	}
	if s.stems == nil {
		s.stems = make(map[string]*stem)
	}
	st := s.stems[key]
	if st == nil {
		st = &stem{}
		s.stems[key] = st
	}
	st.fresh = append(st.fresh, name)
}

// addRange declares a range of registers or variables and reports whether its names were free in this scope.
func (s *scope) addRange(v *ptxgrammar.Var) bool {
	first := v.Name + "0" // if another range contains a name of this one, it contains the first
	if s.inRange(first) != nil {
		return false
	}
	if st := s.stems[trimDigits(v.Name)]; st != nil {
		if n, ok := st.number(v.Name); ok && n < uint64(v.Count) {
			return false
		}
	}
	if s.ranges == nil {
		s.ranges = make(map[string]*ptxgrammar.Var)
	}
	s.ranges[v.Name] = v
	s.number(first)
	return true
}

// number returns the smallest number that follows a prefix in a declared name.
func (st *stem) number(prefix string) (n uint64, ok bool) {
	if st.lowest == nil {
		st.lowest = make(map[string]uint64)
	}
	for _, name := range st.fresh {
		for p, n := range numbers(name) {
			if old, seen := st.lowest[p]; !seen || n < old {
				st.lowest[p] = n
			}
		}
	}
	st.fresh = st.fresh[:0]
	n, ok = st.lowest[prefix]
	return n, ok
}

// inRange returns the range of this scope that declares name.
func (s *scope) inRange(name string) *ptxgrammar.Var {
	if len(s.ranges) == 0 {
		return nil
	}
	for prefix, n := range numbers(name) {
		if r := s.ranges[prefix]; r != nil && n < uint64(r.Count) {
			return r
		}
	}
	return nil
}

// numbers yields the ways to split a name into a prefix and a decimal number below 2^31 without leading zeros, as
// register ranges are named.
func numbers(name string) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		n, unit := uint64(0), uint64(1)
		for i := len(name) - 1; i > 0 && isDigit(name[i]) && unit < 1e10; i-- {
			digit := uint64(name[i] - '0')
			n += digit * unit
			unit *= 10
			if (digit != 0 || i == len(name)-1) && n < 1<<31 && !yield(name[:i], n) {
				return
			}
		}
	}
}

// trimDigits returns a name without its trailing digits.
func trimDigits(name string) string {
	n := len(name)
	for n > 0 && isDigit(name[n-1]) {
		n--
	}
	return name[:n]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
