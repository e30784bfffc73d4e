// Strict reading of nodes, with positions in errors.

package yamldoc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Reader reads the nodes of a file. Its errors are *Error.
type Reader struct {
	File string
	Kind string // such as "launch file", for messages
}

// Document is the root of the one document in src. The message for an empty file says what is expected of it.
func (r *Reader) Document(src []byte, expected string) (*yaml.Node, error) {
	root, err := Parse(r.File, src)
	if err == nil && root == nil {
		err = Pos{r.File, 1, 1}.Errorf("the %s is empty; expected at least %s", r.Kind, expected)
	}
	return root, err
}

// Pos is where a node begins.
func (r *Reader) Pos(n *yaml.Node) Pos { return Pos{r.File, max(n.Line, 1), max(n.Column, 1)} }

// Expected is the error that a node is not what is expected.
func (r *Reader) Expected(n *yaml.Node, what string) error {
	found := strconv.Quote(Shorten(n.Value))
	switch n.Kind {
	case yaml.MappingNode:
		found = "a mapping"
	case yaml.SequenceNode:
		found = "a list"
	case yaml.AliasNode:
		found = fmt.Sprintf("an alias (*%s), which a %s cannot have", n.Value, r.Kind)
	default:
		if n.Tag == "!!null" {
			found = "nothing"
		}
	}
	return r.Pos(n).Errorf("expected %s, found %s", what, found)
}

// Shorten is what a message has of a long text.
func Shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// Field is one key that a mapping may have.
type Field struct {
	name string
	read func(v *yaml.Node) error
}

// Key is the field of a name, whose value read reads.
func Key(name string, read func(v *yaml.Node) error) Field { return Field{name, read} }

// Fields reads a mapping; unknown and duplicate keys are errors.
func (r *Reader) Fields(n *yaml.Node, what string, fields ...Field) error {
	return r.Pairs(n, what, func(key, v *yaml.Node) error {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.name == key.Value })
		if i >= 0 {
			return fields[i].read(v)
		}
		var names []string
		for _, f := range fields {
			names = append(names, f.name)
		}
		return r.Pos(key).Errorf("unknown key %q in %s; expected one of: %s", Shorten(key.Value), what,
			strings.Join(names, ", "))
	})
}

// Pairs calls f for every key and value of a mapping, in order; duplicate keys are errors.
func (r *Reader) Pairs(n *yaml.Node, what string, f func(key, v *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return r.Expected(n, what+" (a mapping)")
	}
	if key, first := Duplicate(n); key != nil {
		return r.Pos(key).Errorf("duplicate key %q in %s, first given in line %d", Shorten(key.Value), what, first)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			return r.Expected(key, "a name as key in "+what)
		}
		if err := f(key, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// Each calls f for every element of a list.
func (r *Reader) Each(n *yaml.Node, what string, f func(*yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return r.Expected(n, what)
	}
	for _, v := range n.Content {
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

// Text reads a text that is not empty.
func (r *Reader) Text(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
		return "", r.Expected(n, what)
	}
	return n.Value, nil
}
