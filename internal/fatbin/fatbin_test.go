package fatbin

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func mustOpen(t testing.TB, name string, data []byte) *File {
	t.Helper()
	f, err := Open(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// describe is the list of entries as "module kind arch size compression", with the
// text of PTX checked against want.
func describe(t testing.TB, f *File) string {
	t.Helper()
	var b strings.Builder
	for i, m := range f.Modules {
		for _, e := range m.Entries {
			fmt.Fprintf(&b, "%d %s %s %d.%d %s %q %q\n", i, e.Kind, e.Target(), e.Major, e.Minor, e.Compression, e.Options, e.Name)
			if _, err := e.Data(); err != nil {
				t.Error(err)
			}
		}
	}
	return b.String()
}

func ptxOf(t testing.TB, f *File) (texts []string) {
	t.Helper()
	for _, m := range f.Modules {
		for _, i := range m.PTX() {
			data, err := m.Entries[i].Data()
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(data))
		}
	}
	return texts
}

// hosts are the files that hold two containers, by format.
func hosts(t testing.TB, a, b []byte) map[Format]map[string][]byte {
	both := append(append(bytes.Clone(a), make([]byte, 24)...), b...)
	return map[Format]map[string][]byte{
		FormatFatbin: {"fatbin": both},
		FormatExecutable: {
			"executable":           program(t, elf.ET_EXEC, false, []uint64{1, 1}, a, b),
			"without sections":     withoutSections(program(t, elf.ET_EXEC, false, []uint64{1, 1}, a, b)),
			"relocated executable": program(t, elf.ET_EXEC, true, []uint64{1, 1}, a, b),
		},
		FormatShared:  {"shared object": program(t, elf.ET_DYN, true, []uint64{1, 1}, a, b)},
		FormatObject:  {"object": object(t, a, b)},
		FormatArchive: {"archive": arFile(arMember{"notes.txt", []byte("odd")}, arMember{"a.o", object(t, a)}, arMember{"b.o", object(t, b)})},
		FormatSource:  {"bytes": byteArray(both), "quads": quadSource(both)},
	}
}

// withoutSections is an ELF file without section headers.
func withoutSections(data []byte) []byte {
	clear(data[40:48]) // their offset
	clear(data[60:64]) // their number, and the index of their names
	return data
}

const wantList = `0 sass sm_70 1.7 none "" "k.cu"
0 ptx sm_70 7.0 lz4 "--generate-line-info" "k.cu"
1 ptx sm_80 7.5 zstd "" ""
1 ptx sm_50 6.0 none "" ""
1 sass sm_80 0.0 zlib "" ""
`

func twoContainers(t testing.TB) (a, b []byte) {
	a = container(t, sass70, with(text70, LZ4))
	b = container(t,
		image{kind: KindPTX, arch: 80, major: 7, minor: 5, comp: Zstd, data: "// for sm_80\n" + strings.Repeat("// more\n", 99)},
		image{kind: KindPTX, arch: 50, major: 6, data: "// for sm_50\n"},
		image{kind: KindSASS, arch: 80, comp: Zlib, data: strings.Repeat("machine code ", 50)})
	return a, b
}

func TestOpen(t *testing.T) {
	a, b := twoContainers(t)
	for format, files := range hosts(t, a, b) {
		for name, data := range files {
			f := mustOpen(t, name, data)
			if f.Format != format {
				t.Errorf("%s: format %s, want %s", name, f.Format, format)
			}
			if got := describe(t, f); got != wantList {
				t.Errorf("%s: %s\nwant %s", name, got, wantList)
			}
			if got := ptxOf(t, f); got[0] != ptx70 || got[2] != "// for sm_50\n" {
				t.Errorf("%s: PTX %q", name, got)
			}
		}
	}
}

// TestEmbed replaces PTX in every format by shorter and by longer text, with every
// compression, and reads it back.
func TestEmbed(t *testing.T) {
	a, b := twoContainers(t)
	long := ".version 8.1\n.target sm_72\n" + random(20000)
	for _, files := range hosts(t, a, b) {
		for name, data := range files {
			for _, text := range []string{"// short\n", long} {
				for c := range Compression(len(compressionNames)) {
					testEmbed(t, name, data, text, c)
				}
			}
		}
	}
}

// random is text that does not compress well, the same each time.
func random(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = ' ' + byte(x>>24)%90
	}
	return string(b)
}

