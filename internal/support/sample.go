// Samples: an instruction as text for each spelling of a form.

package support

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// sample is one instruction.
type sample struct {
	form    *isa.Form
	mods    []string
	target  string // a target that supports it
	needs   string // what the spelling requires
	text    string
	refusal string // reason for the refusal, "" if it is accepted
	illegal bool   // refused because it is not legal PTX
}

// samplesOf returns instructions for every form of an opcode.
func samplesOf(in *isa.Instr) []*sample {
	var out []*sample
	for _, f := range in.Forms {
		for _, mods := range f.Spellings() {
			out = append(out, samplesWith(in, f, mods)...)
		}
	}
	return out
}

// samplesWith returns the instructions with the given modifiers: without optional operands, and with all of them.
func samplesWith(in *isa.Instr, f *isa.Form, mods []string) []*sample {
	var out []*sample
	least := len(f.Operands)
	for i := range f.Operands {
		if f.Operands[i].Optional {
			least--
		}
	}
	for n := least; n <= len(f.Operands); n++ {
		d, err := f.Decode(mods, n)
		if err != nil {
			continue
		}
		if first, err := in.DecodeAs(mods, n, addressesOf(d)); err != nil || first.Form != f {
			continue
		}
		out = append(out, &sample{
			form: f, mods: mods, target: targetOf(d), needs: d.Requires().Words(),
			text: sampleText(d, mods),
		})
	}
	return out
}

// addressesOf returns which operands are addresses.
func addressesOf(d *isa.Decoded) (out isa.Addresses) {
	for i := range d.Operands {
		if d.Operands[i].Role == isa.RoleAddr {
			out |= 1 << i
		}
	}
	return out
}

// targetOf returns a target that supports the instruction.
func targetOf(d *isa.Decoded) string {
	only := d.Requires().Only
	if len(only) == 0 {
		return "sm_100a"
	}
	if i := slices.IndexFunc(only, func(t isa.Target) bool { return t.SM != 101 }); i >= 0 {
		return only[i].String() // sm_101 is called sm_110 now
	}
	return only[0].String()
}

// targetsOf returns the targets of samples.
func targetsOf(samples []*sample) []string {
	var out []string
	for _, s := range samples {
		if !slices.Contains(out, s.target) {
			out = append(out, s.target)
		}
	}
	return out
}

// sampleText returns the text of one instruction.
func sampleText(d *isa.Decoded, mods []string) string {
	spelled := strings.Join(append([]string{d.Instr.Name}, mods...), ".")
	if text := ofNames[d.Form.Syntax()]; text != "" {
		return fmt.Sprintf(text, spelled)
	}
	before := ""
	if d.Instr.Name == "ld" && d.Has("param::func") {
		before = "call (func), filling; "
	}
	ops := make([]string, len(d.Operands))
	for i := range d.Operands {
		ops[i] = sampleOperand(d, &d.Operands[i])
	}
	return before + strings.TrimSuffix(spelled+" "+strings.Join(ops, ", "), " ") + ";"
}

// ofNames has instructions for the forms with operands that name declared symbols.
var ofNames = map[string]string{
	"brx.idx{.uni} index, tlist":                         "{ T: .branchtargets L; %s %%r0, T; }",
	"call{.uni} func":                                    "%s plain;",
	"call{.uni} func, (param_list)":                      "{ .param .b32 a0; %s taking, (a0); }",
	"call{.uni} (ret_param), func, (param_list)":         "{ .param .b32 a0; .param .b32 r0; %s (r0), giving, (a0); }",
	"call{.uni} (ret_param), fptr, (param_list), fproto": "{ .param .b32 a0; .param .b32 r0; P: .callprototype (.param .b32 _) _ (.param .b32 _); %s (r0), %%d0, (a0), P; }",
}

// fixedOperands has operands that must be constants or have a type that the table leaves open, by operand name, some
// with the opcode before it.
var fixedOperands = map[string]string{
	"immAlign": "8", "istypep a": "%d0", "isspacep a": "%d0", "applypriority size": "128",
	"immHalfSplitoff": "16", "tcgen05 a": "%d0", "enable_input_d": "%p0", "scale_input_d": "1", "zero_column_mask_desc": "%d0",
	"tex e": "{%r0, %r1, %r2, %r3}", "tld4 e": "{%r0, %r1}",
	"membermask": "0xffffffff",
}

