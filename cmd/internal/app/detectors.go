// The flag --detector.

package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func detectorFlag() cli.Flag {
	return &cli.StringFlag{Name: "detector", Aliases: []string{"d"}, Value: session.DetectorNames()[0], Usage: "race `DETECTORS` with options, such as iguard<granularity=8>,scord", Category: command.CatExecution}
}

// ldetectorFlags returns the flags that set options of ldetector.
func ldetectorFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{
			Name:     "continue",
			Usage:    "with ldetector: look for further races of a region after its first (its option continue)",
			Category: command.CatExecution,
		},
		&cli.StringFlag{Name: "max-expand", Usage: "with ldetector: find races between blocks instead of between warps, in buffers and variables of global memory of at most `BYTES` (K, M, G for powers of 1024); its option expand", Category: command.CatExecution},
	}
}

// ldetectorOptions returns the detectors with the options of those flags. It also sets --detector to include them, so
// that replay commands do.
func ldetectorOptions(c *cli.Context, list []*session.Detector) ([]*session.Detector, error) {
	size, err := limits.ParseBytes(c.String("max-expand"))
	if err != nil {
		return nil, command.Usagef("--max-expand: %w", err)
	}
	for _, o := range []struct {
		set                 bool
		flag, option, value string
	}{{c.Bool("continue"), "continue", "continue", "true"}, {size > 0, "max-expand", "expand", fmt.Sprint(size)}} {
		if !o.set {
			continue
		}
		if list, err = session.WithOption(list, "ldetector", o.option, o.value); err != nil {
			return nil, command.Usagef("--%s: %w", o.flag, err)
		}
		if err = c.Set("detector", session.Specs(list)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// detectorsOf reads --detector and the flags that print the work of its passes.
func detectorsOf(c *cli.Context) ([]*session.Detector, error) {
	list, err := parseDetectors(c.String("detector"))
	if err == nil {
		list, err = ldetectorOptions(c, list)
	}
	if err != nil {
		return nil, err
	}
	var all passes.Pipeline
	runs, listening := 0, 0 // detectors that listen share a run
	for _, d := range list {
		if d.Listens() {
			listening = 1
			continue
		}
		all = all.Append(d.Pipeline())
		runs++
	}
	if _, err := command.PassTimerOf(c, all); err != nil {
		return nil, err
	}
	for _, flag := range []string{"record", "replay", "timeline"} {
		if runs+listening > 1 && c.String(flag) != "" {
			return nil, command.Usagef("--%s: expected one detector, found %s, which take runs of their own", flag,
				session.Names(list))
		}
	}
	return list, nil
}

func parseDetectors(spec string) ([]*session.Detector, error) {
	list, err := session.ParseDetectors(spec)
	if err != nil {
		return nil, command.Usagef("--detector: %w", err)
	}
	return list, nil
}

// passRunner returns a function that runs pipelines under the driver flags.
func passRunner(c *cli.Context) func(passes.Pipeline, *rewrite.Module, func(string) address.Given) (*passes.Output,
	error) {
	return func(p passes.Pipeline, m *rewrite.Module, given func(string) address.Given) (*passes.Output, error) {
		w := command.NewPassTimer(c, p)
		w.Driver.Given = given
		return w.Run(m)
	}
}
