// Cubins and line tables that tests make.

package cubin

import (
	"debug/elf"
	"encoding/binary"
	"strings"
)

// section is a section of a cubin to be made. Relocations fill in addresses of functions.
type section struct {
	name        string
	data        []byte
	kind        elf.SectionType // 0 for SHT_PROGBITS
	flags       elf.SectionFlag
	relocations map[uint64]string // names of functions by offset
}

// build returns a cubin with functions, each in a section of its own, and with sections. With rel, relocations have no
// addends, as toolkits before 12 write them.
func build(functions []string, sections []section, rel bool) []byte {
	all := []section{{name: ""}}
	var symbols, names []byte
	symbols, names = make([]byte, 24), []byte{0}
	number := make(map[string]uint32)
	for i, f := range functions {
		number[f] = uint32(i + 1)
		all = append(all, section{name: ".text." + f, data: make([]byte, 256)})
		b := le.AppendUint32(nil, uint32(len(names)))
		b = append(b, byte(elf.STB_GLOBAL)<<4|byte(elf.STT_FUNC), 0)
		b = le.AppendUint16(b, uint16(i+1))
		symbols = append(symbols, append(b, make([]byte, 16)...)...)
		names = append(append(names, f...), 0)
	}
	symtab := uint32(len(all))
	all = append(all, section{name: ".symtab", data: symbols, kind: elf.SHT_SYMTAB}, section{
		name: ".strtab", data: names, kind: elf.SHT_STRTAB,
	})
	infos, links := map[int]uint32{}, map[int]uint32{int(symtab): symtab + 1}
	for _, s := range sections {
		all = append(all, s)
		if s.relocations == nil {
			continue
		}
		r := section{name: ".rela" + s.name, kind: elf.SHT_RELA}
		if rel {
			r.kind = elf.SHT_REL
		}
		for at, f := range s.relocations {
			r.data = le.AppendUint64(r.data, at)
			r.data = le.AppendUint64(r.data, uint64(number[f])<<32|2)
			if !rel {
				r.data = le.AppendUint64(r.data, 0)
			}
		}
		infos[len(all)], links[len(all)] = uint32(len(all)-1), symtab
		all = append(all, r)
	}
	return write(append(all, section{name: ".shstrtab", kind: elf.SHT_STRTAB}), infos, links, rel)
}

// write lays an ELF file out.
func write(all []section, infos, links map[int]uint32, old bool) []byte {
	var names []byte
	var at []uint32
	for _, s := range all {
		at = append(at, uint32(len(names)))
		names = append(append(names, s.name...), 0)
	}
	all[len(all)-1].data = names
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
		kind, size := s.kind, uint64(24)
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
		for _, v := range []uint64{uint64(s.flags), 0, uint64(len(out)), uint64(len(s.data))} {
			h = le.AppendUint64(h, v)
		}
		h = le.AppendUint32(le.AppendUint32(h, links[i]), infos[i])
		headers = append(headers, le.AppendUint64(le.AppendUint64(h, 1), size)...)
		out = append(out, s.data...)
	}
	le.PutUint16(out[16:], uint16(elf.ET_EXEC))
	le.PutUint16(out[18:], uint16(elf.EM_CUDA))
	le.PutUint32(out[20:], version)
	le.PutUint64(out[40:], uint64(len(out)))
	le.PutUint32(out[48:], 0x5a<<8|2)
	for i, v := range []uint16{64, 0, 0, 64, uint16(len(all)), uint16(len(all) - 1)} {
		le.PutUint16(out[52+2*i:], v)
	}
	return append(out, headers...)
}

// table is a line table that is being made.
type table struct {
	data        []byte
	relocations map[uint64]string
	start       int
	line        int
	at          uint64
}

// unit begins a line number program. Files are in the first folder.
func (t *table) unit(version uint16, folder string, files ...string) {
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

// function begins the sequence of a function.
func (t *table) function(name string) {
	if t.relocations == nil {
		t.relocations = make(map[uint64]string)
	}
	t.data = append(t.data, 0, 9, extAddress)
	t.relocations[uint64(len(t.data))] = name
	t.data = append(t.data, make([]byte, 8)...)
	t.line, t.at = 1, 0
}

// row adds a row.
func (t *table) row(at uint64, file, line int) {
	t.data = append(binary.AppendUvarint(append(t.data, opFile), uint64(file)), opLine)
	t.data = signed(t.data, line-t.line)
	t.data = append(binary.AppendUvarint(append(t.data, opAdvance), at-t.at), opCopy)
	t.line, t.at = line, at
}

// inlined says that the rows that follow are code of a function, inlined at that of a row.
func (t *table) inlined(call, function int) {
	op := binary.AppendUvarint(binary.AppendUvarint([]byte{extInlined}, uint64(call)), uint64(function))
	t.data = append(append(t.data, 0, byte(len(op))), op...)
}

func (t *table) end(at uint64) {
	t.data = append(binary.AppendUvarint(append(t.data, opAdvance), at-t.at), 0, 1, extEnd)
	binary.LittleEndian.PutUint32(t.data[t.start:], uint32(len(t.data)-t.start-4))
}

func (t *table) section(name string) section {
	return section{name: name, data: t.data, relocations: t.relocations}
}

// signed appends a number of variable length.
func signed(b []byte, n int) []byte {
	for ; n < -64 || n > 63; n >>= 7 {
		b = append(b, byte(n&0x7f|0x80))
	}
	return append(b, byte(n&0x7f))
}

// ptxText is the section with the PTX of a unit.
func ptxText(name, ptx string) section {
	return section{name: name, data: []byte(strings.ReplaceAll(ptx, "\n", "\x00"))}
}
