package launch

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sample = `
buffers:
  data: {type: u32, count: 1024, init: 0}
  a:    {type: f32, count: 16, init: random, seed: 7, min: 0, max: 1}
  b:    {type: u32, init: [1, 2, 3]}
globals: {flag: 0}
launches:
  - {kernel: reduce, grid: [4,1,1], block: [256,1,1], shared: 64, args: [data, a, 1024, 1.5, [1, 2.5, {u64: 7}]], cluster: [1,1,1]}
  - {kernel: "ns::f(int*)", grid: 2, block: [32, 2]}
expect:
  verdict: racy
  races: 1
  kinds: [inter-block]
  space: global
  lines: [[17, 24]]
  buffers: {data: {equals: [1, 2], tolerance: 0.5}}
  lockstep: livelock
`

func TestParse(t *testing.T) {
	f, err := Parse("L.yaml", []byte(sample), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Buffers) != 3 || f.Buffer("data").Size() != 4096 || f.Buffer("b").Count != 3 || f.Buffer("none") != nil {
		t.Errorf("buffers: %+v", f.Buffers)
	}
	if a := f.Buffer("a"); a.Init.Kind != InitRandom || a.Init.Seed != 7 || a.Type != F32 {
		t.Errorf("a: %+v", a)
	}
	l := f.Launches[0]
	if l.Kernel != "reduce" || l.Grid != [3]uint32{4, 1, 1} || l.Block != [3]uint32{256, 1, 1} || l.Shared != 64 || len(l.Args) != 5 {
		t.Errorf("launch: %+v", l)
	}
	if l.Args[0].Kind != ArgBuffer || l.Args[2].Kind != ArgNumber || len(l.Args[4].Fields) != 3 || l.Args[4].Fields[2].Type != U64 {
		t.Errorf("args: %+v", l.Args)
	}
	if l := f.Launches[1]; l.Grid != [3]uint32{2, 1, 1} || l.Block != [3]uint32{32, 2, 1} || l.KernelPos.Line != 9 {
		t.Errorf("second launch: %+v", l)
	}
	e := f.Expect
	if e.Verdict != "racy" || e.Races != 1 || e.Kinds[0] != "inter-block" || e.Space != "global" || e.Lines[0] != [2]int{17, 24} ||
		e.Lockstep != "livelock" || e.Buffers[0].Name != "data" || e.Buffers[0].Tolerance != 0.5 {
		t.Errorf("expect: %+v", e)
	}
}

