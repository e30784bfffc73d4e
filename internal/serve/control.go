// The positive control: a race that is planted into the kernel must be found.

package serve

import (
	"context"
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Control is the result of the positive control.
type Control struct {
	Planted []string `json:"planted"`    // what was planted, for each kernel
	Found   bool     `json:"found"`      // the race was found in each kernel
	PTX     string   `json:"ptx_sha256"` // of the PTX with the planted races
}

// control runs the positive control for an answer that would be clean. An answer without one that was wanted is not
// decided.
func (c *call) control(plan *session.Plan, o session.Options) error {
	if !c.SelfTest && !c.Server.SelfTest || c.racy || len(c.Reasons) > 0 {
		return nil
	}
	planted, err := plant(c.program.Module, plan)
	if err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	rep, err := planted.check(c.ctx, plan, o)
	if err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	c.Control = &Control{Found: true, PTX: hash(planted.program.Module.AST.File.Src)}
	for _, k := range planted.kernels {
		c.Control.Planted = append(c.Control.Planted, fmt.Sprintf("%s: each thread stores to one word where it ends",
			report.Demangle(k)))
		if !planted.found(rep, k) {
			c.Control.Found = false
			c.leave("self-test: the race planted into %s was not found", report.Demangle(k))
		}
	}
	return nil
}

// plantation is a program with planted races.
type plantation struct {
	program  *session.Program
	variable string   // which they are on
	kernels  []string // that have one
}

// plant adds a race to each kernel of the plan: where they end, all threads store their number to one word, which
// nothing else accesses.
func plant(m *rewrite.Module, plan *session.Plan) (*plantation, error) {
	p, ed := &plantation{}, rewrite.NewEditor(m, "planted")
	var err error
	if p.variable, err = ed.AddVar(rewrite.NewVar{
		Name: "ptxsan_planted", Space: isa.SpaceGlobal,
		Type: isa.U32,
	}); err != nil {
		return nil, err
	}
	done := make(map[string]bool)
	for i := range plan.Launches {
		name := plan.KernelName(i)
		if done[name] {
			continue
		}
		done[name], p.kernels = true, append(p.kernels, name)
		f := m.Func(name)
		reg := ed.FreshReg(f, isa.U32)
		ed.InsertAtExits(f, fmt.Sprintf("mov.u32 %s, %%tid.x;\nst.global.u32 [%s], %s;", reg, p.variable, reg))
	}
	edited, err := ed.Apply()
	if err != nil {
		return nil, err
	}
	p.program, err = session.Parse(m.AST.File.Name, edited.AST.File.Src)
	return p, err
}

// check runs the plan on the program with planted races.
func (p *plantation) check(ctx context.Context, plan *session.Plan, o session.Options) (*report.Report, error) {
	with, err := session.NewPlan(p.program, plan.File, 0)
	if err != nil {
		return nil, err
	}
	return checked(ctx, with, o)
}

// found reports whether a report has the race planted into a kernel.
func (p *plantation) found(rep *report.Report, kernel string) bool {
	for _, x := range rep.Pairs() {
		if x.Symbol == p.variable && x.First.Kernel == kernel && x.Severity == report.Error {
			return true
		}
	}
	return false
}
