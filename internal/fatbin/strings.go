// PTX stored in a binary file as a string.

package fatbin

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"sync"
)

// FormatStrings is a file without fat binaries that has PTX as zero-terminated strings, such as the objects that Halide
// makes.
const FormatStrings Format = "file with PTX in strings"

// begins matches the directives at the beginning of PTX.
var begins = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.version[ \t]+(\d{1,2})\.(\d)\s+\.target[ \t]+sm_(\d{1,3})`)
})

// stringHost is a file with PTX in strings.
type stringHost struct {
	src     source
	entries []slot
}

// openStrings finds PTX in zero-terminated strings; nil if there is none.
func openStrings(s source) (host, error) {
	h := &stringHost{src: s}
	word := []byte(".version")
	for last, at := 0, 0; ; {
		k := bytes.Index(s.data[at:], word)
		if k < 0 {
			break
		}
		at += k
		m := begins().FindSubmatch(s.data[at:min(at+256, len(s.data))])
		if m == nil {
			at += len(word)
			continue
		}
		n := bytes.IndexByte(s.data[at:], 0)
		if n < 0 {
			break
		}
		from, end := last+bytes.LastIndexByte(s.data[last:at], 0)+1, at+n
		if !isPTX(s.data[from:end]) {
			from = at // earlier text is not comments of this PTX
		}
		if !s.entry() {
			return nil, s.errorf(from, "%s", s.spent)
		}
		h.entries = append(h.entries, slot{src: s.sub(from, end), entries: []*Entry{stringEntry(s.sub(from, end), m)}})
		last, at = end, end
	}
	if len(h.entries) == 0 {
		return nil, nil
	}
	return h, nil
}

// stringEntry returns the entry for the PTX in a string; m holds the version and target numbers.
func stringEntry(text source, m [][]byte) *Entry {
	number := func(digits []byte) uint64 {
		v, _ := strconv.ParseUint(string(digits), 10, 16) // at most three digits
		return v
	}
	e := &Entry{
		Kind: KindPTX, Major: uint16(number(m[1])), Minor: uint16(number(m[2])), Arch: uint32(number(m[3])),
		Size: int64(len(text.data)), Stored: int64(len(text.data)), Offset: text.base, payload: text.data, src: text,
	}
	if !bytes.Contains(text.data, []byte(".address_size 32")) {
		e.Flags = flag64Bit
	}
	return e
}

func (h *stringHost) format() Format { return FormatStrings }

func (h *stringHost) slots() []slot { return h.entries }

// rebuild returns an error: the space available for the string is unknown.
func (h *stringHost) rebuild([][]byte) ([]byte, error) {
	return nil, h.refuse()
}

func (h *stringHost) refuse() error {
	return errors.New(h.src.file + ": its PTX is in strings, not in fat binaries, and cannot be replaced")
}
