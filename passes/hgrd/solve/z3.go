package solve

import "errors"

type z3 struct{}

func findZ3(string) (*z3, error) { return nil, errors.New("no z3") }
func (z *z3) stop()              {}
