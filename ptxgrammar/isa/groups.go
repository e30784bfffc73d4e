// Groups of asynchronous copies: the instructions with which a thread closes a group, and waits for groups.

package isa

import "slices"

// CopyGroups is the operation of an instruction on the groups of the thread's asynchronous copies (PTX ISA,
// "cp.async.commit_group", "cp.async.wait_group / cp.async.wait_all").
type CopyGroups uint8

// Operations on groups.
const (
	CopyGroupsNone    CopyGroups = iota // nothing
	CopyGroupsCommit                    // closes the group of all copies since the previous one
	CopyGroupsWait                      // waits for all groups except the latest; the operand is the number of those
	CopyGroupsWaitAll                   // waits for all copies
)

// CopyGroups returns the operation on groups, CopyGroupsNone for other instructions. bulk says that it is for the
// separate groups of bulk copies.
func (d *Decoded) CopyGroups() (step CopyGroups, bulk bool) {
	if d.Instr.Name != "cp" {
		return CopyGroupsNone, false
	}
	switch {
	case d.Has("commit_group"):
		step = CopyGroupsCommit
	case d.Has("wait_group"):
		step = CopyGroupsWait
	case d.Has("wait_all"):
		step = CopyGroupsWaitAll
	}
	return step, step != CopyGroupsNone && d.Has("bulk")
}

// CopiesInGroup reports whether a form is an asynchronous copy that belongs to a group of CopyGroups: only bulk copies,
// which have groups of their own, have their size in an operand with another name.
func (f *Form) CopiesInGroup() bool {
	return f.has("async") && slices.ContainsFunc(f.Operands, func(o OperandSpec) bool { return o.Name == "cp_size" })
}

// CopiesInGroup is that of the form.
func (d *Decoded) CopiesInGroup() bool { return d.Form.CopiesInGroup() }
