// Findings as races of a report.

package analysis

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// raceOf returns a finding as a race.
func (out *Outcome) raceOf(f *finding) *report.Race {
	p := f.pair
	x := &report.Race{
		Severity: report.Error, Kind: detect.Kind(p.Kind.String()), Cause: detect.Cause(p.Cause),
		Space: spaceOf(p.Space), Count: 1,
		Size: p.First.Size, First: out.access(f, 0), Second: out.access(f, 1), Symbol: out.object(f),
		Detectors: []string{"hgrd"},
	}
	if p.Wider && p.Kind == static.IntraWarp {
		x.Wide = detect.IntraBlock
	}
	switch {
	case p.LeftOpen:
		x.Severity, x.Rule = report.Warning, detect.LeftOpenRule
		if p.Wider || p.Kind != static.IntraWarp {
			x.Missing, x.Hint = detect.LeftOpen("cta")
		}
	case p.Verdict == static.Possible:
		if x.Severity, x.Possible, x.Reason = report.Warning, true, p.Reason; p.Equal {
			x.Severity = report.Info
		}
	}
	if w := p.Witness; w != nil {
		x.Witness, x.Size = f.witness(), w.Bytes
		if !w.Unplaced {
			x.Address = report.Hex(uint64(w.Offset))
			x.Symbol = element(x.Symbol, w.Offset, max(p.First.Size, 1))
		}
	}
	return x
}

func spaceOf(s isa.Space) string {
	if s == isa.SpaceNone {
		return "generic"
	}
	return s.String()
}

// access returns one side of a finding.
func (out *Outcome) access(f *finding, side int) report.Access {
	a := &f.pair.First
	if side == 1 {
		a = &f.pair.Second
	}
	if a.Event != "" {
		return report.Access{
			Kernel: f.kernel.Name, Access: a.Kind.Word(), Event: a.Event,
			Operation: report.LifeEvent(a.Event),
		}
	}
	in := a.Inst
	r := report.Access{
		Access: a.Kind.Word(), Instruction: session.OpcodeText(in),
		PTX:    report.Place{File: out.prog.Module.AST.File.Name, Line: in.Line},
		Source: out.sourceOf(in), Kernel: f.kernel.Name,
	}
	if in.Func != f.kernel {
		r.Function = in.Func.Name
	}
	if w := f.pair.Witness; w != nil {
		r.Block, r.Thread = w.Threads[side].Block, w.Threads[side].Thread
		t := r.Thread
		r.Warp = (t[0] + w.Block[0]*(t[1]+w.Block[1]*t[2])) / 32
	}
	return r
}

// sourceOf returns the place of an instruction in the CUDA source. It is cached, since many pairs consist of few
// instructions.
func (out *Outcome) sourceOf(in *rewrite.Inst) *report.Source {
	s, known := out.places[in]
	if !known {
		s = session.SourceOf(in)
		out.places[in] = s
	}
	return s
}

// object names the object of the accesses: an allocation of the host, a parameter, a variable.
func (out *Outcome) object(f *finding) string {
	a := &f.pair.First
	if a.Object == "" {
		a = &f.pair.Second
	}
	if a.Param != nil {
		return f.paramName(*a.Param)
	}
	name, known := out.names[a.Object]
	if !known {
		name = report.Variable(a.Object)
		out.names[a.Object] = name
	}
	return name
}

// paramName returns a name of a parameter for people: the allocation that it points to, or its number.
func (f *finding) paramName(p facts.Param) string {
	if ptr, ok := f.given.Pointers[p]; ok {
		return ptr.Buffer
	}
	return p.String()
}

// element names a place in an object.
func element(object string, offset int64, size int) string {
	if object == "" {
		return ""
	}
	if size > 0 && offset >= 0 && offset%int64(size) == 0 {
		return fmt.Sprintf("%s[%d]", object, offset/int64(size))
	}
	return fmt.Sprintf("%s%+d", object, offset)
}

// witness returns the launch of a finding for people.
func (f *finding) witness() *report.Witness {
	w := f.pair.Witness
	out := &report.Witness{Site: f.given.Site, Grid: w.Grid, Block: w.Block, Confirmed: w.Executed}
	for _, p := range sortedParams(w.Params) {
		out.Values = append(out.Values, report.Value{Name: f.paramName(p), Value: w.Params[p].String()})
	}
	for _, name := range hostVariables(w) {
		out.Values = append(out.Values, report.Value{
			Name:  strings.TrimPrefix(name, hostPrefix),
			Value: w.Model.Ints[name].String(),
		})
	}
	for _, s := range w.Same {
		out.Values = append(out.Values, report.Value{
			Name:  f.paramName(s[0]),
			Value: "the same as " + f.paramName(s[1]),
		})
	}
	for _, c := range w.Memory {
		out.Contents = append(out.Contents, report.Value{
			Name:  element(f.paramName(c.Param), c.Offset, c.Bytes),
			Value: c.Value.String(),
		})
	}
	return out
}

// hostPrefix is the beginning of the names of variables of host code in a model.
const hostPrefix = "h."

// hostVariables returns the host variables in the model of a witness.
func hostVariables(w *static.Witness) (list []string) {
	if w.Model == nil {
		return nil
	}
	for name := range w.Model.Ints {
		if strings.HasPrefix(name, hostPrefix) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func sortedParams(values map[facts.Param]*big.Int) []facts.Param {
	list := make([]facts.Param, 0, len(values))
	for p := range values {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b facts.Param) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return int(a.Offset - b.Offset)
	})
	return list
}
