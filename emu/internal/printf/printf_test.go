package printf

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

// memory is arguments at address 0 and strings by address.
type memory struct {
	args    []byte
	strings map[uint64]string
}

func (m memory) Read(addr uint64, b []byte) error {
	if addr+uint64(len(b)) > uint64(len(m.args)) {
		return errors.New("no argument")
	}
	copy(b, m.args[addr:])
	return nil
}

func (m memory) String(addr uint64) (string, error) {
	s, ok := m.strings[addr]
	if !ok {
		return "", errors.New("no string")
	}
	return s, nil
}

// arguments lays out values as a kernel does: 4 bytes for int32 and uint32, 8 for others.
func arguments(values ...any) (b []byte) {
	for _, v := range values {
		size := 8
		switch v.(type) {
		case int32, uint32:
			size = 4
		}
		for len(b)%size != 0 {
			b = append(b, 0)
		}
		switch v := v.(type) {
		case int32:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, v)
		case int64:
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, v)
		case float64:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// What C prints (ISO C, "The fprintf function"; CUDA C++ Programming Guide, "Format Specifiers").
func TestFormat(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
		want   string
	}{
		{"plain 100%%", nil, "plain 100%"},
		{"[%d]", []any{int32(-7)}, "[-7]"},
		{"[%5d|%-5d|%05d|%+d|% d]", []any{int32(42), int32(42), int32(42), int32(42), int32(42)}, "[   42|42   |00042|+42| 42]"},
		{"[%.3d|%8.3d]", []any{int32(7), int32(7)}, "[007|     007]"},
		{"[%*d|%-*d]", []any{int32(4), int32(1), int32(4), int32(2)}, "[   1|2   ]"},
		{"[%*d]", []any{int32(-4), int32(1)}, "[1   ]"},
		{"[%u|%x|%X|%#x|%o|%#o]", []any{uint32(4294967295), uint32(255), uint32(255), uint32(255), uint32(8), uint32(8)}, "[4294967295|ff|FF|0xff|10|010]"},
		{"[%d|%lld]", []any{int32(1), int64(math.MinInt64)}, "[1|-9223372036854775808]"}, // aligned to 8
		{"[%llu|%lx]", []any{uint64(math.MaxUint64), uint64(1) << 63}, "[18446744073709551615|8000000000000000]"},
		{"[%c%c]", []any{int32('o'), int32('k')}, "[ok]"},
		{"[%s|%5s|%-5s|%.2s]", []any{uint64(100), uint64(100), uint64(100), uint64(100)}, "[abc|  abc|abc  |ab]"},
		{"[%f|%.1f|%8.3f]", []any{1.5, 2.25, math.Pi}, "[1.500000|2.2|   3.142]"},
		{"[%e|%.2E]", []any{12345.678, 0.001}, "[1.234568e+04|1.00E-03]"},
		{"[%g|%g|%g|%G]", []any{100000.0, 1e6, 1e-5, 1e-10}, "[100000|1e+06|1e-05|1E-10]"},
		{"[%#.0f|%#.0e|%#g|%#.0a|%#.1f]", []any{2.0, 2.0, 100000.0, 2.0, 2.0}, "[2.|2.e+00|100000.|0x1.p+1|2.0]"},
		{"[%f|%f|%F]", []any{math.Inf(1), math.Inf(-1), math.Inf(1)}, "[inf|-inf|INF]"},
	} {
		f := Formatter{Memory: memory{arguments(c.args...), map[uint64]string{100: "abc"}}}
		got, err := f.Format(c.format)
		if err != nil || string(got) != c.want {
			t.Errorf("%q: %q, %v; expected %q", c.format, got, err, c.want)
		}
		if f.Used != len(c.args) {
			t.Errorf("%q: %d arguments, expected %d", c.format, f.Used, len(c.args))
		}
	}
}

// Unknown and unfinished conversions are copied; widths are bounded.
func TestFormatOdd(t *testing.T) {
	for format, want := range map[string]string{"%y": "%y", "end%": "end%", "%5": "%5", "%l": "%l"} {
		f := Formatter{Memory: memory{}}
		if got, err := f.Format(format); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", format, got, err)
		}
	}
	f := Formatter{Memory: memory{args: arguments(int32(1))}}
	if got, err := f.Format("%999999999d"); err != nil || len(got) != maxWidth {
		t.Errorf("%d characters, %v", len(got), err)
	}
}

func TestFormatErrors(t *testing.T) {
	for format, want := range map[string]string{"%d": "argument 1: no argument", "%*d": "argument 1: no argument"} {
		f := Formatter{Memory: memory{}}
		if _, err := f.Format(format); err == nil || err.Error() != want {
			t.Errorf("%q: %v, expected %q", format, err, want)
		}
	}
	f := Formatter{Memory: memory{args: arguments(uint64(5))}}
	if _, err := f.Format("%s"); err == nil {
		t.Error("a string that cannot be read is printed")
	}
}
