// ELF files: finding and replacing containers.

package fatbin

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
)

// Sections that hold containers, one after the other: of whole modules, and of
// modules to be linked with others (nvcc -rdc=true).
const (
	sectionFatbin    = ".nv_fatbin"
	sectionRelFatbin = "__nv_relfatbin"
)

// EM_CUDA, the machine of cubins (ELF's registry of machines).
const machineCUDA = 190

// elfHost is an ELF file.
type elfHost struct {
	src        source
	elf        *elf.File
	containers []elfSlot
	wrappers   []*wrapper
}

// elfSlot is the place of a container in an ELF file.
type elfSlot struct {
	slot
	section  int    // index of its section; -1 if it was found in a segment
	addr     uint64 // in loaded files; in relocatable ones, its offset in the section
	capacity int    // bytes available for a container in this place
	rank     int    // of its first wrapper
}

func openELF(s source) (host, error) {
	const machineAt = 18
	if len(s.data) >= machineAt+2 && le.Uint16(s.data[machineAt:]) == machineCUDA {
		return openCubin(s)
	}
	f, err := elf.NewFile(bytes.NewReader(s.data))
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, s.errorf(len(s.data), "the ELF file ends here, before what its headers announce")
	case err != nil:
		return nil, s.errorf(0, "%v", err)
	}
	h := &elfHost{src: s, elf: f}
	if err = h.findInSections(); err != nil {
		return nil, err
	}
	if f.Type == elf.ET_REL {
		h.wrappers = h.findObjectWrappers()
	} else {
		h.findInSegments()
		if h.wrappers, err = h.findWrappers(); err != nil {
			return nil, err
		}
	}
	h.sortByWrapper()
	return h, nil
}

func (h *elfHost) format() Format {
	switch h.elf.Type {
	case elf.ET_REL:
		return FormatObject
	case elf.ET_DYN:
		for _, p := range h.elf.Progs {
			if p.Type == elf.PT_INTERP {
				return FormatExecutable
			}
		}
		return FormatShared
	default:
		return FormatExecutable
	}
}

func (h *elfHost) slots() (out []slot) {
	for i := range h.containers {
		out = append(out, h.containers[i].slot)
	}
	return out
}

// fileRange returns the bytes of the file from off on.
func (h *elfHost) fileRange(off, size uint64) (source, bool) {
	n := uint64(len(h.src.data))
	if off > n || size > n-off {
		return source{}, false
	}
	return h.src.sub(int(off), int(off+size)), true
}

// findInSections reads the sections for containers, in which anything else is an error, and searches all other data for
// containers: programs that load modules themselves keep them there.
func (h *elfHost) findInSections() error {
	for i, sec := range h.elf.Sections {
		if sec.Type != elf.SHT_PROGBITS || sec.Flags&elf.SHF_COMPRESSED != 0 {
			continue
		}
		s, ok := h.fileRange(sec.Offset, sec.FileSize)
		named := sec.Name == sectionFatbin || sec.Name == sectionRelFatbin
		switch {
		case !ok && named:
			return h.src.errorf(0, "section %s of %d bytes at %#x lies outside the file", sec.Name, sec.FileSize,
				sec.Offset)
		case !ok || !named && (sec.Flags&elf.SHF_ALLOC == 0 || sec.Flags&elf.SHF_EXECINSTR != 0):
			continue
		}
		if !s.look(len(s.data)) {
			return s.errorf(0, "%s", s.spent)
		}
		slots, err := containersOf(s, named)
		if err != nil {
			return err
		}
		for j, found := range slots {
			at := uint64(found.src.base - s.base)
			found.relocatable = sec.Name == sectionRelFatbin
			c := elfSlot{slot: found, section: i, addr: sec.Addr + at, capacity: len(found.src.data)}
			if named { // zeros up to the next container are padding
				c.capacity = len(s.data) - int(at)
				if j+1 < len(slots) {
					c.capacity = int(slots[j+1].src.base - found.src.base)
				}
			}
			h.containers = append(h.containers, c)
		}
	}
	return nil
}

