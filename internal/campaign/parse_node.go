// Strict reading of the YAML of plans, with positions in errors.

package campaign

import (
	"fmt"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// Pos is a place in a plan.
type Pos = yamldoc.Pos

// Error is an error in the plan or in a file that it names.
type Error = yamldoc.Error

// reader turns YAML nodes into values.
type reader struct{ yamldoc.Reader }

func newReader(file string) *reader { return &reader{yamldoc.Reader{File: file, Kind: "plan"}} }

// list parses a list, which must not be empty.
func (r *reader) list(n *yaml.Node, what string, each func(*yaml.Node) error) error {
	if len(n.Content) == 0 {
		return r.Expected(n, what)
	}
	return r.Each(n, what, each)
}

// texts parses a text or a list of texts.
func (r *reader) texts(n *yaml.Node, what string) (list []string, err error) {
	if n.Kind != yaml.SequenceNode {
		s, err := r.Text(n, what)
		return []string{s}, err
	}
	return list, r.list(n, what, func(v *yaml.Node) error {
		s, err := r.Text(v, what)
		list = append(list, s)
		return err
	})
}

// number parses an integer from lo to hi.
func (r *reader) number(n *yaml.Node, what string, lo, hi uint64) (uint64, error) {
	v, err := strconv.ParseUint(n.Value, 0, 64)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil || v < lo || v > hi {
		return 0, r.Expected(n, fmt.Sprintf("%s (an integer from %d to %d)", what, lo, hi))
	}
	return v, nil
}

func (r *reader) duration(n *yaml.Node, what string) (time.Duration, error) {
	d, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d <= 0 {
		return 0, r.Expected(n, what+" (a time, such as 90s, 10m or 8h)")
	}
	return d, nil
}

func (r *reader) truth(n *yaml.Node, what string) (bool, error) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		return false, r.Expected(n, what+" (true or false)")
	}
	return strconv.ParseBool(n.Value)
}
