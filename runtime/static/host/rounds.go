// Loops over the command line: their iterations are executed one after the other.

package host

import "strings"

// maxCounted is the limit of iterations of a loop that are executed separately.
const maxCounted = 200

// reads reports whether a loop reads known strings, or options of the command line.
func (x *executor) reads(s *stmt) bool {
	found := false
	walk([]*stmt{s}, func(n *node) {
		switch {
		case n.kind == exName:
			v := x.lookup(n.op)
			found = found || v != nil && (x.st.values[v].text != nil || x.st.values[v].argv != nil)
		case n.kind == exCall && n.x.kind == exName:
			found = found || strings.HasPrefix(n.x.op, "getopt")
		}
	})
	return found
}

// handsOutIn makes strings unknown that a loop may write to if its iterations are not executed separately: those that it
// mentions, and those that functions may find in file-scope variables.
func (x *executor) handsOutIn(s *stmt) {
	calls := false
	walk([]*stmt{s}, func(n *node) {
		switch n.kind {
		case exName:
			if v := x.lookup(n.op); v != nil {
				x.handsOut(x.st.values[v])
			}
		case exOpaque:
			x.handsOut(x.mentionedIn(n)...)
		case exCall:
			calls = true
		default:
		}
	})
	for v, val := range x.st.values {
		if calls && v.global && val.ofCommandLine() {
			x.loseStrings()
			return
		}
	}
}

// counted executes the iterations of a loop separately. ok is false if their number is unknown, or if the loop launches.
func (x *executor) counted(s *stmt) (f flow, ok bool) {
	if x.args == nil || s.kind == stRange || !x.reads(s) || x.launchesIn(s) {
		return flowOn, false
	}
	entry, returns, left := x.st, len(x.frame.returns), len(x.frame.left)
	x.st = x.copied(entry)
	outs, f, ok := x.rounds(s)
	if !ok {
		x.st, x.exited = entry, false
		x.frame.returns, x.frame.left = x.frame.returns[:returns], x.frame.left[:left]
		return flowOn, false
	}
	if len(outs) == 0 {
		x.st = entry
		return f, true
	}
	x.st = x.joined(outs, entry)
	return flowOn, true
}

// joined is join, except that a single state keeps its conditions.
func (x *executor) joined(list []*state, entry *state) *state {
	if len(list) == 1 {
		return list[0]
	}
	return x.join(list, entry)
}

// launchesIn reports whether a statement launches a kernel, directly or by calls.
func (x *executor) launchesIn(s *stmt) bool {
	found := false
	walk([]*stmt{s}, func(n *node) {
		found = found || n.kind == exLaunch
		if n.kind != exCall {
			return
		}
		found = found || n.x.op == "cudaLaunchKernel" || n.x.op == "cudaLaunchCooperativeKernel"
		for _, f := range x.functionsOf(x.unit, n.x.op) {
			found = found || !f.device && x.mayLaunch(f, map[*function]bool{})
		}
	})
	return found
}

// rounds returns the final states of a loop; f says how it ends if there are none.
func (x *executor) rounds(s *stmt) (outs []*state, f flow, ok bool) {
	var again []*state
	x.frame.breaks = append(x.frame.breaks, &outs)
	x.frame.rounds = append(x.frame.rounds, &again)
	defer func() {
		x.frame.breaks = x.frame.breaks[:len(x.frame.breaks)-1]
		x.frame.rounds = x.frame.rounds[:len(x.frame.rounds)-1]
	}()
	for n := 0; n < maxCounted && x.steps < maxSteps; n++ {
		if s.x != nil && (s.kind != stDo || n > 0) {
			c, known := x.eval(s.x, "").bool().Const()
			if !known {
				return nil, flowOn, false
			}
			if !c {
				return append(outs, x.st), flowOn, true
			}
		}
		before := x.st
		x.st = x.copied(before)
		if f = x.block(s.body); f == flowOn {
			again = append(again, x.st)
		}
		if len(again) == 0 {
			return outs, f, true
		}
		x.st = x.joined(again, before)
		again = nil
		if s.post != nil {
			x.eval(s.post, "")
		}
	}
	return nil, flowOn, false
}