// containersOf finds the containers of a section. Sections named for containers must contain nothing else.
func containersOf(s source, named bool) ([]slot, error) {
	if named {
		return walk(s)
	}
	return scan(s), nil
}

// findInSegments searches the loaded data of files without sections for containers.
func (h *elfHost) findInSegments() {
	if len(h.elf.Sections) > 0 {
		return
	}
	for _, p := range h.elf.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		s, ok := h.fileRange(p.Off, p.Filesz)
		if !ok || !s.look(len(s.data)) {
			continue
		}
		for _, found := range scan(s) {
			at := uint64(found.src.base - s.base)
			h.containers = append(h.containers, elfSlot{
				slot: found, section: -1, addr: p.Vaddr + at,
				capacity: len(found.src.data),
			})
		}
	}
}

// scan finds containers among other data: everything that looks like a container's header and can be read as one.
func scan(s source) (slots []slot) {
	begin := []byte{0x50, 0xed, 0x55, 0xba, containerVersion, 0, containerHeader, 0}
	for at := 0; ; {
		i := bytes.Index(s.data[at:], begin)
		if i < 0 {
			return slots
		}
		at += i
		rest := s.sub(at, len(s.data))
		entries, size, err := parseContainer(rest)
		if err != nil {
			at++
			continue
		}
		slots = append(slots, slot{src: rest.sub(0, size), entries: entries})
		at += size
	}
}

// rebuild writes each container to its place if it fits there, and otherwise to a new place at the end of the image or
// of the section.
func (h *elfHost) rebuild(containers [][]byte) ([]byte, error) {
	out := bytes.Clone(h.src.data)
	var moved []move
	for i, c := range containers {
		if c == nil {
			continue
		}
		s := &h.containers[i]
		at := int(s.src.base - h.src.base)
		place := out[at : at+s.capacity]
		clear(place)
		if len(c) > s.capacity {
			moved = append(moved, move{slot: i, data: c})
			continue
		}
		copy(place, c)
	}
	if len(moved) == 0 {
		return out, nil
	}
	if !h.is64() {
		return nil, h.src.errorf(0, "the new PTX needs more room, which can be made in 64-bit little-endian files only")
	}
	if n := le.Uint16(out[ehShentsize:]); n != shSize && len(h.elf.Sections) > 0 {
		return nil, h.src.errorf(ehShentsize, "section headers of %d bytes; expected %d", n, shSize)
	}
	if h.elf.Type == elf.ET_REL {
		return h.growSections(out, moved)
	}
	return h.growImage(out, moved)
}

// A move is a container that needs a new place.
type move struct {
	slot int
	data []byte
	addr uint64 // new address, as in elfSlot
}

// noWay returns the error for a container that must move although no pointer to it is known.
func (h *elfHost) noWay(m move) error {
	s := &h.containers[m.slot]
	return s.src.errorf(0,
		"the new fat binary has %d bytes, %d more than there is room for, and it cannot move: nothing that is known points to it", len(m.data), len(m.data)-s.capacity)
}

// cubin is an ELF file of machine code, not in a container.
type cubin struct{ image slot }

// openCubin makes the entry of a cubin. The flags of the ELF header hold the architecture: in the lowest byte up to ABI
// version 7, in the next one after.
func openCubin(s source) (host, error) {
	const flagsAt, versionAt = 48, 8
	if len(s.data) < flagsAt+4 {
		return nil, s.errorf(0, "%d bytes, too few for the header of an ELF file", len(s.data))
	}
	flags, version := le.Uint32(s.data[flagsAt:]), s.data[versionAt]
	if version > 7 {
		flags >>= 8
	}
	size := int64(len(s.data))
	e := &Entry{
		Kind: KindSASS, Arch: flags & 0xff, Minor: uint16(version), Flags: flag64Bit, Size: size, Stored: size,
		payload: s.data, src: s,
	}
	return &cubin{slot{src: s, entries: []*Entry{e}}}, nil
}

func (c *cubin) format() Format { return FormatCubin }

func (c *cubin) slots() []slot { return []slot{c.image} }

func (c *cubin) rebuild([][]byte) ([]byte, error) {
	return nil, fmt.Errorf("%s: a cubin cannot be rebuilt", c.image.src.file)
}
