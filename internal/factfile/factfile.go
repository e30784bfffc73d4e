// Package factfile reads launch facts (internal/static/facts) from YAML: from facts files, which are
// generated from host code or written by people, and from launch files, whose launches are facts
// too.
//
// Every problem in a facts file is an error that begins with file:line:col. The package must know
// neither PTX nor host code.
package factfile

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/yamldoc"
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
	r := &reader{Reader: yamldoc.Reader{File: name, Kind: "facts file"}}
	root, err := r.Document(src, "\"launches:\"")
	if err != nil {
		return nil, err
	}
	f := new(facts.File)
	seen := false
	err = r.Fields(root, "a facts file", yamldoc.Key("never", func(v *yaml.Node) error {
		return r.Each(v, "a list of kernels", func(n *yaml.Node) error {
			k, wrong := r.text(n, "the name of a kernel")
			f.Never = append(f.Never, k)
			return wrong
		})
	}), yamldoc.Key("main", func(v *yaml.Node) (wrong error) {
		f.Main, wrong = r.truth(v)
		return wrong
	}), yamldoc.Key("launches", func(v *yaml.Node) error {
		seen = true
		return r.Each(v, "a list of launches", func(n *yaml.Node) error {
			if len(f.Launches) == MaxLaunches {
				return r.Pos(n).Errorf("more than %d launches", MaxLaunches)
			}
			l, wrong := r.readLaunch(n)
			f.Launches = append(f.Launches, l)
			return wrong
		})
	}))
	if err == nil && !seen {
		err = r.Pos(root).Errorf("no \"launches:\" in the facts file")
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// reader turns YAML nodes into facts, with positions.
type reader struct {
	yamldoc.Reader
	l *facts.Launch // being read
}

func (r *reader) text(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		return "", r.Expected(n, what)
	}
	return n.Value, nil
}

// truth reads true or false.
func (r *reader) truth(n *yaml.Node) (bool, error) {
	var b bool
	if n.Kind != yaml.ScalarNode || n.Decode(&b) != nil {
		return false, r.Expected(n, "true or false")
	}
	return b, nil
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
		return r.Pos(n).Errorf("%v", err)
	}
	at := *n
	at.Column += e.Column - 1
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at.Column++
	}
	return r.Pos(&at).Errorf("%s", e.Message)
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
		return r.Expected(n, "an integer of at most 64 bits")
	}
	*to = k
	return nil
}
