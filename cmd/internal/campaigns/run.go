// Running campaigns.

package campaigns

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/gc"
	"github.com/ptxsan/ptxsan/cmd/internal/replay"
	"github.com/ptxsan/ptxsan/cmd/internal/terminal"
	"github.com/ptxsan/ptxsan/internal/campaign"
	"github.com/ptxsan/ptxsan/internal/campaign/jetstream"
	"github.com/ptxsan/ptxsan/internal/panics"
	"github.com/ptxsan/ptxsan/runtime/report"
)

func runCampaign(c *cli.Context, reports command.Reports, p *campaign.Plan) error {
	progress := terminal.NewProgress(c.App.ErrWriter)
	camp, blobs, err := campaign.Open(c.Context, p, progress.Step)
	progress.Done()
	if err != nil {
		var bad *campaign.Error
		if errors.As(err, &bad) {
			err = command.BadInput(err)
		}
		return err
	}
	if c.Bool("local") {
		return runLocal(c, reports, camp, blobs)
	}
	h, err := startHub(c, p)
	if err != nil {
		return err
	}
	defer h.close()
	if c.Bool("restart") {
		if err = h.Remove(c.Context, p.Name); err != nil {
			return err
		}
	}
	e, err := h.Begin(c.Context, camp, blobs, version(), c.Duration("lost-after"))
	if errors.Is(err, jetstream.ErrExists) {
		return command.Usagef("%w: resume goes on with it, --restart forgets it", err)
	}
	if err != nil {
		return missing(err)
	}
	return drive(c, reports, h, e)
}

func resumeCampaign(c *cli.Context, reports command.Reports, p *campaign.Plan) error {
	h, err := startHub(c, p)
	if err != nil {
		return err
	}
	defer h.close()
	e, err := h.Resume(c.Context, p.Name, version(), c.Duration("lost-after"))
	if err != nil {
		return missing(err)
	}
	return drive(c, reports, h, e)
}

// runLocal runs a campaign without a server.
func runLocal(c *cli.Context, reports command.Reports, camp *campaign.Campaign, blobs campaign.Blobs) error {
	x := &campaign.Executor{Blobs: blobs}
	s := newShow(c, camp)
	out, err := camp.Run(c.Context, &campaign.Local{Executor: x})
	s.done()
	if err = errors.Join(err, x.Close()); err != nil {
		if c.Err() != nil {
			return command.Interrupted()
		}
		return err
	}
	return s.finish(reports, out)
}

// endTime limits the time to store the end of a campaign.
const endTime = 20 * time.Second

// drive runs a campaign on a server until it ends, it is stopped, or the user interrupts.
func drive(c *cli.Context, reports command.Reports, h *hub, e *jetstream.Engine) error {
	s := newShow(c, e.Campaign)
	shown := e.Campaign.Progress
	e.Campaign.Progress = func(p *campaign.Progress) {
		e.Report(p)
		shown(p)
	}
	ctx, cancel := e.Watch(c.Context, time.Second, h.healthy)
	defer cancel(nil)
	working := panics.Group{Stop: func() { cancel(errors.New("internal error")) }}
	working.Go(func() {
		if failed := work(ctx, h, e.Campaign.Plan.Name, workers(c)); failed != nil {
			cancel(failed)
		}
	})
	out, err := e.Campaign.Run(ctx, e)
	s.done()
	state := jetstream.Done
	if err != nil {
		state = jetstream.Stopped
	}
	end, stop := context.WithTimeout(context.WithoutCancel(c.Context), endTime)
	defer stop()
	stored := e.End(end, out, state)
	cancel(nil)
	working.Wait()
	if h.server != nil && stored == nil {
		e.Dismiss(end)
	}
	switch {
	case c.Err() != nil:
		return &command.Error{Code: command.Failed, Err: fmt.Errorf("%w: ptxsan campaign resume goes on",
			command.ErrInterrupted)}
	case errors.Is(err, jetstream.ErrStopped):
		return &command.Error{
			Code: command.Failed,
			Err:  fmt.Errorf("%w: ptxsan campaign resume goes on, report shows what was found", err),
		}
	case err != nil || stored != nil:
		return errors.Join(err, stored)
	}
	return s.finish(reports, out)
}

// work runs the workers of this process until the context ends.
func work(ctx context.Context, h *hub, name string, n int) error {
	if n == 0 {
		<-ctx.Done()
		return nil
	}
	gc.Workers(n)
	return (&jetstream.Worker{Conn: h.Conn, Version: version(), Count: n, Only: name}).Run(ctx)
}

// finish writes the report of a campaign and its schedules, and chooses the exit code.
func (s *show) finish(reports command.Reports, out *campaign.Outcome) error {
	replays, err := campaign.EncodeReplays(out.Replays)
	if err != nil {
		return err
	}
	if err = s.files.Write(out.Report.Replays(), s.writeSchedule); err != nil {
		return err
	}
	return end(s.c, reports, out.Report, replays, out.Progress.SetAside)
}

// writeSchedule writes a long schedule that a replay command names, and prints its name.
func (s *show) writeSchedule(name string, text []byte) error {
	if err := command.WriteBytes(s.c, name, text); err != nil {
		return err
	}
	fmt.Fprintf(s.c.App.ErrWriter, "ptxsan: wrote %s: a schedule of %d bytes that a replay command names\n", name,
		len(text))
	return nil
}

