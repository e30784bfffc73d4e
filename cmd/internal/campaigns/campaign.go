// Package campaigns implements the commands campaign and worker. internal/campaign implements campaigns.
package campaigns

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/build"
	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/campaign"
	"github.com/ptxsan/ptxsan/internal/campaign/jetstream"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Campaign returns the command campaign.
func Campaign(reports command.Reports) *cli.Command {
	flags := []cli.Flag{
		&cli.IntFlag{Name: "workers", Value: -1, DefaultText: "one for each processor; none with --nats", Usage: "run `N` tasks at a time in this process", Category: command.CatExecution},
		&cli.StringFlag{Name: "state", Usage: "keep the campaign's server in `DIR`", DefaultText: "NAME.campaign beside the plan", Category: command.CatExecution},
		&cli.StringFlag{Name: "listen", Usage: "let workers on other machines connect to the campaign's server at `HOST:PORT`", DefaultText: "this machine alone", Category: command.CatExecution},
		&cli.StringFlag{Name: "store-limit", Usage: "let the campaign's server store `BYTES` at most", DefaultText: "what the disk has", Category: command.CatExecution},
		&command.TimeFlag{DurationFlag: cli.DurationFlag{Name: "lost-after", Value: jetstream.DefaultAckWait, Usage: "give a task to another worker when its worker has not reported for `TIME`", Category: command.CatExecution}},
		&cli.BoolFlag{
			Name:     "local",
			Usage:    "run: run all tasks one after the other in this process, without a server; nothing is stored",
			Category: command.CatExecution,
		},
		&cli.BoolFlag{
			Name: "restart", Usage: "run: discard an existing campaign of this name",
			Category: command.CatExecution,
		},
		&cli.StringFlag{Name: "write-replays", Usage: "run, resume and report: write a run that repeats each finding to `FILE`, for the entry replays: of a plan", Category: command.CatOutput},
		&cli.StringFlag{Name: "replay-dir", Usage: "write schedules that are too long for a replay command, 8 KiB, to files in `DIR`", DefaultText: "the working directory", Category: command.CatOutput},
		command.ReportFlag(), command.OutputFlag(), command.ColorFlag(), command.DemangleFlag(), command.RootFlag(),
		command.SuppressionsFlag(), command.BaselineFlag(), command.ErrorLevelFlag(), command.RequireFlag(),
		command.SchedulesFlag(), command.AllowFlag(),
	}
	return &cli.Command{
		Name:      "campaign",
		Category:  "Execution",
		Usage:     "explore many kernels under many schedules, on one machine or many",
		ArgsUsage: "run|status|report|resume|stop PLAN.yaml",
		Description: `A plan names kernels, detectors, strategies and a budget: docs/campaigns.md. run cuts
the work into tasks for workers, which are in this process unless --nats or --listen
brings others: ptxsan worker. Schedules go to kernels that still show something new;
kernels that the static analysis proves free of races get none. The report is the same for any
number of workers.

run waits for the end and writes the report. status shows the progress, from any
terminal. stop ends a campaign early; resume continues one that was stopped or
interrupted, by the plan as it was at the start. report writes the report again.

Examples:
   ptxsan campaign run plan.yaml
   ptxsan campaign --format sarif=r.sarif,text --write-replays known.yaml run plan.yaml
   ptxsan campaign --local run plan.yaml`,
		Flags:  slices.Concat(flags, accessFlags()),
		Action: func(c *cli.Context) error { return campaignAction(c, reports) },
	}
}

// accessFlags returns the flags for access to a server.
func accessFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "nats", Usage: "`URL` of a NATS server with JetStream, or several of a cluster separated by commas; it may hold a user and a password or a token", Category: command.CatExecution},
		&cli.StringFlag{Name: "creds", Usage: "credentials `FILE` for --nats", Category: command.CatExecution},
		&cli.StringFlag{Name: "tls-ca", Usage: "`FILE` with the certificates that vouch for the server of --nats", Category: command.CatExecution},
		&cli.StringFlag{Name: "tls-cert", Usage: "`FILE` with the certificate to show to the server of --nats", Category: command.CatExecution},
		&cli.StringFlag{Name: "tls-key", Usage: "`FILE` with the key of --tls-cert", Category: command.CatExecution},
		&cli.IntFlag{Name: "replicas", Value: 1, Usage: "keep `N` copies of everything in the cluster of --nats", Category: command.CatExecution},
	}
}

// access returns the values of accessFlags.
func access(c *cli.Context) (jetstream.Access, error) {
	a := jetstream.Access{
		URL: c.String("nats"), Creds: c.String("creds"), CA: c.String("tls-ca"),
		Cert: c.String("tls-cert"), Key: c.String("tls-key"), Replicas: c.Int("replicas"),
	}
	if (a.Cert == "") != (a.Key == "") {
		return a, command.Usagef("--tls-cert and --tls-key: expected both or none")
	}
	if most := 5; c.IsSet("replicas") && (a.Replicas < 1 || a.Replicas > most) {
		return a, command.Usagef("--replicas: expected a number from 1 to %d, found %d", most, a.Replicas)
	}
	return a, nil
}

