// Commands in addition to those of main.go, unless ptxsan is built with the tag slim.

//go:build !slim

package main

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/about"
	"github.com/ptxsan/ptxsan/cmd/internal/campaigns"
)

// slim says that this is the program of Linux releases, which runs ptxsan-full for the commands that it lacks.
const slim = false

// largeCommands returns the commands that link large libraries: a message broker, the Model Context Protocol.
func largeCommands() []*cli.Command {
	reports := campaigns.Reports{Check: checkKnown, Known: settle, Write: writeReport, Code: findingCode}
	return []*cli.Command{campaigns.Campaign(reports), campaigns.Worker(), serveCommand()}
}

// checkKnown returns an error for invalid files of --suppressions and --baseline.
func checkKnown(c *cli.Context) error {
	_, _, err := knownOf(c)
	return err
}

// describingCommands returns the commands that describe all commands.
func describingCommands() []*cli.Command {
	return []*cli.Command{about.Completion(), about.Man()}
}
