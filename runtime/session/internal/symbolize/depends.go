// What verdicts depend on, in words of the user's program.

package symbolize

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// unnamed is the name of an object without one.
const unnamed = "shared memory that was not written"

// Depends returns a reason of a detector in words, with the places of its operations.
func (n *Symbolizer) Depends(d *detect.Dependence) report.Depends {
	by, sink := n.at(d.Seed), n.at(d.Sink)
	out := report.Depends{Kernel: n.Kernel, On: d.On, By: by}
	if at := cmp.Or(sink, by); at != nil {
		out.PTX, out.Source = at.PTX, at.Source
	}
	switch {
	case d.On == detect.OnContents && d.What != "" && d.Object == 0:
		out.Object = "memory" // of more than one object
	case d.On == detect.OnContents:
		out.Object = n.Contents(d.Object)
	}
	out.What = strings.NewReplacer(
		" at {seed}", " at "+by.At(), " at {sink}", " at "+sink.At(),
		"{seed}", n.called(d.Seed), "{sink}", n.called(d.Sink),
	).Replace(cmp.Or(d.What, standard(d, sink)))
	return out
}

// Contents names the object at an address, for what is said of its contents.
func (n *Symbolizer) Contents(addr uint64) string {
	if n.Memory == nil || addr == 0 {
		return unnamed
	}
	if name, _, ok := n.Memory.Describe(addr); ok {
		return report.Variable(name)
	}
	return unnamed
}

// standard returns the text of a dependence without a text of its own.
func standard(d *detect.Dependence, sink *report.Operation) string {
	switch {
	case d.On == detect.OnContents && sink == nil:
		return cmp.Or(string(d.Steers), "the course of threads")
	case d.On == detect.OnContents:
		return fmt.Sprintf("%s %s", sink.At(), d.Steers)
	case sink == nil && d.Steers != "":
		return fmt.Sprintf("{seed} decides %s", d.Steers)
	case sink == nil:
		return "{seed}"
	case d.Steers == "":
		return "{seed} and {sink} have no order"
	}
	return fmt.Sprintf("{seed} decides %s at %s", d.Steers, sink.At())
}

// called returns an operation by the name that its user knows, with its place.
func (n *Symbolizer) called(id uint32) string {
	at := n.at(id)
	if at == nil {
		return "an operation that is not known"
	}
	name := at.Instruction
	if in := n.instOf(n.site(id)); n.User != nil && in != nil && at.Source != nil && inCUDA(at.Source) {
		name = cmp.Or(intrinsic(in), name)
	}
	return name + " at " + at.At()
}

// inCUDA reports whether the user's own place is in a file of CUDA C++.
func inCUDA(s *report.Source) bool {
	return slices.Contains([]string{".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".cxx"}, path.Ext(s.Own().File))
}

// intrinsics gives the functions of CUDA C++ for relaxed atomic operations.
var intrinsics = map[string]string{
	"add": "atomicAdd", "min": "atomicMin", "max": "atomicMax", "inc": "atomicInc", "dec": "atomicDec",
	"and": "atomicAnd", "or": "atomicOr", "xor": "atomicXor", "exch": "atomicExch", "cas": "atomicCAS",
}

// intrinsic returns the function of CUDA C++ that an instruction stands for, "" for none.
func intrinsic(in *rewrite.Inst) string {
	name := intrinsics[in.Access.AtomOp]
	if name == "" || !in.Access.Atomic() ||
		slices.ContainsFunc([]string{"acquire", "release", "acq_rel", "sc", "async"}, in.Has) {
		return ""
	}
	switch {
	case in.Has("cta"):
		return name + "_block"
	case in.Has("sys"):
		return name + "_system"
	}
	return name
}
