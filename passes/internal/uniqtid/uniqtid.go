// Package uniqtid adds the thread's linear index in the grid to every function of a module, in a
// register.
//
// The index counts blocks in the order of %ctaid, x fastest, threads of a block in the order of
// %tid. A kernel computes it once, at its entry. Every device function gets one more parameter,
// and every call passes the index on, calls through a register included (rewrite.Editor.AddParam
// says which are possible). The registers are the pass's result, for passes that come after it.
// The cost is a register per function and a parameter per call.
//
// Functions that other modules call, and functions whose address leaves the module,
// have another signature afterwards: instrument the whole program.
package uniqtid

import (
	"fmt"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Pass is the pass.
var Pass = &passes.Pass{
	Name: "uniqtid",
	Doc: `compute a unique thread number and pass it to every function

Each kernel computes the 64-bit linear index of the thread in the grid at its entry;
each device function gets it as a parameter. Passes that come later find the
register of each function in the result of this one.`,
	Run: run,
}

// Result names the registers.
type Result struct {
	Regs map[string]string // for each function: the 64-bit register that holds the index
}

func run(ctx *passes.Context) (any, error) {
	ed := ctx.Edit()
	res, err := Add(ctx, ed)
	if err != nil {
		return nil, err
	}
	return res, instrument.Apply(ctx, ed)
}

// Add queues the edits of the pass in an editor, for passes that need the index and make other edits. The registers
// exist once the edits are applied.
func Add(ctx *passes.Context, ed *rewrite.Editor) (*Result, error) {
	res := &Result{Regs: map[string]string{}}
	for _, f := range ctx.Module.Funcs {
		if f.Defined() && instrument.OwnFunc(f) {
			res.Regs[f.Name] = ed.FreshReg(f, isa.B64)
		}
	}
	for _, f := range ctx.Module.Funcs {
		reg := res.Regs[f.Name]
		switch {
		case reg == "":
		case f.Entry:
			ctx.Count("kernels", 1)
			ed.InsertAtEntry(f, compute(ed, f, reg))
		default:
			ctx.Count("functions", 1)
			param, err := ed.AddParam(f, isa.B64, "uniqtid",
				func(call *rewrite.Inst) string { return orZero(res.Regs[call.Func.Name]) })
			if err != nil {
				return nil, err
			}
			ed.InsertAtEntry(f, receive(reg, param))
		}
	}
	return res, nil
}

// orZero returns the argument passed by a function without an index, such as a library's.
func orZero(reg string) string {
	if reg == "" {
		return "0"
	}
	return reg
}

// receive returns code that reads the parameter. It is a register if the function's other parameters are (PTX 1.x).
func receive(reg, param string) string {
	if param[0] == '%' {
		return fmt.Sprintf("mov.b64 %s, %s;", reg, param)
	}
	return fmt.Sprintf("ld.param.b64 %s, [%s];", reg, param)
}

// compute returns PTX that sets a register to the linear index of the thread:
//
//	((%ctaid.z * %nctaid.y + %ctaid.y) * %nctaid.x + %ctaid.x) * threads per block + index in the block
//
// The inner products fit in 32 bits, because the extents in y and z are below 2^16 and a block has at most 1024 threads
// (PTX ISA, "%nctaid", "%ntid").
func compute(ed *rewrite.Editor, f *rewrite.Func, reg string) string {
	a, b, c := ed.FreshReg(f, isa.B32), ed.FreshReg(f, isa.B32), ed.FreshReg(f, isa.B32)
	wide := ed.FreshReg(f, isa.B64)
	return fmt.Sprintf(`mov.u32 %[1]s, %%ctaid.z;
mov.u32 %[2]s, %%nctaid.y;
mov.u32 %[3]s, %%ctaid.y;
mad.lo.u32 %[1]s, %[1]s, %[2]s, %[3]s;
mov.u32 %[2]s, %%nctaid.x;
mov.u32 %[3]s, %%ctaid.x;
cvt.u64.u32 %[4]s, %[3]s;
mad.wide.u32 %[5]s, %[1]s, %[2]s, %[4]s;
mov.u32 %[1]s, %%ntid.x;
mov.u32 %[2]s, %%ntid.y;
mul.lo.u32 %[1]s, %[1]s, %[2]s;
mov.u32 %[3]s, %%ntid.z;
mul.lo.u32 %[1]s, %[1]s, %[3]s;
cvt.u64.u32 %[4]s, %[1]s;
mul.lo.u64 %[5]s, %[5]s, %[4]s;
mov.u32 %[1]s, %%tid.z;
mov.u32 %[3]s, %%tid.y;
mad.lo.u32 %[1]s, %[1]s, %[2]s, %[3]s;
mov.u32 %[2]s, %%ntid.x;
mov.u32 %[3]s, %%tid.x;
mad.lo.u32 %[1]s, %[1]s, %[2]s, %[3]s;
cvt.u64.u32 %[4]s, %[1]s;
add.u64 %[5]s, %[5]s, %[4]s;`, a, b, c, wide, reg)
}
