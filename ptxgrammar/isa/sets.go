// Named sets of modifiers.

package isa

import (
	"fmt"
	"strings"
	"sync"
)

// modSet has the values of a set and their requirements, nil for none.
type modSet struct {
	values []string
	needed []Requirement
}

// sets maps a set's name to its values.
type sets map[string]modSet

// newSet parses the values of a set: "rn rz rs@87/100".
func newSet(text string) (modSet, error) {
	s := modSet{values: make([]string, 0, strings.Count(text, " ")+1)}
	for w := range strings.FieldsSeq(text) {
		value, needs, _ := strings.Cut(w, "@")
		r, err := parseNeeds(needs)
		if err != nil {
			return s, err
		}
		s.add(value, r)
	}
	return s, nil
}

func (s *modSet) add(value string, r Requirement) {
	if s.needed != nil || r.isSet() {
		for len(s.needed) < len(s.values) {
			s.needed = append(s.needed, Requirement{})
		}
		s.needed = append(s.needed, r)
	}
	s.values = append(s.values, value)
}

// define parses ".type = u16 u32".
func (s sets) define(line string) error {
	name, values, ok := strings.Cut(line[1:], "=")
	if !ok {
		return fmt.Errorf("bad set")
	}
	set, err := newSet(values)
	s[strings.TrimSpace(name)] = set
	return err
}

func (s sets) lookup(name string) (modSet, bool) {
	if v, ok := s[name]; ok {
		return v, true
	}
	v, ok := commonSets()[name]
	return v, ok
}

// commonSets are the modifier sets with the same meaning throughout the manual. A row's own definition has precedence.
var commonSets = sync.OnceValue(func() sets {
	s := sets{}
	for name, values := range map[string]string{
		"CmpOp":                     "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan",
		"BoolOp":                    "and or xor",
		"rnd":                       "rn rz rm rp",
		"scope":                     "cta cluster@78/90 gpu sys",
		"vec":                       "v2 v4 v8",
		"level::cache_hint":         "L2::cache_hint@74/80",
		"level::prefetch_size":      "L2::64B@74/75 L2::128B@74/75 L2::256B@74/80",
		"level1::eviction_priority": "L1::evict_normal@74/70 L1::evict_unchanged@74/70 L1::evict_first@74/70 L1::evict_last@74/70 L1::no_allocate@74/70",
		"level2::eviction_priority": "L2::evict_normal@88/100 L2::evict_first@88/100 L2::evict_last@88/100",
		"completion_mechanism":      "mbarrier::complete_tx::bytes",
		"cta_group":                 "cta_group::1@86/100f+101f cta_group::2@86/100f+101f",
	} {
		set, err := newSet(values)
		if err != nil {
			panic("BUG: isa: set " + name + ": " + err.Error())
		}
		s[name] = set
	}
	return s
})
