// Tests of parts of lines.

package shadow

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
)

// TestParts: a part is divided where an access begins or ends, with the lanes of a row, and parts whose histories are the
// same become one.
func TestParts(t *testing.T) {
	d := new(Record)
	d.Tuning, d.Classes = options.Standard, accesses.NewClasses()
	vectors := d.Classes.NumberOf(accesses.Class{Site: 1, Size: MaxElement})
	l := new(Line)
	p := d.Split(l)
	if _, n := d.Part(p, 0, lineWords); n != lineWords {
		t.Fatalf("an empty line has a part of %d words", n)
	}
	const shift = -8
	row := accesses.Entry{Unit: 32, Mask: 0xff00, At: 5, Class: vectors, Shift: RowOf(0xff00, shift)}
	h, _ := d.Part(p, 0, lineWords)
	h.Read = row
	h.append(d, accesses.Entry{Unit: 64, Mask: 1, At: 6, Class: vectors}, true)
	for _, c := range []struct {
		word, most, words int
		lanes             uint32
		shift             int32
	}{
		{8, 4, 4, 1 << 10, 0},
		{12, 8, 8, 3 << 11, row.Shift},
		{0, 32, 8, 3 << 8, row.Shift},
		{20, 32, 12, 7 << 13, row.Shift},
		{12, 2, 2, 1 << 11, 0},
		{14, 8, 6, 3 << 11, row.Shift},
	} {
		h, n := d.Part(p, c.word, c.most)
		if n != c.words || h.Read.Mask != c.lanes || h.Read.Shift != c.shift {
			t.Errorf("words from %d: %d words, lanes %#x, shift %d, expected %+v", c.word, n, h.Read.Mask, h.Read.Shift, c)
		}
		if h.Logs(true).Size() != 2 || h.More.Reads.Entries[0].Unit != 64 {
			t.Errorf("words from %d: the part lacks the read of the whole", c.word)
		}
	}
	d.JoinWords(l, 0, lineBytes)
	if _, n := d.Part(p, 8, lineWords); n != 4 {
		t.Errorf("parts with more than one read have become one of %d words", n)
	}
	p.Each(0, lineWords, func(h *History) {
		h.clear()
		h.Write = accesses.Entry{Unit: 96, Mask: 1, At: 7, Class: vectors}
	})
	d.JoinWords(l, 32, 48)
	if _, n := d.Part(p, 8, lineWords); n != 12 {
		t.Errorf("equal parts of 12 words have become one of %d", n)
	}
}
