// Files with containers, and recognition of their format.

package fatbin

import (
	"bytes"
	"debug/elf"
	"fmt"
)

// Format is the kind of file that containers lie in.
type Format string

// Formats of files.
const (
	FormatExecutable Format = "executable"
	FormatShared     Format = "shared object"
	FormatObject     Format = "relocatable object"
	FormatArchive    Format = "static archive"
	FormatFatbin     Format = "fat binary"
	FormatSource     Format = "C source"
	FormatCubin      Format = "cubin"
)

// File is a file with fat binaries in it.
type File struct {
	Name    string
	Format  Format
	Modules []*Module

	host host
}

// Module is one container: what the driver loads as one module.
type Module struct {
	Member      string // of an archive, or the name of a C array; empty elsewhere
	Relocatable bool   // to be linked with others (nvcc -rdc=true)
	Linked      bool   // machine code linked at build time from the relocatable modules
	Offset      int64  // of the container in its file or member
	Entries     []*Entry
}

// PTX lists the indices of the entries that are PTX.
func (m *Module) PTX() (indices []int) {
	for i, e := range m.Entries {
		if e.Kind == KindPTX {
			indices = append(indices, i)
		}
	}
	return indices
}

// A slot is the place of one container in a host.
type slot struct {
	src         source // the container, from its header to its end
	member      string
	relocatable bool
	linked      bool
	entries     []*Entry
}

// A host is a file that containers lie in.
type host interface {
	format() Format
	slots() []slot
	// rebuild returns the file with some containers replaced: those that are not nil in a list with an element for each
	// slot.
	rebuild(containers [][]byte) ([]byte, error)
}

// Open finds the fat binaries in a file, whose format is recognised by content. It keeps data. A file without fat
// binaries is an error.
func Open(name string, data []byte) (*File, error) {
	h, err := openHost(newSource(name, data))
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, Format: h.format(), host: h}
	for _, s := range h.slots() {
		f.Modules = append(f.Modules, &Module{
			Member: s.member, Relocatable: s.relocatable, Linked: s.linked,
			Offset: s.src.base, Entries: s.entries,
		})
	}
	if len(f.Modules) == 0 {
		return nil, fmt.Errorf("%s: this %s has no fat binary in it", name, f.Format)
	}
	return f, nil
}

func openHost(s source) (host, error) {
	h, err := findHost(s)
	if err == nil && len(h.slots()) == 0 && !isText(s.data) {
		var in host
		if in, err = openStrings(s); in != nil {
			h = in
		}
	}
	if err == nil && s.spent != "" { // found in a search where containers are optional
		err = s.errorf(0, "%s", s.spent)
	}
	return h, err
}

func findHost(s source) (host, error) {
	switch {
	case bytes.HasPrefix(s.data, []byte(elf.ELFMAG)):
		return openELF(s)
	case bytes.HasPrefix(s.data, []byte(archiveMagic)), bytes.HasPrefix(s.data, []byte(thinMagic)):
		return openArchive(s)
	case len(s.data) >= 4 && (le.Uint32(s.data) == containerMagic || le.Uint32(s.data) == oldMagic):
		return openRaw(s)
	case isPTX(s.data):
		return nil, fmt.Errorf("%s: this is PTX already, not a file that holds some", s.file)
	case isText(s.data):
		return openCArrays(s)
	}
	return nil, s.errorf(0, "not an ELF file, a static archive, a fat binary or C source with one")
}

// isText reports whether data looks like source code: its beginning contains no control characters other than white
// space.
func isText(data []byte) bool {
	begin := data[:min(len(data), 4096)]
	return len(begin) > 0 && bytes.IndexFunc(begin, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' && r != '\r' && r != '\f' && r != '\v'
	}) < 0
}

// isPTX reports whether a text, apart from comments, begins with the first directive of PTX.
func isPTX(text []byte) bool {
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		switch {
		case bytes.HasPrefix(text, []byte("//")):
			_, text, _ = bytes.Cut(text, []byte("\n"))
		case bytes.HasPrefix(text, []byte("/*")):
			_, text, _ = bytes.Cut(text, []byte("*/"))
		default:
			return bytes.HasPrefix(text, []byte(".version"))
		}
	}
}

// raw is a .fatbin file: containers that follow each other.
type raw struct {
	src        source
	containers []slot
}

func openRaw(s source) (host, error) {
	slots, err := walk(s)
	return &raw{s, slots}, err
}

func (r *raw) format() Format { return FormatFatbin }

func (r *raw) slots() []slot { return r.containers }

func (r *raw) rebuild(containers [][]byte) ([]byte, error) {
	var out []byte
	end := 0
	for i, s := range r.containers {
		at := int(s.src.base - r.src.base)
		out = append(out, r.src.data[end:at]...)
		end = at + len(s.src.data)
		if c := containers[i]; c != nil {
			out = append(out, c...)
		} else {
			out = append(out, s.src.data...)
		}
	}
	return append(out, r.src.data[end:]...), nil
}
