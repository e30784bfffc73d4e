package yamldoc

import (
	"errors"
	"fmt"
	"testing"
)

func TestParse(t *testing.T) {
	for src, want := range map[string]string{
		"":                "nothing",
		"# a comment\n":   "nothing",
		"a: 1\nb: 2\n":    "a",
		"a: [1,\n":        "1:1: not YAML: did not find expected node content",
		"a: 1\n b: 2\n":   "2:1: not YAML: mapping values are not allowed in this context",
		"a: 1\n---\nb: 2": "2:1: a second YAML document; expected the end of the file",
		"\tx: 1":          "1:1: not YAML: found character that cannot start any token",
	} {
		root, err := Parse([]byte(src))
		got := "nothing"
		var e *Error
		switch {
		case errors.As(err, &e):
			got = fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e)
		case err != nil:
			t.Errorf("%q: %T", src, err)
		case root != nil:
			got = root.Content[0].Value
		}
		if got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

func TestDuplicate(t *testing.T) {
	for src, want := range map[string]string{"{a: 1, b: 2}": "", "a: 1\nb: 2\na: 3\nb: 4": "a at 3, first 1"} {
		root, err := Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if key, first := Duplicate(root); key != nil {
			got = fmt.Sprintf("%s at %d, first %d", key.Value, key.Line, first)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
