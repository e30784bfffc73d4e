// Package cubintest makes cubins, line tables and fat binaries for tests. It must not know how they are read.
package cubintest

import (
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"
)

var le = binary.LittleEndian

// Opcodes of line number programs.
const (
	opCopy, opAdvance, opLine, opFile = 1, 2, 3, 4
	extEnd, extAddress, extInlined    = 1, 2, 0x90
)

// Section is a section of a cubin to be made. Relocations fill in addresses of functions.
type Section struct {
	Name        string
	Data        []byte
	Kind        elf.SectionType // 0 for SHT_PROGBITS
	Flags       elf.SectionFlag
	Relocations map[uint64]string // names of functions by offset
}

// Build returns a cubin with functions, each in a section of its own, and with sections. With rel, relocations have no
// addends, as toolkits before 12 write them.
func Build(functions []string, sections []Section, rel bool) []byte {
	all := []Section{{Name: ""}}
	var symbols, names []byte
	symbols, names = make([]byte, 24), []byte{0}
	number := make(map[string]uint32)
	for i, f := range functions {
		number[f] = uint32(i + 1)
		all = append(all, Section{Name: ".text." + f, Data: make([]byte, 256)})
		b := le.AppendUint32(nil, uint32(len(names)))
		b = append(b, byte(elf.STB_GLOBAL)<<4|byte(elf.STT_FUNC), 0)
		b = le.AppendUint16(b, uint16(i+1))
		symbols = append(symbols, append(b, make([]byte, 16)...)...)
		names = append(append(names, f...), 0)
	}
	symtab := uint32(len(all))
	all = append(all, Section{Name: ".symtab", Data: symbols, Kind: elf.SHT_SYMTAB}, Section{
		Name: ".strtab", Data: names, Kind: elf.SHT_STRTAB,
	})
	infos, links := map[int]uint32{}, map[int]uint32{int(symtab): symtab + 1}
	for _, s := range sections {
		all = append(all, s)
		if s.Relocations == nil {
			continue
		}
		r := Section{Name: ".rela" + s.Name, Kind: elf.SHT_RELA}
		if rel {
			r.Kind = elf.SHT_REL
		}
		for at, f := range s.Relocations {
			r.Data = le.AppendUint64(r.Data, at)
			r.Data = le.AppendUint64(r.Data, uint64(number[f])<<32|2)
			if !rel {
				r.Data = le.AppendUint64(r.Data, 0)
			}
		}
		infos[len(all)], links[len(all)] = uint32(len(all)-1), symtab
		all = append(all, r)
	}
	return write(append(all, Section{Name: ".shstrtab", Kind: elf.SHT_STRTAB}), infos, links, rel)
}

// write lays an ELF file out.
func write(all []Section, infos, links map[int]uint32, old bool) []byte {
	var names []byte
	var at []uint32
	for _, s := range all {
		at = append(at, uint32(len(names)))
		names = append(append(names, s.Name...), 0)
	}
	all[len(all)-1].Data = names
	out, version := []byte("\x7fELF\x02\x01\x01\x41\x08"), uint32(elf.EV_CURRENT)
	if old {
		out, version = []byte("\x7fELF\x02\x01\x01\x33\x07"), 118
	}
	out = append(out, make([]byte, 64-len(out))...)
	var headers []byte
	for i, s := range all {
		for len(out)%8 != 0 {
			out = append(out, 0)
		}
		kind, size := s.Kind, uint64(24)
		switch {
		case i == 0:
			kind = elf.SHT_NULL
		case kind == 0:
			kind = elf.SHT_PROGBITS
		case kind == elf.SHT_REL:
			size = 16
		}
		h := le.AppendUint32(nil, at[i])
		h = le.AppendUint32(h, uint32(kind))
		for _, v := range []uint64{uint64(s.Flags), 0, uint64(len(out)), uint64(len(s.Data))} {
			h = le.AppendUint64(h, v)
		}
		h = le.AppendUint32(le.AppendUint32(h, links[i]), infos[i])
		headers = append(headers, le.AppendUint64(le.AppendUint64(h, 1), size)...)
		out = append(out, s.Data...)
	}
	le.PutUint16(out[16:], uint16(elf.ET_EXEC))
	le.PutUint16(out[18:], uint16(elf.EM_CUDA))
	le.PutUint32(out[20:], version)
	le.PutUint64(out[40:], uint64(len(out)))
	le.PutUint32(out[48:], 0x5a<<8|2)
	segment := make([]byte, 56) // behind all else, as the compiler writes it
	le.PutUint64(out[32:], uint64(len(out)+len(headers)))
	for i, v := range []uint16{64, uint16(len(segment)), 1, 64, uint16(len(all)), uint16(len(all) - 1)} {
		le.PutUint16(out[52+2*i:], v)
	}
	return slices.Concat(out, headers, segment)
}

