// Names of functions and variables, demangled.

package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ianlancetaylor/demangle"
)

// Names lists the forms of function names: with parameters, without them, or as in the PTX.
var Names = []string{NameFull, NameSimple, NameMangled}

// Forms of names.
const (
	NameFull    = "full"
	NameSimple  = "simple"
	NameMangled = "no"
)

// numbaTags matches the tags by which numba distinguishes compilations of a function: its number, and options.
var numbaTags = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[abi:v\d+\](\[abi:[^]]*\])*`) })

// tileSignature matches what cuda.tile appends to the name of a kernel: its calling convention and parameters.
var tileSignature = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_Kt\d+(_\w+)?$`) })

// linked matches what a linker of PTX appends to the name of a function that only its own unit sees.
var linked = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(_Z.*)\$\d+$`) })

// own returns the name that a symbol had before it was linked.
func own(name string) string { return linked().ReplaceAllString(name, "$1") }

// longest is the number of bytes from which a name is shown without its parameters: those of kernels of CUTLASS have
// thousands.
const longest = 160

// Demangle returns the name of a function for people: that of DemangleFull, and a long one without parameters.
func Demangle(name string) string {
	if full := DemangleFull(name); len(full) <= longest {
		return full
	}
	return Simple(name)
}

// Functions lists functions for people: eight of their names, and the number of others.
func Functions(names []string) string {
	const most = 8
	names = slices.Clone(names)
	for i, name := range names {
		names[i] = Demangle(name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	text := strings.Join(names[:min(most, len(names))], ", ")
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// DemangleFull returns the C++ or Rust name of a symbol, or the symbol itself when it is not mangled. For a function
// that numba or cuda.tile has compiled, it returns the name in Python.
func DemangleFull(name string) string {
	return python(demangle.Filter(own(name), demangle.MaxLength(10)))
}

// Simple returns the name of a function without its own parameters and template parameters.
func Simple(name string) string {
	return python(demangle.Filter(own(name), demangle.NoParams, demangle.NoTemplateParams))
}

// python removes additions from a name: numba's tags, and the namespaces of cudapy and of a script; cuda.tile's
// signature.
func python(name string) string {
	if at := tileSignature().FindStringIndex(name); at != nil && at[0] > 0 {
		return name[:at[0]]
	}
	plain := numbaTags().ReplaceAllString(name, "")
	if plain == name {
		return name
	}
	return strings.TrimPrefix(strings.TrimPrefix(plain, "cudapy::"), "__main__::")
}

// function returns a name in the form that was selected. The default is that of compute-sanitizer but for long names:
// with parameters, an empty list for names that are not mangled.
func (t *text) function(name string) string {
	switch t.Names {
	case NameSimple:
		return Simple(name)
	case NameMangled:
		return name
	}
	shown := Demangle
	if t.Names == NameFull {
		shown = DemangleFull
	}
	if s := shown(name); s != name || strings.Contains(s, "(") {
		return s
	}
	return name + "()"
}

// member matches the suffix that nvcc adds to the name of a structure or an array when it makes a separate variable of
// a member.
var member = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_\$_(\d+)$`) })

// Variable returns the name of a variable in the source, without its namespaces and function. A member that nvcc has
// made a separate variable is named by its number: position.2.
func Variable(name string) string {
	of := ""
	if m := member().FindStringSubmatch(name); m != nil {
		name, of = strings.TrimSuffix(name, m[0]), "."+m[1]
	}
	parts := strings.Split(demangle.Filter(name, demangle.NoParams, demangle.NoTemplateParams), "::")
	return parts[len(parts)-1] + of
}