// version identifies a build of ptxsan: all tasks of a campaign are run by the same build.
func version() string { return "ptxsan " + build.Describe(session.Version) }

var verbs = map[string]func(*cli.Context, command.Reports, *campaign.Plan) error{
	"run": runCampaign, "resume": resumeCampaign, "status": showStatus, "report": showReport, "stop": stopCampaign,
}

func campaignAction(c *cli.Context, reports command.Reports) error {
	verb := verbs[c.Args().First()]
	if verb == nil || c.NArg() != 2 {
		return command.Usagef("campaign: expected run, status, report, resume or stop, and a plan, found %q",
			c.Args().Slice())
	}
	if c.Int("workers") < 0 && c.IsSet("workers") {
		return command.Usagef("--workers: expected a number from 0 on, found %d", c.Int("workers"))
	}
	if c.Duration("lost-after") < time.Second {
		return command.Usagef("--lost-after: expected a time from 1s on, found %s", c.Duration("lost-after"))
	}
	if err := reports.Check(c); err != nil {
		return err
	}
	p, err := campaign.Load(c.Args().Get(1))
	if err != nil {
		return command.BadInput(err)
	}
	return verb(c, reports, p)
}

// hub is a connection to the server of a campaign. The server runs in this process unless server is nil.
type hub struct {
	*jetstream.Conn
	server *jetstream.Server
}

func (h *hub) close() {
	h.Close()
	if h.server != nil {
		h.server.Close()
	}
}

// healthy returns an error if the server cannot continue.
func (h *hub) healthy() error {
	if h.server == nil {
		return nil
	}
	return h.server.Healthy()
}

// stateDir returns the folder in which the server of a campaign keeps its data.
func stateDir(c *cli.Context, p *campaign.Plan) string {
	if dir := c.String("state"); dir != "" {
		return dir
	}
	return filepath.Join(filepath.Dir(p.File), p.Name+".campaign")
}

// startHub starts the server of a campaign, or connects to the server of --nats.
func startHub(c *cli.Context, p *campaign.Plan) (*hub, error) {
	if c.IsSet("nats") {
		if c.IsSet("listen") || c.IsSet("state") {
			return nil, command.Usagef("--nats: --listen and --state are for the campaign's own server")
		}
		return dial(c)
	}
	limit, err := limits.ParseBytes(c.String("store-limit"))
	if err != nil {
		return nil, command.Usagef("--store-limit: %w", err)
	}
	s, err := jetstream.StartServer(jetstream.ServerOptions{
		Dir: stateDir(c, p), Listen: c.String("listen"),
		Limit: int64(limit),
	})
	if err != nil {
		return nil, err
	}
	conn, err := s.Connect()
	if err != nil {
		s.Close()
		return nil, err
	}
	return &hub{conn, s}, nil
}

func dial(c *cli.Context) (*hub, error) {
	a, err := access(c)
	if err != nil {
		return nil, err
	}
	conn, err := jetstream.Dial(a)
	if err != nil {
		return nil, missing(err)
	}
	return &hub{conn, nil}, nil
}

// findHub connects to the running server of a campaign, or else starts it to read its stored data.
func findHub(c *cli.Context, p *campaign.Plan) (*hub, error) {
	if c.IsSet("nats") {
		return dial(c)
	}
	dir := stateDir(c, p)
	if url, err := jetstream.RunningServer(dir); err == nil {
		conn, err := jetstream.Dial(jetstream.Access{URL: url})
		return &hub{conn, nil}, err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, command.Usagef("%s: no campaign %s has begun: %w", c.Args().Get(1), p.Name, err)
	}
	return startHub(c, p)
}

// workers returns the number of concurrent tasks in this process.
func workers(c *cli.Context) int {
	switch n := c.Int("workers"); {
	case n >= 0:
		return n
	case c.IsSet("nats"):
		return 0
	}
	return runtime.NumCPU()
}

// missing turns an error about a nonexistent campaign, or about access, into an error of usage.
func missing(err error) error {
	if refused := (*jetstream.AccessError)(nil); errors.As(err, &refused) || errors.Is(err, jetstream.ErrNoCampaign) {
		return command.BadInput(err)
	}
	return err
}

func stopCampaign(c *cli.Context, _ command.Reports, p *campaign.Plan) error {
	h, err := findHub(c, p)
	if err != nil {
		return err
	}
	defer h.close()
	if err = h.Stop(c.Context, p.Name); err != nil {
		return missing(err)
	}
	fmt.Fprintf(c.App.ErrWriter, "ptxsan: campaign %s was told to stop; resume goes on with it\n", p.Name)
	return nil
}