func testEmbed(t *testing.T, name string, data []byte, text string, c Compression) {
	t.Helper()
	before := bytes.Clone(data)
	f := mustOpen(t, name, data)
	out, err := f.Embed([]Replacement{
		{Module: 1, Entry: 0, PTX: []byte("// the new one for sm_80\n"), Arch: 80, Major: 7, Minor: 6},
		{Module: 0, Entry: 1, PTX: []byte(text), Arch: 72, Major: 8, Minor: 1},
	}, EmbedOptions{Compression: &c})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !bytes.Equal(before, data) {
		t.Errorf("%s: the input was written to", name)
	}
	g := mustOpen(t, name, out)
	want := []string{text, "// the new one for sm_80\n", "// for sm_50\n"}
	if got := ptxOf(t, g); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%s, %s: PTX %.40q, want %.40q", name, c, got, want)
	}
	for _, m := range g.Modules {
		if len(m.PTX()) != len(m.Entries) {
			t.Errorf("%s: machine code is left", name)
		}
	}
	e := g.Modules[0].Entries[0]
	if e.Arch != 72 || e.Major != 8 || e.Minor != 1 || e.Options != "--generate-line-info" || e.Name != "k.cu" {
		t.Errorf("%s: entry %+v", name, e)
	}
	checkUntouched(t, name, data, out)
}

// checkUntouched compares what has no part in an embedding: sections of ELF files,
// and what goes before and after C arrays.
func checkUntouched(t *testing.T, name string, before, after []byte) {
	t.Helper()
	if bytes.HasPrefix(before, []byte("asm")) || bytes.HasPrefix(before, []byte("/*")) {
		_, x, _ := bytes.Cut(before, []byte(";\n"))
		_, y, _ := bytes.Cut(after, []byte(";\n"))
		if i := bytes.LastIndexByte(x, ';'); !bytes.HasSuffix(y, x[max(i-10, 0):]) {
			t.Errorf("%s: the end of the source changed: %.300s", name, y)
		}
	}
	if !bytes.HasPrefix(before, []byte("\x7fELF")) {
		return
	}
	x, err := elf.NewFile(bytes.NewReader(before))
	if err != nil {
		t.Fatal(err)
	}
	y, err := elf.NewFile(bytes.NewReader(after))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, s := range x.Sections {
		if s.Name != ".comment" && s.Name != ".strtab" && s.Name != ".dynamic" && s.Name != ".shstrtab" {
			continue
		}
		want, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := y.Section(s.Name).Data(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: section %s changed (%v)", name, s.Name, err)
		}
	}
	for i, s := range x.Sections {
		if y.Sections[i].Name != s.Name || y.Sections[i].Addr != s.Addr {
			t.Errorf("%s: section %d is %s at %#x, was %s at %#x", name, i, y.Sections[i].Name, y.Sections[i].Addr, s.Name, s.Addr)
		}
	}
}

// TestEmbedAgain grows the same file twice.
func TestEmbedAgain(t *testing.T) {
	a, b := twoContainers(t)
	for _, files := range hosts(t, a, b) {
		for name, data := range files {
			for n := 1; n <= 3; n++ {
				f := mustOpen(t, name, data)
				at := f.Modules[0].PTX()[0]
				text := random(n * 9000)
				out, err := f.Embed([]Replacement{{Module: 0, Entry: at, PTX: []byte(text), Arch: 70}}, EmbedOptions{})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				g := mustOpen(t, name, out)
				if got := ptxOf(t, g); got[0] != text || got[2] != "// for sm_50\n" {
					t.Fatalf("%s, time %d: PTX %.40q", name, n, got)
				}
				data = out
			}
		}
	}
}

