// Groups of asynchronous copies: the instructions with which a thread closes a group, and waits for groups.

package isa

// CopyGroups is what an instruction does with the groups of the thread's asynchronous copies
// (PTX ISA, "cp.async.commit_group", "cp.async.wait_group / cp.async.wait_all").
type CopyGroups uint8

// What instructions do.
const (
	CopyGroupsNone    CopyGroups = iota // nothing
	CopyGroupsCommit                    // closes the group of all copies since the last
	CopyGroupsWait                      // waits for all groups but so many as its operand says, the latest
	CopyGroupsWaitAll                   // waits for all copies
)

// CopyGroups is CopyGroupsNone for other instructions. Bulk copies have groups of their own, which bulk says.
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

// CopiesInGroup reports whether an instruction is an asynchronous copy that belongs to a group of CopyGroups.
func (d *Decoded) CopiesInGroup() bool {
	return d.Instr.Name == "cp" && d.Has("async") && !d.Has("bulk") && d.CopySize() >= 0
}
