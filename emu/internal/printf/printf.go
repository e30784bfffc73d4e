// Package printf expands the format strings of a kernel's printf as in C. It reads the arguments and strings from a
// memory that the caller provides, and does not depend on threads.
package printf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// directive is one conversion of a format string:
// %[flags][width][.precision][size]type.
type directive struct {
	minus, plus, space, alt, zero bool
	width, prec                   int // -1 when absent
	long                          bool
	verb                          byte
}

// Memory is the memory of the thread that prints.
type Memory interface {
	// Read copies the bytes at addr to b.
	Read(addr uint64, b []byte) error
	// String reads a zero-terminated string.
	String(addr uint64) (string, error)
}

// Formatter is one call of printf. Arguments are consecutive in memory, each aligned to its size: int and similar types
// 4 bytes, long, pointers and double 8.
type Formatter struct {
	Memory Memory
	Args   uint64 // address of the next argument
	Used   int    // number of arguments that have been read
	out    bytes.Buffer
}

// next reads the next argument of size bytes.
func (f *Formatter) next(size uint64) (uint64, error) {
	f.Args = (f.Args + size - 1) &^ (size - 1)
	var b [8]byte
	if err := f.Memory.Read(f.Args, b[:size]); err != nil {
		return 0, fmt.Errorf("argument %d: %w", f.Used+1, err)
	}
	f.Args += size
	f.Used++
	return binary.LittleEndian.Uint64(b[:]), nil
}

// maxWidth limits field widths and precisions.
const maxWidth = 4096

// Format expands a format string. Conversions that CUDA does not support are copied unchanged.
func (f *Formatter) Format(s string) ([]byte, error) {
	for s != "" {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			f.out.WriteString(s)
			break
		}
		f.out.WriteString(s[:i])
		s = s[i:]
		d, rest, err := f.directive(s)
		if err != nil {
			return nil, err
		}
		text, ok, err := f.convert(d)
		switch {
		case err != nil:
			return nil, err
		case ok:
			f.out.WriteString(text)
		default:
			f.out.WriteString(s[:len(s)-len(rest)])
		}
		s = rest
	}
	return f.out.Bytes(), nil
}

// directive parses the conversion at the start of s.
func (f *Formatter) directive(s string) (d directive, rest string, err error) {
	d.width, d.prec = -1, -1
	i := 1
flags:
	for ; i < len(s); i++ {
		switch s[i] {
		case '-':
			d.minus = true
		case '+':
			d.plus = true
		case ' ':
			d.space = true
		case '#':
			d.alt = true
		case '0':
			d.zero = true
		default:
			break flags
		}
	}
	number := func() (n int, err error) {
		if i < len(s) && s[i] == '*' {
			i++
			v, err := f.next(4)
			return int(int32(v)), err
		}
		for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			n = min(n*10+int(s[i]-'0'), maxWidth)
		}
		return n, nil
	}
	if i < len(s) && (s[i] == '*' || s[i] >= '1' && s[i] <= '9') {
		if d.width, err = number(); err != nil {
			return d, "", err
		}
		if d.width < 0 {
			d.minus, d.width = true, -d.width
		}
		d.width = min(d.width, maxWidth)
	}
	if i < len(s) && s[i] == '.' {
		i++
		if d.prec, err = number(); err != nil {
			return d, "", err
		}
		d.prec = max(min(d.prec, maxWidth), -1)
	}
	for ; i < len(s) && strings.IndexByte("hljztL", s[i]) >= 0; i++ {
		d.long = d.long || s[i] != 'h' && s[i] != 'L'
	}
	if i < len(s) {
		d.verb = s[i]
		i++
	}
	return d, s[i:], nil
}

// convert formats the next argument. ok is false for an unknown conversion.
func (f *Formatter) convert(d directive) (text string, ok bool, err error) {
	size := uint64(4)
	if d.long {
		size = 8
	}
	var v uint64
	switch d.verb {
	case '%':
		return "%", true, nil
	case 'd', 'i':
		v, err = f.next(size)
		n := int64(v)
		if !d.long {
			n = int64(int32(v))
		}
		return d.integer(n < 0, magnitude(n), 10), true, err
	case 'u', 'o', 'x', 'X':
		v, err = f.next(size)
		return d.integer(false, v, map[byte]int{'u': 10, 'o': 8, 'x': 16, 'X': 16}[d.verb]), true, err
	case 'c':
		v, err = f.next(4)
		return d.pad("", string([]byte{byte(v)}), false), true, err
	case 'p':
		v, err = f.next(8)
		return d.pad("", "0x"+strconv.FormatUint(v, 16), false), true, err
	case 's':
		if v, err = f.next(8); err != nil {
			return "", true, err
		}
		var s string
		s, err = f.Memory.String(v)
		if d.prec >= 0 && d.prec < len(s) {
			s = s[:d.prec]
		}
		return d.pad("", s, false), true, err
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		v, err = f.next(8)
		return d.float(math.Float64frombits(v)), true, err
	}
	return "", false, nil
}

