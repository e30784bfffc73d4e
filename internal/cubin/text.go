// PTX of a translation unit: the text of the cubin with directives of lines.

package cubin

import (
	"bytes"
	"fmt"
	"strings"
)

// unitText is the PTX of a unit, and what is known of its lines.
type unitText struct {
	section string
	lines   [][]byte
	run     []int // for each line the first one of its run: lines without an empty one between them
	votes   map[int]map[*location]uint64
}

// newUnitText splits a text into lines. Debug sections are left out, and that the target has some: their data are not
// in the text.
func newUnitText(section string, text []byte) *unitText {
	u := &unitText{section: section, votes: make(map[int]map[*location]uint64)}
	u.lines = bytes.Split(bytes.TrimRight(text, "\x00"), []byte{0})
	depth, inSection := 0, false
	for i, line := range u.lines {
		if target, debug := bytes.CutSuffix(line, []byte(", debug")); debug && bytes.HasPrefix(line, []byte(".target")) {
			u.lines[i] = target
		}
		inSection = inSection || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte(".section"))
		if inSection {
			opened := bytes.Count(line, []byte("{"))
			depth += opened - bytes.Count(line, []byte("}"))
			inSection = depth > 0 || opened == 0 && !bytes.Contains(line, []byte("}"))
			u.lines[i] = nil
		}
	}
	for len(u.lines) > 0 && u.empty(len(u.lines)-1) {
		u.lines = u.lines[:len(u.lines)-1]
	}
	u.run = make([]int, len(u.lines))
	for i := range u.lines {
		if u.run[i] = i; i > 0 && !u.empty(i-1) && !u.empty(i) {
			u.run[i] = u.run[i-1]
		}
	}
	return u
}

func (u *unitText) empty(line int) bool { return len(bytes.TrimSpace(u.lines[line])) == 0 }

// vote counts machine code of a line of the text, from 1, that is of a location. Compilers write a directive on a line
// of its own, so that lines of the text without an empty one between them have one location.
func (u *unitText) vote(line int, l *location, weight uint64) {
	if line < 1 || line > len(u.lines) || u.empty(line-1) {
		return
	}
	run := u.run[line-1]
	if u.votes[run] == nil {
		u.votes[run] = make(map[*location]uint64)
	}
	u.votes[run][l] += weight
}

// location returns the location that most of the machine code of a run has, nil if it is unknown.
func (u *unitText) location(run int) (most *location) {
	for l, weight := range u.votes[run] {
		if now := u.votes[run][most]; most == nil || weight > now || weight == now && l.before(most) {
			most = l
		}
	}
	return most
}

// before orders locations of equal weight.
func (l *location) before(o *location) bool {
	if l.file != o.file {
		return l.file < o.file
	}
	return l.line < o.line
}

// directives writes the directives of lines.
type directives struct {
	files, functions       map[string]int
	fileList, functionList []string
	calls                  int // bytes of directives of calls that are left
}

// maxCallBytes limits the bytes of directives of calls, which each location repeats.
const maxCallBytes = 64 << 20

func (d *directives) file(name string) int {
	return number(d.files, &d.fileList, name) + 1
}

// number returns the index of a string in a list, to which it is appended if it is new.
func number(known map[string]int, list *[]string, s string) int {
	i, ok := known[s]
	if !ok {
		i = len(*list)
		known[s], *list = i, append(*list, s)
	}
	return i
}

// loc returns the directives of a location: of the calls, from the outermost on, then its own.
func (d *directives) loc(l *location) string {
	own := fmt.Sprintf(".loc\t%d %d 0", d.file(l.file), l.line)
	if l.call == nil || d.calls < 0 {
		return own
	}
	text := fmt.Sprintf("%s %s, function_name $L__inlined%d, inlined_at %d %d 0", d.loc(l.call), own,
		number(d.functions, &d.functionList, l.function), d.file(l.call.file), l.call.line)
	d.calls -= len(text)
	return text
}

// ptx returns the text with .loc directives. A directive replaces the empty line before a run, if the location of the run
// differs from that of the previous run. A location that is unknown has line 0.
func (u *unitText) ptx() []byte {
	d := &directives{files: make(map[string]int), functions: make(map[string]int), calls: maxCallBytes}
	var now *location // the one in force
	known := false    // the function has a location
	var out bytes.Buffer
	depth, complete := 0, false // the braces that are open, and whether a statement ends before the line
	for i, line := range u.lines {
		if i+1 < len(u.lines) && u.empty(i) && !u.empty(i+1) && depth > 0 && complete {
			switch next := u.location(i + 1); {
			case next == now:
			case next != nil:
				line, known = []byte("\t"+d.loc(next)), true
				now = next
			case known && !bytes.HasPrefix(u.lines[i+1], []byte("}")):
				line = []byte("\t.loc\t1 0 0")
				now = nil
			}
		}
		if !u.empty(i) {
			code, _, _ := bytes.Cut(line, []byte("//"))
			depth += bytes.Count(code, []byte("{")) - bytes.Count(code, []byte("}"))
			if code = bytes.TrimSpace(code); len(code) > 0 {
				complete = strings.ContainsRune(";{}:", rune(code[len(code)-1]))
			}
			if depth <= 0 {
				now, known = nil, false
			}
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	d.tables(&out)
	return out.Bytes()
}

// tables writes the tables that directives name: files, and functions that are inlined.
func (d *directives) tables(out *bytes.Buffer) {
	for i, name := range d.fileList {
		fmt.Fprintf(out, "\t.file\t%d \"%s\"\n", i+1, quotable(name))
	}
	if len(d.functionList) == 0 {
		return
	}
	out.WriteString("\t.section\t.debug_str\n\t{\n")
	for i, name := range d.functionList {
		fmt.Fprintf(out, "$L__inlined%d:\n.b8 ", i)
		for _, b := range []byte(name) {
			fmt.Fprintf(out, "%d,", b)
		}
		out.WriteString("0\n")
	}
	out.WriteString("\t}\n")
}

// quotable returns a name without characters that cannot be in a string of PTX.
func quotable(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' || r == 0x7f {
			return '?'
		}
		return r
	}, name)
}
