// The tools: check, explore, fix, analyze, explain.

package serve

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ptxsan/ptxsan/docs"
	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// check runs the launches once.
func (c *call) check() error {
	plan, o, err := c.prepared()
	if err != nil {
		return err
	}
	rep, err := checked(c.ctx, plan, o)
	if err != nil {
		return err
	}
	c.take(rep)
	return c.control(plan, o)
}

// prepared returns the launches and the options of their sessions.
func (c *call) prepared() (*session.Plan, session.Options, error) {
	o, err := c.options()
	if err != nil {
		return nil, o, err
	}
	plan, err := c.plan()
	return plan, o, err
}

// checked runs a plan once, and once more without proofs if one does not hold, and looks for weak outcomes.
func checked(ctx context.Context, plan *session.Plan, o session.Options) (*report.Report, error) {
	s, err := session.Open(o)
	if err != nil {
		return nil, err
	}
	rep, err := plan.Check(ctx, s)
	if err == nil && s.Strayed() != nil && !o.Refuted {
		o.Refuted = true
		return checked(ctx, plan, o)
	}
	if err == nil {
		_, err = new(session.StaleSearch).Search(ctx, plan, o, rep)
	}
	return rep, err
}

// explore runs the launches under many schedules.
func (c *call) explore() error {
	plan, o, err := c.prepared()
	if err != nil {
		return err
	}
	search := session.Search{Name: session.SearchNames[0], Runs: c.Schedules}
	if c.Schedules == 0 {
		search.Runs, search.Quiet = session.DefaultSchedules, session.DefaultQuiet
	}
	e := session.Exploration{Options: o, Scenario: plan, Search: search, Workers: 1}
	rep, err := e.Run(c.ctx)
	if rep != nil {
		c.take(rep)
	}
	if err != nil {
		return err
	}
	return c.control(plan, o)
}

// fix searches for a repair of the launches' races.
func (c *call) fix() error {
	plan, o, err := c.prepared()
	if err != nil {
		return err
	}
	res, err := fix.Run(c.ctx, fix.Options{
		Subject: trial.Subject{Plan: plan, Session: o, Workers: 1}, Schedules: c.Schedules,
	})
	if res == nil {
		return err
	}
	res.Advise(res.Report)
	c.take(res.Report)
	c.Repair = c.repairOf(res)
	return err
}

func (c *call) repairOf(res *fix.Result) *Repair {
	var text strings.Builder
	_ = res.WriteText(&text) // a builder takes all
	r := &Repair{
		Mended: res.Mended() && res.Complete(), Edits: shortened(text.String(), mostEdits),
		Why: shortened(cmp.Or(res.Undecided, res.Why), mostText),
	}
	if !res.Mended() {
		return r
	}
	ptx := res.Module.AST.File.Src
	r.Patch, r.PTX, r.Hash, r.Launches = res.Diff(), c.documents.keep("ptx", ptx), hash(ptx),
		shortened(res.Launches(), mostText)
	if len(r.Patch) > mostPatch {
		r.Patch = c.documents.keep("patch", []byte(r.Patch))
	}
	if !r.Mended {
		r.Why = "a race or a fault is left: see edits"
	}
	return r
}

// analyze decides without execution, for the given launches or for any.
func (c *call) analyze() error {
	o := analysis.Options{}
	if c.file != nil {
		o.Facts, o.File = []*facts.File{factfile.FromLaunches(c.file)}, c.file
		plan, err := c.plan()
		if err != nil {
			return err
		}
		o.File = plan.File
	}
	out, err := analysis.Run(c.ctx, c.program, o)
	if err != nil {
		return err
	}
	out.Report.SettleStatic(report.Error)
	if len(out.Report.Proofs) == 0 {
		return asked(fmt.Errorf("%s has no kernel to analyse", c.program.Module.AST.File.Name))
	}
	c.take(out.Report)
	for _, p := range out.Report.Proofs {
		c.Proofs = append(c.Proofs, p.Headline())
		if p.Verdict != report.Clean {
			c.leave("%s", p.Headline())
		}
	}
	return nil
}

// Cause is the input of explain.
type Cause struct {
	Cause string `json:"cause" jsonschema:"the cause of a race, such as missing-barrier, or all, which lists them"`
}

func explain(_ context.Context, _ *mcp.CallToolRequest, in Cause) (*mcp.CallToolResult, any, error) {
	if in.Cause == "all" {
		return textResult(docs.CauseOverview()), nil, nil
	}
	page, ok := docs.CausePage(in.Cause)
	if !ok {
		return nil, nil, fmt.Errorf("cause: expected all or one of %s, found %q", strings.Join(docs.CauseNames(), ", "),
			in.Cause)
	}
	return textResult(page), nil, nil
}
