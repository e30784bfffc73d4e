// The listing of the program in assembly that a function was translated to.

package emu

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// program lists the function's program in assembly, or the reason why there is none.
func (l *listing) program() {
	switch v := l.fn.vector; {
	case l.m.cfg.NoVector:
		l.line("  in assembly: nothing, it is switched off")
	case !vector.Available():
		l.line("  in assembly: nothing, this processor lacks the vector instructions; everything runs in Go")
	default:
		l.exits(v)
		for i := range v.code {
			l.line("  %5d %s", i, l.vectorInst(&v.code[i]))
		}
	}
}

// exits lists the instructions that are executed in Go.
func (l *listing) exits(v *vectorCode) {
	var at []string
	for pc, start := range v.starts {
		if start == noStart {
			at = append(at, fmt.Sprint(pc))
		}
	}
	local := ""
	if v.local {
		local = ", with local memory"
	}
	l.line("  in assembly: %d of %d instructions%s", len(v.starts)-len(at), len(v.starts), local)
	if len(at) > 0 {
		l.line("  in Go, or within the one before: %s", strings.Join(at, ", "))
	}
}

// vectorInst returns one instruction of the program, with its pc and, if it returns to Go, the reason.
func (l *listing) vectorInst(in *vector.Inst) string {
	pc := int32(in.PC)
	b := l.bodyAt(pc)
	l.text = l.sourceText(pc)
	text := fmt.Sprintf("pc %d: %s", pc, vectorText(in, func(s slot) string { return l.operand(b, s) }))
	if run := in.Lone(); run != "" {
		text += ", for one lane begins " + run
	}
	if run := in.Run(); run != "" {
		text += ", begins " + run
	}
	if op, _ := in.Op(); op == vector.Slow {
		c := &l.fn.code[pc]
		text += ": back to Go, which executes " + c.operation()
	}
	return text
}

// vectorText returns the text of an instruction of a program in assembly.
func vectorText(in *vector.Inst, operand func(slot) string) string {
	op, ok := in.Op()
	var s strings.Builder
	if s.WriteString(op.String()); !ok {
		s.Reset()
		s.WriteString("no handler")
	}
	if kind := controlWords[op]; ok && kind != nil {
		kind(&s, in, operand)
		return s.String()
	}
	if strings.HasSuffix(op.String(), "Branch") { // of comparedBranches
		comparedBranchText(&s, in, operand)
		return s.String()
	}
	for _, f := range []struct {
		name string
		val  uint32
	}{{"D", in.D}, {"A", in.A}, {"B", in.B}, {"C", in.C}} {
		if f.val != 0 {
			fmt.Fprintf(&s, " %s=%s", f.name, operand(slot(f.val)))
		}
	}
	if in.E != 0 && int64(in.E) != in.Imm&(1<<32-1) { // a fifth operand, or Imm again
		fmt.Fprintf(&s, " E=%s", operand(slot(in.E)))
	}
	vectorRest(&s, in)
	return s.String()
}

// vectorRest writes the fields that are not operands.
func vectorRest(s *strings.Builder, in *vector.Inst) {
	if in.Imm != 0 {
		fmt.Fprintf(s, " imm=%d", in.Imm)
	}
	if in.Site != 0 {
		s.WriteString(" site " + siteText(in.Site/vector.SiteBytes))
	}
	switch in.Target {
	case 0, vector.ChangesProgress:
	case vector.ChangesAside:
		s.WriteString(" [aside]")
	default:
		fmt.Fprintf(s, " to %d", in.Target/vector.InstBytes)
	}
	if in.Other != 0 {
		fmt.Fprintf(s, " else %d", in.Other/vector.InstBytes)
	}
	switch in.Count {
	case 0, vector.CountNothing:
	case vector.CountVisible:
		s.WriteString(" [visible]")
	default:
		fmt.Fprintf(s, " [counter %d]", in.Count)
	}
}

// siteText names the memory of a site.
func siteText(site uint32) string {
	if site >= numCommonSites {
		return fmt.Sprint(site)
	}
	kind := []string{"shared", "local", "param"}[site/siteSizes]
	return fmt.Sprintf("%s/%d bytes", kind, 1<<(site%siteSizes))
}

// controlWords maps operations to functions that print their instructions. Fields of these instructions have a meaning of their own,
// such as the target of a branch; all other instructions are printed as operands and an immediate.
var controlWords = map[vector.Op]func(*strings.Builder, *vector.Inst, func(slot) string){
	vector.Jump: branchText, vector.JumpBack: branchText, vector.Branch: branchText, vector.BranchBack: branchText,
	vector.Guard: guardInstText, vector.GuardVisible: guardInstText,
	vector.NoteAccess: noteText, vector.NoteWindow: noteText,
	vector.Barrier: barrierText,
}

func barrierText(s *strings.Builder, in *vector.Inst, _ func(slot) string) {
	if in.D == vector.BarrierZero {
		s.WriteString(" 0")
	}
}

func branchText(s *strings.Builder, in *vector.Inst, operand func(slot) string) {
	if in.A != 0 || in.C != 0 {
		fmt.Fprintf(s, " if %s%s", guardText(lanes(in.C)), operand(slot(in.A)))
	}
	fmt.Fprintf(s, " to %d", in.Target/vector.InstBytes)
	meet := fmt.Sprintf("pc %d", in.E)
	if int32(in.E) == joinAtReturn {
		meet = "the caller"
	}
	who := map[uint32]string{
		vector.WaitsNobody: "Go decides who waits", vector.WaitsTaken: "lanes that jump wait", vector.WaitsOthers: "lanes that do not jump wait",
	}[in.B]
	fmt.Fprintf(s, ", lanes meet at %s, %s, adds %d to the count", meet, who, in.Imm)
	switch in.D {
	case vector.Uncounted:
	case vector.Counted:
		s.WriteString(", counted")
	default:
		fmt.Fprintf(s, ", counted in steps of %s", operand(slot(in.D)))
	}
}

// comparedBranchText writes an operation of comparedBranches as a comparison and a branch.
func comparedBranchText(s *strings.Builder, in *vector.Inst, operand func(slot) string) {
	fmt.Fprintf(s, " D=%s A=%s B=%s,", operand(slot(in.D)), operand(slot(in.A)), operand(slot(in.B)))
	branch := *in
	branch.D, branch.A, branch.B = vector.Uncounted, in.D, in.Other
	branchText(s, &branch, operand)
}

func guardInstText(s *strings.Builder, in *vector.Inst, operand func(slot) string) {
	fmt.Fprintf(s, " if %s%s, for some lanes at %d, for none at %d", guardText(lanes(in.C)), operand(slot(in.A)), in.Other/vector.InstBytes, in.Target/vector.InstBytes)
}

func noteText(s *strings.Builder, in *vector.Inst, operand func(slot) string) {
	fmt.Fprintf(s, " the listener of %d bytes at %s+%d", in.B, operand(slot(in.A)), in.Imm)
	if in.C != 0 {
		fmt.Fprintf(s, ", addresses from 0x%x<<32 on", in.C)
	}
	if in.Count == vector.CountVisible {
		s.WriteString(" [visible]")
	}
}
