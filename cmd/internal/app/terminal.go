// Colour, excerpts of sources, and command lines for replay.

package app

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/cmd/internal/replay"
	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// textOptions returns the options of the text report, which quotes source lines that it contains or that can be read.
// Without a report, only readable files are quoted.
func textOptions(c *cli.Context, rep *report.Report) report.TextOptions {
	files := session.Excerpts(filepath.Dir(c.Args().First()), sourceReader(c))
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
		Names: c.String("demangle"), Hazards: c.String("racecheck-report"),
		Fidelity: c.Bool("fidelity"),
		Limit:    int(min(c.Uint("print-limit"), math.MaxInt32)),
		Command:  typed(c), Date: sourceDate(os.Getenv("SOURCE_DATE_EPOCH")),
	}
}

// typed returns the command line, as run has kept it.
func typed(c *cli.Context) string {
	words := []string{"ptxsan"}
	line, _ := c.App.Metadata[lineKey].([]string)
	for _, word := range line[min(1, len(line)):] {
		words = append(words, replay.Quote(word))
	}
	return strings.Join(words, " ")
}

// checkDate refuses a date that is no number, for commands that write pages
// (https://reproducible-builds.org/specs/source-date-epoch).
func checkDate(c *cli.Context) error {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if _, err := strconv.ParseInt(text, 10, 64); err != nil && text != "" && drawn(c) {
		return command.Usagef("SOURCE_DATE_EPOCH: expected a number of seconds since 1970, found %q", text)
	}
	return nil
}

// sourceDate returns the date that a number of seconds stands for, "" if it is none: reports have no date of the clock.
func sourceDate(seconds string) string {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return ""
	}
	return time.Unix(n, 0).UTC().Format("2006-01-02 15:04 UTC")
}

// sourceReader returns a function that reads a source file that the program names, if the file is in one of
// sourceRoots.
func sourceReader(c *cli.Context) func(name string) ([]byte, error) {
	roots := sourceRoots(c)
	return func(name string) (text []byte, err error) {
		err = fs.ErrPermission
		for _, root := range roots {
			if text, err = input.ReadIn(root, name, limits.SourceBytes); err == nil {
				break
			}
		}
		return text, err
	}
}

// sourceRoots returns the folders of which reports may show lines: what a module names is not trusted. They are that of
// --root, or else those of the launch file and of the program. An application under exec can read all that its user
// can, so that every folder is one.
func sourceRoots(c *cli.Context) []string {
	if root := c.String("root"); root != "" {
		return []string{root}
	}
	if c.Command.Name == execName {
		return []string{string(filepath.Separator)}
	}
	var roots []string
	for _, file := range []string{c.String("launch"), c.Args().First()} {
		if file != "" && file != "-" {
			roots = append(roots, filepath.Dir(file))
		}
	}
	return roots
}

// replayCommand returns the command line that repeats a check, quoted for a shell.
func replayCommand(c *cli.Context) string { return replayOf(c, "check", nil) }

// replayOf returns the command line that runs a command on the same program. Flags in set replace those of c; the value
// "" omits a flag.
func replayOf(c *cli.Context, command string, set map[string]string) string {
	words := []string{"ptxsan", command}
	for _, pattern := range c.StringSlice("kernel") {
		words = append(words, "--kernel", replay.Quote(pattern))
	}
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
	for _, flag := range []string{"define", "include"} {
		for _, value := range c.StringSlice(flag) {
			words = append(words, "--"+flag, replay.Quote(value))
		}
	}
	flags := []string{"launch", "root", "arch"}
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
	for _, name := range append([]string{"no-check", "sweep"}, switches...) {
		if c.Bool(name) && (name != "sweep" || command == "check") {
			words = append(words, "--"+name)
		}
	}
	if c.NArg() > 0 { // a trace replaces the program
		words = append(words, replay.Quote(c.Args().First()))
	}
	return strings.Join(words, " ")
}
