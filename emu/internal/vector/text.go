// The text of instructions, for people to read. Nothing parses it.

package vector

import (
	"fmt"
	"strings"
)

// Text returns the instruction as text. operand names an offset in the register file, site the memory of an access.
func (in *Inst) Text(operand func(uint32) string, site func(uint32) string) string {
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
			fmt.Fprintf(&s, " %s=%s", f.name, operand(f.val))
		}
	}
	if in.E != 0 && int64(in.E) != in.Imm&(1<<32-1) { // a fifth operand, or Imm again
		fmt.Fprintf(&s, " E=%s", operand(in.E))
	}
	restText(&s, in, site)
	return s.String()
}

// restText writes the fields that are not operands.
func restText(s *strings.Builder, in *Inst, site func(uint32) string) {
	if in.Imm != 0 {
		fmt.Fprintf(s, " imm=%d", in.Imm)
	}
	if in.Site != 0 {
		s.WriteString(" site " + site(in.Site/SiteBytes))
	}
	switch in.Target {
	case 0, ChangesProgress:
	case ChangesAside:
		s.WriteString(" [aside]")
	default:
		fmt.Fprintf(s, " to %d", in.Target/InstBytes)
	}
	if in.Other != 0 {
		fmt.Fprintf(s, " else %d", in.Other/InstBytes)
	}
	switch in.Count {
	case 0, CountNothing:
	case CountVisible:
		s.WriteString(" [visible]")
	default:
		fmt.Fprintf(s, " [counter %d]", in.Count)
	}
}

// controlWords maps operations to functions that print their instructions. Fields of these instructions have a meaning
// of their own, such as the target of a branch; all other instructions are printed as operands and an immediate.
var controlWords = map[Op]func(*strings.Builder, *Inst, func(uint32) string){
	Jump: branchText, JumpBack: branchText, Branch: branchText, BranchBack: branchText,
	Guard: guardInstText, GuardVisible: guardInstText,
	NoteAccess: noteText, NoteWindow: noteText,
	Barrier: barrierText,
}

func barrierText(s *strings.Builder, in *Inst, _ func(uint32) string) {
	if in.D == BarrierZero {
		s.WriteString(" 0")
	}
}

// MeetAtReturn in E of a branch says that its sides reconverge only in the caller.
const MeetAtReturn = -1

func branchText(s *strings.Builder, in *Inst, operand func(uint32) string) {
	if in.A != 0 || in.C != 0 {
		fmt.Fprintf(s, " if %s%s", GuardText(in.C), operand(in.A))
	}
	fmt.Fprintf(s, " to %d", in.Target/InstBytes)
	meet := fmt.Sprintf("pc %d", in.E)
	if int32(in.E) == MeetAtReturn {
		meet = "the caller"
	}
	who := map[uint32]string{
		WaitsNobody: "Go decides who waits", WaitsTaken: "lanes that jump wait",
		WaitsOthers: "lanes that do not jump wait",
	}[in.B]
	fmt.Fprintf(s, ", lanes meet at %s, %s, adds %d to the count", meet, who, in.Imm)
	switch in.D {
	case Uncounted:
	case Counted:
		s.WriteString(", counted")
	default:
		fmt.Fprintf(s, ", counted in steps of %s", operand(in.D))
	}
}

// comparedBranchText writes an operation of comparedBranches as a comparison and a branch.
func comparedBranchText(s *strings.Builder, in *Inst, operand func(uint32) string) {
	fmt.Fprintf(s, " D=%s A=%s B=%s,", operand(in.D), operand(in.A), operand(in.B))
	branch := *in
	branch.D, branch.A, branch.B = Uncounted, in.D, in.Other
	branchText(s, &branch, operand)
}

func guardInstText(s *strings.Builder, in *Inst, operand func(uint32) string) {
	fmt.Fprintf(s, " if %s%s, for some lanes at %d, for none at %d", GuardText(in.C), operand(in.A), in.Other/InstBytes,
		in.Target/InstBytes)
}

func noteText(s *strings.Builder, in *Inst, operand func(uint32) string) {
	fmt.Fprintf(s, " the listener of %d bytes at %s+%d", in.B, operand(in.A), in.Imm)
	if in.C != 0 {
		fmt.Fprintf(s, ", addresses from 0x%x<<32 on", in.C)
	}
	if in.Count == CountVisible {
		s.WriteString(" [visible]")
	}
}

// GuardText returns the prefix of a guard predicate.
func GuardText(xor uint32) string {
	switch xor {
	case 0:
		return ""
	case 1<<32 - 1:
		return "!"
	}
	return fmt.Sprintf("0x%08x^", xor)
}
