// NumPy array files.

package launch

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// npyMagic is the beginning of a NumPy array file (NEP 1).
var npyMagic = []byte("\x93NUMPY")

// dataOf returns the offset of the first element in a file and the number of elements. A file that begins like .npy
// must contain a little-endian array in C order of a type as wide as t; any other file is raw little-endian data.
func dataOf(f *os.File, t Type) (start int64, count uint64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	var head [10]byte
	n, _ := io.ReadFull(f, head[:])
	if n == len(head) && bytes.HasPrefix(head[:], npyMagic) {
		start, count, err = npyHeader(f, head, t)
		if err != nil {
			return 0, 0, err
		}
		if have := info.Size() - start; uint64(have) != count*uint64(t.Size()) {
			return 0, 0, fmt.Errorf("the .npy header promises %d elements of %s, the file has %d bytes of data", count,
				t, have)
		}
		return start, count, nil
	}
	if info.Size()%int64(t.Size()) != 0 {
		return 0, 0, fmt.Errorf("%d bytes are not a whole number of %s", info.Size(), t)
	}
	return 0, uint64(info.Size()) / uint64(t.Size()), nil
}

var (
	npyDescr   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'descr': *'([<>|=]?)([a-zA-Z])([0-9]+)'`) })
	npyFortran = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'fortran_order': *(True|False)`) })
	npyShape   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'shape': *\(([0-9, ]*)\)`) })
)

// npyHeader reads the rest of the header; head holds its first ten bytes.
func npyHeader(f io.Reader, head [10]byte, t Type) (start int64, count uint64, err error) {
	length := int64(binary.LittleEndian.Uint16(head[8:]))
	start = 10
	if head[6] >= 2 {
		var high [2]byte
		if _, err = io.ReadFull(f, high[:]); err != nil {
			return 0, 0, fmt.Errorf("truncated .npy header")
		}
		length |= int64(binary.LittleEndian.Uint16(high[:])) << 16
		start = 12
	}
	if length > 1<<20 {
		return 0, 0, fmt.Errorf(".npy header of %d bytes", length)
	}
	text := make([]byte, length)
	if _, err = io.ReadFull(f, text); err != nil {
		return 0, 0, fmt.Errorf("truncated .npy header")
	}
	count, err = npyElements(string(text), t)
	return start + length, count, err
}

// npyElements checks the header dictionary and returns the product of the shape.
func npyElements(text string, t Type) (uint64, error) {
	d, o, s := npyDescr().FindStringSubmatch(text), npyFortran().FindStringSubmatch(text),
		npyShape().FindStringSubmatch(text)
	if d == nil || o == nil || s == nil {
		return 0, fmt.Errorf("unreadable .npy header (expected descr of a plain type, fortran_order and shape)")
	}
	if d[3] != strconv.Itoa(t.Size()) || !npyKind(d[2], t) {
		return 0, fmt.Errorf("the .npy array has type %s%s, expected %s", d[2], d[3], t)
	}
	if d[1] == ">" && t.Size() > 1 {
		return 0, fmt.Errorf("the .npy array is big-endian; expected little-endian")
	}
	count, dims := uint64(1), 0
	for _, part := range strings.Split(s[1], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		v, err := strconv.ParseUint(part, 10, 40)
		if err != nil || v != 0 && count > 1<<50/v {
			return 0, fmt.Errorf("the .npy array is too large")
		}
		count *= v
		dims++
	}
	if o[1] == "True" && dims > 1 {
		return 0, fmt.Errorf("the .npy array is in Fortran order; expected C order")
	}
	return count, nil
}

// npyLetters are NumPy's kind letters for the kinds of types.
var npyLetters = [...]string{kindBits: "u", kindUnsigned: "u", kindSigned: "i", kindFloat: "f"}

// npyKind reports whether values of type t can be stored with NumPy's kind letter. NumPy has no bf16: its bits are
// stored as integers.
func npyKind(letter string, t Type) bool {
	switch kind := typeFacts[t].kind; {
	case t == BF16:
		return strings.Contains("uV", letter)
	case kind == kindBits:
		return strings.Contains("fiub", letter)
	case kind == kindUnsigned && letter == "b":
		return true
	default:
		return letter == npyLetters[kind]
	}
}

// npyAlign is the alignment of the header's length (NEP 1).
const npyAlign = 64

// NPYHeader returns the header of a NumPy file with count values of type t in one dimension; the values follow,
// little-endian. Bits and bf16 become unsigned integers.
func NPYHeader(t Type, count uint64) []byte {
	letter := npyLetters[typeFacts[t].kind]
	if t == BF16 {
		letter = "u"
	}
	order := "<"
	if t.Size() == 1 {
		order = "|"
	}
	dict := fmt.Sprintf("{'descr': '%s%s%d', 'fortran_order': False, 'shape': (%d,), }", order, letter, t.Size(), count)
	const fixed = 10 // magic, version and length
	pad := npyAlign - (fixed+len(dict)+1)%npyAlign
	dict += strings.Repeat(" ", pad%npyAlign) + "\n"
	head := append(bytes.Clone(npyMagic), 1, 0)
	return append(binary.LittleEndian.AppendUint16(head, uint16(len(dict))), dict...)
}
