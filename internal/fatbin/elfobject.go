// Growing relocatable ELF objects.

package fatbin

import "debug/elf"

// findObjectWrappers finds the wrappers of a relocatable file, by the relocations
// of their pointers.
func (h *elfHost) findObjectWrappers() (found []*wrapper) {
	type place struct {
		section int
		at      uint64
	}
	slots := make(map[place]int)
	for i, c := range h.containers {
		slots[place{c.section, c.addr}] = i
	}
	if len(slots) == 0 || !h.is64() {
		return nil
	}
	for _, tab := range h.elf.Sections {
		if tab.Type != elf.SHT_RELA || uint64(tab.Info) >= uint64(len(h.elf.Sections)) {
			continue
		}
		target := h.elf.Sections[tab.Info]
		data, ok := h.fileRange(target.Offset, target.FileSize)
		if !ok || target.Type != elf.SHT_PROGBITS {
			continue
		}
		h.eachRela(tab, func(_ int, at, addend uint64, sym []byte) {
			if at < wrapperPointer || at > uint64(len(data.data)) {
				return
			}
			version, ok := wrapperVersion(data.data[at-wrapperPointer:])
			slot, known := slots[place{int(le.Uint16(sym[symShndx:])), le.Uint64(sym[symValue:]) + addend}]
			if ok && known {
				found = append(found, &wrapper{slot: slot, version: version})
			}
		})
	}
	return found
}

// eachRela calls f for each relocation of a table: the file offset of the entry, its fields, and its symbol.
func (h *elfHost) eachRela(tab *elf.Section, f func(entry int, at, addend uint64, sym []byte)) {
	if tab.Type != elf.SHT_RELA || uint64(tab.Link) >= uint64(len(h.elf.Sections)) {
		return
	}
	symtab := h.elf.Sections[tab.Link]
	syms, ok := h.fileRange(symtab.Offset, symtab.FileSize)
	relas, ok2 := h.fileRange(tab.Offset, tab.FileSize)
	if !ok || !ok2 || !relas.look(len(relas.data)) {
		return
	}
	for at := 0; at+relaSize <= len(relas.data); at += relaSize {
		e := relas.data[at:]
		if sym := uint64(le.Uint32(e[relaSymbol:])) * symSize; sym+symSize <= uint64(len(syms.data)) {
			f(int(relas.base-h.src.base)+at, le.Uint64(e), le.Uint64(e[relaAddend:]), syms.data[sym:])
		}
	}
}

// growSections makes room in a relocatable file: a section with a container that needs more room is moved to the end of
// the file, with the container at its end. Symbols and relocations that refer to the container are corrected.
func (h *elfHost) growSections(out []byte, moved []move) ([]byte, error) {
	for i, sec := range h.elf.Sections {
		var content []byte
		at := int(sec.Offset)
		for _, m := range moved {
			if h.containers[m.slot].section != i {
				continue
			}
			if content == nil {
				content = pad(append(content, out[at:at+int(sec.FileSize)]...), containerAlign)
			}
			m.addr = uint64(len(content))
			content = pad(append(content, m.data...), containerAlign)
			if err := h.rename(out, i, m); err != nil {
				return nil, err
			}
		}
		if content == nil {
			continue
		}
		clear(out[at : at+int(sec.FileSize)])
		out = pad(out, int(sectionAlign(sec)))
		sh := out[le.Uint64(out[ehShoff:])+uint64(i)*shSize:]
		le.PutUint64(sh[shOffset:], uint64(len(out)))
		le.PutUint64(sh[shBytes:], uint64(len(content)))
		out = append(out, content...)
	}
	return out, nil
}

// rename corrects references to a container of a section: symbols that name it, and relocations by the section's
// symbol.
func (h *elfHost) rename(out []byte, section int, m move) error {
	old := h.containers[m.slot].addr
	known := false
	for _, tab := range h.elf.Sections {
		syms, ok := h.fileRange(tab.Offset, tab.FileSize)
		if tab.Type != elf.SHT_SYMTAB || !ok {
			continue
		}
		base := int(syms.base - h.src.base)
		for at := 0; at+symSize <= len(syms.data); at += symSize {
			if isSectionSymbol(syms.data[at:]) || !definedIn(syms.data[at:], section) ||
				le.Uint64(syms.data[at+symValue:]) != old {
				continue
			}
			known = true
			le.PutUint64(out[base+at+symValue:], m.addr)
		}
	}
	for _, tab := range h.elf.Sections {
		known = h.moveAddends(out, tab, section, m) || known
	}
	if !known {
		return h.noWay(m)
	}
	return nil
}

// moveAddends corrects the relocations of a table that reach a container through
// the symbol of its section, and reports whether there are any.
func (h *elfHost) moveAddends(out []byte, tab *elf.Section, section int, m move) (known bool) {
	h.eachRela(tab, func(entry int, _, addend uint64, sym []byte) {
		value := le.Uint64(sym[symValue:])
		if isSectionSymbol(sym) && definedIn(sym, section) && value+addend == h.containers[m.slot].addr {
			known = true
			le.PutUint64(out[entry+relaAddend:], m.addr-value)
		}
	})
	return known
}

func isSectionSymbol(sym []byte) bool { return elf.ST_TYPE(sym[symInfo]) == elf.STT_SECTION }

func definedIn(sym []byte, section int) bool { return int(le.Uint16(sym[symShndx:])) == section }
