// The two texts of a comparison, and which comparison to make.

package diff

import "github.com/ptxsan/ptxsan/ptxgrammar"

// Input is one of two texts to compare. If passes wrote it, the tree and the origin of its lines are known.
type Input struct {
	Text
	Tree   *ptxgrammar.Module
	Origin func(line int) Origin
}

// Compare compares two texts, by lines or semantically: see Lines and Semantic. It returns an error if a text is not
// PTX.
func Compare(a, b Input, semantic bool) (*Diff, error) {
	if !semantic {
		return Lines(a.Text, b.Text), nil
	}
	p, err := a.program()
	if err != nil {
		return nil, err
	}
	q, err := b.program()
	if err != nil {
		return nil, err
	}
	return Semantic(p, q), nil
}

func (in Input) program() (Program, error) {
	tree := in.Tree
	if tree == nil {
		var err error
		if tree, err = ptxgrammar.Parse(in.Name, []byte(in.Text.Text)); err != nil {
			return Program{}, err
		}
	}
	return Program{Name: in.Name, Tree: tree, Origin: in.Origin}, nil
}
