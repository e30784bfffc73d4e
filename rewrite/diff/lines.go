// Comparison line by line.

package diff

import "strings"

// Lines compares line by line. A last line with a line end differs from one without.
func Lines(a, b Text) *Diff {
	d := &Diff{A: a, B: b}
	if a.Text == b.Text {
		d.Sections = []Section{{}}
		return d
	}
	ids := make(map[string]uint32)
	sa, sb := splitLines(a.Text, ids), splitLines(b.Text, ids)
	d.Sections = []Section{{Rows: rowsOf(sa, sb, align(sa.ids, sb.ids))}}
	return d
}

// splitLines splits a text after every line end.
func splitLines(text string, ids map[string]uint32) items {
	n := strings.Count(text, "\n") + 1
	s := items{
		cells: make([]Cell, 0, n), ids: make([]uint32, 0, n), heads: make([]uint32, 0, n),
		words: make([]uint32, 0, n),
	}
	for at := 0; at < len(text); {
		end := len(text)
		if k := strings.IndexByte(text[at:], '\n'); k >= 0 {
			end = at + k + 1
		}
		line := text[at:end]
		s.cells = append(s.cells, Cell{Line: int32(len(s.cells) + 1), Start: uint32(at), End: uint32(end)})
		s.ids = append(s.ids, number(ids, line))
		head, word := firstWord(line)
		s.heads = append(s.heads, number(ids, head))
		s.words = append(s.words, number(ids, word))
		at = end
	}
	return s
}

// number numbers strings in the order of first occurrence.
func number(ids map[string]uint32, s string) uint32 {
	id, ok := ids[s]
	if !ok {
		id = uint32(len(ids))
		ids[s] = id
	}
	return id
}

// firstWord returns the first word of a line after a guard, with and without modifiers: for an instruction the opcode.
func firstWord(line string) (head, word string) {
	line = strings.TrimLeft(line, " \t")
	if strings.HasPrefix(line, "@") {
		if i := strings.IndexAny(line, " \t"); i >= 0 {
			line = strings.TrimLeft(line[i:], " \t")
		}
	}
	head = line
	if i := strings.IndexAny(line, " \t;\r\n"); i > 0 {
		head = line[:i]
	}
	if i := strings.IndexByte(head, '.'); i > 0 {
		return head, head[:i]
	}
	return head, head
}
