// Targets: architectures with their families and suffixes.

package isa

import (
	"fmt"
	"strconv"
	"strings"
)

// Target is the machine that a module is written for: the sm_ word of .target
// (PTX ISA 11.1.2).
type Target struct {
	SM int // sm_90 is 90; 0 when not known
	// Suffix is 'a' for a target with the features of one architecture only, 'f'
	// for one with the features of its family, 0 for neither.
	Suffix byte
	// MapF64 says that map_f64_to_f32 turns f64 instructions into f32 ones, which
	// every target has.
	MapF64 bool
}

// String is the target's word, sm_90a.
func (t Target) String() string {
	s := fmt.Sprintf("sm_%d", t.SM)
	if t.Suffix != 0 {
		s += string(t.Suffix)
	}
	return s
}

// ParseTarget reads a word such as sm_70 or sm_90a. It fails for other words of
// .target (debug, texmode_unified) and for targets that it does not know.
func ParseTarget(word string) (Target, bool) {
	if _, ok := targetSince[word]; !ok {
		return Target{}, false
	}
	digits := strings.TrimPrefix(word, "sm_")
	t := Target{}
	if c := digits[len(digits)-1]; c > '9' {
		t.Suffix, digits = c, digits[:len(digits)-1]
	}
	t.SM, _ = strconv.Atoi(digits)
	return t, true
}

// ModuleTarget reads the words of a module's .target directive; words that it
// does not know are passed over.
func ModuleTarget(words []string) Target {
	var t Target
	mapped := false
	for _, w := range words {
		if w == "map_f64_to_f32" {
			mapped = true
		} else if p, ok := ParseTarget(w); ok {
			t = p
		}
	}
	t.MapF64 = mapped
	return t
}

// TargetSince is the PTX ISA version that introduced a word of .target (PTX ISA
// 11.1.2 and 13).
func TargetSince(word string) (Version, bool) {
	v, ok := targetSince[word]
	if !ok {
		v, ok = targetOptions[word]
	}
	return v, ok
}

var targetSince = map[string]Version{
	"sm_10": 10, "sm_11": 10, "sm_12": 12, "sm_13": 12,
	"sm_20": 20, "sm_21": 20, "sm_30": 30, "sm_32": 40, "sm_35": 31, "sm_37": 41,
	"sm_50": 40, "sm_52": 41, "sm_53": 42, "sm_60": 50, "sm_61": 50, "sm_62": 50,
	"sm_70": 60, "sm_72": 61, "sm_75": 63, "sm_80": 70, "sm_86": 71, "sm_87": 74, "sm_88": 90, "sm_89": 78,
	"sm_90": 78, "sm_90a": 80,
	"sm_100": 86, "sm_100a": 86, "sm_100f": 88,
	"sm_101": 86, "sm_101a": 86, "sm_101f": 88,
	"sm_103": 88, "sm_103a": 88, "sm_103f": 88,
	"sm_110": 90, "sm_110a": 90, "sm_110f": 90,
	"sm_120": 87, "sm_120a": 87, "sm_120f": 88,
	"sm_121": 88, "sm_121a": 88, "sm_121f": 88,
}

var targetOptions = map[string]Version{
	"texmode_unified": 15, "texmode_independent": 15, "debug": 30, "map_f64_to_f32": 12,
}

// family is the first architecture of those that share family-specific features;
// sm_110 is the later name of sm_101.
func family(sm int) int {
	switch sm {
	case 100, 103:
		return 100
	case 101, 110:
		return 110
	case 120, 121:
		return 120
	}
	return sm
}

// has reports whether a module for t may use what needs only: features of one
// architecture need that very target, features of a family any later member.
func (t Target) has(only Target) bool {
	if family(t.SM) != family(only.SM) {
		return false
	}
	switch only.Suffix {
	case 'a':
		return t.Suffix == 'a' && (t.SM == only.SM || family(t.SM) == 110)
	case 'f':
		return t.Suffix != 0 && (t.SM >= only.SM || family(t.SM) == 110)
	}
	return t.SM >= only.SM
}
