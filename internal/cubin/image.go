// The ELF file: sections, symbols, relocations.

package cubin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
)

// Sections that hold the PTX and lines.
const (
	sectionText   = ".nv_debug_ptx_txt"   // PTX, each line ended by NUL; after a relocatable link one ".N" for each unit
	sectionPTX    = ".nv_debug_line_sass" // lines of the PTX by addresses of machine code
	sectionLines  = ".debug_line"         // lines of the source by addresses of machine code
	sectionString = ".debug_str"          // names of inlined functions
)

// maxSection limits the bytes of a section that is decompressed.
const maxSection = 1 << 30

var le = binary.LittleEndian

// image is an ELF file of machine code for a GPU.
type image struct {
	name    string
	data    []byte
	file    *elf.File
	symbols []elf.Symbol // without the first one, which is none
}

// errorf returns an error at an offset of the file.
func (m *image) errorf(at uint64, format string, a ...any) error {
	return fmt.Errorf("%s: offset %#x: %s", m.name, at, fmt.Sprintf(format, a...))
}

func openImage(name string, data []byte) (*image, error) {
	m := &image{name: name, data: data}
	var err error
	if m.file, err = elf.NewFile(bytes.NewReader(data)); err != nil {
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

// bytes returns the content of a section.
func (m *image) bytes(s *elf.Section) ([]byte, error) {
	if s.Flags&elf.SHF_COMPRESSED != 0 {
		data, err := io.ReadAll(io.LimitReader(s.Open(), maxSection+1))
		if err != nil || len(data) > maxSection {
			return nil, m.errorf(s.Offset, "section %s cannot be decompressed to at most %d bytes: %v", s.Name,
				maxSection, err)
		}
		return data, nil
	}
	if n := uint64(len(m.data)); s.Offset > n || s.FileSize > n-s.Offset {
		return nil, m.errorf(s.Offset, "section %s of %d bytes lies outside the file of %d", s.Name, s.FileSize, n)
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

// functions returns the names of the global functions in the sections that a condition chooses.
func (m *image) functions(of func(elf.SectionIndex) bool) (names []string) {
	for _, s := range m.symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && elf.ST_BIND(s.Info) != elf.STB_LOCAL && s.Section != elf.SHN_UNDEF &&
			s.Section < elf.SHN_LORESERVE && of(s.Section) {
			names = append(names, s.Name)
		}
	}
	return names
}

// stringAt returns the string at an offset of a section of strings, up to a NUL.
func stringAt(section []byte, at uint64) string {
	s, _, _ := bytes.Cut(section[min(at, uint64(len(section))):], []byte{0})
	return string(s)
}
