// C source with arrays that hold containers.

package fatbin

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// carrays is C or C++ source with fat binaries in it: arrays of integers, as bin2c
// writes them, or .quad directives in an asm statement, as nvcc does.
type carrays struct {
	src    source
	arrays []*carray
}

// carray is one array. Its containers are in its decoded numbers.
type carray struct {
	name     string
	from, to int // the numbers in the text, with what is between them
	list     numberList
	raw      *raw
}

var (
	arrayHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\[\s*\d*\s*\][^;{}=]*=\s*\{`) })
	quadBlock = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([A-Za-z_]\w*):\\n"\s*((?:"\.quad [^"\n]*"\s*)+)`) })
)

// elementSizes gives the size of an integer type by a word in its name; the first match counts.
var elementSizes = sync.OnceValue(func() []elementSize {
	return []elementSize{
		{regexp.MustCompile(`\b(char|u?int8_t|byte)\b`), 1},
		{regexp.MustCompile(`\b(short|u?int16_t)\b`), 2},
		{regexp.MustCompile(`\b(long|u?int64_t|size_t)\b`), 8},
		{regexp.MustCompile(`\b(int|unsigned|u?int32_t)\b`), 4},
	}
})

type elementSize struct {
	word *regexp.Regexp
	size int
}

func openCArrays(s source) (host, error) {
	c := &carrays{src: s}
	text := string(s.data)
	end := 0 // of the latest initialiser
	for _, m := range arrayHead().FindAllStringSubmatchIndex(text, -1) {
		if m[1] > end {
			n := strings.IndexByte(text[m[1]:], '}')
			if n < 0 {
				break
			}
			end = m[1] + n
		}
		declared := text[strings.LastIndexAny(text[:m[2]], ";{}\"")+1 : m[2]]
		for _, e := range elementSizes() {
			if e.word.MatchString(declared) {
				if err := c.add(text, text[m[2]:m[3]], m[1], end, e.size); err != nil {
					return nil, err
				}
				break
			}
		}
	}
	for _, m := range quadBlock().FindAllStringSubmatchIndex(text, -1) {
		if err := c.add(text, text[m[2]:m[3]], m[4], m[5], 8); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// add decodes the numbers of an array, and adds it if they begin with a container.
func (c *carrays) add(text, name string, from, to, size int) error {
	if !c.src.look(to - from) {
		return c.src.errorf(from, "%s", c.src.spent)
	}
	list, data, ok := readNumbers(text[from:to], size)
	if !ok || len(data) < containerHeader || le.Uint32(data) != containerMagic && le.Uint32(data) != oldMagic {
		return nil
	}
	src := source{file: fmt.Sprintf("%s(%s)", c.src.file, name), data: data, budget: c.src.budget}
	slots, err := walk(src)
	if err != nil {
		return err
	}
	for i := range slots {
		slots[i].member = name
	}
	c.arrays = append(c.arrays, &carray{name: name, from: from, to: to, list: list, raw: &raw{src, slots}})
	return nil
}

func (c *carrays) format() Format { return FormatSource }

func (c *carrays) slots() (out []slot) {
	for _, a := range c.arrays {
		out = append(out, a.raw.containers...)
	}
	return out
}

// rebuild rewrites the arrays whose containers change. They keep their length if possible; otherwise they become
// longer, and so do their declared sizes.
func (c *carrays) rebuild(containers [][]byte) ([]byte, error) {
	var out []byte
	end := 0
	longer := make(map[string][2]int)
	for _, a := range c.arrays {
		mine := containers[:len(a.raw.containers)]
		containers = containers[len(mine):]
		data, err := a.raw.rebuild(mine)
		if err != nil {
			return nil, err
		}
		old := len(a.raw.src.data)
		if bytes.Equal(data, a.raw.src.data) {
			continue
		}
		if len(data) < old {
			data = append(data, make([]byte, old-len(data))...)
		}
		data = pad(data, a.list.size)
		if len(data) > old {
			longer[a.name] = [2]int{old / a.list.size, len(data) / a.list.size}
		}
		out = append(out, c.src.data[end:a.from]...)
		out = a.list.write(out, string(c.src.data[a.from:a.to]), data)
		end = a.to
	}
	out = append(out, c.src.data[end:]...)
	for _, a := range c.arrays { // in the order of the file
		if n, ok := longer[a.name]; ok {
			out = declareSize(out, a, n[0], n[1])
		}
	}
	return out, nil
}

// declareSize changes the sizes that are declared for an array from one number of
// elements to a larger: in its declaration; in extern declarations, which nvcc
// makes larger than the data; and in the variable that xxd -i adds.
func declareSize(text []byte, a *carray, from, to int) []byte {
	size := regexp.MustCompile(`(\bextern\b[^;{}=]*?)?\b` + a.name + `\s*(?:\[\s*(\d+)\s*\]|_(?:len|size)\s*=\s*(\d+))`)
	return size.ReplaceAllFunc(text, func(m []byte) []byte {
		at := size.FindSubmatchIndex(m)
		number, old, grown := at[4:6], from, to
		if number[0] < 0 { // bytes rather than elements
			number, old, grown = at[6:8], from*a.list.size, to*a.list.size
		}
		n, err := strconv.Atoi(string(m[number[0]:number[1]]))
		if err != nil || n != old && (at[2] < 0 || n < old) {
			return m
		}
		return slices.Concat(m[:number[0]], strconv.AppendInt(nil, int64(n+grown-old), 10), m[number[1]:])
	})
}

// numberList is the layout of a list of numbers, as offsets in its text.
type numberList struct {
	size        int // bytes of a number
	hex         bool
	suffix      string // such as ull
	first, last int    // start of the first number, end of the last
	between     string // between two numbers of a line
	line        string // between the last number of a line and the first of the next
	perLine     int
}

// readNumbers decodes a list of integers of size bytes each. ok is false if the list contains anything else.
func readNumbers(text string, size int) (l numberList, data []byte, ok bool) {
	l.size = size
	n := 0
	for i := 0; i < len(text); {
		if skip := separator(text[i:]); skip > 0 {
			i += skip
			continue
		}
		end := i
		for end < len(text) && isWordByte(text[end]) {
			end++
		}
		v, suffix, hex, ok := parseNumber(text[i:end], size)
		if !ok {
			return l, nil, false
		}
		data = append(data, le.AppendUint64(nil, v)[:size]...)
		switch gap := text[l.last:i]; {
		case n == 0:
			l.first, l.suffix, l.hex = i, suffix, hex
		case strings.Contains(gap, "\n") && l.perLine == 0:
			l.line, l.perLine = gap, n
		case n == 1:
			l.between = gap
		}
		l.last, i = end, end
		n++
	}
	return l, data, n > 0
}

// separator returns the size of what stands between numbers at the start of text: white
// space, commas, comments, and the strings of .quad directives.
func separator(text string) int {
	switch {
	case strings.HasPrefix(text, "/*"):
		if end := strings.Index(text, "*/"); end > 0 {
			return end + 2
		}
		return 0
	case strings.HasPrefix(text, "//"):
		line, _, _ := strings.Cut(text, "\n")
		return len(line)
	}
	for _, s := range []string{",", " ", "\n", "\t", "\r", `\n"`, `".quad `} {
		if strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	return 0
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func parseNumber(word string, size int) (v uint64, suffix string, hex, ok bool) {
	digits := strings.TrimRight(word, "uUlL")
	suffix = word[len(digits):]
	base := 10
	if len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X") {
		digits, base, hex = digits[2:], 16, true
	}
	v, err := strconv.ParseUint(digits, base, 8*size)
	return v, suffix, hex, err == nil
}

// write appends the list with other numbers in the same layout.
func (l *numberList) write(out []byte, text string, data []byte) []byte {
	out = append(out, text[:l.first]...)
	for i := 0; i*l.size < len(data); i++ {
		switch {
		case i == 0:
		case l.perLine > 0 && i%l.perLine == 0:
			out = append(out, l.line...)
		case l.between == "":
			out = append(out, ',')
		default:
			out = append(out, l.between...)
		}
		var number [8]byte
		copy(number[:], data[i*l.size:(i+1)*l.size])
		v := le.Uint64(number[:])
		if l.hex {
			out = fmt.Appendf(out, "0x%0*x", 2*l.size, v)
		} else {
			out = strconv.AppendUint(out, v, 10)
		}
		out = append(out, l.suffix...)
	}
	return append(out, text[l.last:]...)
}