// sampleOperand returns a register, a vector of registers, an address, a constant or a name.
func sampleOperand(d *isa.Decoded, o *isa.OperandInfo) string {
	for _, name := range []string{o.Spec.Name, d.Instr.Name + " " + o.Spec.Name} {
		if text := fixedOperands[name]; text != "" {
			return text
		}
	}
	switch o.Role {
	case isa.RoleAddr:
		return sampleAddress(d, o)
	case isa.RoleLabel:
		return "L"
	}
	class := sampleClass(o.Type)
	switch {
	case o.Spec.Constant != nil:
		return fmt.Sprint(o.Spec.Constant.Example())
	case o.Spec.Name == "disable_output_lane" && d.Has("cta_group::2"):
		return sampleVector("%r", 8)
	case o.Spec.Name == "disable_output_lane":
		return sampleVector("%r", 4)
	case o.Spec.Name == "sink":
		return "_"
	case strings.HasPrefix(d.Instr.Name, "sp") && o.Spec.Name != "spdesc": // results and operands share no registers
		return sampleRegisters(class, 64*slices.Index([]string{"mdata", "cdata", "data"}, o.Spec.Name), o.Vec)
	case o.Spec.Elems == isa.ElemsFragment && o.Single == isa.TypeNone, o.Spec.Vector && o.Vec > 1:
		return sampleVector(class, o.Vec)
	case o.Spec.Name == "im2colInfo" && d.Has("im2col"):
		return sampleVector(class, tensorDims(d)-2)
	case o.Spec.Name == "im2colInfo":
		return sampleVector(class, 2)
	case o.Spec.Name == "dPdx", o.Spec.Name == "dPdy":
		return sampleVector(class, gradientElems(d))
	case o.Spec.Elems == isa.ElemsPacked && o.Role == isa.RoleSrc:
		return sampleVector(sampleClass(halfType(o.Type)), 2)
	case o.Spec.Pair != "" && !o.Spec.PairOptional:
		return class + "0|" + sampleClass(o.PairType) + "1"
	}
	return class + "0"
}

// gradientElems returns the number of elements of the gradients of a texture.
func gradientElems(d *isa.Decoded) int {
	switch {
	case d.Has("1d"), d.Has("a1d"):
		return 1
	case d.Has("2d"), d.Has("a2d"):
		return 2
	}
	return 4
}

func halfType(t isa.Type) isa.Type {
	switch t.Bits() {
	case 128:
		return isa.B64
	case 64:
		return isa.B32
	}
	return isa.B16
}

// sampleVector returns the first n registers of a class.
func sampleVector(class string, n int) string { return sampleRegisters(class, 0, n) }

func sampleRegisters(class string, from, n int) string {
	regs := make([]string, n)
	for i := range regs {
		regs[i] = fmt.Sprintf("%s%d", class, from+i)
	}
	return "{" + strings.Join(regs, ", ") + "}"
}

// sampleClass returns the name of the registers for values of a type.
func sampleClass(t isa.Type) string {
	if t == isa.Pred {
		return "%p"
	}
	switch t.Bits() {
	case 8:
		return "%b"
	case 16:
		return "%h"
	case 64:
		return "%d"
	case 128:
		return "%q"
	}
	return "%r"
}

// sampleAddress returns an address, with coordinates if the form has them.
func sampleAddress(d *isa.Decoded, o *isa.OperandInfo) string {
	switch {
	case d.TensorMemory(slices.IndexFunc(d.Operands, func(x isa.OperandInfo) bool { return x.Spec == o.Spec })):
		return "[%r0]"
	case d.Has("param::func"):
		return "[func]"
	case !strings.Contains(o.Spec.Name, ","):
		return "[%d0]"
	case d.Instr.Class == isa.ClassTexture:
		return "[%d0, {%r0, %r1, %r2, %r3}]"
	}
	parts := strings.Split(strings.Trim(o.Spec.Name, "[]"), ", ")
	for i, name := range parts {
		parts[i] = samplePart(d, name)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// samplePart returns a part of the address of a tensor or an endpoint.
func samplePart(d *isa.Decoded, name string) string {
	switch {
	case name == "tensorCoords" && d.Mod("dim") == "2d" && (d.Has("tile::gather4") || d.Has("tile::scatter4")): // four rows
		return sampleVector("%r", 5)
	case name == "tensorCoords":
		return sampleVector("%r", tensorDims(d))
	case name == "tensorSizeToOverride":
		return sampleVector("%b", tensorDims(d))
	case name == "tensorLowerStrideToOverride":
		return sampleVector("%r", tensorDims(d)-1)
	case name == "tensorUpperStrideToOverride":
		return "%h0"
	case strings.HasSuffix(name, "LeId") || name == "aLe": // an endpoint
		return "%r0"
	}
	return "%d0"
}

// tensorDims returns the number of dimensions that a tensor instruction specifies.
func tensorDims(d *isa.Decoded) int { return int(d.Mod("dim")[0] - '0') }

const sampleKernel = "forms"

// sampleModule returns a module with the samples in a kernel, on lines from sampleLine on.
func sampleModule(target string, samples []*sample) string {
	var b strings.Builder
	fmt.Fprintf(&b, sampleHead, target)
	for _, s := range samples {
		if !s.illegal {
			b.WriteString(s.text)
		}
		b.WriteByte('\n')
	}
	b.WriteString("L: ret;\n}\n")
	return b.String()
}

// sampleLine is the line of the first sample.
var sampleLine = 1 + strings.Count(sampleHead, "\n")

const sampleHead = `.version 9.5
.target %s
.address_size 64
.func plain() { ret; }
.func taking(.param .b32 a) { ret; }
.func (.param .b32 r) giving(.param .b32 a) { ret; }
.func (.param .align 32 .b8 r[32]) filling() { ret; }
.entry ` + sampleKernel + `(.param .b64 param) {
.reg .pred %%p<8>;
.reg .b8 %%b<256>;
.reg .b16 %%h<256>;
.reg .b32 %%r<320>;
.reg .b64 %%d<256>;
.reg .b128 %%q<8>;
.param .align 32 .b8 func[32];
`
