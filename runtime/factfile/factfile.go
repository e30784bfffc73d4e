// Package factfile reads launch facts (passes/hgrd/facts) from YAML: facts files, which host
// code was turned into or people wrote, and launch files, whose launches are facts too.
//
// Every problem in a facts file is an error that begins with file:line:col. The package knows
// no PTX and no host code.
package factfile

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/internal/yamldoc"
)

// Limits of a facts file.
const (
	MaxFileBytes = 16 << 20
	MaxLaunches  = 10_000
	MaxVariables = 1_000 // of a launch
)

// Load reads a facts file.
func Load(path string) (*facts.File, error) {
	src, err := input.Read(path, MaxFileBytes)
	if err != nil {
		return nil, err
	}
	return Parse(path, src)
}

// Parse reads the text of a facts file. The name stands in errors.
func Parse(name string, src []byte) (*facts.File, error) {
	r := &reader{file: name}
	root, err := yamldoc.Parse(src)
	var e *yamldoc.Error
	switch {
	case errors.As(err, &e):
		return nil, fmt.Errorf("%s:%d:%d: %s", name, e.Line, e.Column, e.Text)
	case root == nil:
		return nil, fmt.Errorf("%s:1:1: the facts file is empty; expected at least \"launches:\"", name)
	}
	f := new(facts.File)
	seen := false
	err = r.fields(root, "a facts file", field{"launches", func(v *yaml.Node) error {
		seen = true
		return r.list(v, "a list of launches", func(n *yaml.Node) error {
			if len(f.Launches) == MaxLaunches {
				return r.errorf(n, "more than %d launches", MaxLaunches)
			}
			l, wrong := r.readLaunch(n)
			f.Launches = append(f.Launches, l)
			return wrong
		})
	}})
	if err == nil && !seen {
		err = r.errorf(root, "no \"launches:\" in the facts file")
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// reader turns YAML nodes into facts, with positions.
type reader struct {
	file string
	l    *facts.Launch // being read
}

// field is a key that a mapping may have.
type field struct {
	name string
	read func(v *yaml.Node) error
}

func (r *reader) errorf(n *yaml.Node, format string, a ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", r.file, max(n.Line, 1), max(n.Column, 1), fmt.Sprintf(format, a...))
}

func (r *reader) expected(n *yaml.Node, what string) error {
	found := strconv.Quote(shorten(n.Value))
	switch n.Kind {
	case yaml.MappingNode:
		found = "a mapping"
	case yaml.SequenceNode:
		found = "a list"
	case yaml.AliasNode:
		found = "an alias, which facts files do not allow"
	default:
		if n.Tag == "!!null" {
			found = "nothing"
		}
	}
	return r.errorf(n, "expected %s, found %s", what, found)
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// pairs calls f for every key and value of a mapping.
func (r *reader) pairs(n *yaml.Node, what string, f func(key, v *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return r.expected(n, what+" (a mapping)")
	}
	if key, first := yamldoc.Duplicate(n); key != nil {
		return r.errorf(key, "duplicate key %q in %s, first given in line %d", shorten(key.Value), what, first)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind != yaml.ScalarNode {
			return r.expected(n.Content[i], "a name as key in "+what)
		}
		if err := f(n.Content[i], n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// fields reads a mapping; unknown keys are errors.
func (r *reader) fields(n *yaml.Node, what string, fields ...field) error {
	return r.pairs(n, what, func(key, v *yaml.Node) error {
		var names []string
		for _, f := range fields {
			if f.name == key.Value {
				return f.read(v)
			}
			names = append(names, f.name)
		}
		return r.errorf(key, "unknown key %q in %s; expected one of: %s", shorten(key.Value), what, strings.Join(names, ", "))
	})
}

func (r *reader) list(n *yaml.Node, what string, f func(n *yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return r.expected(n, what)
	}
	for _, x := range n.Content {
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) text(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		return "", r.expected(n, what)
	}
	return n.Value, nil
}

// pos reads file:line:col, where line and column may be missing.
func (r *reader) pos(n *yaml.Node) (facts.Pos, error) {
	s, err := r.text(n, "a place such as app.cu:17:3")
	if err != nil {
		return facts.Pos{}, err
	}
	parts := strings.Split(s, ":")
	var numbers []int
	for len(parts) > 1 && len(numbers) < 2 {
		k, wrong := strconv.Atoi(parts[len(parts)-1])
		if wrong != nil || k < 1 {
			break
		}
		numbers = append(numbers, k)
		parts = parts[:len(parts)-1]
	}
	slices.Reverse(numbers)
	p := facts.Pos{File: strings.Join(parts, ":")}
	if len(numbers) > 0 {
		p.Line, p.Col = numbers[0], 1
	}
	if len(numbers) > 1 {
		p.Col = numbers[1]
	}
	return p, nil
}

// resolve finds a variable of the launch.
func (r *reader) resolve(name string) (*expr.Int, *expr.Bool, error) {
	if v := r.l.Var(name); v != nil {
		return v.Int(), nil, nil
	}
	return nil, nil, fmt.Errorf("%q is no variable of the launch; expected one that \"variables:\" declares", name)
}

// formulaError is an error in a formula, whose column is added to that of the scalar.
func (r *reader) formulaError(n *yaml.Node, err error) error {
	var e *expr.SyntaxError
	if !errors.As(err, &e) {
		return r.errorf(n, "%v", err)
	}
	at := *n
	at.Column += e.Column - 1
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at.Column++
	}
	return r.errorf(&at, "%s", e.Message)
}

// integer reads an expression; "unknown" is nil.
func (r *reader) integer(n *yaml.Node) (*expr.Int, error) {
	s, err := r.text(n, "an expression such as (n + 255) / 256, or unknown")
	if err != nil || s == "unknown" {
		return nil, err
	}
	x, err := expr.ParseInt(s, r.resolve)
	if err != nil {
		return nil, r.formulaError(n, err)
	}
	return x, nil
}

func (r *reader) condition(n *yaml.Node) (*expr.Bool, string, error) {
	s, err := r.text(n, "a condition such as rows == cols")
	if err != nil {
		return nil, "", err
	}
	x, err := expr.ParseBool(s, r.resolve)
	if err != nil {
		return nil, "", r.formulaError(n, err)
	}
	return x, s, nil
}

// bound reads a limit of the values of a variable.
func (r *reader) bound(n *yaml.Node, to **big.Int) error {
	k, ok := new(big.Int).SetString(n.Value, 0)
	if n.Kind != yaml.ScalarNode || !ok || k.BitLen() > 64 {
		return r.expected(n, "an integer of at most 64 bits")
	}
	*to = k
	return nil
}
