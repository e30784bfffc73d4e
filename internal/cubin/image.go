// The ELF file: sections, symbols, relocations.

package cubin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// Sections that hold the PTX and lines.
const (
	sectionText   = ".nv_debug_ptx_txt"   // PTX, each line ended by NUL; after a relocatable link one ".N" for each unit
	sectionPTX    = ".nv_debug_line_sass" // lines of the PTX by addresses of machine code
	sectionLines  = ".debug_line"         // lines of the source by addresses of machine code
	sectionString = ".debug_str"          // names of inlined functions

	sectionOptions = ".note.nv.tkinfo" // the compiler's version and options, from CUDA 13 on
)

// Limits on the work for one cubin. A hostile file can let sections overlap, or let many table entries refer to one name.
const (
	maxRepeats  = 8        // how often a byte of the file is read, on average
	maxInflated = 1 << 30  // bytes of all sections that are decompressed
	maxNames    = 64 << 20 // bytes of names of files and functions
)

var le = binary.LittleEndian

// image is an ELF file of machine code for a GPU.
type image struct {
	name    string
	data    []byte
	file    *elf.File
	symbols []elf.Symbol // without the first one, which is none

	toRead, toInflate, toName int // what is left of the limits, in bytes
}

// errorf returns an error at an offset of the file.
func (m *image) errorf(at uint64, format string, a ...any) error {
	return fmt.Errorf("%s: offset %#x: %s", m.name, at, fmt.Sprintf(format, a...))
}

func openImage(name string, data []byte) (*image, error) {
	m := &image{name: name, data: data, toRead: maxRepeats * len(data), toInflate: maxInflated, toName: maxNames}
	var err error
	if m.file, err = elf.NewFile(versioned{bytes.NewReader(data)}); err != nil {
		return nil, m.errorf(0, "expected a cubin: %v", err)
	}
	if f := m.file; f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB || f.Machine != elf.EM_CUDA {
		return nil, m.errorf(0, "expected a cubin, a 64-bit little-endian ELF file for CUDA; found %v %v %v", f.Class,
			f.Data, f.Machine)
	}
	if m.symbols, err = m.file.Symbols(); err != nil {
		m.symbols = nil // lines cannot be told apart by function
	}
	return m, nil
}

// versioned reads a cubin with the version of ELF in the header, where toolkits before 13 have their own version.
type versioned struct{ *bytes.Reader }

func (r versioned) ReadAt(p []byte, at int64) (int, error) {
	const versionAt = 20
	n, err := r.Reader.ReadAt(p, at)
	for i := range int64(4) {
		if to := versionAt + i - at; to >= 0 && to < int64(n) {
			p[to] = [4]byte{byte(elf.EV_CURRENT)}[i]
		}
	}
	return n, err
}

// bytes returns the content of a section.
func (m *image) bytes(s *elf.Section) ([]byte, error) {
	if s.Flags&elf.SHF_COMPRESSED != 0 {
		data, err := io.ReadAll(io.LimitReader(s.Open(), int64(m.toInflate)+1))
		if m.toInflate -= len(data); err != nil || m.toInflate < 0 {
			return nil, m.errorf(s.Offset, "section %s cannot be decompressed: %v; the limit is %d bytes", s.Name, err,
				maxInflated)
		}
		return data, nil
	}
	if n := uint64(len(m.data)); s.Offset > n || s.FileSize > n-s.Offset {
		return nil, m.errorf(s.Offset, "section %s of %d bytes lies outside the file of %d", s.Name, s.FileSize, n)
	}
	if m.toRead -= int(s.FileSize); m.toRead < 0 {
		return nil, m.errorf(s.Offset, "the sections of the file overlap more than %d times", maxRepeats)
	}
	return m.data[s.Offset : s.Offset+s.FileSize], nil
}

// find returns the content of the first section of a name, nil for none.
func (m *image) find(name string) ([]byte, error) {
	s := m.file.Section(name)
	if s == nil {
		return nil, nil
	}
	return m.bytes(s)
}

// place is an address of machine code: a section, and an offset in it.
type place struct {
	section elf.SectionIndex
	offset  uint64
}

// relocations returns the places that the relocations of a section fill in, by their offsets in the section.
func (m *image) relocations(section string, data []byte) (map[uint64]place, error) {
	const entry, symbolAt, addendAt = 24, 12, 16
	places := make(map[uint64]place)
	for _, s := range m.file.Sections {
		size := entry
		if s.Type == elf.SHT_REL {
			size = addendAt
		}
		if s.Type != elf.SHT_RELA && s.Type != elf.SHT_REL || uint64(s.Info) >= uint64(len(m.file.Sections)) ||
			m.file.Sections[s.Info].Name != section {
			continue
		}
		table, err := m.bytes(s)
		if err != nil {
			return nil, err
		}
		for ; len(table) >= size; table = table[size:] {
			number := uint64(le.Uint32(table[symbolAt:]))
			if number == 0 || number > uint64(len(m.symbols)) {
				continue
			}
			at, to := le.Uint64(table), place{m.symbols[number-1].Section, m.symbols[number-1].Value}
			if size == entry {
				to.offset += le.Uint64(table[addendAt:])
			} else if at < uint64(len(data)) && len(data[at:]) >= 8 {
				to.offset += le.Uint64(data[at:])
			}
			places[at] = to
		}
	}
	return places, nil
}

// functions returns the names of the global functions in the sections that a condition chooses, but for the
// compiler's own, such as a division.
func (m *image) functions(of func(elf.SectionIndex) bool) (names []string) {
	for _, s := range m.symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && elf.ST_BIND(s.Info) != elf.STB_LOCAL && s.Section != elf.SHN_UNDEF &&
			s.Section < elf.SHN_LORESERVE && !strings.HasPrefix(s.Name, "__cuda") && of(s.Section) {
			names = append(names, s.Name)
		}
	}
	return names
}

// affords accounts for the bytes of a name, and reports whether they are within the limit.
func (m *image) affords(n int) bool {
	m.toName -= n
	return m.toName >= 0
}

// stringAt returns the string at an offset of a section of strings, up to a NUL.
func stringAt(section []byte, at uint64) string {
	s, _, _ := bytes.Cut(section[min(at, uint64(len(section))):], []byte{0})
	return string(s)
}
