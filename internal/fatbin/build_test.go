package fatbin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// Files for the tests are made here, by code that shares nothing with the reader
// but the meaning of Kind and Compression.

// image describes an entry of a container for the tests.
type image struct {
	kind          Kind
	arch          uint32
	major, minor  uint16
	comp          Compression
	options, name string
	data          string
}

const ptx70 = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n"

var (
	sass70 = image{kind: KindSASS, arch: 70, major: 1, minor: 7, name: "k.cu", data: "\x7fELF machine code of sm_70"}
	text70 = image{kind: KindPTX, arch: 70, major: 7, options: "--generate-line-info", name: "k.cu", data: ptx70}
)

func with(i image, comp Compression) image {
	i.comp = comp
	return i
}

func align8(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// encode is the entry as nvcc would write it.
func (i image) encode(t testing.TB) []byte {
	t.Helper()
	data := []byte(i.data)
	if i.kind == KindPTX {
		data = append(data, 0)
	}
	flags := uint64(0x11) // 64-bit, linux
	stored, decoded := 0, 0
	payload := data
	if i.comp != Uncompressed {
		var c Compression
		if payload, c = compress(i.comp, data); c != i.comp {
			t.Fatalf("%s does not compress %q", i.comp, i.data)
		}
		stored, decoded = len(payload), len(data)
		flags |= map[Compression]uint64{LZ4: 0x2000, Zstd: 0x8000, Zlib: 0x1000}[i.comp]
	}
	payload = align8(bytes.Clone(payload))
	extra := []byte{}
	options, name := 0, 0
	if i.kind == KindPTX {
		options = 64
		at, size := 0, 0
		if i.options != "" {
			at, size = 64+8, len(i.options)+2
		}
		extra = binary.LittleEndian.AppendUint32(extra, uint32(at))
		extra = binary.LittleEndian.AppendUint32(extra, uint32(size))
		if i.options != "" {
			extra = align8(append(extra, " "+i.options+" \x00"...))
		}
	}
	if i.name != "" {
		name = 64 + len(extra)
		extra = align8(append(extra, i.name+"\x00"...))
	}
	var b bytes.Buffer
	for _, field := range []any{
		uint16(i.kind), uint16(0x101), uint32(64 + len(extra)), uint64(len(payload)),
		uint32(stored), uint32(options), i.minor, i.major, i.arch, uint32(name), uint32(len(i.name)),
		flags, uint64(0), uint64(decoded),
	} {
		if err := binary.Write(&b, binary.LittleEndian, field); err != nil {
			t.Fatal(err)
		}
	}
	return append(append(b.Bytes(), extra...), payload...)
}

// container is a container of these images.
func container(t testing.TB, images ...image) []byte {
	t.Helper()
	var body []byte
	for _, i := range images {
		body = append(body, i.encode(t)...)
	}
	head := []byte{0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0}
	return append(binary.LittleEndian.AppendUint64(head, uint64(len(body))), body...)
}

// section is one section of an ELF file for the tests.
type section struct {
	name  string
	typ   elf.SectionType
	flags elf.SectionFlag
	addr  uint64
	off   uint64
	link  uint32
	info  uint32
	ent   uint64
	data  []byte
	size  uint64 // of one without data
}

// elfFile lays out an ELF file: the headers, the segments' sections at their
// offsets, the rest behind them, and the section headers.
func elfFile(t testing.TB, typ elf.Type, progs []elf.Prog64, sections []section) []byte {
	t.Helper()
	names := []byte{0}
	sections = append([]section{{}}, append(sections, section{name: ".shstrtab", typ: elf.SHT_STRTAB})...)
	offsets := make([]uint32, len(sections))
	for i, s := range sections {
		if s.name != "" {
			offsets[i] = uint32(len(names))
			names = append(names, s.name+"\x00"...)
		}
	}
	sections[len(sections)-1].data = names
	out := make([]byte, 64+56*len(progs))
	for i := range sections {
		s := &sections[i]
		if i == 0 {
			continue
		}
		if s.off == 0 {
			out = align8(out)
			s.off = uint64(len(out))
		} else if uint64(len(out)) < s.off {
			out = append(out, make([]byte, s.off-uint64(len(out)))...)
		}
		if uint64(len(out)) != s.off {
			t.Fatalf("section %s at %#x, but %#x bytes come before", s.name, s.off, len(out))
		}
		out = append(out, s.data...)
		if s.data != nil {
			s.size = uint64(len(s.data))
		}
	}
	out = align8(out)
	head := elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', 2, 1, 1}, Type: uint16(typ), Machine: uint16(elf.EM_X86_64), Version: 1,
		Ehsize: 64, Phentsize: 56, Phnum: uint16(len(progs)), Phoff: 64,
		Shentsize: 64, Shnum: uint16(len(sections)), Shoff: uint64(len(out)), Shstrndx: uint16(len(sections) - 1),
	}
	var b bytes.Buffer
	write := func(v any) {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	write(&head)
	for i := range progs {
		write(&progs[i])
	}
	copy(out, b.Bytes())
	b.Reset()
	for i, s := range sections {
		align := uint64(8)
		if i == 0 {
			align = 0
		}
		write(&elf.Section64{Name: offsets[i], Type: uint32(s.typ), Flags: uint64(s.flags), Addr: s.addr, Off: s.off, Size: s.size, Link: s.link, Info: s.info, Addralign: align, Entsize: s.ent})
	}
	return append(out, b.Bytes()...)
}

func words(v ...uint64) (out []byte) {
	for _, w := range v {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

// wrapperOf is a wrapper of some version.
func wrapperOf(version uint64, pointer uint64) []byte {
	return words(0x466243b1|version<<32, pointer, 0)
}

// Addresses in the programs of program.
const (
	progFatbin  = 0x400200
	progWrapper = 0x601000
	progBSS     = 0x2340 // bytes of zero-initialised data
)

// program is a loaded file: containers in a read-only segment, a wrapper for each,
// of these versions, in a writable one with zero-initialised data behind it, and
// sections that are not loaded. Containers behind one of version 2 are those of
// relocatable modules. With relocated, pointers are in relocations only.
func program(t testing.TB, typ elf.Type, relocated bool, versions []uint64, containers ...[]byte) []byte {
	t.Helper()
	var fat, wrappers, relas []byte
	split := 0 // where the relocatable modules begin
	for i, c := range containers {
		if versions[i] == 2 {
			split = len(fat) + len(align8(bytes.Clone(c)))
		}
		addr := uint64(progFatbin + len(fat))
		fat = align8(append(fat, c...))
		pointer := addr
		if relocated {
			pointer = 0
			relas = append(relas, words(uint64(progWrapper+len(wrappers)+8), 8 /* R_X86_64_RELATIVE */, addr)...)
		}
		wrappers = append(wrappers, wrapperOf(versions[i], pointer)...)
	}
	if split == 0 {
		split = len(fat)
	}
	dynamic := words(7, 0x400140, 8, uint64(len(relas)), 9, 24, 0, 0) // DT_RELA, DT_RELASZ, DT_RELAENT
	if len(relas) > 0x400200-0x400140 {
		t.Fatal("too many relocations")
	}
	rodata := uint64(0x200 + len(fat))
	data := (rodata + 0xfff) &^ 0xfff
	rw := uint64(len(wrappers) + len(dynamic))
	progs := []elf.Prog64{
		{Type: uint32(elf.PT_LOAD), Flags: 4, Off: 0, Vaddr: 0x400000, Filesz: rodata, Memsz: rodata, Align: 0x1000},
		{Type: uint32(elf.PT_LOAD), Flags: 6, Off: data, Vaddr: progWrapper, Filesz: rw, Memsz: rw + progBSS, Align: 0x1000},
		{Type: uint32(elf.PT_DYNAMIC), Flags: 6, Off: data + uint64(len(wrappers)), Vaddr: progWrapper + uint64(len(wrappers)), Filesz: uint64(len(dynamic)), Memsz: uint64(len(dynamic))},
	}
	return elfFile(t, typ, progs, []section{
		{name: ".rela.dyn", typ: elf.SHT_RELA, flags: elf.SHF_ALLOC, addr: 0x400140, off: 0x140, data: append(relas, make([]byte, 0xc0-len(relas))...), ent: 24},
		{name: ".nv_fatbin", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, addr: progFatbin, off: 0x200, data: fat[:split]},
		{name: "__nv_relfatbin", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, addr: progFatbin + uint64(split), off: 0x200 + uint64(split), data: fat[split:]},
		{name: ".nvFatBinSegment", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_WRITE, addr: progWrapper, off: data, data: wrappers},
		{name: ".dynamic", typ: elf.SHT_DYNAMIC, flags: elf.SHF_ALLOC | elf.SHF_WRITE, addr: progWrapper + uint64(len(wrappers)), off: data + uint64(len(wrappers)), data: dynamic, ent: 16},
		{name: ".bss", typ: elf.SHT_NOBITS, flags: elf.SHF_ALLOC | elf.SHF_WRITE, addr: progWrapper + rw, off: data + rw, size: progBSS},
		{name: ".comment", typ: elf.SHT_PROGBITS, data: []byte("made for a test")},
	})
}

// object is a relocatable file with containers in .nv_fatbin and a wrapper for
// each: of even number relocated by the section's symbol, of odd number by a symbol
// of its own.
func object(t testing.TB, containers ...[]byte) []byte {
	t.Helper()
	sym := func(name, info, shndx, value uint64) []byte { return words(name|info<<32|shndx<<48, value, 0) }
	var fat, wrappers, relas []byte
	syms := append(sym(0, 0, 0, 0), sym(0, 3 /* STT_SECTION */, 1, 0)...)
	strs := []byte{0}
	for i, c := range containers {
		at := uint64(len(fat))
		fat = align8(append(fat, c...))
		if i%2 == 0 {
			relas = append(relas, words(uint64(len(wrappers)+8), 1<<32|1 /* R_X86_64_64 */, at)...)
		} else {
			relas = append(relas, words(uint64(len(wrappers)+8), uint64(len(syms)/24)<<32|1, 0)...)
			syms = append(syms, sym(uint64(len(strs)), 0, 1, at)...)
			strs = append(strs, fmt.Sprintf("fatbinData%d\x00", i)...)
		}
		wrappers = append(wrappers, wrapperOf(1, 0)...)
	}
	return elfFile(t, elf.ET_REL, nil, []section{
		{name: ".nv_fatbin", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, data: fat},
		{name: ".nvFatBinSegment", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_WRITE, data: wrappers},
		{name: ".rela.nvFatBinSegment", typ: elf.SHT_RELA, link: 4, info: 2, ent: 24, data: relas},
		{name: ".symtab", typ: elf.SHT_SYMTAB, link: 5, info: uint32(len(syms) / 24), ent: 24, data: syms},
		{name: ".strtab", typ: elf.SHT_STRTAB, data: strs},
	})
}

// arMember is a member of an archive for the tests.
type arMember struct {
	name string
	data []byte
}

// arFile is an archive with a symbol index that has one symbol for each member.
func arFile(members ...arMember) []byte {
	var names string
	for _, m := range members {
		names += "sym_" + m.name + "\x00"
	}
	out := []byte("!<arch>\n")
	add := func(name string, data []byte) {
		out = append(out, fmt.Sprintf("%-16s%-12s%-6s%-6s%-8s%-10d`\n", name, "0", "0", "0", "644", len(data))...)
		out = append(out, data...)
		if len(out)%2 != 0 {
			out = append(out, '\n')
		}
	}
	index := make([]byte, 4+4*len(members))
	binary.BigEndian.PutUint32(index, uint32(len(members)))
	add("/", append(index, names...))
	for i, m := range members {
		binary.BigEndian.PutUint32(out[8+60+4+4*i:], uint32(len(out)))
		add(m.name+"/", m.data)
	}
	return out
}

// byteArray is C source with the data as bin2c writes it.
func byteArray(data []byte) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "/* made for a test */\nstatic const unsigned char image[%d] = {\n", len(data))
	for i, c := range data {
		fmt.Fprintf(&b, "0x%02x,", c)
		if i%16 == 15 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("0};\nint after = 1;\n")
	return []byte(strings.Replace(b.String(), fmt.Sprintf("[%d]", len(data)), fmt.Sprintf("[%d]", len(data)+1), 1))
}

// quadSource is C source as nvcc --keep leaves it.
func quadSource(data []byte) []byte {
	var b strings.Builder
	b.WriteString("asm(\n\".section .nv_fatbin, \\\"a\\\"\\n\"\n\".align 8\\n\"\n\"fatbinData:\\n\"\n")
	for i := 0; i < len(data); i += 32 {
		b.WriteString("\".quad ")
		for j := i; j < min(i+32, len(data)); j += 8 {
			if j > i {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "0x%016x", binary.LittleEndian.Uint64(data[j:]))
		}
		b.WriteString("\\n\"\n")
	}
	fmt.Fprintf(&b, "\".text\\n\");\nextern const unsigned long long fatbinData[%d];\nstatic const __fatBinC_Wrapper_t w = { 0x466243b1, 1, fatbinData, 0 };\n", len(data)/8)
	return []byte(b.String())
}