// TestEmbedInPlace: what fits leaves the size of the file and all that is not the
// container as it is.
func TestEmbedInPlace(t *testing.T) {
	a, b := twoContainers(t)
	for _, data := range [][]byte{program(t, elf.ET_EXEC, true, []uint64{1, 1}, a, b), object(t, a, b)} {
		f := mustOpen(t, "f", data)
		out, err := f.Embed([]Replacement{{Module: 0, Entry: 1, PTX: []byte(ptx70), Arch: 70, Major: 7}}, EmbedOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(out) != len(data) {
			t.Fatalf("%d bytes, were %d", len(out), len(data))
		}
		at := int(f.Modules[0].Offset)
		for i := range data {
			if data[i] != out[i] && (i < at || i >= at+len(a)) {
				t.Fatalf("byte %#x changed; the container is at %#x, %d bytes", i, at, len(a))
			}
		}
	}
}

// TestLinked: machine code that was linked from relocatable modules goes when the
// PTX of one of them is replaced, and stays when that of another module is.
func TestLinked(t *testing.T) {
	data := program(t, elf.ET_EXEC, false, []uint64{1, 2, 1, 1}, container(t, sass70, text70), container(t, sass70), container(t, sass70, text70), container(t, sass70, text70))
	f := mustOpen(t, "f", data)
	for i, m := range f.Modules {
		if m.Linked != (i == 1) || m.Relocatable != (i > 1) {
			t.Errorf("module %d: linked %v, relocatable %v", i, m.Linked, m.Relocatable)
		}
	}
	for _, c := range []struct {
		modules []int
		kinds   string // of the entries of each module
	}{
		{[]int{0}, "[ptx] [sass] [sass ptx] [sass ptx]"},
		{[]int{2}, "[sass ptx] [] [ptx] [sass ptx]"},
		{[]int{3, 0}, "[ptx] [] [sass ptx] [ptx]"},
	} {
		for _, text := range []string{ptx70, random(40000)} {
			var repl []Replacement
			for _, i := range c.modules {
				repl = append(repl, Replacement{Module: i, Entry: 1, PTX: []byte(text), Arch: 70, Major: 7})
			}
			out, err := f.Embed(repl, EmbedOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, m := range mustOpen(t, "f", out).Modules {
				kinds := []string{}
				for _, e := range m.Entries {
					kinds = append(kinds, e.Kind.String())
				}
				got = append(got, fmt.Sprint(kinds))
				if m.Linked != (i == 1) || m.Relocatable != (i > 1) {
					t.Errorf("%v, module %d: linked %v, relocatable %v", c.modules, i, m.Linked, m.Relocatable)
				}
			}
			if g := strings.Join(got, " "); g != c.kinds {
				t.Errorf("%v: %s, want %s", c.modules, g, c.kinds)
			}
		}
	}
}

// TestWrappersFollow: after a container moved, its wrapper points to it.
func TestWrappersFollow(t *testing.T) {
	for _, relocated := range []bool{false, true} {
		a, b := twoContainers(t)
		f := mustOpen(t, "f", program(t, elf.ET_DYN, relocated, []uint64{1, 1}, a, b))
		out, err := f.Embed([]Replacement{{Module: 0, Entry: 1, PTX: []byte(random(30000)), Arch: 70}}, EmbedOptions{})
		if err != nil {
			t.Fatal(err)
		}
		h := mustOpen(t, "f", out).host.(*elfHost)
		if len(h.wrappers) != 2 || h.wrappers[0].slot != 0 || h.wrappers[1].slot != 1 {
			t.Fatalf("relocated %v: wrappers %+v", relocated, h.wrappers)
		}
		last := h.elf.Progs[1]
		if a := h.containers[0].addr; a < progWrapper+progBSS || a >= last.Vaddr+last.Memsz || last.Filesz != last.Memsz {
			t.Errorf("relocated %v: the container is at %#x, the segment %+v", relocated, a, last.ProgHeader)
		}
	}
}

// TestArchiveIndex: the offsets of the symbol index follow the members.
func TestArchiveIndex(t *testing.T) {
	a, b := twoContainers(t)
	f := mustOpen(t, "lib.a", arFile(arMember{"a.o", object(t, a)}, arMember{"b.o", object(t, b)}))
	out, err := f.Embed([]Replacement{{Module: 0, Entry: 1, PTX: []byte(random(30001)), Arch: 70}}, EmbedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"a.o/", "b.o/"} {
		at := int(out[8+60+4+4*i])<<24 | int(out[8+60+5+4*i])<<16 | int(out[8+60+6+4*i])<<8 | int(out[8+60+7+4*i])
		if at+16 > len(out) || strings.TrimSpace(string(out[at:at+16])) != want {
			t.Errorf("symbol %d is at %#x, where %s does not begin", i, at, want)
		}
	}
}

// TestArchiveNames: names of members in the forms of GNU and of BSD.
func TestArchiveNames(t *testing.T) {
	a, _ := twoContainers(t)
	head := func(name string, size int) string {
		return fmt.Sprintf("%-16s%-32s%-10d`\n", name, "", size)
	}
	long := "a name of more than sixteen characters.o"
	table := long + "/\n"
	fat := string(a)
	data := "!<arch>\n" + head("//", len(table)) + table + head("/0", len(fat)) + fat +
		head("#1/44", 44+len(fat)) + long + "\x00\x00\x00\x00" + fat + head("short.o/", len(fat)) + fat
	f := mustOpen(t, "lib.a", []byte(data))
	for i, want := range []string{long, long, "short.o"} {
		if f.Modules[i].Member != want {
			t.Errorf("module %d is in %q, want %q", i, f.Modules[i].Member, want)
		}
	}
	out, err := f.Embed([]Replacement{{Module: 1, Entry: 1, PTX: []byte(random(3001)), Arch: 70}}, EmbedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := ptxOf(t, mustOpen(t, "lib.a", out)); got[0] != ptx70 || got[1] != random(3001) || got[2] != ptx70 {
		t.Errorf("PTX %.40q", got)
	}
}

// TestDeclaredSize: when the numbers become more, the sizes declared follow, and
// nothing else that looks like them.
func TestDeclaredSize(t *testing.T) {
	a, _ := twoContainers(t)
	old := len(a) / 8
	source := string(quadSource(a)) + fmt.Sprintf("extern const unsigned long long fatbinData[%d], more;\nint fatbinData_len = %d;\nint x = fatbinData[%d] + fatbinData[%d] + y[%d];\n",
		old+2, len(a), old+1, old-1, old)
	f := mustOpen(t, "a.c", []byte(source))
	out, err := f.Embed([]Replacement{{Module: 0, Entry: 1, PTX: []byte(random(5000)), Arch: 70}}, EmbedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n := len(mustOpen(t, "a.c", out).host.(*carrays).arrays[0].raw.src.data)
	for _, want := range []string{
		fmt.Sprintf("long fatbinData[%d];", n/8), fmt.Sprintf("fatbinData[%d], more;", n/8+2), fmt.Sprintf("fatbinData_len = %d;", n),
		fmt.Sprintf("x = fatbinData[%d] + fatbinData[%d] + y[%d];", old+1, old-1, old),
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in the end %q", want, out[max(0, len(out)-400):])
		}
	}
	f = mustOpen(t, "a.c", byteArray(a))
	if out, err = f.Embed([]Replacement{{Module: 0, Entry: 1, PTX: []byte(random(5000)), Arch: 70}}, EmbedOptions{}); err != nil {
		t.Fatal(err)
	}
	n = len(mustOpen(t, "a.c", out).host.(*carrays).arrays[0].raw.src.data)
	if !strings.Contains(string(out), fmt.Sprintf("char image[%d] = {", n)) {
		t.Errorf("no size %d in %.200s", n, out)
	}
}

func TestEmbedErrors(t *testing.T) {
	a, b := twoContainers(t)
	hidden := elfFile(t, elf.ET_DYN, []elf.Prog64{{Type: 1, Flags: 4, Filesz: 0x200 + uint64(len(a)), Memsz: 0x1000}}, []section{
		{name: ".rodata", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, addr: 0x200, off: 0x200, data: a},
	})
	cubinFile := append([]byte("\x7fELF\x02\x01\x01\x33\x07"), make([]byte, 200)...)
	cubinFile[18], cubinFile[48] = 190, 70
	for _, c := range []struct {
		name string
		data []byte
		repl []Replacement
		want string
	}{
		{"higher PTX", b, []Replacement{{Module: 0, Entry: 1, Arch: 50}}, "module 0 has PTX for sm_80, too"},
		{"not PTX", a, []Replacement{{Module: 0, Entry: 0, Arch: 50}}, "module 0 entry 0 is sass, not PTX"},
		{"twice", a, []Replacement{{Module: 0, Entry: 1}, {Module: 0, Entry: 1}}, "replaced twice"},
		{"NUL", a, []Replacement{{Module: 0, Entry: 1, PTX: []byte("a\x00b")}}, "NUL"},
		{"no wrapper", hidden, []Replacement{{Module: 0, Entry: 1, PTX: []byte(random(9999))}}, "f: offset 0x200: the new fat binary has"},
		{"cubin", cubinFile, []Replacement{{}}, "a cubin is machine code only"},
	} {
		_, err := mustOpen(t, "f", c.data).Embed(c.repl, EmbedOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	f := mustOpen(t, "f", b)
	out, err := f.Embed([]Replacement{{Module: 0, Entry: 1, PTX: []byte("// new"), Arch: 50}}, EmbedOptions{DropPTX: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := ptxOf(t, mustOpen(t, "f", out)); len(got) != 1 || got[0] != "// new" {
		t.Errorf("dropping the other PTX left %q", got)
	}
}

func TestCubin(t *testing.T) {
	data := append([]byte("\x7fELF\x02\x01\x01\x33\x07"), make([]byte, 200)...)
	data[18], data[48] = 190, 70
	if got := describe(t, mustOpen(t, "k.cubin", data)); got != "0 sass sm_70 0.7 none \"\" \"\"\n" {
		t.Error(got)
	}
	data[8], data[48], data[49] = 8, 2, 100
	if got := describe(t, mustOpen(t, "k.cubin", data)); got != "0 sass sm_100 0.8 none \"\" \"\"\n" {
		t.Error(got)
	}
}

// TestOpenErrors damages a container in one place each.
func TestOpenErrors(t *testing.T) {
	base := container(t, sass70, with(text70, LZ4))
	entry2 := 16 + len(sass70.encode(t))
	set := func(at int, v ...byte) []byte {
		d := bytes.Clone(base)
		copy(d[at:], v)
		return d
	}
	for _, c := range []struct {
		name   string
		data   []byte
		offset int64
		want   string
	}{
		{"empty", nil, 0, "not an ELF file"},
		{"noise", []byte{1, 2, 3, 4, 5, 6, 7, 8}, 0, "not an ELF file"},
		{"header cut", base[:9], 0, "too few for the header of a fat binary"},
		{"old format", set(0, 0x01, 0x5a, 0xe5, 0x1e), 0, "before CUDA 4"},
		{"version", set(4, 2), 4, "version 2; expected 1"},
		{"header size", set(6, 8), 6, "a header of 8 bytes"},
		{"size", set(8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 8, "where"},
		{"entry version", set(16+2, 9), 16 + 2, "version 0x109"},
		{"entry header", set(16+4, 8, 0), 16 + 4, "a header of 8 bytes"},
		{"entry header size", set(16+4, 0xff, 0xff, 0xff, 0xff), 16 + 4, "a header of 4294967295 bytes"},
		{"payload", set(16+8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 16 + 8, "a payload of 18446744073709551615 bytes"},
		{"name", set(16+32, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 16 + 32, "a name of 4294967295 bytes"},
		{"options", set(entry2+20, 0xff, 0xff, 0xff, 0xff), int64(entry2) + 20, "options at 4294967295"},
		{"compressed size", set(entry2+16, 0xff, 0xff), int64(entry2) + 16, "compressed bytes in a payload"},
		{"decoded size", set(entry2+56, 0, 0, 0, 0, 1), int64(entry2) + 56, "the limit is"},
		{"two compressions", set(entry2+40, 0, 0xa0), int64(entry2) + 40, "more than one compression"},
		{"rest", append(bytes.Clone(base), 1, 2, 3), int64(len(base)), "too few"},
		{"archive", []byte("!<arch>\nshort"), 8, "too few for the header of a member"},
		{"thin archive", []byte("!<thin>\n"), 0, "thin"},
		{"ELF", []byte("\x7fELF"), 4, "ends here"},
	} {
		_, err := Open("f", c.data)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.name, err)
		} else if e.Offset != c.offset || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%s: %v, want %q at %#x", c.name, err, c.want, c.offset)
		}
	}
	for name, data := range map[string][]byte{"text": []byte("int x[] = {1, 2};\n"), "ELF": elfFile(t, elf.ET_DYN, nil, nil)} {
		if _, err := Open("f", data); err == nil || !strings.Contains(err.Error(), "has no fat binary in it") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecompress decodes payloads written by hand from the formats' descriptions.
func TestDecompress(t *testing.T) {
	hello := []byte("hello")
	for _, c := range []struct {
		name string
		how  Compression
		data []byte
		size int
		want string // of the data, or of the error after "!"
	}{
		{"LZ4 literals", LZ4, append([]byte{5 << 4}, hello...), 5, "hello"},
		// One literal, a match of 15 at distance 1, five literals.
		{"LZ4 match", LZ4, append([]byte{1<<4 | 11, 'a', 1, 0, 5 << 4}, "bbbbb"...), 21, strings.Repeat("a", 16) + "bbbbb"},
		{"LZ4 short", LZ4, append([]byte{5 << 4}, hello...), 9, "!decodes to 5 bytes; expected 9"},
		{"LZ4 long", LZ4, append([]byte{5 << 4}, hello...), 3, "!not an LZ4 block"},
		{"LZ4 bomb", LZ4, append([]byte{5 << 4}, hello...), maxDecoded, "!cannot decode"},
		{"LZ4 distance", LZ4, []byte{1<<4 | 11, 'a', 9, 0, 0}, 20, "!not an LZ4 block"},
		// A single segment of 5 bytes; a last raw block of 5.
		{"zstd", Zstd, append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0}, hello...), 5, "hello"},
		{"zstd long", Zstd, append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0}, hello...), 4, "!decodes to 5 bytes; expected 4"},
		{"zstd noise", Zstd, hello, 5, "!magic"},
		// A last stored deflate block of 5 bytes, and its Adler-32.
		{"zlib", Zlib, append(append([]byte{0x78, 0x01, 1, 5, 0, 0xfa, 0xff}, hello...), 0x06, 0x2c, 0x02, 0x15), 5, "hello"},
	} {
		got, err := decompress(c.how, c.data, c.size)
		want, fails := strings.CutPrefix(c.want, "!")
		switch {
		case fails && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", c.name, err, want)
		case !fails && (err != nil || string(got) != want):
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
