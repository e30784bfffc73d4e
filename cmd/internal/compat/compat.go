// Package compat accepts the flags of compute-sanitizer that ptxsan has under other names, or does not need. Apply
// turns them into ptxsan's own before a command runs, and prints a note for those that change nothing. The package must
// not know what commands do.
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

// flagAlias is a flag that stands for one or more of ptxsan's own.
type flagAlias struct {
	name, usage string
	values      values
	do          func(c *cli.Context, value string) error
}

// allReplaced are flags of compute-sanitizer that ptxsan has under other names.
var allReplaced = []flagAlias{
	{"tool", "`TOOL`: racecheck and memcheck are on in any case; initcheck is --initcheck, synccheck --synccheck", oneOf("memcheck", "racecheck", "initcheck", "synccheck"), tool},
	{"kernel-name", "--kernel by `KIND=NAME,...`: kne (the whole name), kns (a part) or regex", anyText, kernelNames("kernel-name", "kernel")},
	{"kernel-name-exclude", "--kernel-exclude by `KIND=NAME,...`, as in --kernel-name", anyText, kernelNames("kernel-name-exclude", "kernel-exclude")},
	{"kernel-regex", "--kernel by the regular expression `RE`", anyText, kernelRegex("kernel-regex", "kernel")},
	{"kernel-regex-exclude", "--kernel-exclude by the regular expression `RE`", anyText, kernelRegex("kernel-regex-exclude", "kernel-exclude")},
	{"log-file", "--output to `FILE`, in which %p stands for the process, %q{NAME} for a variable of the environment and %% for %", anyText, logFile},
	{"target-processes", "`WHICH` processes to check: all, or application-only, which is --children=false of exec", oneOf("all", "application-only"), processes},
	{"racecheck-detect-level", "--error-level by `LEVEL`: info, warn or error", oneOf("info", "warn", "error"), detectLevel},
	{"racecheck-num-workers", "--jobs `N`", number, setTo("jobs")},
	{"report-api-errors", "`WHICH` calls: all, extended, explicit, or no, which is --no-api-errors of exec", oneOf("all", "extended", "explicit", "no"), apiErrors},
	{"require-cuda-init", "no is --allow-unchecked, `YES`", yesNo, cudaInit},
	{"preload-library", "load `LIB,...` into the application first, as LD_PRELOAD does", anyText, preload},
	{"mode", "`MODE`: launch-and-attach; a program is started, never attached to", oneOf("launch-and-attach", "launch", "attach"), mode},
}

// shortNames are the names of one letter.
var shortNames = map[string][]string{"quiet": {"q"}}

// Flags returns the flags that Apply knows. Those that change nothing are not in the help.
func Flags() (list []cli.Flag) {
	for _, r := range allReplaced {
		list = append(list, &cli.StringFlag{Name: r.name, Usage: r.usage, Category: command.CatCompat})
	}
	for _, a := range allAccepted {
		usage := "accepted: " + a.note
		if a.values == nil {
			list = append(list, &cli.BoolFlag{
				Name: a.name, Aliases: shortNames[a.name], Usage: usage,
				Category: command.CatCompat, Hidden: true,
			})
			continue
		}
		list = append(list, &cli.StringFlag{Name: a.name, Usage: usage, Category: command.CatCompat, Hidden: true})
	}
	return list
}

// Apply does what the flags of the command line say.
func Apply(c *cli.Context) error {
	for _, r := range allReplaced {
		if !c.IsSet(r.name) {
			continue
		}
		if err := check(c, r.name, r.values); err != nil {
			return err
		}
		if err := r.do(c, c.String(r.name)); err != nil {
			return err
		}
	}
	for _, a := range allAccepted {
		if !c.IsSet(a.name) {
			continue
		}
		if err := check(c, a.name, a.values); err != nil {
			return err
		}
		note(c, a.name, a.note)
	}
	return nil
}

// check reports a value that a flag does not have.
func check(c *cli.Context, name string, form values) error {
	if form == nil {
		return nil
	}
	if expected, ok := form(c.String(name)); !ok {
		return command.Usagef("--%s: expected %s, found %q", name, expected, c.String(name))
	}
	return nil
}

// note prints why a flag changes nothing.
func note(c *cli.Context, name, why string) {
	fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: --%s: %s\n", name, why)
}

func tool(c *cli.Context, name string) error {
	switch name {
	case "initcheck", "synccheck":
		return c.Set(name, "true")
	case "memcheck":
		note(c, "tool", "memcheck: invalid accesses are reported in any case, and races, too")
	}
	return nil
}

// kernelNames returns a step that sets a filter of kernels by names.
func kernelNames(from, to string) func(*cli.Context, string) error {
	return func(c *cli.Context, value string) error {
		for _, one := range strings.Split(value, ",") {
			kind, name, ok := strings.Cut(one, "=")
			switch {
			case ok && name != "" && (kind == "kns" || kind == "kernel_substring"):
			case ok && name != "" && (kind == "kne" || kind == "kernel_name"):
				name = "kne=" + name
			case ok && name != "" && kind == "regex":
				if err := kernelRegex(from, to)(c, name); err != nil {
					return err
				}
				continue
			default:
				return command.Usagef("--%s: expected kne=NAME, kns=PART or regex=RE, found %q", from, one)
			}
			if err := c.Set(to, name); err != nil {
				return err
			}
		}
		return nil
	}
}

// kernelRegex returns a step that sets a filter of kernels by a regular expression.
func kernelRegex(from, to string) func(*cli.Context, string) error {
	return func(c *cli.Context, value string) error {
		if _, err := regexp.Compile(value); err != nil {
			return command.Usagef("--%s: %w", from, err)
		}
		return c.Set(to, "regex="+value)
	}
}

// setTo returns a step that sets another flag to the same value.
func setTo(flag string) func(*cli.Context, string) error {
	return func(c *cli.Context, value string) error { return c.Set(flag, value) }
}

// detectLevel sets which findings count.
func detectLevel(c *cli.Context, level string) error {
	if level == "warn" {
		level = "warning"
	}
	return c.Set("error-level", level)
}

func apiErrors(c *cli.Context, which string) error {
	switch {
	case c.Command.Name != execCommand:
		note(c, "report-api-errors", "a launch file calls nothing of CUDA's APIs")
	case which == "no":
		return c.Set("no-api-errors", "true")
	}
	return nil
}

// cudaInit sets whether a program without a kernel is an error.
func cudaInit(c *cli.Context, required string) error {
	if required == "no" {
		return c.Set("allow-unchecked", "true")
	}
	return nil
}

// preload puts libraries before those that the application's environment names.
func preload(c *cli.Context, libraries string) error {
	if c.Command.Name != execCommand {
		note(c, "preload-library", "no application is started")
		return nil
	}
	list := strings.Split(libraries, ",")
	if before := os.Getenv("LD_PRELOAD"); before != "" {
		list = append(list, before)
	}
	return os.Setenv("LD_PRELOAD", strings.Join(list, ":"))
}

func mode(_ *cli.Context, which string) error {
	if which == "attach" {
		return command.Usagef("--mode attach: a running program cannot be attached to: expected an application, ptxsan exec -- ./app")
	}
	return nil
}

// execCommand is the name of the command that runs applications.
const execCommand = "exec"

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
	if which == "application-only" && c.Command.Name == execCommand {
		return c.Set("children", "false")
	}
	return nil
}
