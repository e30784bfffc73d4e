// Status and report of stored campaigns.

package campaigns

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/campaign"
	"github.com/ptxsan/ptxsan/internal/campaign/jetstream"
	"github.com/ptxsan/ptxsan/internal/output"
)

func showStatus(c *cli.Context, _ command.Reports, p *campaign.Plan) error {
	h, s, err := findStatus(c, p)
	if err != nil {
		return err
	}
	defer h.close()
	if h.server != nil && s.State == jetstream.Running {
		s.State = "interrupted" // the server has no other user
	}
	return command.WriteOutput(c, c.String("output"), func(w io.Writer) error {
		switch c.String("format") {
		case "json":
			e := json.NewEncoder(output.JSON(w))
			e.SetIndent("", "  ")
			return e.Encode(s)
		case "text":
			return writeStatus(w, s)
		}
		return command.Usagef("--format: expected text or json for a status, found %q", c.String("format"))
	})
}

// findStatus finds the server of a campaign, and gets the campaign's status from it. The caller closes the hub.
func findStatus(c *cli.Context, p *campaign.Plan) (*hub, *jetstream.Status, error) {
	h, err := findHub(c, p)
	if err != nil {
		return nil, nil, err
	}
	s, err := h.Status(c.Context, p.Name)
	if err != nil {
		h.close()
		return nil, nil, missing(err)
	}
	return h, s, nil
}

func writeStatus(w io.Writer, s *jetstream.Status) error {
	p := &s.Progress
	fmt.Fprintf(w, "campaign %s: %s, begun %s by %s\n", s.Name, s.State, s.Begun.Format(time.DateTime), s.Version)
	fmt.Fprintf(w, "tasks: %d of %d done, in round %d; %d in hand, %d waiting, %d delivered more than once, %d set aside, %d cut short by their limit of time\n", s.Results, p.Tasks, p.Round, s.InHand, s.Queued, s.Retried, p.SetAside, p.CutShort)
	fmt.Fprintf(w, "schedules: %d run, %d left\n", p.Schedules, p.Left)
	fmt.Fprintf(w, "kernels: %d, of which %d are proved free of races; with each detector, %d still show something new\n", p.Kernels, p.Free, p.Growing)
	fmt.Fprintf(w, "coverage: %d ordered pairs of conflicting accesses\n", max(s.Pairs, p.Conflicts))
	fmt.Fprintf(w, "workers: %d\n", len(s.Workers))
	for _, x := range s.Workers {
		fmt.Fprintf(w, "  process %d on %s, %d at a time: %d tasks\n", x.PID, x.Host, x.Goroutines, x.Tasks)
		for _, d := range x.Now {
			fmt.Fprintf(w, "    for %s: %s\n", d.For.Round(time.Second), d.Task)
		}
	}
	_, err := fmt.Fprintf(w, "findings: %d\n", len(s.Findings))
	for _, f := range s.Findings {
		_, err = fmt.Fprintf(w, "  %s %s in %s of %s: %s and %s\n", f.Severity, f.ID, f.Kernel, f.Subject, f.First,
			f.Second)
	}
	return err
}

func showReport(c *cli.Context, reports command.Reports, p *campaign.Plan) error {
	h, s, err := findStatus(c, p)
	if err != nil {
		return err
	}
	defer h.close()
	rep, replays, err := h.SavedReport(c.Context, p.Name)
	if errors.Is(err, jetstream.ErrNoReport) {
		return command.BadInput(err)
	}
	if err != nil {
		return err
	}
	return end(c, reports, rep, replays, s.Progress.SetAside)
}
