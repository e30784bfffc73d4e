// Entries of fat binaries from which PTX can be taken.

package cubin

import (
	"bytes"
	"debug/elf"
	"slices"

	"github.com/ptxsan/ptxsan/internal/fatbin"
)

// IsCode reports whether an entry is machine code, which may have its PTX.
func IsCode(e *fatbin.Entry) bool { return e.Kind == fatbin.KindSASS || e.Kind == fatbin.KindSASSAlso }

// Of returns the PTX of an entry: its text, or what its machine code has; nil PTX for none.
func Of(e *fatbin.Entry) (*Program, error) {
	if !IsCode(e) && e.Kind != fatbin.KindPTX {
		return &Program{}, nil
	}
	data, err := e.Data()
	switch {
	case err != nil:
		return nil, err
	case e.Kind == fatbin.KindPTX:
		return &Program{PTX: data}, nil
	case !bytes.HasPrefix(data, []byte(elf.ELFMAG)): // a form of machine code that is not known
		return &Program{}, nil
	}
	return Read(e.Target()+".cubin", data)
}

// Holds reports whether an entry is machine code with its PTX.
func Holds(e *fatbin.Entry) bool {
	if !IsCode(e) {
		return false
	}
	p, err := Of(e)
	return err == nil && p.PTX != nil
}

// Entries returns the entries of a file from which PTX can be taken: texts and, in modules without one, machine code
// with its PTX. That of modules to be linked is left out if it was linked when the program was built, unless all of them
// have texts. An error is of machine code of a file without PTX.
func Entries(f *fatbin.File) (list []fatbin.PTXEntry, err error) {
	without := func(m *fatbin.Module) bool { return len(m.PTX()) == 0 }
	unlinked := slices.ContainsFunc(f.Modules, func(m *fatbin.Module) bool { return m.Relocatable })
	texts := !slices.ContainsFunc(f.Modules, func(m *fatbin.Module) bool { return m.Relocatable && without(m) })
	linked := false
	for i, m := range f.Modules {
		if !without(m) || m.Linked && unlinked && texts {
			continue
		}
		for j, e := range m.Entries {
			p, failed := Of(e)
			switch {
			case failed != nil && err == nil:
				err = failed
			case failed == nil && p.PTX != nil:
				list = append(list, fatbin.PTXEntry{Module: i, Index: j, Entry: e})
				linked = linked || m.Linked
			}
		}
	}
	if linked {
		list = slices.DeleteFunc(list, func(e fatbin.PTXEntry) bool { return f.Modules[e.Module].Relocatable })
	}
	if list = append(list, f.PTX()...); len(list) > 0 {
		err = nil
	}
	slices.SortStableFunc(list, func(a, b fatbin.PTXEntry) int { return a.Module - b.Module })
	return list, err
}
