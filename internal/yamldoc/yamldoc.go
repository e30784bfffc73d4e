// Package yamldoc reads files of exactly one YAML document, strictly, and reports the positions of
// errors. It must not know what the document means.
package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Pos is a place in a file, counted from 1.
type Pos struct {
	File      string
	Line, Col int
}

// String is file:line:col.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Errorf makes an *Error at the place.
func (p Pos) Errorf(format string, a ...any) error {
	return &Error{Pos: p, Msg: fmt.Sprintf(format, a...)}
}

// Because makes an *Error of an error that has its cause at the place.
func (p Pos) Because(err error) error { return &Error{p, err.Error(), err} }

// Error is a problem of a file.
type Error struct {
	Pos Pos // without a File when it is not at one place
	Msg string
	Err error // what it comes from, nil for nothing
}

func (e *Error) Error() string {
	if e.Pos.File == "" {
		return e.Msg
	}
	return e.Pos.String() + ": " + e.Msg
}

func (e *Error) Unwrap() error { return e.Err }

// Parse returns the root of the one document in src, the text of a file, nil when there is none. Errors
// are *Error.
func Parse(file string, src []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc, next yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		return nil, nil
	case err != nil:
		return nil, syntaxError(file, err)
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		return nil, Pos{file, max(next.Line, 1), max(next.Column,
			1)}.Errorf("a second YAML document; expected the end of the file")
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(file, err)
	}
	return doc.Content[0], nil
}

var lineOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`) })

// syntaxError takes the line out of a message of the YAML library, which has no column.
func syntaxError(file string, err error) error {
	e := &Error{Pos: Pos{file, 1, 1}, Msg: "not YAML: " + err.Error()}
	first, _, _ := strings.Cut(err.Error(), "\n")
	if m := lineOf().FindStringSubmatch(first); m != nil {
		e.Msg = "not YAML: " + m[2]
		if n, err := strconv.Atoi(m[1]); err == nil {
			e.Pos.Line = n
		}
	}
	return e
}

// Duplicate is the first key of a mapping that is there a second time, with the line of
// the first; nil when there is none.
func Duplicate(mapping *yaml.Node) (key *yaml.Node, first int) {
	seen := map[string]int{}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		k := mapping.Content[i]
		if line, dup := seen[k.Value]; dup && k.Kind == yaml.ScalarNode {
			return k, line
		}
		seen[k.Value] = k.Line
	}
	return nil, 0
}
