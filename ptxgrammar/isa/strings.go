// Names of the values of the table's types.

package isa

import (
	"fmt"
	"strings"
)

// String returns the version as written after .version.
func (v Version) String() string { return fmt.Sprintf("%d.%d", v/10, v%10) }

// effectNames are the names of effects, by bit; the tables use them.
var effectNames = [...]string{
	"reads", "writes", "orders", "waits", "branches", "calls", "ends", "convergent", "clock",
	"readscarry", "writescarry", "agrees", "aborts", "exits", "shuffles", "elects",
}

// String lists the effects in a fixed order, separated by spaces.
func (e Effect) String() string {
	var words []string
	for i, n := range effectNames {
		if e&(1<<i) != 0 {
			words = append(words, n)
		}
	}
	return strings.Join(words, " ")
}

// accessNames are the names of access kinds; the tables use them.
var accessNames = [...]string{"", "load", "store", "atomic", "reduce"}

// String returns "load", "store", "atomic", "reduce", or "".
func (k AccessKind) String() string { return accessNames[k] }

// Word returns the word for the kind in messages and reports.
func (k AccessKind) Word() string {
	return [...]string{"access", "read", "write", "atomic", "atomic"}[k]
}

var roleNames = [...]string{"", "dst", "src", "addr", "label", "callee", "symbol"}

// String returns the role's short name.
func (r Role) String() string { return roleNames[r] }

var classNames = [...]string{
	ClassNone: "", ClassInteger: "Arithmetic", ClassExtended: "Extended-precision integer arithmetic",
	ClassFloat:   "Floating point",
	ClassCompare: "Comparison and selection", ClassLogic: "Logic and shift", ClassMove: "Data movement and conversion",
	ClassMemory: "Memory", ClassAtomic: "Atomics", ClassFence: "Fences", ClassBarrier: "Barriers",
	ClassWarp:  "Warp communication",
	ClassAsync: "Asynchronous copy and barrier objects", ClassTexture: "Textures and surfaces",
	ClassControl: "Control flow", ClassMatrix: "Matrices",
	ClassVideo: "Video", ClassStack: "Stack", ClassMisc: "Miscellaneous",
}

// String returns the title of the class.
func (c Class) String() string { return classNames[c] }