// end writes the report and the replays, and chooses the exit code. If tasks were set aside, that is not the code of a
// clean program.
func end(c *cli.Context, reports command.Reports, rep *report.Report, replays []byte, setAside int) error {
	rep.ErrorLevel = c.String("error-level")
	rep.Finish()
	if err := reports.Known(c, rep); err != nil {
		return err
	}
	if name := c.String("write-replays"); name != "" {
		if err := command.WriteBytes(c, name, replays); err != nil {
			return err
		}
	}
	if err := reports.Write(c, rep); err != nil {
		return err
	}
	code := reports.Code(c, rep)
	if code == command.Clean && setAside > 0 {
		return &command.Error{Code: command.Failed, Err: fmt.Errorf("%d tasks could not be run: the report says which",
			setAside)}
	}
	return command.Exit(code)
}

// show displays the progress of a running campaign.
type show struct {
	c     *cli.Context
	line  *terminal.Progress
	live  bool // the output is a terminal
	begun time.Time
	last  time.Time
	files replay.Files
}

// newShow returns the display of a campaign's progress, for a terminal.
func newShow(c *cli.Context, camp *campaign.Campaign) *show {
	s := &show{
		c: c, line: terminal.NewProgress(c.App.ErrWriter), live: terminal.Is(c.App.ErrWriter), begun: time.Now(),
		files: replay.Files{Dir: c.String("replay-dir")},
	}
	camp.Progress = s.progress
	camp.Command = func(x *campaign.Subject, detector,
		run string,
	) string {
		return s.command(camp.Plan, x, detector, run)
	}
	if s.live {
		camp.Found = func(x *report.Race) {
			s.line.Done()
			fmt.Fprintf(c.App.ErrWriter, "ptxsan: %s %s in %s: %s at %s and %s at %s\n", x.Severity, x.ID,
				report.Demangle(x.Kernel()), x.First.Access, x.First.At(), x.Second.Access, x.Second.At())
		}
	}
	return s
}

func (s *show) done() { s.line.Done() }

// progress updates the line, at most a few times a second.
func (s *show) progress(p *campaign.Progress) {
	now := time.Now()
	if !s.live || now.Sub(s.last) < time.Second/5 {
		return
	}
	s.last = now
	rate := float64(p.Taken) / max(now.Sub(s.begun).Seconds(), 1e-3)
	left := time.Duration(float64(p.Tasks-p.Taken) / max(rate, 1e-3) * float64(time.Second)).Round(time.Second)
	s.line.Step(fmt.Sprintf("round %d, %d of %d tasks, %.0f a second, %s left in it; %d pairs ordered, %d kernels grow; %d findings", p.Round, p.Taken, p.Tasks, rate, left, p.Conflicts, p.Growing, p.Findings))
}

// command returns the command line that repeats a run.
func (s *show) command(p *campaign.Plan, x *campaign.Subject, detector, text string) string {
	words := "ptxsan check --launch " + replay.Quote(x.Launch) + " --detector " + replay.Quote(detector)
	run, err := campaign.ParseRun(text)
	switch {
	case err != nil:
		return ""
	case run.Replay != nil:
		words += " --replay " + replay.Quote(s.files.Token([]byte(text)))
	default:
		words += " --schedule " + run.Policy + " --seed " + strconv.FormatUint(run.Seed, 10)
		if run.Depth > 0 {
			words += fmt.Sprintf(" --pct-depth %d --pct-length %d", run.Depth, run.Length)
		}
	}
	if p.Task.Memory > 0 {
		words += fmt.Sprintf(" --memory-limit %d", p.Task.Memory)
	}
	if p.Task.Steps > 0 {
		words += fmt.Sprintf(" --max-steps %d", p.Task.Steps)
	}
	return words + " " + replay.Quote(x.PTX)
}

// Worker returns the command worker.
func Worker() *cli.Command {
	flags := []cli.Flag{
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "run `N` tasks at a time", DefaultText: "one for each processor", Category: command.CatExecution},
		&cli.StringFlag{Name: "campaign", Usage: "work only for the campaign `NAME`", Category: command.CatExecution},
		&cli.BoolFlag{
			Name: "once", Usage: "end when the campaign that it worked for ends",
			Category: command.CatExecution,
		},
	}
	return &cli.Command{
		Name:      "worker",
		Category:  "Execution",
		Usage:     "run tasks of campaigns",
		ArgsUsage: " ",
		Description: `Takes tasks from the server that --nats names and runs them until it is interrupted;
its unfinished tasks then go to other workers. It needs no files, since the server
sends those of the kernels. A campaign of another version of ptxsan is refused.

Example:
   ptxsan worker --nats nats://hub:4222`,
		Flags:  append(flags, accessFlags()...),
		Action: workerAction,
	}
}

func workerAction(c *cli.Context) error {
	switch {
	case c.NArg() > 0:
		return command.Usagef("worker: expected no files, found %q", c.Args().Slice())
	case !c.IsSet("nats"):
		return command.Usagef("worker: expected --nats URL, the server of a campaign")
	case c.Int("jobs") < 0:
		return command.Usagef("--jobs: expected a number from 0 on, found %d", c.Int("jobs"))
	}
	h, err := dial(c)
	if err != nil {
		return err
	}
	defer h.close()
	n := c.Int("jobs")
	if n == 0 {
		n = runtime.NumCPU()
	}
	gc.Workers(n)
	host, _ := os.Hostname() // for people
	told := func(what string) {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: worker %d on %s: %s\n", os.Getpid(), host, what)
	}
	w := &jetstream.Worker{
		Conn: h.Conn, Version: version(), Count: n, Only: c.String("campaign"), Once: c.Bool("once"),
		Told: told,
	}
	if err = w.Run(c.Context); err != nil {
		if errors.Is(err, jetstream.ErrVersion) || errors.Is(err, jetstream.ErrNoCampaign) {
			return command.BadInput(err)
		}
		return err
	}
	if c.Err() != nil {
		return command.Interrupted()
	}
	return nil
}
