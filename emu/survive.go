package emu

import "github.com/ptxsan/ptxsan/rewrite"

// What happens after a fault. Config.MaxFaults kinds of faults end a launch; up to
// then, the threads whose memory access faulted stop as if they exited, and the others
// go on. Faults alike, by the same instruction, are one kind and reported once, with
// the number of threads. Traps, assertions, barriers and everything else that concerns
// more than a memory access of single threads end the launch at once. What follows
// when threads are missing, such as others waiting for them for ever, is not reported.

// flagResumable marks an instruction whose body handles lanes one by one, in
// ascending order, and stops at the first that faults: it can be executed again for
// the lanes above.
const flagResumable instFlags = 1 << 18

// fail raises a fault of one lane.
func (x *exec) fail(w *warp, lane int, at *rewrite.Inst, class string, addr uint64, msg string) {
	if x.fault != nil {
		return
	}
	x.faultLane = lane
	msg += x.l.likelyCause(class, addr)
	x.fault = &Fault{
		Class: class, Message: msg, Kernel: x.l.kernel.src.Name, Count: 1,
		Block: w.cta.index, Thread: x.threadIndex(w, lane), Inst: at, Address: addr,
	}
}

// file moves the fault just raised to the list. The launch goes on unless it was one
// kind too many.
func (x *exec) file() {
	f := x.fault
	for _, g := range x.faults {
		if g == f {
			return // the one kind too many
		}
		if g.Inst == f.Inst && g.Class == f.Class {
			g.Count++
			x.fault = nil
			return
		}
	}
	x.faults = append(x.faults, f)
	if len(x.faults) < x.m.cfg.MaxFaults {
		x.fault = nil
	}
}

// survive is called after in has faulted for a lane of g, which stands there; m is the
// lanes that execute it. It reports whether the turn goes on.
func (x *exec) survive(g *group, in *inst, m lanes) bool {
	if in.flags&flagResumable == 0 || x.m.cfg.MaxFaults == 1 {
		return false
	}
	listener := x.listener
	x.listener = nil // has been told of all lanes
	dead := lanes(0)
	for x.fault != nil {
		lane := lanes(1) << x.faultLane
		if x.file(); x.fault != nil {
			break
		}
		dead |= lane
		if rest := m &^ (lane<<1 - 1); rest != 0 {
			in.exec(x, in, rest)
		}
	}
	x.listener = listener
	if x.fault != nil {
		return false
	}
	x.exit(g, dead)
	return x.runs(g) && x.arrive(g)
}

// outcome is the faults of the launch.
func (x *exec) outcome() []*Fault {
	if f := x.fault; f != nil && (len(x.faults) == 0 || x.faults[len(x.faults)-1] != f && !consequences[f.Class]) {
		x.faults = append(x.faults, f)
	}
	return x.faults
}

// consequences are the classes of faults that threads missing can cause.
var consequences = map[string]bool{"deadlock": true, "livelock": true, "barrier-divergence": true, "timeout": true}
