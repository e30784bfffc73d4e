// Colour, excerpts of sources, and command lines for replay.

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/cmd/internal/replay"
	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// textOptions returns the options of the text report, which quotes source lines that it contains or that can be read. Without a
// report, only readable files are quoted.
func textOptions(c *cli.Context, rep *report.Report) report.TextOptions {
	files := session.Excerpts(filepath.Dir(c.Args().First()), func(name string) ([]byte, error) { return readSource(c.String("root"), name) })
	excerpt := func(file string, n int) (string, bool) {
		if rep != nil {
			if text, ok := rep.Quoted(file, n); ok {
				return text, true
			}
		}
		return files(file, n)
	}
	return report.TextOptions{
		Color: command.UseColor(c), Excerpt: excerpt,
		Names: c.String("demangle"), Hazards: c.String("racecheck-report"), Limit: c.Int("print-limit"),
	}
}

// readSource reads a source file that the program names. With a root folder, the file must be inside it.
func readSource(root, name string) ([]byte, error) {
	if root == "" {
		return input.Read(name, limits.SourceBytes)
	}
	f, err := input.OpenIn(root, "", name, limits.SourceBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limits.SourceBytes))
}

// replayCommand returns the command line that repeats a check, quoted for a shell.
func replayCommand(c *cli.Context) string { return replayOf(c, "check", nil) }

// replayOf returns the command line that runs a command on the same program. Flags in set replace those of c; the value ""
// omits a flag.
func replayOf(c *cli.Context, command string, set map[string]string) string {
	words := []string{"ptxsan", command}
	if command == "check" {
		for _, glob := range c.StringSlice("kernel-exclude") {
			words = append(words, "--kernel-exclude", replay.Quote(glob))
		}
		for _, name := range []string{"launch-skip", "launch-count"} {
			if c.IsSet(name) {
				words = append(words, "--"+name, fmt.Sprint(c.Int(name)))
			}
		}
	}
	flags := []string{"launch", "root", "kernel"}
	if command == "check" {
		flags = append(flags, "detector", "trace")
	}
	for _, name := range append(flags, replayed...) {
		value, changed := set[name]
		switch {
		case changed && value != "":
			words = append(words, "--"+name, replay.Quote(value))
		case !changed && c.IsSet(name):
			words = append(words, "--"+name, replay.Quote(fmt.Sprint(c.Value(name))))
		}
	}
	for _, name := range append([]string{"no-check"}, switches...) {
		if c.Bool(name) {
			words = append(words, "--"+name)
		}
	}
	if c.NArg() > 0 { // a trace replaces the program
		words = append(words, replay.Quote(c.Args().First()))
	}
	return strings.Join(words, " ")
}
