package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// explainLaunch says on standard error what the kernels need and prints a launch
// file for the first one on standard output. It always returns an error: nothing
// was checked.
func explainLaunch(c *cli.Context, mod *rewrite.Module) error {
	kernels, err := kernelsMatching(mod, c.String("kernel"))
	if err != nil {
		return err
	}
	if len(kernels) == 0 {
		return usagef("%s: the module has no kernels", mod.AST.File.Name)
	}
	for _, k := range kernels {
		fmt.Fprintf(c.App.ErrWriter, "kernel %s needs:\n", report.Demangle(k.Name))
		for i, p := range paramsOf(k) {
			fmt.Fprintf(c.App.ErrWriter, "  argument %d: %s%s%s\n", i, describeParam(p), pointerNote(p), argumentNote(p))
		}
		if len(k.Params) == 0 {
			fmt.Fprintf(c.App.ErrWriter, "  no arguments\n")
		}
		if usesDynamicShared(k) {
			fmt.Fprintf(c.App.ErrWriter, "  shared: bytes of dynamic shared memory\n")
		}
	}
	k := kernels[0]
	fmt.Fprint(c.App.Writer, launch.Template(k.Name, paramsOf(k), blocksFor(k), requiredBlock(k), usesDynamicShared(k)))
	return usagef("check needs --launch FILE; a launch file to start from is on standard output")
}

func argumentNote(p launch.Param) string {
	switch {
	case p.Pointer:
		return ": the name of a buffer"
	case p.Array:
		return ": a list of its fields"
	}
	return ": a number"
}

func pointerNote(p launch.Param) string {
	switch {
	case p.Pointer && p.Elem != launch.TypeNone:
		return ", a pointer to " + p.Elem.String()
	case p.Pointer:
		return ", a pointer"
	}
	return ""
}

// paramsOf describes a kernel's parameters, with a guess at which are pointers.
func paramsOf(k *rewrite.Func) []launch.Param {
	flows := pointerFlows(k)
	var out []launch.Param
	for _, v := range k.Params {
		p := paramOf(v)
		elem, used := flows[v]
		p.Pointer = !p.Array && p.Size == 8 && !p.Type.Float() && (used || v.AST.Ptr != nil)
		p.Elem = elem
		out = append(out, p)
	}
	return out
}

// pointerFlows finds the parameters whose value reaches the base of an address or
// a cvta, and the type accessed there when it is plain. The flow is that of the
// registers through moves, conversions and additions, in any order.
func pointerFlows(k *rewrite.Func) map[*rewrite.Var]launch.Type {
	from := make(map[*rewrite.Reg]*rewrite.Var)
	for changed := true; changed; {
		changed = false
		for _, in := range k.Insts {
			src := sourceParam(in, from)
			if src == nil {
				continue
			}
			in.Defs(func(r *rewrite.Reg) {
				if from[r] == nil {
					from[r] = src
					changed = true
				}
			})
		}
	}
	out := make(map[*rewrite.Var]launch.Type)
	for _, in := range k.Insts {
		for i := range in.Operands {
			o := &in.Operands[i]
			isAddress := o.Kind == rewrite.OperandAddr && o.Reg != nil
			if !isAddress && in.Instr.Calc != isa.CalcConvertAddress || o.Reg == nil || from[o.Reg] == nil {
				continue
			}
			v := from[o.Reg]
			if t := out[v]; t == launch.TypeNone {
				out[v] = launch.TypeNone
				if isAddress {
					out[v] = typeOf(in.Type(0))
				}
			}
		}
	}
	return out
}

// sourceParam is the parameter whose value an instruction passes on, nil when it
// passes on none.
func sourceParam(in *rewrite.Inst, from map[*rewrite.Reg]*rewrite.Var) *rewrite.Var {
	switch in.Instr.Calc {
	case isa.CalcLoad, isa.CalcCopy, isa.CalcConvertAddress, isa.CalcConvert, isa.CalcAdd, isa.CalcSub, isa.CalcMulAdd:
	default:
		return nil
	}
	for i := range in.Operands {
		o := &in.Operands[i]
		if v, ok := o.Sym.(*rewrite.Var); ok && o.Kind == rewrite.OperandAddr && in.Space == isa.SpaceParam && v.Space == isa.SpaceParam {
			return v
		}
		if i > 0 && o.Kind == rewrite.OperandReg && from[o.Reg] != nil && o.Reg.Type.Size() == 8 {
			return from[o.Reg]
		}
	}
	return nil
}

// blocksFor is a number of blocks that suits a kernel: two where it can tell them apart.
func blocksFor(k *rewrite.Func) uint32 {
	for _, in := range k.Insts {
		for i := range in.Operands {
			if o := &in.Operands[i]; o.Kind == rewrite.OperandSpecial && o.Special.PerBlock {
				return 2
			}
		}
	}
	return 1
}

// requiredBlock is the block extent that .reqntid demands, or .maxntid allows in
// one dimension; zero without either.
func requiredBlock(k *rewrite.Func) (block [3]uint32) {
	for _, p := range k.AST.Perf {
		if p.Name != ".reqntid" || len(p.Args) == 0 {
			continue
		}
		block = [3]uint32{1, 1, 1}
		for i, v := range p.Args[:min(len(p.Args), 3)] {
			block[i] = uint32(v)
		}
	}
	return block
}

// usesDynamicShared reports whether the kernel's module declares shared memory
// whose size comes with the launch.
func usesDynamicShared(k *rewrite.Func) bool {
	for _, v := range k.Module.Globals {
		if v.Space == isa.SpaceShared && v.Size == 0 {
			return true
		}
	}
	return false
}

// plainList joins words with commas, or says "none".
func plainList(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
