package fatbin

import (
	"bytes"
	"debug/elf"
	"fmt"
	"strings"
	"testing"
)

// arEntry returns a member of an archive with any name field.
func arEntry(name string, content []byte) []byte {
	out := fmt.Appendf(nil, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", name, 0, 0, 0, 0o644, len(content))
	if out = append(out, content...); len(out)&1 != 0 {
		out = append(out, '\n')
	}
	return out
}

// hostile lists files that would take time or memory in proportion to the square of their size, and the error, "" for
// PTX that is found as a string.
func hostile(t testing.TB, size int) map[string]struct {
	data []byte
	want string
} {
	one := container(t, text70)
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	files := make(map[string]struct {
		data []byte
		want string
	})
	add := func(name, want string, parts ...[]byte) {
		files[name] = struct {
			data []byte
			want string
		}{bytes.Join(parts, nil), want}
	}
	ar := []byte(archiveMagic)
	table := arEntry("//", []byte(repeat("n")))
	add("many members with one long name", "a member with a name of more than 4096 bytes", ar, table, bytes.Repeat(arEntry("/0", nil), size/memberHeader))
	add("long name of BSD", "the limit is 4096", ar, arEntry("#1/5000", []byte(strings.Repeat("n", 5000))))
	add("empty members", "has no fat binary", ar, bytes.Repeat(arEntry("a.o/", nil), size/memberHeader))
	add("archives in archives", "", ar, arEntry("a.a/", append(append([]byte{}, ar...), arEntry("b.a/", append(append([]byte{}, ar...), arEntry("c.fatbin/", one)...))...)))
	add("initialisers that do not end", "has no fat binary", []byte(repeat("int a[]={")))
	add("initialisers in each other", "overlap", []byte(repeat("int a[]={")+"}"))
	add("initialisers that begin with one comment", "overlap", []byte(repeat("int a[]={/*")+"*/1};"))
	add("versions without an end", "not an ELF file", []byte("\x01"+repeat(".version 7.0 .target sm_70 ")))
	add("versions without a target", "not an ELF file", []byte("\x01"+repeat(".version 7.0 ")+"\x00"))
	sections := []section{{name: ".data", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, data: []byte(repeat(".version 7.0 .target sm_70 "))}}
	add("versions in an ELF file", "", elfFile(t, elf.ET_DYN, nil, sections))
	head := bytes.Clone(one[:containerHeader])
	le.PutUint64(head[8:], 1<<40)
	add("heads of containers", "has no fat binary", elfFile(t, elf.ET_DYN, nil, []section{{name: ".data", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, data: bytes.Repeat(head, size/len(head))}}))
	return files
}

// TestHostileFiles: the time for a file is in proportion to its size, whatever is in it; otherwise this test would take hours.
func TestHostileFiles(t *testing.T) {
	for name, f := range hostile(t, 8<<20) {
		_, err := Open("f", f.data)
		if (err == nil) != (f.want == "") || err != nil && (!strings.Contains(err.Error(), f.want) || len(err.Error()) > 300) {
			t.Errorf("%s: %.300v, want %q", name, err, f.want)
		}
	}
}

// TestMemberLimit: the members of an archive count.
func TestMemberLimit(t *testing.T) {
	archive := append([]byte(archiveMagic), bytes.Repeat(arEntry("a.txt/", nil), 5)...)
	for _, limit := range []int{5, 4} {
		s := newSource("f", archive)
		s.entries = limit
		_, err := openHost(s)
		if (err == nil) != (limit == 5) || err != nil && !strings.Contains(err.Error(), "members") {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}
