// The classes of facts, each of which can be disabled.

package facts

import "strings"

// Class is a kind of facts, by how host code guarantees them.
type Class string

// The classes. The first five are those of the paper (HGRD §4). Sizes includes the relation of an allocation to the
// pitch that it chose, without which the paper's Figure 5 races.
const (
	Asserts   Class = "asserts"
	Dims      Class = "dims"
	Relations Class = "relations"
	Bounds    Class = "bounds"
	Sizes     Class = "sizes"
	Path      Class = "path"
	API       Class = "api"
	Overflow  Class = "overflow"
	InBounds  Class = "in-bounds"
	Identity  Class = "identity"
	Values    Class = "values"
)

// Classes lists all classes with descriptions.
var Classes = []struct {
	Class Class
	Doc   string
}{
	{Asserts, "a condition that host code asserts before the launch"},
	{Dims, "the extents of grid and block"},
	{Relations, "arguments and extents are computed from the same variables"},
	{Bounds, "the bounds of the loops around the launch"},
	{Sizes, "sizes of allocations are positive, and a pitch is at least the width"},
	{Path, "conditions of branches that lead to the launch"},
	{API, "results of other calls of the CUDA runtime"},
	{Overflow, "signed arithmetic of host code does not overflow, as C++ demands"},
	{InBounds, "no access leaves its allocation"},
	{Identity, "which allocation a pointer leads to: those of two allocations do not alias"},
	{Values, "initial contents of an allocation"},
}

// ClassOf returns the class of that name.
func ClassOf(name string) (Class, bool) {
	for _, c := range Classes {
		if string(c.Class) == name {
			return c.Class, true
		}
	}
	return "", false
}

// ClassNames lists the names of the classes.
func ClassNames() string {
	var names []string
	for _, c := range Classes {
		names = append(names, string(c.Class))
	}
	return strings.Join(names, ", ")
}
