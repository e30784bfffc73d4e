// Entries of fat binaries from which PTX can be taken.

package cubin

import "github.com/ptxsan/ptxsan/internal/fatbin"

// IsCode reports whether an entry is machine code, which may have its PTX.
func IsCode(e *fatbin.Entry) bool { return e.Kind == fatbin.KindSASS || e.Kind == fatbin.KindSASSAlso }

// Of returns the PTX of an entry: its text, or what its machine code has; nil PTX for none.
func Of(e *fatbin.Entry) (*Program, error) {
	data, err := e.Data()
	switch {
	case err != nil:
		return nil, err
	case IsCode(e):
		return Read(e.Target()+".cubin", data)
	case e.Kind == fatbin.KindPTX:
		return &Program{PTX: data}, nil
	}
	return &Program{}, nil
}
