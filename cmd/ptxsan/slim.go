// The ptxsan of releases for Linux: without the CUDA driver's loader, which needs the C library, and without the
// libraries of commands that few runs need. It becomes ptxsan-full for those.

//go:build slim

package main

import "github.com/urfave/cli/v2"

// slim says that this is the program of releases for Linux, which begins what it lacks as ptxsan-full.
const slim = true

// campaignCommands are the commands of campaigns, which bring a message broker with them.
func campaignCommands() []*cli.Command {
	return []*cli.Command{
		elsewhere("campaign", "Execution", "explore many kernels under many schedules, on one machine or many"),
		elsewhere("worker", "Execution", "run tasks of campaigns"),
	}
}

// describingCommands are the commands that describe all commands, which only ptxsan-full has.
func describingCommands() []*cli.Command {
	return []*cli.Command{
		elsewhere("completion", "Support", "print a script that makes a shell complete commands and flags"),
		elsewhere("man", "Support", "print the manual page"),
	}
}

// elsewhere is a command of ptxsan-full, in its words. Flags and arguments are left to it.
func elsewhere(name, category, usage string) *cli.Command {
	return &cli.Command{
		Name: name, Category: category, Usage: usage, SkipFlagParsing: true, HideHelp: true,
		Action:       func(*cli.Context) error { return becomeFull() },
		BashComplete: func(*cli.Context) { _ = becomeFull() }, // without it nothing is completed
	}
}