// Table is a line table that is being made.
type Table struct {
	data        []byte
	relocations map[uint64]string
	start       int
	line        int
	at          uint64
}

// Unit begins a line number program. Files are in the first folder.
func (t *Table) Unit(version uint16, folder string, files ...string) {
	t.start = len(t.data)
	head := []byte{1}
	if version >= 4 {
		head = append(head, 1)
	}
	head = append(head, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1)
	index := byte(0)
	if folder != "" {
		head, index = append(append(head, folder...), 0), 1
	}
	head = append(head, 0)
	for _, f := range files {
		head = append(append(head, f...), 0, index, 0, 0)
	}
	head = append(head, 0)
	t.data = le.AppendUint16(le.AppendUint32(t.data, 0), version)
	t.data = append(le.AppendUint32(t.data, uint32(len(head))), head...)
}

// Function begins the sequence of a function.
func (t *Table) Function(name string) {
	if t.relocations == nil {
		t.relocations = make(map[uint64]string)
	}
	t.data = append(t.data, 0, 9, extAddress)
	t.relocations[uint64(len(t.data))] = name
	t.data = append(t.data, make([]byte, 8)...)
	t.line, t.at = 1, 0
}

// Row adds a row.
func (t *Table) Row(at uint64, file, line int) {
	t.data = append(binary.AppendUvarint(append(t.data, opFile), uint64(file)), opLine)
	t.data = signed(t.data, line-t.line)
	t.data = append(binary.AppendUvarint(append(t.data, opAdvance), at-t.at), opCopy)
	t.line, t.at = line, at
}

// Inlined says that the rows that follow are code of a function, inlined at that of a row.
func (t *Table) Inlined(call, function int) {
	op := binary.AppendUvarint(binary.AppendUvarint([]byte{extInlined}, uint64(call)), uint64(function))
	t.data = append(append(t.data, 0, byte(len(op))), op...)
}

// End ends the sequence and the program.
func (t *Table) End(at uint64) {
	t.data = append(binary.AppendUvarint(append(t.data, opAdvance), at-t.at), 0, 1, extEnd)
	binary.LittleEndian.PutUint32(t.data[t.start:], uint32(len(t.data)-t.start-4))
}

// Section returns the table as a section.
func (t *Table) Section(name string) Section {
	return Section{Name: name, Data: t.data, Relocations: t.relocations}
}

// signed appends a number of variable length.
func signed(b []byte, n int) []byte {
	for ; n < -64 || n > 63; n >>= 7 {
		b = append(b, byte(n&0x7f|0x80))
	}
	return append(b, byte(n&0x7f))
}

// Text is the section with the PTX of a unit.
func Text(name, ptx string) Section {
	return Section{Name: name, Data: []byte(strings.ReplaceAll(ptx, "\n", "\x00"))}
}

// Compiled returns a cubin with a kernel and its PTX, of which lines, by their numbers from 1, are of lines of a file.
// Lines are in their order in the machine code.
func Compiled(kernel, ptx, file string, lines ...[2]int) []byte {
	var code, source Table
	code.Unit(2, "")
	code.Function(kernel)
	source.Unit(2, "", file)
	source.Function(kernel)
	at := uint64(0)
	for _, l := range lines {
		code.Row(at, 0, l[0])
		source.Row(at, 1, l[1])
		at += 16
	}
	code.End(at)
	source.End(at)
	return Build([]string{kernel}, []Section{
		Text(".nv_debug_ptx_txt", ptx), code.Section(".nv_debug_line_sass"), source.Section(".debug_line"),
	}, false)
}

// Entry is an entry of a fat binary.
type Entry struct {
	Kind uint16 // 1 for PTX, 2 for machine code
	Arch uint32
	Data []byte
}

// Fatbin returns a fat binary (docs/binaries.md has the layout).
func Fatbin(entries ...Entry) []byte {
	var body []byte
	for _, e := range entries {
		data := append(e.Data[:len(e.Data):len(e.Data)], make([]byte, 8-len(e.Data)%8)...)
		head := make([]byte, 64)
		le.PutUint16(head, e.Kind)
		le.PutUint16(head[2:], 0x101)
		le.PutUint32(head[4:], 64)
		le.PutUint64(head[8:], uint64(len(data)))
		le.PutUint16(head[26:], 8)
		le.PutUint32(head[28:], e.Arch)
		le.PutUint64(head[40:], 0x11)
		body = append(append(body, head...), data...)
	}
	out := le.AppendUint16(le.AppendUint16(le.AppendUint32(nil, 0xba55ed50), 1), 16)
	return append(le.AppendUint64(out, uint64(len(body))), body...)
}
