// Which instructions of the programs that an exploration runs are the user's.

package session

import "github.com/ptxsan/ptxsan/rewrite"

// originsOf knows which instructions of the programs that run are the user's.
func (e *Exploration) originsOf(dets []*Detector) (origins, error) {
	if len(dets) == 0 || dets[0].Listens() {
		return nil, nil
	}
	o := e.options(dets)
	s, err := Open(o)
	if err != nil {
		return nil, err
	}
	made := make(origins)
	for p, f := range e.known {
		x, err := p.instrument(&s.opts, dets[0].pipeline, f)
		if err != nil {
			return nil, err
		}
		made[x.module] = x.out.Module
	}
	return made, nil
}

// origins are the programs that run, as their passes have made them; nil for programs as they
// are.
type origins map[*rewrite.Module]*rewrite.Module

// line is the line of an instruction in the user's program, 0 for one that a pass has inserted.
func (o origins) line(in *rewrite.Inst) int {
	if m := o[in.Func.Module]; m != nil {
		return m.Origin(in.Line).Line
	}
	return in.Line
}

// wanted tells the user's instructions, nil for all.
func (o origins) wanted() func(*rewrite.Inst) bool {
	if o == nil {
		return nil
	}
	return func(in *rewrite.Inst) bool { return o.line(in) != 0 }
}
