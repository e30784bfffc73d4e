// Package compat accepts the flags of compute-sanitizer that ptxsan has under other names, or does not need. Apply turns them into
// ptxsan's own before a command runs, and prints a note for those that change nothing. The package must not know what commands do.
package compat

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// Flags returns the flags that Apply knows.
func Flags() []cli.Flag {
	text := func(name, usage string, action func(*cli.Context, string) error) cli.Flag {
		return &cli.StringFlag{Name: name, Usage: usage, Category: command.CatCompat, Action: action}
	}
	return []cli.Flag{
		text("tool", "`TOOL`: racecheck and memcheck are on in any case; initcheck is --initcheck, synccheck --synccheck", command.OneOf("tool", "memcheck", "racecheck", "initcheck", "synccheck")),
		text("kernel-name", "--kernel by `KIND=NAME`: kne (the whole name) or kns (a part)", nil),
		text("kernel-name-exclude", "--kernel-exclude by `KIND=NAME`, as in --kernel-name", nil),
		text("kernel-regex", "--kernel by the regular expression `RE`", nil),
		text("kernel-regex-exclude", "--kernel-exclude by the regular expression `RE`", nil),
		text("log-file", "--output to `FILE`, in which %p stands for the process, %q{NAME} for a variable of the environment and %% for %", nil),
		text("target-processes", "`WHICH` processes to check: all, or application-only, which is --children=false of exec", command.OneOf("target-processes", "all", "application-only")),
		text("show-backtrace", "accepted, whatever `WHICH` is: reports have all known frames", nil),
		text("check-exit-code", "accepted, whatever `YES` is: the exit code of an application counts", nil),
		&cli.BoolFlag{Name: "xml", Usage: "accepted: reports for other programs are --format json, sarif or junit", Category: command.CatCompat},
	}
}

// Apply does what the flags of the command line say.
func Apply(c *cli.Context) error {
	for _, step := range []struct {
		flag string
		do   func(c *cli.Context, value string) error
	}{
		{"tool", tool},
		{"kernel-name", kernelName("kernel")},
		{"kernel-name-exclude", kernelName("kernel-exclude")},
		{"kernel-regex", kernelRegex("kernel")},
		{"kernel-regex-exclude", kernelRegex("kernel-exclude")},
		{"log-file", logFile},
		{"target-processes", processes},
		{"show-backtrace", noted("reports have the frames that the line information has")},
		{"check-exit-code", noted("the exit code of an application is that of the command unless there are findings")},
		{"xml", noted("there is no XML of findings: --format json, sarif or junit")},
	} {
		if c.IsSet(step.flag) {
			if err := step.do(c, fmt.Sprint(c.Value(step.flag))); err != nil {
				return err
			}
		}
	}
	return nil
}

// noted returns a step that only prints why a flag changes nothing.
func noted(why string) func(*cli.Context, string) error {
	return func(c *cli.Context, _ string) error {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: %s\n", why)
		return nil
	}
}

func tool(c *cli.Context, name string) error {
	switch name {
	case "initcheck", "synccheck":
		return c.Set(name, "true")
	case "memcheck":
		return noted("--tool memcheck: invalid accesses are reported in any case, and races, too")(c, name)
	}
	return nil
}

// kernelName returns a step that sets a filter of kernels by name.
func kernelName(flag string) func(*cli.Context, string) error {
	return func(c *cli.Context, value string) error {
		kind, name, ok := strings.Cut(value, "=")
		switch {
		case ok && name != "" && (kind == "kns" || kind == "kernel_substring"):
			return c.Set(flag, name)
		case ok && name != "" && (kind == "kne" || kind == "kernel_name"):
			return c.Set(flag, "kne="+name)
		}
		return command.Usagef("--kernel-name: expected kne=NAME or kns=PART, found %q", value)
	}
}

// kernelRegex returns a step that sets a filter of kernels by a regular expression.
func kernelRegex(flag string) func(*cli.Context, string) error {
	return func(c *cli.Context, value string) error {
		if _, err := regexp.Compile(value); err != nil {
			return command.Usagef("--kernel-regex: %w", err)
		}
		return c.Set(flag, "regex="+value)
	}
}

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%(p|%|q\{[^}]*\}|.?)`) })

// logFile replaces what stands for something in the name of a file.
func logFile(c *cli.Context, value string) (err error) {
	name := placeholder().ReplaceAllStringFunc(value, func(word string) string {
		switch {
		case word == "%p":
			return strconv.Itoa(os.Getpid())
		case word == "%%":
			return "%"
		case strings.HasPrefix(word, "%q{"):
			return os.Getenv(strings.TrimSuffix(word[len("%q{"):], "}"))
		}
		err = command.Usagef("--log-file: expected %%p, %%q{NAME} or %%%%, found %q", word)
		return ""
	})
	if err != nil {
		return err
	}
	return c.Set("output", name)
}

func processes(c *cli.Context, which string) error {
	if which == "application-only" && c.Command.Name == "exec" {
		return c.Set("children", "false")
	}
	return nil
}
