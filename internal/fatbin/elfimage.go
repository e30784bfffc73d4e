// Growing linked ELF files: added sections and segments.

package fatbin

import (
	"bytes"
	"cmp"
	"debug/elf"
	"slices"
)

// Layout of ELF64 headers (System V ABI, "Object Files").
const (
	ehPhoff, ehShoff, ehPhentsize       = 32, 40, 54
	ehShentsize, ehShnum                = 58, 60
	phSize, phOffset, phFilesz, phMemsz = 56, 8, 32, 40
	shSize, shAddr, shOffset, shBytes   = 64, 16, 24, 32
	shType, shAlign                     = 4, 48
	relaSize, relaSymbol, relaAddend    = 24, 12, 16
	symSize, symInfo                    = 24, 4
	symShndx, symValue                  = 6, 8
)

// containerAlign is the alignment of moved containers. The driver needs 8.
const containerAlign = 16

// maxAddr bounds the addresses and sizes of segments, so that sums do not wrap.
const maxAddr uint64 = 1 << 62

// maxZeros is the largest run of zero-initialised data, in bytes, that is written to the file to make room behind it.
const maxZeros = 1 << 30

func (h *elfHost) is64() bool {
	return h.elf.Class == elf.ELFCLASS64 && h.elf.Data == elf.ELFDATA2LSB
}

// growImage makes room at the end of a loaded file: the segment with the highest address is extended beyond its
// zero-initialised data, which is written to the file, and the rest of the file moves. No address of the program
// changes. A section like that of the containers covers the new data.
func (h *elfHost) growImage(out []byte, moved []move) ([]byte, error) {
	last, err := h.lastSegment()
	if err != nil {
		return nil, err
	}
	p := h.elf.Progs[last]
	start := (p.Vaddr + p.Memsz + containerAlign - 1) &^ (containerAlign - 1)
	var added []byte
	var sections []addedSection
	slices.SortStableFunc(moved, func(a, b move) int {
		return cmp.Compare(h.containers[a.slot].section, h.containers[b.slot].section)
	})
	for _, m := range moved {
		like := h.containers[m.slot].section
		if n := len(sections); n == 0 || sections[n-1].like != like {
			sections = append(sections, addedSection{like: like, from: uint64(len(added))})
		}
		m.addr = start + uint64(len(added))
		added = pad(append(added, m.data...), containerAlign)
		sections[len(sections)-1].to = uint64(len(added))
		if err = h.repoint(out, m); err != nil {
			return nil, err
		}
	}
	tail := p.Off + p.Filesz // the rest of the file after the segment
	at := p.Off + (start - p.Vaddr)
	if at-tail > maxZeros {
		return nil, h.src.errorf(0,
			"%d bytes of zero-initialised data would be written out to make room for the new PTX; the limit is %d",
			at-tail, maxZeros)
	}
	end := at + uint64(len(added))
	align := h.tailAlign(tail)
	shift := (end - tail + align - 1) &^ (align - 1)
	h.initialise(out, p)
	if err = h.moveTail(out, tail, shift); err != nil {
		return nil, err
	}
	ph := out[h.phoff()+last*phSize:]
	le.PutUint64(ph[phFilesz:], end-p.Off)
	le.PutUint64(ph[phMemsz:], end-p.Off)

	grown := make([]byte, uint64(len(out))+shift)
	copy(grown, out[:tail])
	copy(grown[at:], added)
	copy(grown[tail+shift:], out[tail:])
	return h.addSections(grown, sections, start, at)
}

// addedSection is a part of the data that is added to an image.
type addedSection struct {
	like     int // number of the section from which its containers come; -1 for none
	from, to uint64
}

func (h *elfHost) phoff() int { return int(le.Uint64(h.src.data[ehPhoff:])) }

// lastSegment returns the index of the loaded segment with the highest address. It must
// also be the last one in the file.
func (h *elfHost) lastSegment() (int, error) {
	last := -1
	for i, p := range h.elf.Progs {
		if p.Type == elf.PT_LOAD && (last < 0 || p.Vaddr > h.elf.Progs[last].Vaddr) {
			last = i
		}
	}
	if last < 0 || le.Uint16(h.src.data[ehPhentsize:]) != phSize {
		return 0, h.src.errorf(0, "no segment that can be extended")
	}
	end := h.elf.Progs[last]
	if _, ok := h.fileRange(end.Off, end.Filesz); !ok || end.Filesz > end.Memsz || end.Vaddr > maxAddr ||
		end.Memsz > maxAddr {
		return 0, h.src.errorf(0, "the segment at %#x has %d bytes at %#x in the file, %d in memory", end.Vaddr,
			end.Filesz, end.Off, end.Memsz)
	}
	for _, p := range h.elf.Progs {
		if p.Type == elf.PT_LOAD && p.Off+p.Filesz > end.Off+end.Filesz {
			return 0, h.src.errorf(0, "the segment at %#x, which would be extended, is not the last in the file",
				end.Vaddr)
		}
	}
	return last, nil
}

