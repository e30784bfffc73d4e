// Static archives.

package fatbin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Layout of a static archive, as written by ar.
const (
	archiveMagic = "!<arch>\n"
	thinMagic    = "!<thin>\n"
	memberHeader = 60 // name 16, date 12, owner 6, group 6, mode 8, size 10, "`\n"
	memberSizeAt = 48
	memberEndAt  = 58
)

// maxMemberName is the longest name of a member, in bytes: many members can have the same long name.
const maxMemberName = 4096

// archive is a static archive. Members that hold no containers have no host.
type archive struct {
	src     source
	members []*member
}

type member struct {
	name string
	at   int // of its header in the archive
	data int // offset of its content
	end  int
	host host
}

func openArchive(s source) (host, error) {
	if bytes.HasPrefix(s.data, []byte(thinMagic)) {
		return nil, s.errorf(0, "a thin archive only names its members: open those")
	}
	a := &archive{src: s}
	var longNames []byte
	for at := len(archiveMagic); at < len(s.data); {
		if !s.entry() {
			return nil, s.errorf(at, "%s", s.spent)
		}
		m, err := a.parseMember(at, &longNames)
		if err != nil {
			return nil, err
		}
		a.members = append(a.members, m)
		at = m.end + m.end&1
	}
	return a, nil
}

func (a *archive) parseMember(at int, longNames *[]byte) (*member, error) {
	s := a.src.sub(at, len(a.src.data))
	if len(s.data) < memberHeader {
		return nil, s.errorf(0, "%d bytes, too few for the header of a member", len(s.data))
	}
	if string(s.data[memberEndAt:memberHeader]) != "`\n" {
		return nil, s.errorf(memberEndAt, "the header of a member ends with %q; expected %q", s.data[memberEndAt:memberHeader], "`\n")
	}
	field := strings.TrimSpace(string(s.data[memberSizeAt:memberEndAt]))
	size, err := strconv.ParseUint(field, 10, 63)
	if err != nil || size > uint64(len(s.data)-memberHeader) {
		return nil, s.errorf(memberSizeAt, "a member of %q bytes where %d are left", field, len(s.data)-memberHeader)
	}
	m := &member{at: at, data: at + memberHeader, end: at + memberHeader + int(size)}
	m.name = strings.TrimRight(string(s.data[:16]), " ")
	switch content := a.src.data[m.data:m.end]; {
	case m.name == "//": // the table of long names
		*longNames = content
	case strings.HasPrefix(m.name, "#1/"): // BSD: the name precedes the content
		n, err := strconv.ParseUint(m.name[3:], 10, 31)
		if err != nil || n > min(size, maxMemberName) {
			return nil, s.errorf(0, "a member with a name of %q bytes; the limit is %d", m.name[3:], maxMemberName)
		}
		m.name = string(bytes.TrimRight(content[:n], "\x00"))
		m.data += int(n)
	case m.name != "/" && m.name != "/SYM64/":
		if m.name = longName(m.name, *longNames); len(m.name) > maxMemberName {
			return nil, s.errorf(0, "a member with a name of more than %d bytes", maxMemberName)
		}
	}
	return m, a.openMember(m)
}

// longName returns the name of a member: "/N" refers to offset N of the table of long names, where a slash ends the name. A name that
// is too long is cut after maxMemberName+1 bytes.
func longName(name string, table []byte) string {
	if n, err := strconv.ParseUint(strings.TrimPrefix(name, "/"), 10, 31); err == nil && name[0] == '/' && n < uint64(len(table)) {
		line, _, _ := bytes.Cut(table[n:min(n+maxMemberName+1, uint64(len(table)))], []byte("\n"))
		name = string(line)
	}
	return strings.TrimSuffix(name, "/")
}

func (a *archive) openMember(m *member) (err error) {
	s := source{file: fmt.Sprintf("%s(%s)", a.src.file, m.name), data: a.src.data[m.data:m.end], budget: a.src.budget}
	switch {
	case bytes.HasPrefix(s.data, []byte("\x7fELF")):
		m.host, err = openELF(s)
	case len(s.data) >= 4 && le.Uint32(s.data) == containerMagic:
		m.host, err = openRaw(s)
	}
	return err
}

func (a *archive) format() Format { return FormatArchive }

func (a *archive) slots() (out []slot) {
	for _, m := range a.members {
		if m.host == nil {
			continue
		}
		for _, s := range m.host.slots() {
			s.member = m.name
			out = append(out, s)
		}
	}
	return out
}

func (a *archive) rebuild(containers [][]byte) ([]byte, error) {
	out := append([]byte(nil), archiveMagic...)
	moved := make(map[int]int) // offset of each member's header, before and after
	for _, m := range a.members {
		content := a.src.data[m.data:m.end]
		if m.host != nil {
			n := len(m.host.slots())
			changed, err := m.rebuild(containers[:n])
			if err != nil {
				return nil, err
			}
			if changed != nil {
				content = changed
			}
			containers = containers[n:]
		}
		moved[m.at] = len(out)
		head := bytes.Clone(a.src.data[m.at:m.data])
		size := fmt.Sprintf("%-10d", m.data-m.at-memberHeader+len(content))
		if len(size) > memberEndAt-memberSizeAt {
			return nil, fmt.Errorf("%s(%s): %d bytes are too many for a member", a.src.file, m.name, len(content))
		}
		copy(head[memberSizeAt:], size)
		out = append(append(out, head...), content...)
		if len(out)&1 != 0 && (m.end&1 == 0 || m.end < len(a.src.data)) { // the last member need not be padded
			out = append(out, '\n')
		}
	}
	return out, a.fixIndex(out, moved)
}

// rebuild returns the new content of the member, nil if it does not change.
func (m *member) rebuild(containers [][]byte) ([]byte, error) {
	for _, c := range containers {
		if c != nil {
			return m.host.rebuild(containers)
		}
	}
	return nil, nil
}

// fixIndex corrects the symbol index at the start of the archive, which holds
// offsets of members: a big-endian count and as many numbers.
func (a *archive) fixIndex(out []byte, moved map[int]int) error {
	first := a.members[0]
	width := map[string]int{"/": 4, "/SYM64/": 8}[first.name]
	if width == 0 {
		if strings.HasPrefix(first.name, "__.SYMDEF") && anyMoved(moved) {
			return fmt.Errorf("%s(%s): members move, and an index of this form cannot be corrected; run ranlib on an archive made by GNU ar", a.src.file, first.name)
		}
		return nil
	}
	table := out[first.data:first.end]
	get := func(at int) uint64 {
		if width == 4 {
			return uint64(binary.BigEndian.Uint32(table[at:]))
		}
		return binary.BigEndian.Uint64(table[at:])
	}
	if len(table) < width || get(0) > uint64(len(table)/width-1) {
		return a.src.sub(first.data, first.end).errorf(0, "a symbol index of %d bytes that is cut short", len(table))
	}
	for i := 1; i <= int(get(0)); i++ {
		to, ok := moved[int(get(i*width))]
		if !ok {
			return a.src.sub(first.data, first.end).errorf(i*width, "a symbol index with offset %#x, where no member begins", get(i*width))
		}
		if width == 4 {
			binary.BigEndian.PutUint32(table[i*width:], uint32(to))
		} else {
			binary.BigEndian.PutUint64(table[i*width:], uint64(to))
		}
	}
	return nil
}

func anyMoved(moved map[int]int) bool {
	for from, to := range moved {
		if from != to {
			return true
		}
	}
	return false
}
