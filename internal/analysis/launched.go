// The needs of a proof by the run of one launch: the values of the launch that decide what its threads do.

package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/steer"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// launched is a launch of a kernel that was run.
type launched struct {
	kernel *rewrite.Func
	given  *facts.Given
	result *static.Result
	needs  []string
}

// decisive returns the facts that another launch must satisfy, so that the run of this one proves it. The report is that
// of a run of this launch alone. ok is false if the run does not stand for every schedule, or if values that the facts
// do not have may decide what threads do.
//
// The extents of block and cluster are always needed. If nothing else of a launch steers threads (steer.Decisive), each
// cluster makes the same accesses to its own memory and synchronises as in the run. Accesses to global memory may go
// elsewhere: formulas prove most pairs of them for any grid and arguments. If they do not prove a pair, or threads may
// synchronise by global memory, then the grid is needed, and so are the values from which the addresses are computed.
func (m *Made) decisive(rep *report.Report) (needs []string, ok bool) {
	k, g, r := m.Kernel, m.Given, m.Result
	if !standsForAll(rep) || r.Rest > 0 || rep.Weakest().Resident > 0 || len(rep.Depends) > 0 {
		return nil, false
	}
	x := &launched{kernel: k, given: g, result: r}
	steering := steer.Decisive(k, func(*rewrite.Inst) bool { return false })
	open, grid := x.open()
	placing := steer.Decisive(k, func(in *rewrite.Inst) bool { return open[in] })
	if placing.Unclear || !x.extents("ntid") || !x.clusters() ||
		(grid || placing.Grid) && !x.extents("nctaid") {
		return nil, false
	}
	for _, p := range placing.Params {
		if !x.argument(slices.Index(k.Params, p), !slices.Contains(steering.Params, p)) {
			return nil, false
		}
	}
	for _, p := range placing.Maps {
		x.needs = append(x.needs,
			fmt.Sprintf("tensor map: that of parameter %d is as at %s", slices.Index(k.Params, p)+1, g.Site))
	}
	return x.needs, true
}

// open returns the instructions with accesses of which formulas do not prove that they do not race, or to global memory
// by which threads may synchronise, and whether they may concern threads of different clusters.
func (x *launched) open() (list map[*rewrite.Inst]bool, grid bool) {
	list = make(map[*rewrite.Inst]bool)
	for _, p := range x.result.Pairs {
		if p.Verdict == static.Clean {
			continue
		}
		x.needs = append(x.needs, p.Needed...) // by the kinds of races of which formulas prove that there are none
		list[p.First.Inst], list[p.Second.Inst] = true, true
		grid = grid || p.Space != isa.SpaceShared && slices.Contains(p.Kinds, static.InterBlock)
	}
	for _, f := range session.Reached(x.kernel) {
		for _, in := range f.Insts {
			if (in.Sync() == isa.SyncAccess || !x.result.Seen[in]) && steer.InGlobal(in) {
				list[in], grid = true, true
			}
		}
	}
	return list, grid
}

// clusters adds that the extents of clusters are as in the run, if the kernel does not require them.
func (x *launched) clusters() bool {
	if emu.RequiredCluster(x.kernel) != (emu.Dim3{}) {
		return true
	}
	if !x.given.Unclustered {
		return x.extents("cluster_nctaid")
	}
	for _, axis := range []byte("xyz") {
		x.needs = append(x.needs, fmt.Sprintf("cluster.%c = 1 (%s)", axis, x.given.Site))
	}
	return true
}

// extents adds that extents are as in the run.
func (x *launched) extents(register string) bool {
	for _, axis := range []byte("xyz") {
		need, ok := x.fixed(facts.Dim(register, axis).String())
		if !ok {
			return false
		}
		x.needs = append(x.needs, need)
	}
	return true
}

// fixed returns the name of the fact that defines a variable as a number.
func (x *launched) fixed(variable string) (fact string, ok bool) {
	for _, f := range x.given.Facts {
		if f.Var == variable {
			_, ok = f.Value.Int64()
			return f.Name, ok
		}
	}
	return "", false
}

// argument adds that an argument is as in the run: a number, or a pointer, if it only decides where accesses are.
func (x *launched) argument(index int, places bool) bool {
	p := facts.Param{Index: index}
	if to, ok := x.given.Pointers[p]; ok && places && to.Offset != nil {
		if _, ok := to.Offset.Int64(); !ok {
			return false
		}
		if x.needs = append(x.needs, static.Identity(p, &to)); to.Bound != "" {
			x.needs = append(x.needs, to.Bound)
		}
		return true
	}
	need, ok := x.fixed(facts.ParamVar(index, 0, 64).String())
	x.needs = append(x.needs, need)
	return ok
}

// launchNeed says what a proof by the run of a launch needs if more of it may matter than facts say: the launch at a
// place of a launch file as it is, but for contents that do not matter.
func launchNeed(site string, h *report.Holds) string {
	need := "launch: as at " + site
	if len(h.Contents) > 0 {
		need += ", with any contents of " + strings.Join(h.Contents, ", ")
	}
	if h.Resident > 0 {
		need += fmt.Sprintf(", if %d blocks are resident together", h.Resident)
	}
	return need
}
