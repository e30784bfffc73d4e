// Package yamldoc reads files that are one YAML document each and says where they are
// not. What the document holds is the caller's affair.
package yamldoc

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Error is a place in a file, counted from 1, and what is wrong there.
type Error struct {
	Line, Column int
	Text         string
}

// Error is the text alone: the caller knows the file's name.
func (e *Error) Error() string { return e.Text }

// Parse returns the root of the one document in src, nil when there is none. Errors are
// *Error.
func Parse(src []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc, next yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		return nil, nil
	case err != nil:
		return nil, syntaxError(err)
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		return nil, &Error{max(next.Line, 1), max(next.Column, 1), "a second YAML document; expected the end of the file"}
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(err)
	}
	return doc.Content[0], nil
}

var lineOf = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

// syntaxError takes the line out of a message of the YAML library, which has no column.
func syntaxError(err error) error {
	e := &Error{1, 1, "not YAML: " + err.Error()}
	first, _, _ := strings.Cut(err.Error(), "\n")
	if m := lineOf.FindStringSubmatch(first); m != nil {
		e.Text = "not YAML: " + m[2]
		if n, err := strconv.Atoi(m[1]); err == nil {
			e.Line = n
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
