// The command passes.

package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func passesCommand() *cli.Command {
	return &cli.Command{
		Name:      "passes",
		Category:  "Inspection",
		Usage:     "list the passes, or describe some of them",
		ArgsUsage: "[NAME...]",
		Description: `Without names, one line for each pass; with names, their documentation and options,
also of detectors that have no pass.

Example:
   ptxsan passes iguard`,
		Action: passesAction,
	}
}

func passesAction(c *cli.Context) error {
	w := c.App.Writer
	if c.NArg() == 0 {
		for _, p := range all.Passes {
			fmt.Fprintf(w, "%-12s %s\n", p.Name, p.Title())
		}
		return nil
	}
	for i, name := range c.Args().Slice() {
		p, err := passOf(name)
		if d := session.DetectorPass(name); d != nil {
			p, err = d, nil
		}
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		describePass(c, p)
	}
	return nil
}

func passOf(name string) (*passes.Pass, error) {
	var names []string
	for _, p := range all.Passes {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return nil, usagef("no pass %q; passes: %s", name, strings.Join(names, ", "))
}

func describePass(c *cli.Context, p *passes.Pass) {
	w := c.App.Writer
	fmt.Fprintf(w, "%s: %s\n", p.Name, strings.TrimSpace(p.Doc))
	if len(p.Requires) > 0 {
		var names []string
		for _, r := range p.Requires {
			names = append(names, r.Name)
		}
		fmt.Fprintf(w, "\nRequires: %s\n", strings.Join(names, ", "))
	}
	for i, f := range p.Options() {
		if i == 0 {
			fmt.Fprintf(w, "\nOptions, as in %s<%s=%s>:\n", p.Name, f.Name, f.DefValue)
		}
		_, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  %-14s %s (default %s)\n", f.Name, usage, f.DefValue)
	}
}
