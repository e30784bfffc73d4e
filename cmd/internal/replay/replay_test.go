package replay

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a/b-1.ptx": "a/b-1.ptx",
		"":          "''",
		"a b":       "'a b'",
		"it's":      `'it'\''s'`,
		"reduce*":   "'reduce*'",
		"a<b=8>":    "'a<b=8>'",
	} {
		if got := Quote(in); got != want {
			t.Errorf("%q: %s, expected %s", in, got, want)
		}
	}
}

// Schedules of up to 8 KiB are part of the command; longer ones are written to files if they are needed.
func TestFiles(t *testing.T) {
	f := Files{Dir: "d"}
	short := strings.Repeat("s", longest)
	if got := f.Token([]byte(short)); got != short {
		t.Errorf("a short schedule is %q", got)
	}
	var names []string
	for i := range manyLong + 1 {
		names = append(names, f.Token(fmt.Appendf(nil, "%02d%s", i, short)))
	}
	if names[0] == names[1] || !strings.HasPrefix(names[0], "d/ptxsan-") {
		t.Errorf("names %q", names[:2])
	}
	needed := []string{"ptxsan check --replay " + names[3], "ptxsan check --replay " + names[1]}
	f.Prune(func() []string { return needed })
	var written []string
	err := f.Write(needed, func(name string, text []byte) error {
		if !bytes.HasSuffix(text, []byte(short)) {
			t.Errorf("%s: %.10q", name, text)
		}
		written = append(written, name)
		return nil
	})
	want := []string{names[1], names[3]}
	slices.Sort(want)
	if err != nil || !slices.Equal(written, want) {
		t.Errorf("written %q, expected %q: %v", written, want, err)
	}
}
