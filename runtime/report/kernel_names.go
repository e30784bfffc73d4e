// Kernels by name: as in the PTX, demangled, matching a pattern, or having a part.

package report

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// NamesOf returns the names of a kernel: as in the PTX, demangled with parameters, and demangled without.
func NamesOf(kernel string) []string {
	full := DemangleFull(kernel)
	if full == kernel {
		return []string{kernel}
	}
	names := []string{kernel, full}
	if i := strings.IndexByte(full, '('); i > 0 {
		names = append(names, strings.TrimPrefix(full[:i], "void "))
	}
	return names
}

// Matches reports whether one of a kernel's names is the pattern or matches it as a glob; "" matches every kernel.
func Matches(pattern, kernel string) bool {
	return pattern == "" || slices.ContainsFunc(NamesOf(kernel), func(name string) bool {
		ok, _ := path.Match(pattern, name)
		return ok || name == pattern
	})
}

// Selects is Matches for patterns of filters, which may also be a part of a name, as with compute-sanitizer; kne=NAME
// is a whole name, and regex=RE a regular expression, which matches nothing if it is none.
func Selects(pattern, kernel string) bool {
	if name, ok := strings.CutPrefix(pattern, "kne="); ok {
		return slices.Contains(NamesOf(kernel), name)
	}
	if text, ok := strings.CutPrefix(pattern, "regex="); ok {
		re, err := regexp.Compile(text)
		return err == nil && slices.ContainsFunc(NamesOf(kernel), re.MatchString)
	}
	return Matches(pattern, kernel) || slices.ContainsFunc(NamesOf(kernel),
		func(name string) bool { return strings.Contains(name, pattern) })
}

// Filter chooses kernels by patterns: each kernel that one of them selects. An empty filter chooses all.
type Filter []string

// Chooses reports whether the filter chooses a kernel.
func (f Filter) Chooses(kernel string) bool {
	return len(f) == 0 || f.Names(kernel)
}

// Names reports whether a pattern of the filter selects a kernel.
func (f Filter) Names(kernel string) bool {
	return slices.ContainsFunc(f, func(pattern string) bool { return Selects(pattern, kernel) })
}

// Denotes reports whether a kernel name in host code or a file denotes a kernel of the PTX.
func Denotes(wanted, kernel string) bool {
	if Matches(wanted, kernel) {
		return true
	}
	full := strings.TrimPrefix(DemangleFull(kernel), "void ")
	if i := strings.IndexByte(full, '('); i > 0 {
		full = full[:i]
	}
	full = plainName(full)
	wanted = plainName(wanted)
	if !strings.Contains(wanted, "<") { // template arguments that the compiler deduced
		full, _, _ = strings.Cut(full, "<")
	}
	if full == wanted {
		return true
	}
	at := strings.LastIndex(strings.SplitN(full, "<", 2)[0], "::")
	return at >= 0 && full[at+2:] == wanted
}

// literal matches a number among template arguments, with its suffix.
var literal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([<,]-?[0-9]+)[uUlL]+([,>])`) })

// plainName returns a name without spaces and without the suffixes of numbers among template
// arguments.
func plainName(s string) string {
	s = strings.ReplaceAll(s, " ", "")
	s = literal().ReplaceAllString(s, "$1$2")
	return strings.ReplaceAll(strings.ReplaceAll(s, "(bool)1", "true"), "(bool)0", "false")
}
