// Strict reading of YAML nodes, with positions in errors.

package launch

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// reader turns YAML nodes into values.
type reader struct{ yamldoc.Reader }

func (r *reader) list(n *yaml.Node, what string) ([]*yaml.Node, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, r.Expected(n, what)
	}
	return n.Content, nil
}

// word parses one of a set of words.
func (r *reader) word(n *yaml.Node, what string, words ...string) (string, error) {
	for _, w := range words {
		if n.Kind == yaml.ScalarNode && n.Value == w {
			return w, nil
		}
	}
	return "", r.Expected(n, fmt.Sprintf("%s (one of: %s)", what, strings.Join(words, ", ")))
}

func isNumber(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.Tag == "!!int" || n.Tag == "!!float")
}

func (r *reader) number(n *yaml.Node, what string) (Number, error) {
	if !isNumber(n) {
		return Number{}, r.Expected(n, what)
	}
	v, err := ParseNumber(n.Value)
	if err != nil {
		return Number{}, r.Pos(n).Errorf("%v", err)
	}
	return v, nil
}

// uint parses an integer from lo to hi.
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
	return 0, r.Expected(n, want)
}
