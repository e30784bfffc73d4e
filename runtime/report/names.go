// Names of functions and variables, demangled.

package report

import (
	"regexp"
	"strings"
	"sync"

	"github.com/ianlancetaylor/demangle"
)

// Names are the ways to show the name of a function: with parameters, without them, or as it
// is in the PTX.
var Names = []string{NameFull, NameSimple, NameMangled}

// Ways to show names.
const (
	NameFull    = "full"
	NameSimple  = "simple"
	NameMangled = "no"
)

// numbaTag matches the tags by which numba tells compilations of a function apart.
var numbaTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[abi:[^]]*\]`) })

// Demangle is the C++ or Rust name of a symbol, or the symbol itself when it is not mangled. Of a
// function that numba has compiled it is the name in Python.
func Demangle(name string) string {
	return python(demangle.Filter(name, demangle.MaxLength(10)))
}

// Simple is the name of a function without its parameters and those of templates.
func Simple(name string) string {
	return python(demangle.Filter(name, demangle.NoParams, demangle.NoTemplateParams))
}

// python takes what numba adds out of a name: the tags, and the namespaces of cudapy and of a script.
func python(name string) string {
	rest, numba := strings.CutPrefix(name, "cudapy::")
	if !numba {
		return name
	}
	return numbaTag().ReplaceAllString(strings.TrimPrefix(rest, "__main__::"), "")
}

// function is a name as compute-sanitizer writes it: with its parameters, an empty list
// for names that are not mangled; or as asked for.
func (t *text) function(name string) string {
	switch t.Names {
	case NameSimple:
		return Simple(name)
	case NameMangled:
		return name
	}
	if s := Demangle(name); s != name || strings.Contains(s, "(") {
		return s
	}
	return name + "()"
}

// member matches what nvcc adds to the name of a structure or an array for one of its members, which it has made a
// variable of.
var member = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_\$_(\d+)$`) })

// Variable is the name that a variable has in the source, without the namespaces and the
// function that it is in. A member that nvcc has made a variable of is named by its number: position.2.
func Variable(name string) string {
	of := ""
	if m := member().FindStringSubmatch(name); m != nil {
		name, of = strings.TrimSuffix(name, m[0]), "."+m[1]
	}
	parts := strings.Split(demangle.Filter(name, demangle.NoParams, demangle.NoTemplateParams), "::")
	return parts[len(parts)-1] + of
}