// TestParseErrors gives the parser one mistake at a time.
func TestParseErrors(t *testing.T) {
	const launches = "\nlaunches: [{kernel: k, grid: 1, block: 1}]\n"
	for _, tc := range []struct{ src, want string }{
		{"", `L.yaml:1:1: the launch file is empty`},
		{"# nothing\n", `L.yaml:1:1: the launch file is empty`},
		{"a: [1,\n", `L.yaml:1:1: not YAML`},
		{"a: 1\n b: 2\n", `L.yaml:2:1: not YAML`},
		{"--- {launches: []}\n---\n{}\n", `L.yaml:2:1: a second YAML document`},
		{"[1]", `L.yaml:1:1: expected the launch file (a mapping), found a list`},
		{"launches: []", `L.yaml:1:1: no launches; expected "launches:"`},
		{"buffer: {}" + launches, `L.yaml:1:1: unknown key "buffer" in the launch file; expected one of: buffers, textures, tensormaps, endpoints, globals, launches, guessed, host, expect`},
		{"host: maybe" + launches, `L.yaml:1:7: expected whether the host accesses memory while kernels run (one of: unknown, none), found "maybe"`},
		{"buffers: {a: {type: u32, count: 1}, a: {type: u32, count: 2}}" + launches, `L.yaml:1:37: duplicate key "a" in buffers, first given in line 1`},
		{"buffers:\n  a: {type: u33, count: 1}" + launches, `L.yaml:2:13: expected a type (one of: b8 b16`},
		{"buffers: {a: {count: 1}}" + launches, `L.yaml:1:14: buffer a has no type`},
		{"buffers: {a: {type: u32}}" + launches, `L.yaml:1:14: buffer a has no count`},
		{"buffers: {a: {type: u32, count: 0}}" + launches, `expected count (an integer, at least 1), found "0"`},
		{"buffers: {a: {type: u32, count: -4}}" + launches, `expected count (an integer, at least 1), found "-4"`},
		{"buffers: {a: {type: u32, count: many}}" + launches, `L.yaml:1:33: expected count (an integer, at least 1), found "many"`},
		{"buffers: {a: {type: u32, count: 99999999999999999999}}" + launches, `does not fit 64 bits`},
		{"buffers: {a: {type: f64, count: 137438953472}}" + launches, `L.yaml:1:11: buffer "a" has 137438953472 elements of f64, more than the limit of 4294967296 bytes`},
		{"buffers: {a: {type: f64, count: 18446744073709551615}}" + launches, `more than the limit`},
		{"buffers: {a: {type: u8, count: 4294967296}, b: {type: u8, count: 1}}" + launches, `with buffer "b" the buffers take 4294967297 bytes`},
		{"buffers: {a: {type: u8, count: 4, init: 300}}" + launches, `buffer a: 300 does not fit u8 (0 to 255)`},
		{"buffers: {a: {type: u32, count: 4, init: 1.5}}" + launches, `1.5 is not an integer, as u32 needs`},
		{"buffers: {a: {type: u32, count: 4, init: [1, 2]}}" + launches, `count 4 but init lists 2 values`},
		{"buffers: {a: {type: u32, init: [1, -2]}}" + launches, `value 1: -2 does not fit u32`},
		{"buffers: {a: {type: u32, init: []}}" + launches, `the list of values is empty`},
		{"buffers: {a: {type: u32, count: 4, init: zero}}" + launches, `expected init (a number, iota, random, a list of numbers, or {file: path}), found "zero"`},
		{"buffers: {a: {type: u32, count: 4, seed: 1}}" + launches, `seed, min and max are for init: random only`},
		{"buffers: {a: {type: u32, count: 4, init: random, min: 5, max: 4}}" + launches, `min 5 is larger than max 4`},
		{"buffers: {a: {type: u8, count: 4, init: random, max: 256}}" + launches, `256 does not fit u8`},
		{"textures: {t: {size: 1}}" + launches, `texture t has no buffer`},
		{"textures: {t: {buffer: a}}" + launches, `texture t has no size`},
		{"textures: {t: {buffer: a, size: 1}}" + launches, `texture t lies in the buffer "a", which is not declared`},
		{"buffers: {t: {type: u8, count: 4}}\ntextures: {t: {buffer: t, size: 4}}" + launches, `L.yaml:2:12: texture t has the name of a buffer`},
		{"textures: {t: {buffer: a, size: [1, 2, 3, 4]}}" + launches, `size has 4 extents`},
		{"textures: {t: {buffer: a, size: 4, filter: cubic}}" + launches, `expected a filter (one of: point, linear), found "cubic"`},
		{"textures: {t: {buffer: a, size: 4, read: float}}" + launches, `expected what reading gives (one of: element, normalized, srgb)`},
		{"x: &a 1\ny: *a" + launches, `unknown key "x"`},
		{"globals: {f: *a}" + launches, `not YAML`},
		{"globals: &g {f: &v 1, g: *v}" + launches, `found an alias (*v), which a launch file cannot have`},
		{"launches: [{grid: 1, block: 1}]", `the launch has no kernel`},
		{"launches: [{kernel: k, grid: 1, block: 1, args: [{buffer: a, offset: 4}]}]", `argument "a" is neither a number nor a declared buffer`},
		{"launches: [{kernel: k, grid: 1, block: 1, args: [{buffer: a, offset: -4}]}]", `expected an offset in bytes (an integer from 0 to 281474976710656), found "-4"`},
		{"launches: [{kernel: k, grid: 1, block: 1, args: [{buffer: a, at: 4}]}]", `unknown key "at" in the argument; expected one of: buffer, offset`},
		{"launches: [{kernel: k, block: 1}]", `the launch has no grid`},
		{"launches: [{kernel: k, grid: 1}]", `the launch has no block`},
		{"launches:\n - {kernel: k, grid: [-1, 1, 1], block: 1}", `L.yaml:2:23: expected grid extent x (an integer from 1 to 2147483647), found "-1"`},
		{"launches: [{kernel: k, grid: [1, 0], block: 1}]", `expected grid extent y (an integer from 1 to 65535), found "0"`},
		{"launches: [{kernel: k, grid: [1, 1, 1, 1], block: 1}]", `grid has 4 extents; expected 1 to 3`},
		{"launches: [{kernel: k, grid: 1, block: 1025}]", `expected block extent x (an integer from 1 to 1024)`},
		{"launches: [{kernel: k, grid: 1, block: [64, 32]}]", `the block has 2048 threads, more than 1024`},
		{"launches: [{kernel: k, grid: 3, block: 1, cluster: 2}]", `the grid [3 1 1] is not a multiple of the cluster [2 1 1]`},
		{"launches: [{kernel: k, grid: 1, block: 1, shared: 1000000}]", `from 0 to 232448`},
		{"launches: [{kernel: k, grid: 1, block: 1, args: [data]}]", `L.yaml:1:50: argument "data" is neither a number nor a declared buffer; the file declares no buffers`},
		{"launches: [{kernel: k, grid: 1, block: 1, args: [[[1]]]}]", `expected an argument`},
		{"launches: [{kernel: k, grid: 1, block: 1, args: [~]}]", `found nothing`},
		{"launches: [{kernel: k, grid: 1, block: 1, args: [{u8: 256}]}]", `256 does not fit u8`},
		{"launches: [{kernel: k, grid: 1, block: 1, gird: 1}]", `unknown key "gird" in the launch`},
		{"expect: {verdict: maybe}" + launches, `expected a verdict (one of: racy, clean, fault), found "maybe"`},
		{"expect: {kinds: [warp]}" + launches, `expected a kind (one of: inter-block, intra-block, intra-warp, inter-kernel)`},
		{"expect: {lines: [1]}" + launches, `expected a pair of lines, [17, 24], found "1"`},
		{"expect: {buffers: {x: {equals: 0}}}" + launches, `expect names the buffer "x", which is not declared`},
		{"buffers: {x: {type: u8, count: 1}}\nexpect: {buffers: {x: {equals: 256}}}" + launches, `L.yaml:2:20: buffer x: 256 does not fit u8`},
		{"buffers: {x: {type: u8, count: 1}}\nexpect: {buffers: {x: {}}}" + launches, `buffer x has no expected contents`},
		{"buffers: {x: {type: u8, count: 1}}\nexpect: {buffers: {x: {equals: 1, tolerance: -1}}}" + launches, `expected a tolerance`},
	} {
		_, err := Parse("L.yaml", []byte(tc.src), Options{})
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v, want an *Error", tc.src, err)
		} else if !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q:\n got  %s\n want %s", tc.src, err, tc.want)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for _, tc := range []struct {
		text string
		typ  Type
		want string // little-endian bytes; "" for an error
	}{
		{"0", U8, "00"},
		{"255", U8, "ff"},
		{"256", U8, ""},
		{"-1", U8, ""},
		{"-1", S8, "ff"},
		{"-128", S8, "80"},
		{"-129", S8, ""},
		{"128", S8, ""},
		{"-1", B8, "ff"},
		{"255", B8, "ff"},
		{"0x1F", U16, "1f00"},
		{"1e3", U16, "e803"},
		{"1.5", U16, ""},
		{"18446744073709551615", U64, "ffffffffffffffff"},
		{"18446744073709551616", U64, ""},
		{"-9223372036854775808", S64, "0000000000000080"},
		{"-9223372036854775809", S64, ""},
		{"1.5", F32, "0000c03f"},
		{"1.5", B32, "0000c03f"},
		{"1", B32, "01000000"},
		{"1", F32, "0000803f"},
		{"-0.0", F32, "00000080"},
		{"1.5", F64, "000000000000f83f"},
		{".inf", F32, "0000807f"},
		{"-.INF", F32, "000080ff"},
		{".nan", F16, "007e"},
		{"1e39", F32, ""},
		{"65520", F16, ""},
		{"65519", F16, "ff7b"},
		{"1.5", F16, "003e"},
		{"1.5", BF16, "c03f"},
		{"1.5", B8, ""},
		{"", U8, ""},
		{"--1", S8, ""},
		{"1x", U8, ""},
		{"1e999", F64, ""},
	} {
		var got string
		n, err := ParseNumber(tc.text)
		if err == nil {
			var p []byte
			if p, err = n.Append(nil, tc.typ); err == nil {
				got = hex.EncodeToString(p)
			}
		}
		if got != tc.want || (err == nil) != (tc.want != "") {
			t.Errorf("%s as %s: got %q (%v), want %q", tc.text, tc.typ, got, err, tc.want)
		}
	}
}

