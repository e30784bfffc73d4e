// Wrappers: the structures through which a program finds its containers.

package fatbin

import (
	"cmp"
	"debug/elf"
	"slices"
)

// wrapper is a __fatBinC_Wrapper_t.
type wrapper struct {
	slot    int // of the container that it points to
	version uint32
	pointer int   // file offset of the pointer, in loaded files
	rela    *rela // relocation that fills in the pointer, or nil
}

// wrapperVersion returns the version of the wrapper at the start of data.
func wrapperVersion(data []byte) (version uint32, ok bool) {
	if len(data) < wrapperSize || le.Uint32(data) != wrapperMagic {
		return 0, false
	}
	version = le.Uint32(data[4:])
	return version, version == 1 || version == wrapperLinked
}

// rela is a relocation of the dynamic loader.
type rela struct {
	at     int    // file offset of its addend
	addend uint64 // as stored there
	value  uint64 // of its symbol
}

// findWrappers finds the wrappers of the containers. The runtime library is passed wrappers, so other pointers to a
// container are not searched.
func (h *elfHost) findWrappers() ([]*wrapper, error) {
	byAddr := make(map[uint64]int)
	for i := range h.containers {
		byAddr[h.containers[i].addr] = i
	}
	if len(byAddr) == 0 || !h.is64() {
		return nil, nil
	}
	relas, err := h.dynamicRelas()
	if err != nil {
		return nil, err
	}
	var found []*wrapper
	for _, p := range h.elf.Progs {
		s, ok := h.fileRange(p.Off, p.Filesz)
		if p.Type != elf.PT_LOAD || !ok || !s.look(len(s.data)) {
			continue
		}
		for at := int(-p.Vaddr & 7); at+wrapperSize <= len(s.data); at += 8 {
			version, ok := wrapperVersion(s.data[at:])
			if !ok {
				continue
			}
			w := &wrapper{version: version, pointer: int(p.Off) + at + wrapperPointer}
			target := le.Uint64(s.data[at+wrapperPointer:])
			if w.rela = relas[p.Vaddr+uint64(at)+wrapperPointer]; w.rela != nil {
				target = w.rela.value + w.rela.addend
			}
			if w.slot, ok = byAddr[target]; ok {
				found = append(found, w)
			}
		}
	}
	return found, nil
}

// sortByWrapper records what wrappers state about containers, and sorts the containers by wrapper: that order does not
// change when containers move.
func (h *elfHost) sortByWrapper() {
	for i := range h.containers {
		h.containers[i].rank = len(h.wrappers)
	}
	for i, w := range h.wrappers {
		c := &h.containers[w.slot]
		c.rank = min(c.rank, i)
		c.linked = c.linked || w.version == wrapperLinked
	}
	order := make([]int, len(h.containers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.containers[a].rank, h.containers[b].rank) })
	sorted := make([]elfSlot, len(order))
	place := make([]int, len(order))
	for to, from := range order {
		sorted[to] = h.containers[from]
		place[from] = to
	}
	h.containers = sorted
	for _, w := range h.wrappers {
		w.slot = place[w.slot]
	}
}

// dynamicRelas returns the relocations of the dynamic loader, by address. Packed ones (DT_RELR) need no change: they
// add to the pointer in the file.
func (h *elfHost) dynamicRelas() (map[uint64]*rela, error) {
	tags := h.dynamicTags()
	out := make(map[uint64]*rela)
	size := tags[elf.DT_RELASZ]
	if size == 0 {
		return out, nil
	}
	table, ok := h.loaded(tags[elf.DT_RELA], size)
	if !ok {
		return nil, h.src.errorf(0, "a table of relocations of %d bytes at address %#x, which is not in the file", size,
			tags[elf.DT_RELA])
	}
	for at := 0; at+relaSize <= len(table.data); at += relaSize {
		e := table.data[at:]
		r := &rela{at: int(table.base-h.src.base) + at + relaAddend, addend: le.Uint64(e[relaAddend:])}
		if sym := le.Uint32(e[relaSymbol:]); sym != 0 {
			s, ok := h.loaded(tags[elf.DT_SYMTAB]+uint64(sym)*symSize, symSize)
			if !ok {
				continue // no symbol of this file
			}
			r.value = le.Uint64(s.data[symValue:])
		}
		out[le.Uint64(e)] = r
	}
	return out, nil
}

// dynamicTags returns the values of the dynamic section.
func (h *elfHost) dynamicTags() map[elf.DynTag]uint64 {
	tags := make(map[elf.DynTag]uint64)
	for _, p := range h.elf.Progs {
		s, ok := h.fileRange(p.Off, p.Filesz)
		if p.Type != elf.PT_DYNAMIC || !ok || !s.look(len(s.data)) {
			continue
		}
		for at := 0; at+16 <= len(s.data); at += 16 {
			tag := elf.DynTag(le.Uint64(s.data[at:]))
			if tag == elf.DT_NULL {
				break
			}
			tags[tag] = le.Uint64(s.data[at+8:])
		}
	}
	return tags
}

// loaded returns the file's data for a range of addresses.
func (h *elfHost) loaded(addr, size uint64) (source, bool) {
	if !h.src.look(len(h.elf.Progs)) {
		return source{}, false
	}
	for _, p := range h.elf.Progs {
		if p.Type == elf.PT_LOAD && addr >= p.Vaddr && addr-p.Vaddr < p.Filesz && size <= p.Filesz-(addr-p.Vaddr) {
			return h.fileRange(p.Off+(addr-p.Vaddr), size)
		}
	}
	return source{}, false
}

// repoint makes all wrappers of a moved container point to its new address.
func (h *elfHost) repoint(out []byte, m move) error {
	known := false
	old := h.containers[m.slot].addr
	for _, w := range h.wrappers {
		if w.slot != m.slot {
			continue
		}
		known = true
		if w.rela != nil {
			le.PutUint64(out[w.rela.at:], w.rela.addend+m.addr-old)
		}
		if w.rela == nil || le.Uint64(out[w.pointer:]) == old {
			le.PutUint64(out[w.pointer:], m.addr)
		}
	}
	if !known {
		return h.noWay(m)
	}
	return nil
}
