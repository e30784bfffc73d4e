// What is known of the operations of strong accesses before a launch.

package enforced

import (
	"maps"
	"slices"
)

// Kind is the kind of a strong access, as far as it decides which accesses commute.
type Kind uint8

// Kinds.
const (
	Other    Kind = iota // it commutes with none
	Constant             // a store or an exchange of a value that is the same in all threads
	Add
	And
	Or
	Xor
	Min
	Max
	Inc
	Dec
	Sum // of floating-point numbers: its result depends on the order, within rounding
)

// Operation is what is known of the accesses of an instruction.
type Operation struct {
	Kind Kind
	// Type is the type of the values as far as it matters: signed or not for Min and Max, the type of a Sum.
	Type string
	// Value is the value of a Constant, and the bound of Inc and Dec.
	Value uint64
	// Awaited says that a wait of the program is expected to read what the access writes. Nothing is found out about
	// waits where others write, too.
	Awaited bool
	// Unused says that no thread uses a value that the access returns.
	Unused bool
	// Keeps says that the operation writes what it has read, as adding 0 does.
	Keeps bool
}

// commutes reports whether memory is the same for both orders of two writes of a scalar.
func (a *Operation) commutes(b *Operation) bool {
	return a.Kind != Other && a.Kind != Sum && a.Kind == b.Kind && a.Type == b.Type && a.Value == b.Value
}

// Counts reports whether the order of operations like this one decides nothing. They are integer read-modify-writes of
// one kind; no instruction uses their results, and no loop polls the memory that they change.
func (a *Operation) Counts() bool {
	return a.Kind >= Add && a.Kind <= Dec && a.Unused && !a.Awaited && !a.Keeps
}

// Counters gives operations that count a number, by site: the same for those that commute.
func Counters(operations map[uint32]Operation) map[uint32]int {
	out, groups := make(map[uint32]int), []Operation(nil)
	for _, site := range slices.Sorted(maps.Keys(operations)) {
		op := operations[site]
		if !op.Counts() {
			continue
		}
		n := slices.IndexFunc(groups, func(g Operation) bool { return op.commutes(&g) })
		if n < 0 {
			n, groups = len(groups), append(groups, op)
		}
		out[site] = n + 1
	}
	return out
}

// rounds reports whether memory is the same for both orders of two writes of a scalar but for rounding.
func (a *Operation) rounds(b *Operation) bool {
	return a.Kind == Sum && b.Kind == Sum && a.Type == b.Type
}
