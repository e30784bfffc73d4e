package fatbin

import (
	"debug/elf"
	"strings"
	"testing"
)

// TestDecodedLimitOfAllEntries: what entries decode to is limited over all of them, to
// the byte.
func TestDecodedLimitOfAllEntries(t *testing.T) {
	first, second := with(text70, LZ4), image{kind: KindPTX, arch: 50, comp: Zstd, data: "// for sm_50\n"}
	both := int64(len(first.data) + 1 + len(second.data) + 1) // with the NUL that ends each
	for spare, want := range map[int64]string{0: "", -1: "f: offset 0x"} {
		f := mustOpen(t, "f", container(t, first, second))
		f.Modules[0].Entries[0].src.decoded = both + spare
		_, err := f.Modules[0].Entries[0].Data()
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Modules[0].Entries[1].Data()
		if (err == nil) != (want == "") || err != nil && (!strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "more than 1073741824 bytes together")) {
			t.Errorf("limit %d: %v", both+spare, err)
		}
	}
}

// TestEntriesLimitOfAllContainers: containers and entries are counted over the file.
func TestEntriesLimitOfAllContainers(t *testing.T) {
	one := container(t, text70, sass70)
	archive := arFile(arMember{"a.o", object(t, one, one)}, arMember{"b.fatbin", one}, arMember{"c.fatbin", one})
	const count = 4*3 + 4 // each container is one, and each member: there is an index
	for _, limit := range []int{count, count - 1} {
		s := newSource("f", archive)
		s.entries = limit
		_, err := openHost(s)
		if (err == nil) != (limit == count) || err != nil && !strings.Contains(err.Error(), "more than 1048576 members, fat binaries and entries") {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

// TestOverlappingSections: section headers that all name the same bytes do not make a
// file cost more than it is large.
func TestOverlappingSections(t *testing.T) {
	one := container(t, text70)
	one = append(one, make([]byte, 1<<20-len(one))...)
	sections := []section{{name: sectionFatbin, typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, data: one}}
	for range 2000 {
		sections = append(sections, section{name: sectionFatbin, typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC})
	}
	data := elfFile(t, elf.ET_DYN, nil, sections)
	headers := data[le.Uint64(data[ehShoff:]):]
	for i := range 2000 {
		copy(headers[(2+i)*shSize+shOffset:], headers[shSize+shOffset:shSize+shOffset+16]) // offset and size
	}
	_, err := Open("f", data)
	if err == nil || !strings.Contains(err.Error(), "overlap") {
		t.Errorf("got %v", err)
	}
}
