// The ptxsan of Linux releases. It lacks the CUDA driver's loader, which needs the C library, and the libraries of rarely used
// commands, and runs ptxsan-full for those.

//go:build slim

package main

import "github.com/urfave/cli/v2"

// slim says that this is the program of Linux releases, which runs ptxsan-full for the commands that it lacks.
const slim = true

// largeCommands returns the commands that link large libraries: a message broker, the Model Context Protocol.
func largeCommands() []*cli.Command {
	return []*cli.Command{
		elsewhere("campaign", "Execution", "explore many kernels under many schedules, on one machine or many"),
		elsewhere("worker", "Execution", "run tasks of campaigns"),
		elsewhere("serve", "Execution", "serve checks to programs that write kernels"),
	}
}

// describingCommands returns the commands that describe all commands, which are implemented in ptxsan-full only.
func describingCommands() []*cli.Command {
	return []*cli.Command{
		elsewhere("completion", "Support", "print a script that makes a shell complete commands and flags"),
		elsewhere("man", "Support", "print the manual page"),
	}
}

// elsewhere returns a command that runs ptxsan-full with the same command line. It parses no flags and arguments.
func elsewhere(name, category, usage string) *cli.Command {
	return &cli.Command{
		Name: name, Category: category, Usage: usage, SkipFlagParsing: true, HideHelp: true,
		Action:       func(*cli.Context) error { return becomeFull() },
		BashComplete: func(*cli.Context) { _ = becomeFull() }, // without ptxsan-full nothing is completed
	}
}
