// Targets: architectures with their families and suffixes.

package isa

import (
	"fmt"
	"strconv"
	"strings"
)

// Target is the sm_ word of a module's .target directive (PTX ISA 11.1.2).
type Target struct {
	SM int // sm_90 is 90; 0 if unknown
	// Suffix is 'a' for a target with architecture-specific features, 'f' for one with family-specific features, 0 for
	// neither.
	Suffix byte
	// MapF64 says that map_f64_to_f32 converts f64 instructions to f32 ones, which every target supports.
	MapF64 bool
}

// String returns the target's word, sm_90a.
func (t Target) String() string {
	s := fmt.Sprintf("sm_%d", t.SM)
	if t.Suffix != 0 {
		s += string(t.Suffix)
	}
	return s
}

// ParseTarget parses a word such as sm_70 or sm_90a. It returns false for other words of .target (debug,
// texmode_unified) and for unknown targets.
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

// NewerTarget reports whether a word of .target is that of an architecture newer than those that are known: sm_ and a
// number of three digits, with or without a letter behind it.
func NewerTarget(word string) bool {
	_, known := targetSince[word]
	_, ok := newerTarget(word)
	return ok && !known
}

// newerTarget parses sm_ and a number of three digits, with or without a letter behind it.
func newerTarget(word string) (t Target, ok bool) {
	digits, ok := strings.CutPrefix(word, "sm_")
	if n := len(digits); ok && n == 4 && digits[3] >= 'a' && digits[3] <= 'z' {
		t.Suffix, digits = digits[3], digits[:3]
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	t.SM = int(n)
	return t, ok && err == nil && len(digits) == 3
}

// ModuleTarget parses the words of a module's .target directive, and ignores unknown words.
func ModuleTarget(words []string) Target {
	var t Target
	mapped := false
	for _, w := range words {
		if w == "map_f64_to_f32" {
			mapped = true
		} else if p, ok := ParseTarget(w); ok {
			t = p
		} else if p, ok := newerTarget(w); ok {
			t = p
		}
	}
	t.MapF64 = mapped
	return t
}

// TargetSince returns the PTX ISA version that introduced a word of .target (PTX ISA
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
	"sm_107": 94, "sm_107a": 94, "sm_107f": 94,
	"sm_110": 90, "sm_110a": 90, "sm_110f": 90,
	"sm_120": 87, "sm_120a": 87, "sm_120f": 88,
	"sm_121": 88, "sm_121a": 88, "sm_121f": 88,
}

var targetOptions = map[string]Version{
	"texmode_unified": 15, "texmode_independent": 15, "debug": 30, "map_f64_to_f32": 12,
}

// family returns the first architecture that shares family-specific features; sm_110 is the later name of sm_101.
func family(sm int) int {
	switch sm {
	case 100, 103, 107:
		return 100
	case 101, 110:
		return 110
	case 120, 121:
		return 120
	}
	return sm
}

// has reports whether a module for t may use a feature that only names: architecture-specific features need the same
// target, family-specific features any later member of the family.
func (t Target) has(only Target) bool {
	if NewerTarget(t.String()) {
		return true // it may have them
	}
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
