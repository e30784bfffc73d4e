// What ptxsan has beside the commands of main.go, unless it is built with the tag slim.

//go:build !slim

package main

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/about"
	"github.com/ptxsan/ptxsan/cmd/internal/campaigns"
)

// slim says that this is the program of releases for Linux, which begins what it lacks as ptxsan-full.
const slim = false

// campaignCommands are the commands of campaigns, which bring a message broker with them.
func campaignCommands() []*cli.Command {
	reports := campaigns.Reports{Check: checkKnown, Known: suppress, Write: writeReport, Code: findingCode}
	return []*cli.Command{campaigns.Campaign(reports), campaigns.Worker()}
}

// checkKnown reports mistakes in what --suppressions and --baseline name.
func checkKnown(c *cli.Context) error {
	_, _, err := knownOf(c)
	return err
}

// describingCommands are the commands that describe all commands.
func describingCommands() []*cli.Command {
	return []*cli.Command{about.Completion(), about.Man()}
}
