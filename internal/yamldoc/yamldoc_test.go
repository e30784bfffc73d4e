package yamldoc

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestParse(t *testing.T) {
	for src, want := range map[string]string{
		"":                "nothing",
		"# a comment\n":   "nothing",
		"a: 1\nb: 2\n":    "a",
		"a: [1,\n":        "f.yaml:1:1: not YAML: did not find expected node content",
		"a: 1\n b: 2\n":   "f.yaml:2:1: not YAML: mapping values are not allowed in this context",
		"a: 1\n---\nb: 2": "f.yaml:2:1: a second YAML document; expected the end of the file",
		"\tx: 1":          "f.yaml:1:1: not YAML: found character that cannot start any token",
	} {
		root, err := Parse("f.yaml", []byte(src))
		got := "nothing"
		var e *Error
		switch {
		case errors.As(err, &e):
			got = e.Error()
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
		root, err := Parse("f.yaml", []byte(src))
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

func TestReader(t *testing.T) {
	for src, want := range map[string]string{
		"":                         "f.yaml:1:1: the test file is empty; expected at least a name",
		"[1]":                      "f.yaml:1:1: expected the top level (a mapping), found a list",
		"name:":                    "f.yaml:1:6: expected a name, found nothing",
		"name: 3":                  `f.yaml:1:7: expected a name, found "3"`,
		"name: &x a\nnames: [*x]":  "f.yaml:2:9: expected a name, found an alias (*x), which a test file cannot have",
		"name: {a: b}":             "f.yaml:1:7: expected a name, found a mapping",
		"names: a":                 `f.yaml:1:8: expected a list of names, found "a"`,
		"name: a\nname: b":         `f.yaml:2:1: duplicate key "name" in the top level, first given in line 1`,
		"nam: a":                   `f.yaml:1:1: unknown key "nam" in the top level; expected one of: name, names`,
		"[a]: b":                   "f.yaml:1:1: expected a name as key in the top level, found a list",
		"name: a\nnames: [b, c]\n": "a b c",
	} {
		got, err := readNames(src)
		var e *Error
		if errors.As(err, &e) {
			got = e.Error()
		}
		if got != want || err != nil && e == nil {
			t.Errorf("%q: %s (%v), want %s", src, got, err, want)
		}
	}
}

// readNames reads a file with a name and a list of names.
func readNames(src string) (string, error) {
	r := &Reader{File: "f.yaml", Kind: "test file"}
	root, err := r.Document([]byte(src), "a name")
	if err != nil {
		return "", err
	}
	var names []string
	name := func(n *yaml.Node) error {
		text, wrong := r.Text(n, "a name")
		names = append(names, text)
		return wrong
	}
	err = r.Fields(root, "the top level",
		Key("name", name), Key("names", func(n *yaml.Node) error { return r.Each(n, "a list of names", name) }))
	return strings.Join(names, " "), err
}

func TestBecause(t *testing.T) {
	cause := errors.New("no such file")
	err := Pos{"f.yaml", 2, 3}.Because(cause)
	if err.Error() != "f.yaml:2:3: no such file" || !errors.Is(err, cause) {
		t.Error(err)
	}
	if err := (&Error{Msg: "nothing to do"}); err.Error() != "nothing to do" {
		t.Error(err)
	}
}
