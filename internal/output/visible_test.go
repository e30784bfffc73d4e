package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
)

// TestVisible: the numbers of characters that control a terminal, or hide, are shown.
func TestVisible(t *testing.T) {
	for _, c := range [][3]string{
		{"kernel<int, 4>(float*)", "kernel<int, 4>(float*)", ""},
		{"größe 数 🙂", "größe 数 🙂", ""},
		{"a\x1b]0;title\x07b", "a<U+001B>]0;title<U+0007>b", ""},
		{"x\x1b[31mred", "x<U+001B>[31mred", ""},
		{"del\x7f c1\u009b31m", "del<U+007F> c1<U+009B>31m", ""},
		{"abc\u202etxt.\u2066", "abc<U+202E>txt.<U+2066>", ""},
		{"tag\U000e0041", "tag<U+E0041>", ""},
		{"bad\xff\xc3", "bad<FF><C3>", ""},
		{"two\nlines\tand\r", "two<U+000A>lines<U+0009>and<U+000D>", "two\nlines\tand<U+000D>"},
		{"a\u2028b", "a<U+2028>b", ""},
		{"end\r\nand\r", "end<U+000D><U+000A>and<U+000D>", "end\r\nand<U+000D>"},
	} {
		lines := c[2]
		if lines == "" {
			lines = c[1]
		}
		if got := Visible(c[0]); got != c[1] {
			t.Errorf("Visible(%q) = %q, want %q", c[0], got, c[1])
		}
		if got := VisibleLines(c[0]); got != lines {
			t.Errorf("VisibleLines(%q) = %q, want %q", c[0], got, lines)
		}
	}
}

// TestEscaping: characters and line ends may be split between writes.
func TestEscaping(t *testing.T) {
	text := []byte("größe \x1b[2K 数\u202e🙂\r\n end\n")
	want := VisibleLines(string(text))
	for size := 1; size < len(text); size++ {
		var out bytes.Buffer
		w := Escaping(&out)
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			if got, err := w.Write(rest[:n]); got != n || err != nil {
				t.Fatalf("Write = %d, %v; want %d", got, err, n)
			}
			rest = rest[n:]
		}
		if out.String() != want {
			t.Errorf("in pieces of %d bytes: %q, want %q", size, out.String(), want)
		}
	}
}

// TestJSON: a value is the same after it was read back, and no character of the text is hidden.
func TestJSON(t *testing.T) {
	for _, value := range []string{"größe 数 🙂", "x\x1b[31m", "del\x7f c1\u009b31m", "abc\u202etxt.\u2066", "tag\U000e0041", "two\r\nlines\ta\u2028b"} {
		var out bytes.Buffer
		if err := json.NewEncoder(JSON(&out)).Encode(value); err != nil {
			t.Fatal(err)
		}
		text, back := out.String(), ""
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != value {
			t.Errorf("%q is written as %s, and read as %q, %v", value, text, back, err)
		}
		if VisibleLines(text) != text {
			t.Errorf("%q: %q has hidden characters", value, text)
		}
	}
}

// TestRaw: what is written to Raw of a stream above another one is not escaped by either.
func TestRaw(t *testing.T) {
	var out bytes.Buffer
	below := NewEscapingStream(&out, nil)
	err := TextTo(below, func(w io.Writer) error {
		fmt.Fprint(w, "\x1b[31m")
		_, err := fmt.Fprint(Raw(w), "\x1b[m")
		return err
	})
	fmt.Fprint(below, "\r")
	err = errors.Join(err, below.Close(), below.Close())
	if want := "<U+001B>[31m\x1b[m<U+000D>"; err != nil || out.String() != want {
		t.Errorf("wrote %q, %v, want %q", out.String(), err, want)
	}
}