// TestHalfRoundTrip decodes every half-precision value and encodes it again, and
// rounds the midpoints between neighbours to the even one.
func TestHalfRoundTrip(t *testing.T) {
	for _, tc := range []struct {
		typ       Type
		exp, frac int
	}{{F16, 5, 10}, {BF16, 8, 7}} {
		inf := uint64(1<<tc.exp-1) << tc.frac
		for u := uint64(0); u < inf; u++ {
			v := decodeFloat(u, tc.typ)
			if got := roundFloat(v, tc.exp, tc.frac); got != u {
				t.Fatalf("%s %#x = %g encodes to %#x", tc.typ, u, v, got)
			}
			if got := roundFloat(-v, tc.exp, tc.frac); got != u|1<<15 {
				t.Fatalf("%s -%g encodes to %#x", tc.typ, v, got)
			}
			if next := decodeFloat(u+1, tc.typ); u+1 < inf {
				if got := roundFloat((v+next)/2, tc.exp, tc.frac); got != (u+1)&^1 {
					t.Fatalf("%s midpoint %g encodes to %#x, want even %#x", tc.typ, (v+next)/2, got, (u+1)&^1)
				}
			}
		}
	}
}

// contents collects what Fill writes.
func contents(t *testing.T, b *Buffer) []byte {
	t.Helper()
	out := make([]byte, b.Size())
	if err := b.Fill(func(off uint64, p []byte) error { copy(out[off:], p); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFill(t *testing.T) {
	b := Buffer{Name: "b", Type: U16, Count: 40000, Init: Init{Kind: InitIota}}
	p := contents(t, &b)
	for i := range 40000 {
		if got := binary.LittleEndian.Uint16(p[2*i:]); got != uint16(i) {
			t.Fatalf("iota[%d] = %d", i, got)
		}
	}
	b = Buffer{Name: "b", Type: F32, Count: 3, Init: Init{Kind: InitIota}}
	if got := hex.EncodeToString(contents(t, &b)); got != "000000000000803f00000040" {
		t.Errorf("iota of f32: %s", got)
	}
	b = Buffer{Name: "zero", Type: U64, Count: 1 << 60}
	if err := b.Fill(func(uint64, []byte) error { return errors.New("written") }); err != nil {
		t.Errorf("zeros are written: %v", err)
	}
	b = Buffer{Name: "b", Type: F64, Count: 2, Init: Init{Value: Float(math.Copysign(0, -1))}}
	if got := contents(t, &b); got[7] != 0x80 {
		t.Errorf("minus zero is not written: %x", got)
	}
}

func TestRandom(t *testing.T) {
	for _, typ := range []Type{U8, S8, U32, S32, U64, S64, B16, F16, F32, F64, BF16} {
		for _, r := range [][2]string{{"0", "1"}, {"3", "9"}, {"0", "127"}} {
			src := fmt.Sprintf("buffers: {a: {type: %s, count: 1000, init: random, seed: 3, min: %s, max: %s}}\nlaunches: [{kernel: k, grid: 1, block: 1}]", typ, r[0], r[1])
			f, err := Parse("L", []byte(src), Options{})
			if err != nil {
				t.Fatal(err)
			}
			b := f.Buffer("a")
			p := contents(t, b)
			if !bytes.Equal(p, contents(t, b)) {
				t.Errorf("%s: two fills differ", typ)
			}
			lo, hi := math.Inf(1), math.Inf(-1)
			for i := 0; i < len(p); i += typ.Size() {
				v := typ.float64(p[i : i+typ.Size()])
				lo, hi = min(lo, v), max(hi, v)
			}
			if lo < b.Init.Min.Float64() || hi > b.Init.Max.Float64() || lo == hi {
				t.Errorf("%s in %v: values from %g to %g", typ, r, lo, hi)
			}
		}
	}
	full := Buffer{Type: S64, Count: 4000, Init: Init{Kind: InitRandom}}
	full.Init.Min, full.Init.Max = defaultRange(S64)
	signs := [2]int{}
	for i, p := 0, contents(t, &full); i < len(p); i += 8 {
		signs[p[i+7]>>7]++
	}
	if signs[0] < 1700 || signs[1] < 1700 {
		t.Errorf("the full range of s64 has %v values of each sign", signs)
	}
}

func TestArgBytes(t *testing.T) {
	addr := func(string) uint64 { return 0x1122334455667788 }
	num := func(s string) Arg { n, _ := ParseNumber(s); return Arg{Value: n} }
	typed := func(s string, typ Type) Arg { a := num(s); a.Type = typ; return a }
	buf := Arg{Kind: ArgBuffer, Buffer: "b"}
	behind := Arg{Kind: ArgBuffer, Buffer: "b", Offset: 16}
	scalar := func(typ Type) Param { return Param{Name: "p", Type: typ, Size: uint64(typ.Size()), Align: typ.Size()} }
	object := func(size uint64, align int) Param {
		return Param{Name: "s", Type: B8, Size: size, Align: align, Array: true}
	}
	list := func(f ...Arg) Arg { return Arg{Kind: ArgStruct, Fields: f} }
	for _, tc := range []struct {
		arg   Arg
		param Param
		want  string // bytes, or the error when it has a space
	}{
		{buf, scalar(U64), "8877665544332211"},
		{buf, scalar(B64), "8877665544332211"},
		{behind, scalar(U64), "9877665544332211"},
		{list(behind, typed("1", U64)), object(16, 8), "9877665544332211" + "0100000000000000"},
		{buf, scalar(U32), `"b" is a pointer of 8 bytes; expected a number`},
		{buf, scalar(F64), `"b" is a pointer of 8 bytes`},
		{num("1024"), scalar(U32), "00040000"},
		{num("1.5"), scalar(F32), "0000c03f"},
		{num("1.5"), scalar(S32), "1.5 is not an integer"},
		{num("70000"), scalar(U16), "70000 does not fit u16"},
		{typed("1.5", F32), scalar(B32), "0000c03f"},
		{typed("1", U64), scalar(U32), "u64 has 8 bytes, the parameter 4"},
		{num("1"), object(4, 4), "expected a list with the fields of the struct"},
		{list(num("1")), scalar(U32), "a list is for a struct passed by value"},
		{list(num("1"), num("2.5")), object(8, 4), "0100000000002040"},
		// struct { char c; double d; int *p; short s; } pads to 32 bytes.
		{
			list(typed("7", U8), typed("1.5", F64), buf, typed("-1", S16)), object(32, 8),
			"0700000000000000" + "000000000000f83f" + "8877665544332211" + "ffff000000000000",
		},
		{list(num("1")), object(8, 4), "the fields fill 4 bytes, the struct has 8"},
		{list(num("1"), num("2")), object(4, 4), "field 1 ends at byte 8, the struct has 4 bytes"},
	} {
		b, err := tc.arg.Bytes(tc.param, addr)
		got := hex.EncodeToString(b)
		if err != nil {
			got = err.Error()
		}
		if got != tc.want && (err == nil || !strings.Contains(tc.want, " ") || !strings.Contains(got, tc.want)) {
			t.Errorf("%+v for %+v:\n got  %s\n want %s", tc.arg, tc.param, got, tc.want)
		}
	}
}

func TestCompare(t *testing.T) {
	f32 := func(v ...float32) []byte {
		var p []byte
		for _, x := range v {
			p = binary.LittleEndian.AppendUint32(p, math.Float32bits(x))
		}
		return p
	}
	nan := float32(math.NaN())
	for _, tc := range []struct {
		have   []byte
		equals Init
		tol    float64
		want   string
	}{
		{f32(1, 2, 3), Init{Kind: InitList, List: []Number{Int(1), Int(2), Int(3)}}, 0, "<nil>"},
		{f32(1, 2, 3), Init{Kind: InitList, List: []Number{Int(1), Int(2)}}, 0, "<nil>"},
		{f32(1, 2.5, 4), Init{Kind: InitList, List: []Number{Int(1), Int(2), Int(3)}}, 0, "b[1] is 2.5, expected 2 (2 elements differ)"},
		{f32(1, 2.5, 4), Init{Kind: InitList, List: []Number{Int(1), Int(2), Int(3)}}, 0.5, "b[2] is 4, expected 3"},
		{f32(nan, 0), Init{Value: Float(math.NaN())}, 0, "b[1] is 0, expected NaN"},
		{f32(0, 1, 2), Init{Kind: InitIota}, 0, "<nil>"},
		{f32(float32(math.Copysign(0, -1))), Init{}, 0, "<nil>"},
	} {
		b := Buffer{Name: "b", Type: F32, Count: uint64(len(tc.have) / 4)}
		e := ExpectBuffer{Name: "b", Equals: tc.equals, Tolerance: tc.tol}
		m, err := e.Compare(&b, func(off uint64, p []byte) error { copy(p, tc.have[off:]); return nil })
		if got := fmt.Sprint(m); err != nil || got != tc.want {
			t.Errorf("got %s (%v), want %s", got, err, tc.want)
		}
	}
	b := Buffer{Name: "b", Type: F32, Count: 1}
	e := ExpectBuffer{Name: "b", Equals: Init{Kind: InitList, List: []Number{Int(1), Int(2)}}}
	if _, err := e.Compare(&b, nil); err == nil || !strings.Contains(err.Error(), "has 1 elements, but 2 are expected") {
		t.Errorf("too long a list: %v", err)
	}
}

// npy returns a NumPy file with the given header dictionary.
func npy(version byte, dict string, data []byte) []byte {
	p := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		p = binary.LittleEndian.AppendUint16(p, uint16(len(dict)))
	} else {
		p = binary.LittleEndian.AppendUint32(p, uint32(len(dict)))
	}
	return append(append(p, dict...), data...)
}

// TestNPYHeader tests that the length of headers follows NEP 1, and that buffers of every type can be filled from a
// file with such a header.
func TestNPYHeader(t *testing.T) {
	for typ := B8; typ <= F64; typ++ {
		head := NPYHeader(typ, 3)
		if len(head)%64 != 0 || head[len(head)-1] != '\n' {
			t.Errorf("%s: header of %d bytes %q", typ, len(head), head)
		}
		name := filepath.Join(t.TempDir(), "f.npy")
		data := append(head, make([]byte, 3*typ.Size())...)
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if start, n, err := dataOf(f, typ); start != int64(len(head)) || n != 3 || err != nil {
			t.Errorf("%s: %d elements from %d, %v", typ, n, start, err)
		}
	}
	const want = "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"
	if got := string(NPYHeader(F32, 3)); strings.TrimRight(got, " \n") != want {
		t.Errorf("f32: %q, expected %q", got, want)
	}
}

func TestFormatHex(t *testing.T) {
	for typ, want := range map[Type]string{U8: "0x80", S16: "0x0180", F32: "0x03020180", B64: "0x0706050403020180"} {
		if got := typ.FormatHex([]byte{0x80, 1, 2, 3, 4, 5, 6, 7}); got != want {
			t.Errorf("%s: %s, expected %s", typ, got, want)
		}
	}
}

func TestLoadFiles(t *testing.T) {
	data := []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}
	dict := func(descr, fortran, shape string) string {
		return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n"
	}
	for _, tc := range []struct {
		name string
		file []byte
		buf  string
		want string // error, "" for the three elements of data
	}{
		{"raw", data, "{type: u32, init: {file: f}}", ""},
		{"raw with count", data, "{type: u32, count: 3, init: {file: f}}", ""},
		{"raw wrong count", data, "{type: u32, count: 4, init: {file: f}}", "f holds 3 elements of u32, expected 4"},
		{"raw ragged", data[:10], "{type: u32, init: {file: f}}", "10 bytes are not a whole number of u32"},
		{"empty", nil, "{type: u32, init: {file: f}}", "f holds 0 elements of u32"},
		{"npy 1.0", npy(1, dict("<u4", "False", "(3,)"), data), "{type: u32, init: {file: f}}", ""},
		{"npy 2.0 two dimensions", npy(2, dict("<i4", "False", "(3, 1)"), data), "{type: s32, init: {file: f}}", ""},
		{"npy scalar type", npy(1, dict("<f4", "False", "(3,)"), data), "{type: u32, init: {file: f}}", "the .npy array has type f4, expected u32"},
		{"npy bits", npy(1, dict("<f4", "True", "(3,)"), data), "{type: b32, init: {file: f}}", ""},
		{"npy half is not bf16", npy(1, dict("<f2", "False", "(6,)"), data), "{type: bf16, init: {file: f}}", "has type f2, expected bf16"},
		{"npy big-endian", npy(1, dict(">u4", "False", "(3,)"), data), "{type: u32, init: {file: f}}", "big-endian"},
		{"npy fortran", npy(1, dict("<u4", "True", "(3, 1)"), data), "{type: u32, init: {file: f}}", "Fortran order"},
		{"npy truncated", npy(1, dict("<u4", "False", "(4,)"), data), "{type: u32, init: {file: f}}", "promises 4 elements"},
		{"npy huge", npy(1, dict("<u4", "False", "(1099511627775, 1099511627775)"), data), "{type: u32, init: {file: f}}", "too large"},
		{"npy bad header", npy(1, "{}", data), "{type: u32, init: {file: f}}", "unreadable .npy header"},
		{"npy cut header", npy(2, "{}", nil)[:11], "{type: u32, init: {file: f}}", "truncated .npy header"},
		{"missing", nil, "{type: u32, init: {file: none}}", "no such file"},
		{"directory", nil, "{type: u32, init: {file: .}}", ". is a directory; expected a regular file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "f"), tc.file)
			path := filepath.Join(dir, "L.yaml")
			write(t, path, []byte("buffers:\n  b: "+tc.buf+"\nlaunches: [{kernel: k, grid: 1, block: 1}]\n"))
			f, err := Load(path, Options{})
			if tc.want != "" {
				if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "L.yaml:2:3") {
					t.Errorf("got %v, want %q at L.yaml:2:3", err, tc.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := contents(t, f.Buffer("b")); !bytes.Equal(got, data) {
				t.Errorf("contents %x", got)
			}
		})
	}
}

func write(t *testing.T, path string, p []byte) {
	t.Helper()
	if err := os.WriteFile(path, p, 0o644); err != nil {
		t.Fatal(err)
	}
}

var one = [3]uint32{1, 1, 1}

// TestTemplateFillsStructs: the list that a template has for a struct encodes to as many
// bytes as the struct has, also where that is no multiple of a word.
func TestTemplateFillsStructs(t *testing.T) {
	for _, size := range []uint64{1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 4100, maxParam} {
		p := Param{Name: "p", Size: size, Align: 1, Array: true, Type: U8}
		f, err := Parse("T.yaml", []byte(Template([]Skeleton{{Kernel: "k", Params: []Param{p}, Grid: one, Block: one}}, GuessedAll)), Options{})
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		b, err := f.Launches[0].Args[0].Bytes(p, nil)
		if err != nil || !bytes.Equal(b, make([]byte, size)) {
			t.Errorf("%d bytes: %d bytes, %v", size, len(b), err)
		}
	}
}

// TestTemplate makes sure that the template of any kernels is a launch file.
func TestTemplate(t *testing.T) {
	params := []Param{
		{Name: "p", Type: U64, Size: 8, Pointer: true, Elem: F32},
		{Name: "n", Type: U32, Size: 4},
		{Name: "x", Type: F32, Size: 4},
		{Name: "s", Type: B8, Size: 12, Align: 4, Array: true},
	}
	text := Template([]Skeleton{
		{Kernel: "_Z3fooPfif", Params: params, Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{128, 1, 1}, Shared: 1024, Elements: 16384, Number: 128, Last: 128},
		{Kernel: "bar", Params: params[:1], Grid: [3]uint32{2, 2, 1}, Block: [3]uint32{16, 16, 1}, Elements: 16384},
	}, GuessedNumbers)
	f, err := Parse("T.yaml", []byte(text), Options{})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if f.Buffers[0].Type != F32 || f.Launches[0].Block[0] != 128 || f.Launches[0].Grid[0] != 2 ||
		len(f.Buffers) != 2 || len(f.Launches) != 2 || f.Launches[1].Block != [3]uint32{16, 16, 1} || f.Launches[0].Shared == 0 || !f.Guessed || !f.Shaped {
		t.Errorf("template:\n%s", text)
	}
	for i, p := range params {
		if _, err := f.Launches[0].Args[i].Bytes(p, func(string) uint64 { return 0 }); err != nil {
			t.Error(err)
		}
	}
	if _, err := Parse("T.yaml", []byte(Template([]Skeleton{{Kernel: "k", Grid: one, Block: one}}, GuessedAll)), Options{}); err != nil {
		t.Error(err)
	}
}

// TestTemplateGiven: what host code says of a launch stands in its template: numbers, buffers that launches share,
// whose contents are known or not written at all, offsets, fields of structs and the place.
func TestTemplateGiven(t *testing.T) {
	set, rest := &Allocation{Name: "set", Size: 10, Init: "-1"}, &Allocation{Name: "null", Size: 64}
	fresh := &Allocation{Name: "fresh", Size: 8, Init: "0", Unwritten: true}
	text := Template([]Skeleton{
		{
			Kernel: "a", Params: []Param{{Name: "p", Type: U64, Size: 8, Pointer: true, Elem: F32}, {Name: "q", Type: U64, Size: 8, Pointer: true, Elem: U16}, {Name: "x", Type: F32, Size: 4}},
			Grid: one, Block: one, Elements: 16, Contents: "iota", Given: []Given{{Buffer: set}, {Buffer: rest, Offset: 4}, {Number: "2.5"}}, Site: "k.cu:7",
		},
		{
			Kernel: "b", Params: []Param{{Name: "s", Size: 16, Align: 8, Array: true, Fields: []Field{{Offset: 0, Type: U64, Pointer: true, Elem: U32}, {Offset: 8, Type: S32}, {Offset: 12, Type: S32}}}},
			Grid: one, Block: one, Field: 3, Given: []Given{{Fields: map[int64]Given{0: {Buffer: fresh}, 8: {Number: "-9"}}}}, Site: "k.cu:8",
		},
		{Kernel: "c", Params: []Param{{Name: "p", Type: U64, Size: 8, Pointer: true, Elem: U32}}, Grid: one, Block: one, Given: []Given{{Buffer: rest}}, Site: "k.cu:9"},
	}, GuessedContents)
	f, err := Parse("k.yaml", []byte(text), Options{})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, want := range []string{
		"set: {type: s32, count: 3, init: -1}", "null_2: {type: u16, count: 32, init: iota}", "fresh: {type: u32, count: 2}", "site: \"k.cu:7\", args: [set, {buffer: null_2, offset: 4}, 2.5]",
		"args: [[fresh, {s32: -9}, 3]]", "site: \"k.cu:9\", args: [null_2]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if !f.Guessed || !f.Sized || !f.Shaped || f.Launches[2].Site != "k.cu:9" || len(f.Buffers) != 3 {
		t.Errorf("template:\n%s", text)
	}
}

// FuzzParse: no input panics, errors have a place, and accepted files keep the
// limits.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("buffers: {a: {type: f16, init: [.inf, -.nan, 0x10, 1e3]}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [a, {b8: -1}, [1, a]]}]")
	f.Add("buffers: {a: {type: u32, count: 24}}\ntensormaps: {t: {buffer: a, dims: [2, 2, 2], mode: im2col, lower: [-1], upper: [0], channels: 4, pixels: 2}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [t]}]")
	f.Add("buffers: {a: {type: u8, count: 24}}\ntextures: {t: {buffer: a, size: [2, 2], layers: 6, cube: true}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [t]}]")
	f.Add("launches: [{kernel: k, grid: 1, block: 1}]\nexpect: {semantics: {ptx: {verdict: racy, schedule: some, kinds: [intra-warp], causes: [not-strong], space: shared, lines: [[1, 2]], why: x}, scor: {verdict: clean, why: y}}}")
	f.Add("launches: [{kernel: k, grid: &g [1], block: *g}]")
	f.Add("a: *b\n--- [")
	f.Fuzz(func(t *testing.T, src string) {
		file, err := Parse("F", []byte(src), Options{MaxBytes: 1 << 16})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Pos.Line < 1 || e.Pos.Col < 1 || file != nil {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		for i := range file.Buffers {
			b := &file.Buffers[i]
			if b.Init.Kind == InitFile {
				continue
			}
			if b.Size() > 1<<16 || b.Count == 0 {
				t.Fatalf("buffer %s has %d bytes", b.Name, b.Size())
			}
			total := uint64(0)
			err := b.Fill(func(_ uint64, p []byte) error { total += uint64(len(p)); return nil })
			if err == nil && total != 0 && total != b.Size() {
				t.Fatalf("buffer %s: %d of %d bytes written", b.Name, total, b.Size())
			}
		}
	})
}

// TestDocumentedExample parses the example of docs/launch.md.
func TestDocumentedExample(t *testing.T) {
	doc, err := os.ReadFile("../../docs/launch.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```yaml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("no example")
	}
	if _, err := Parse("launch.md", []byte(example), Options{}); err != nil {
		t.Error(err)
	}
}