// inTail reports whether a section is in the part of the file that moves; loaded sections are not.
func inTail(s *elf.Section, tail uint64) bool {
	return s.Type != elf.SHT_NULL && s.Flags&elf.SHF_ALLOC == 0 && s.Offset >= tail
}

// tailAlign returns the alignment that the part of the file that moves must keep.
func (h *elfHost) tailAlign(tail uint64) uint64 {
	align := uint64(containerAlign)
	for _, s := range h.elf.Sections {
		if inTail(s, tail) {
			align = max(align, sectionAlign(s))
		}
	}
	return align
}

// sectionAlign returns the alignment of a section, at least that of containers. Invalid alignments are ignored.
func sectionAlign(s *elf.Section) uint64 {
	if a := s.Addralign; a > containerAlign && a <= 1<<16 && a&(a-1) == 0 {
		return a
	}
	return containerAlign
}

// moveTail corrects the offsets of everything after the last segment.
func (h *elfHost) moveTail(out []byte, tail, shift uint64) error {
	shoff := le.Uint64(out[ehShoff:])
	for i, s := range h.elf.Sections {
		switch {
		case inTail(s, tail):
			sh := out[shoff+uint64(i)*shSize:]
			le.PutUint64(sh[shOffset:], s.Offset+shift)
		case s.Type != elf.SHT_NOBITS && s.Type != elf.SHT_NULL && s.FileSize > 0 && s.Offset+s.FileSize > tail:
			return h.src.errorf(int(s.Offset), "section %s lies across the end of the segment that would be extended",
				s.Name)
		}
	}
	for i, p := range h.elf.Progs {
		if p.Type != elf.PT_LOAD && p.Off >= tail && p.Filesz > 0 {
			ph := out[h.phoff()+i*phSize:]
			le.PutUint64(ph[phOffset:], p.Off+shift)
		}
	}
	if shoff >= tail {
		le.PutUint64(out[ehShoff:], shoff+shift)
	}
	return nil
}

// initialise makes the zero-initialised sections of a segment ordinary ones, whose zeros are in the file.
func (h *elfHost) initialise(out []byte, p *elf.Prog) {
	for i, s := range h.elf.Sections {
		if s.Type == elf.SHT_NOBITS && s.Flags&(elf.SHF_ALLOC|elf.SHF_TLS) == elf.SHF_ALLOC &&
			s.Addr >= p.Vaddr+p.Filesz && s.Addr < p.Vaddr+p.Memsz {
			sh := out[le.Uint64(out[ehShoff:])+uint64(i)*shSize:]
			le.PutUint32(sh[shType:], uint32(elf.SHT_PROGBITS))
			le.PutUint64(sh[shOffset:], p.Off+(s.Addr-p.Vaddr))
		}
	}
}

// addSections adds headers of sections of loaded data at the end of the table, which
// becomes the end of the file. The data begins at an address and a file offset.
func (h *elfHost) addSections(out []byte, sections []addedSection, addr, offset uint64) ([]byte, error) {
	if len(h.elf.Sections) == 0 {
		return out, nil
	}
	n := le.Uint16(out[ehShnum:])
	if n == 0 || int(n)+len(sections) >= int(elf.SHN_LORESERVE) {
		return nil, h.src.errorf(ehShnum, "too many sections to add some")
	}
	shoff := le.Uint64(out[ehShoff:])
	old := out[shoff : shoff+uint64(n)*shSize]
	table := bytes.Clone(old)
	for _, s := range sections {
		sh := bytes.Clone(table[s.like*shSize : (s.like+1)*shSize])
		le.PutUint64(sh[shAddr:], addr+s.from)
		le.PutUint64(sh[shOffset:], offset+s.from)
		le.PutUint64(sh[shBytes:], s.to-s.from)
		le.PutUint64(sh[shAlign:], containerAlign)
		table = append(table, sh...)
	}
	clear(old)
	if shoff+uint64(len(old)) == uint64(len(out)) {
		out = out[:shoff]
	}
	out = pad(out, 8)
	le.PutUint64(out[ehShoff:], uint64(len(out)))
	le.PutUint16(out[ehShnum:], uint16(len(table)/shSize))
	return append(out, table...), nil
}
