// Defaults of flags: of a project, in .ptxsan.yaml, and of a user, in the variable PTXSAN_OPTIONS.

package app

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/habits"
	"github.com/ptxsan/ptxsan/cmd/internal/settings"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
)

// optionsVariable is the variable of the environment with flags.
const optionsVariable = "PTXSAN_OPTIONS"

// defaults are flags that nobody has typed, with where they are from.
type defaults []settings.Setting

// blame puts the place of a default before an error that is about its value, unless the command line has the flag
// itself.
func (d defaults) blame(err error, line []string) error {
	var code *command.Error
	if !errors.As(err, &code) || code.Code != command.BadUsage {
		return err
	}
	for _, s := range d {
		typed := slices.ContainsFunc(line, func(w string) bool {
			return w == "--"+s.Flag ||
				strings.HasPrefix(w, "--"+s.Flag+"=")
		})
		about := regexp.MustCompile(`^(.* flag )?--?` + regexp.QuoteMeta(s.Flag) + `\b`).MatchString(err.Error())
		var missing *fs.PathError
		if !typed && (about || errors.As(err, &missing) && missing.Path == s.Value) {
			return command.Usagef("%s: %w", s.At, err)
		}
	}
	return err
}

// withDefaults inserts the flags of the settings file and of the variable after the command, in this order: a later one
// decides. The settings are those of the folder of the first file, for exec of the working directory. Flags that the
// command does not have are left out; those of the variable must be flags of some command.
func withDefaults(app *cli.App, line []string, variable string) ([]string, defaults, error) {
	if len(line) < 2 || app.Command(line[1]) == nil || line[len(line)-1] == "--"+cli.BashCompletionFlag.Names()[0] {
		return line, nil, nil
	}
	cmd := app.Command(line[1])
	of, words, err := projectDefaults(app, cmd, line)
	if err != nil {
		return nil, nil, err
	}
	given, err := hostcode.Words(variable)
	if err != nil {
		return nil, nil, command.Usagef("%s: %v in %q", optionsVariable, err, variable)
	}
	given = habits.Attached(given, func(name string) bool { return hasFlag(app.Commands, name) })
	for i := 0; i < len(given); i++ {
		name, value, valued := strings.Cut(strings.TrimLeft(given[i], "-"), "=")
		if given[i][:min(1, len(given[i]))] != "-" || !hasFlag(app.Commands, name) {
			return nil, nil, command.Usagef("%s: expected flags of ptxsan, found %q", optionsVariable, given[i])
		}
		word := given[i : i+1]
		if !valued && takesValue(app.Commands, name) && i+1 < len(given) {
			i++
			word, value = given[i-1:i+1], given[i]
		}
		if hasFlag([]*cli.Command{cmd}, name) {
			words, of = append(words, word...), append(of,
				settings.Setting{Flag: name, Value: value, At: optionsVariable})
		}
	}
	return slices.Concat(line[:2], words, line[2:]), of, nil
}

// projectDefaults returns the flags of the settings file that a command has, also as words, and prints a note about
// them.
func projectDefaults(app *cli.App, cmd *cli.Command, line []string) (of defaults, words []string, err error) {
	name := settings.Find(folderOf(cmd, line))
	if name == "" {
		return nil, nil, nil
	}
	list, err := settings.Load(name)
	if err != nil {
		return nil, nil, command.BadInput(err)
	}
	for _, s := range list {
		if hasFlag([]*cli.Command{cmd}, s.Flag) {
			of, words = append(of, s), append(words, "--"+s.Flag+"="+s.Value)
		}
	}
	if len(words) > 0 {
		fmt.Fprintf(app.ErrWriter, "ptxsan: note: %s sets %s\n", name, strings.Join(words, " "))
	}
	return of, words, nil
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
