// Defaults of flags: of a project, in .ptxsan.yaml, and of a user, in the variable PTXSAN_OPTIONS.

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/hostcode"
	"github.com/ptxsan/ptxsan/runtime/settings"
)

// optionsVariable is the variable of the environment with flags.
const optionsVariable = "PTXSAN_OPTIONS"

// withDefaults inserts the flags of the settings file and of the variable after the command, in this order: a later one decides. The
// settings are those of the folder of the first file, for exec of the working directory. Flags that the command does not have are left
// out; those of the variable must be flags of some command.
func withDefaults(app *cli.App, line []string, variable string) ([]string, error) {
	if len(line) < 2 || app.Command(line[1]) == nil || line[len(line)-1] == "--"+cli.BashCompletionFlag.Names()[0] {
		return line, nil
	}
	cmd := app.Command(line[1])
	var words []string
	if name := settings.Find(folderOf(cmd, line)); name != "" {
		list, err := settings.Load(name)
		if err != nil {
			return nil, command.BadInput(err)
		}
		for _, s := range list {
			if hasFlag([]*cli.Command{cmd}, s.Flag) {
				words = append(words, "--"+s.Flag+"="+s.Value)
			}
		}
		if len(words) > 0 {
			fmt.Fprintf(app.ErrWriter, "ptxsan: note: %s sets %s\n", name, strings.Join(words, " "))
		}
	}
	given, err := hostcode.Words(variable)
	if err != nil {
		return nil, command.Usagef("%s: %v in %q", optionsVariable, err, variable)
	}
	for i := 0; i < len(given); i++ {
		name, _, valued := strings.Cut(strings.TrimLeft(given[i], "-"), "=")
		if given[i][:min(1, len(given[i]))] != "-" || !hasFlag(app.Commands, name) {
			return nil, command.Usagef("%s: expected flags of ptxsan, found %q", optionsVariable, given[i])
		}
		of := given[i : i+1]
		if !valued && takesValue(app.Commands, name) && i+1 < len(given) {
			i++
			of = given[i-1 : i+1]
		}
		if hasFlag([]*cli.Command{cmd}, name) {
			words = append(words, of...)
		}
	}
	return slices.Concat(line[:2], words, line[2:]), nil
}

// folderOf returns the folder of the first file of a command line.
func folderOf(cmd *cli.Command, line []string) string {
	if cmd.Name == execName {
		return "."
	}
	for _, word := range line[2:] {
		if ext := filepath.Ext(word); !strings.HasPrefix(word, "-") && (ext == ".ptx" || ext == ".cu") {
			return filepath.Dir(word)
		}
	}
	return "."
}

func hasFlag(list []*cli.Command, name string) bool {
	return slices.ContainsFunc(list, func(cmd *cli.Command) bool { return flagOf(cmd, name) != nil })
}

func takesValue(list []*cli.Command, name string) bool {
	return slices.ContainsFunc(list, func(cmd *cli.Command) bool {
		d, ok := flagOf(cmd, name).(cli.DocGenerationFlag)
		return ok && d.TakesValue()
	})
}

// flagOf returns a flag of a command by one of its names, nil if there is none.
func flagOf(cmd *cli.Command, name string) cli.Flag {
	for _, f := range cmd.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}
