// The PTX entries of a file: selection by module and target, and names for them.

package fatbin

import (
	"fmt"
	"strings"
)

// PTXEntry is an entry that is PTX, with its place in the file.
type PTXEntry struct {
	Module, Index int // indices in File.Modules and Module.Entries
	*Entry
}

// PTX returns the PTX entries of a file in its order.
func (f *File) PTX() (list []PTXEntry) {
	for i, m := range f.Modules {
		for _, j := range m.PTX() {
			list = append(list, PTXEntry{i, j, m.Entries[j]})
		}
	}
	return list
}

// FileNames returns a file name for each entry: BASE.MODULE.TARGET.ptx, with the index of the entry after the module
// where two would be the same.
func FileNames(base string, entries []PTXEntry) (names []string) {
	used := make(map[string]bool)
	for _, e := range entries {
		name := fmt.Sprintf("%s.%d.%s.ptx", base, e.Module, e.Target())
		if used[name] {
			name = fmt.Sprintf("%s.%d.%d.%s.ptx", base, e.Module, e.Index, e.Target())
		}
		used[name] = true
		names = append(names, name)
	}
	return names
}

// Targets returns the architectures of the entries of a file, without repetition, in the order of the file.
func (f *File) Targets() (names []string) {
	seen := make(map[string]bool)
	for _, m := range f.Modules {
		for _, e := range m.Entries {
			if !seen[e.Target()] {
				seen[e.Target()] = true
				names = append(names, e.Target())
			}
		}
	}
	return names
}

// DescribePTX lists entries by module and target for a message: the first eight, and the number of others.
func DescribePTX(entries []PTXEntry) string {
	const most = 8
	var parts []string
	for i, e := range entries {
		if i == most {
			return fmt.Sprintf("%s and %d more", strings.Join(parts, ", "), len(entries)-most)
		}
		parts = append(parts, fmt.Sprintf("module %d %s", e.Module, e.Target()))
	}
	return strings.Join(parts, ", ")
}
