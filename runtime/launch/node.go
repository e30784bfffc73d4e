// Strict reading of YAML nodes, with positions in errors.

package launch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/runtime/internal/yamldoc"
)

// reader turns YAML nodes into values, strictly, with positions.
type reader struct{ file string }

// field is one key that a mapping may have.
type field struct {
	name string
	read func(v *yaml.Node) error
}

func (r *reader) pos(n *yaml.Node) Pos { return Pos{r.file, max(n.Line, 1), max(n.Column, 1)} }

// document parses src, which must hold one YAML document, into its root node.
func (r *reader) document(src []byte) (*yaml.Node, error) {
	root, err := yamldoc.Parse(src)
	var e *yamldoc.Error
	switch {
	case errors.As(err, &e):
		return nil, Pos{r.file, e.Line, e.Column}.Errorf("%s", e.Text)
	case root == nil:
		return nil, Pos{r.file, 1, 1}.Errorf("the launch file is empty; expected at least \"launches:\"")
	}
	return root, nil
}

// describe says what a node is, for messages.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias (*" + n.Value + "), which launch files do not allow"
	default:
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	return strconv.Quote(shorten(n.Value))
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

func (r *reader) expected(n *yaml.Node, what string) error {
	return r.pos(n).Errorf("expected %s, found %s", what, describe(n))
}

// fields reads a mapping; unknown and duplicate keys are errors.
func (r *reader) fields(n *yaml.Node, what string, fields ...field) error {
	return r.pairs(n, what, func(key, v *yaml.Node) error {
		for _, f := range fields {
			if f.name == key.Value {
				return f.read(v)
			}
		}
		var names []string
		for _, f := range fields {
			names = append(names, f.name)
		}
		return r.pos(key).Errorf("unknown key %q in %s; expected one of: %s", shorten(key.Value), what, strings.Join(names, ", "))
	})
}

// pairs calls f for every key and value of a mapping, in order.
func (r *reader) pairs(n *yaml.Node, what string, f func(key, v *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return r.expected(n, what+" (a mapping)")
	}
	if key, first := yamldoc.Duplicate(n); key != nil {
		return r.pos(key).Errorf("duplicate key %q in %s, first given in line %d", shorten(key.Value), what, first)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			return r.expected(key, "a name as key in "+what)
		}
		if err := f(key, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) list(n *yaml.Node, what string) ([]*yaml.Node, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, r.expected(n, what)
	}
	return n.Content, nil
}

func (r *reader) text(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
		return "", r.expected(n, what)
	}
	return n.Value, nil
}

// word reads one of a set of words.
func (r *reader) word(n *yaml.Node, what string, words ...string) (string, error) {
	for _, w := range words {
		if n.Kind == yaml.ScalarNode && n.Value == w {
			return w, nil
		}
	}
	return "", r.expected(n, fmt.Sprintf("%s (one of: %s)", what, strings.Join(words, ", ")))
}

func isNumber(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.Tag == "!!int" || n.Tag == "!!float")
}

func (r *reader) number(n *yaml.Node, what string) (Number, error) {
	if !isNumber(n) {
		return Number{}, r.expected(n, what)
	}
	v, err := ParseNumber(n.Value)
	if err != nil {
		return Number{}, r.pos(n).Errorf("%v", err)
	}
	return v, nil
}

// uint reads an integer from lo to hi.
func (r *reader) uint(n *yaml.Node, what string, lo, hi uint64) (uint64, error) {
	want := fmt.Sprintf("%s (an integer from %d to %d)", what, lo, hi)
	if hi == 1<<64-1 {
		want = fmt.Sprintf("%s (an integer, at least %d)", what, lo)
	}
	v, err := r.number(n, want)
	if err != nil {
		return 0, err
	}
	if i, ok := v.integral(); ok && !i.neg && i.mag >= lo && i.mag <= hi {
		return i.mag, nil
	}
	return 0, r.expected(n, want)
}