// magnitude returns |n|.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// sign returns the sign to print.
func (d directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

// integer formats an integer of the given sign and magnitude.
func (d directive) integer(negative bool, v uint64, base int) string {
	digits := strconv.FormatUint(v, base)
	if d.prec >= 0 {
		if d.prec == 0 && v == 0 {
			digits = ""
		}
		digits = strings.Repeat("0", max(0, d.prec-len(digits))) + digits
	}
	prefix := ""
	switch d.verb {
	case 'd', 'i':
		prefix = d.sign(negative)
	case 'o':
		if d.alt && !strings.HasPrefix(digits, "0") {
			prefix = "0"
		}
	case 'x', 'X':
		if d.alt && v != 0 {
			prefix = "0x"
		}
	}
	if d.verb == 'X' {
		prefix, digits = strings.ToUpper(prefix), strings.ToUpper(digits)
	}
	return d.pad(prefix, digits, d.zero && d.prec < 0)
}

// float formats a floating-point number.
func (d directive) float(v float64) string {
	prefix := d.sign(math.Signbit(v))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		word := "inf"
		if math.IsNaN(v) {
			word = "nan"
		}
		if d.verb < 'a' {
			word = strings.ToUpper(word)
		}
		return d.pad(prefix, word, false)
	}
	prec := d.prec
	lower := d.verb | 0x20
	if prec < 0 && lower != 'a' {
		prec = 6
	}
	var digits string
	switch v = math.Abs(v); lower {
	case 'g':
		digits = d.general(v, max(prec, 1))
	case 'a':
		digits = hexFloat(v, prec)
	default:
		digits = strconv.FormatFloat(v, lower, prec, 64)
	}
	if d.alt {
		digits = pointed(digits)
	}
	if d.verb < 'a' {
		digits = strings.ToUpper(digits)
	}
	if lower == 'a' {
		prefix, digits = prefix+digits[:2], digits[2:]
	}
	return d.pad(prefix, digits, d.zero)
}

// general formats %g: the shorter of %e and %f by C's rule, without trailing zeros except in the alternative form.
func (d directive) general(v float64, prec int) string {
	e := strconv.FormatFloat(v, 'e', prec-1, 64)
	mantissa, exp, _ := strings.Cut(e, "e")
	n, _ := strconv.Atoi(exp)
	s, suffix := mantissa, "e"+exp
	if n >= -4 && n < prec {
		s, suffix = strconv.FormatFloat(v, 'f', prec-1-n, 64), ""
	}
	if !d.alt && strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s + suffix
}

// pointed adds the decimal point that the alternative form has even if no digit follows it.
func pointed(digits string) string {
	exponent := strings.IndexAny(digits, "ep")
	switch {
	case strings.Contains(digits, "."):
		return digits
	case exponent < 0:
		return digits + "."
	}
	return digits[:exponent] + "." + digits[exponent:]
}

// hexFloat formats %a with C's exponent without leading zeros.
func hexFloat(v float64, prec int) string {
	s := strconv.FormatFloat(v, 'x', prec, 64)
	m, exp, _ := strings.Cut(s, "p")
	sign, digits := exp[:1], strings.TrimLeft(exp[1:], "0")
	if digits == "" {
		digits = "0"
	}
	return m + "p" + sign + digits
}

// pad pads to the field width.
func (d directive) pad(prefix, s string, zero bool) string {
	n := d.width - len(prefix) - len(s)
	switch {
	case n <= 0:
		return prefix + s
	case d.minus:
		return prefix + s + strings.Repeat(" ", n)
	case zero:
		return prefix + strings.Repeat("0", n) + s
	}
	return strings.Repeat(" ", n) + prefix + s
}
