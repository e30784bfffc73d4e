// Strict reading of the YAML of plans, with positions in errors.

package campaign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/runtime/internal/yamldoc"
)

// Pos is a place in a plan.
type Pos struct {
	File      string
	Line, Col int
}

// Errorf makes an *Error at the place.
func (p Pos) Errorf(format string, a ...any) error {
	return &Error{fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Col) + fmt.Sprintf(format, a...), nil}
}

// Error is a problem of the plan or of a file that it names.
type Error struct {
	Text string
	Err  error // what it comes from, nil for nothing
}

func (e *Error) Error() string { return e.Text }

func (e *Error) Unwrap() error { return e.Err }

// because is an error of a file, found where the plan names it.
func (p Pos) because(err error) error {
	return &Error{fmt.Sprintf("%s:%d:%d: %v", p.File, p.Line, p.Col, err), err}
}

// reader turns YAML nodes into values, with positions.
type reader struct{ file string }

// field is one key that a mapping may have.
type field struct {
	name string
	read func(v *yaml.Node) error
}

func (r *reader) pos(n *yaml.Node) Pos { return Pos{r.file, max(n.Line, 1), max(n.Column, 1)} }

func (r *reader) expected(n *yaml.Node, what string) error {
	found := strconv.Quote(shorten(n.Value))
	switch n.Kind {
	case yaml.MappingNode:
		found = "a mapping"
	case yaml.SequenceNode:
		found = "a list"
	case yaml.AliasNode:
		found = "an alias, which plans do not allow"
	default:
		if n.Tag == "!!null" {
			found = "nothing"
		}
	}
	return r.pos(n).Errorf("expected %s, found %s", what, found)
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// fields reads a mapping; unknown and duplicate keys are errors.
func (r *reader) fields(n *yaml.Node, what string, fields ...field) error {
	if n.Kind != yaml.MappingNode {
		return r.expected(n, what+" (a mapping)")
	}
	if key, first := yamldoc.Duplicate(n); key != nil {
		return r.pos(key).Errorf("duplicate key %q in %s, first given in line %d", shorten(key.Value), what, first)
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		at := slices.Index(names, key.Value)
		if key.Kind != yaml.ScalarNode || at < 0 {
			return r.pos(key).Errorf("unknown key %q in %s; expected one of: %s", shorten(key.Value), what, strings.Join(names, ", "))
		}
		if err := fields[at].read(n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// list reads a list, which must not be empty.
func (r *reader) list(n *yaml.Node, what string, each func(*yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return r.expected(n, what)
	}
	for _, v := range n.Content {
		if err := each(v); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) text(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
		return "", r.expected(n, what)
	}
	return n.Value, nil
}

// texts reads a text or a list of texts.
func (r *reader) texts(n *yaml.Node, what string) (list []string, err error) {
	if n.Kind != yaml.SequenceNode {
		s, err := r.text(n, what)
		return []string{s}, err
	}
	return list, r.list(n, what, func(v *yaml.Node) error {
		s, err := r.text(v, what)
		list = append(list, s)
		return err
	})
}

// number reads an integer from lo to hi.
func (r *reader) number(n *yaml.Node, what string, lo, hi uint64) (uint64, error) {
	v, err := strconv.ParseUint(n.Value, 0, 64)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil || v < lo || v > hi {
		return 0, r.expected(n, fmt.Sprintf("%s (an integer from %d to %d)", what, lo, hi))
	}
	return v, nil
}

func (r *reader) duration(n *yaml.Node, what string) (time.Duration, error) {
	d, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d <= 0 {
		return 0, r.expected(n, what+" (a time, such as 90s, 10m or 8h)")
	}
	return d, nil
}

func (r *reader) truth(n *yaml.Node, what string) (bool, error) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		return false, r.expected(n, what+" (true or false)")
	}
	return strconv.ParseBool(n.Value)
}
