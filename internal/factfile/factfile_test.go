package factfile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

const whole = `launches:
  - kernel: toneMapping
    site: tone.cu:7:3
    function: compress
    variables: {w: s32, h: s32, pitch: {type: u64, min: 1, max: 2147483647}}
    grid: [w / 16, h / 16, 1]
    block: [16, 16, 1]
    cluster: [2, 1, 1]
    shared: 0
    first: true
    changed: ["table", "x y"]
    followed: false
    args:
      - {buffer: out}
      - {buffer: out, offset: 4 * w, followed: false}
      - w
      - unknown
      - {fields: {0: {s32: w}, 4: {s32: "min(h, 4)"}, 8: {buffer: out}}}
    buffers:
      out: {size: 16 * h * w, init: 0, site: tone.cu:3:3}
      other: {size: 16, order: ascending, sample: 7, site: tone.cu:4:3}
    requires:
      - {that: "w > 0 && h % 16 == 0", class: path, site: tone.cu:2:7}
    sample:
      - {that: w == 16, class: bounds, site: tone.cu:5:3}
`

// TestRoundTrip: what is written of a file reads as the same.
func TestRoundTrip(t *testing.T) {
	f, err := factfile.Parse("f.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err = f.Write(&first); err != nil {
		t.Fatal(err)
	}
	again, err := factfile.Parse("again.yaml", first.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, first.String())
	}
	if err = again.Write(&second); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("written first\n%s\nthen\n%s", first.String(), second.String())
	}
	l := f.Launches[0]
	if len(l.Args) != 5 || len(l.Args[4].Fields) != 3 || l.Site.Line != 7 || l.Site.Col != 3 || l.Grid[0] == nil || l.Var("pitch").Hi.Int64() != 2147483647 || l.Buffer("out").Init == nil || l.Buffer("other").Order != facts.Ascending || len(l.Requires) != 1 || !l.First || len(l.Changed) != 2 || !l.Unfollowed {
		t.Errorf("read %+v", l)
	}
	if s := l.Sampled(); s == nil || len(s.Requires) != 2 || s.Sample != nil || s.Buffer("other").Init == nil || l.Buffer("other").Init != nil {
		t.Errorf("a sample %+v", s)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "f.yaml:1:1: the facts file is empty"},
		{"a: 1", `f.yaml:1:1: unknown key "a" in a facts file; expected one of: never, main, launches`},
		{"launches: 3", "f.yaml:1:11: expected a list of launches, found \"3\""},
		{"launches:\n  - {grid: 1}", "no kernel in the launch"},
		{"launches:\n  - {kernel: k, grid: [n]}", `f.yaml:2:24: "n" is no variable of the launch`},
		{"launches:\n  - {kernel: k, grid: [1, 2, 3, 4]}", "f.yaml:2:23: expected one to three extents"},
		{"launches:\n  - {kernel: k, variables: {n: f32}}", "f.yaml:2:32: expected a type"},
		{"launches:\n  - {kernel: k, variables: {n: {type: s32, min: 3, max: 2}}}", "the variable n has no value"},
		{"launches:\n  - {kernel: k, variables: {a-b: s32}}", "f.yaml:2:29: expected a name"},
		{"launches:\n  - {kernel: k, args: [{buffer: b}]}", `has no buffer "b"`},
		{"launches:\n  - {kernel: k, args: [{}]}", "expected an expression"},
		{"launches:\n  - {kernel: k, variables: {n: s32}, requires: [{that: n >}]}", "f.yaml:2:59: unexpected end"},
		{"launches:\n  - {kernel: k, requires: [{that: 1, class: x}]}", "f.yaml:2:45: expected a class"},
		{"launches:\n  - {kernel: k, requires: [{class: path}]}", "no condition"},
		{"launches:\n  - {kernel: k, kernel: l}", `f.yaml:2:17: duplicate key "kernel"`},
		{"launches:\n  - {kernel: k, buffers: {b: {order: up}}}", `f.yaml:2:38: expected distinct or ascending, found "up"`},
		{"launches: *a", "not YAML"},
	} {
		_, err := factfile.Parse("f.yaml", []byte(c.src))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "f.yaml:") {
			t.Errorf("%q: %v, want %s", c.src, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("launches: [{kernel: k, args: [1, {buffer: b}], buffers: {b: {size: 1 << 70}}}]"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := factfile.Parse("f.yaml", src)
		if (err == nil) != (file != nil) {
			t.Fatal("neither a file nor an error")
		}
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err = file.Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err = factfile.Parse("again.yaml", b.Bytes()); err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
	})
}

// TestInitial: what a launch file fills a buffer with is known in elements of 4 bytes.
func TestInitial(t *testing.T) {
	for text, want := range map[string]string{
		"u32, count: 8, init: 7": "7", "u32, count: 8, init: 4294967295": "-1", "u16, count: 8, init: 1": "65537", "u64, count: 8, init: 1": "", "u64, count: 8, init: -1": "-1",
		"f32, count: 8, init: 1": "1065353216", "f64, count: 8, init: 0": "0", "u8, count: 8, init: 255": "-1", "u32, init: [1, 1]": "", "u32, count: 8, init: random": "",
	} {
		text = strings.Replace(text, "u64, count: 8, init: -1", "s64, count: 8, init: -1", 1)
		file, err := launch.Parse("k.yaml", []byte("buffers: {a: {type: "+text+"}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [a]}]\n"), launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if x := factfile.FromLaunches(file).Launches[0].Buffer("a").Init; x != nil {
			got = x.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
