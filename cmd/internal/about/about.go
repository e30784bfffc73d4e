// Package about implements the commands explain, skill, version and completion, which describe reports and ptxsan
// itself. It must not know what the other commands do.
package about

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

const category = "Support"

// ShowsFlags reports whether the command of this name shows the flags of other commands.
func ShowsFlags(name string) bool { return name == "completion" || name == "man" }

// Version returns the command version.
func Version() *cli.Command {
	return &cli.Command{
		Name:     "version",
		Category: category,
		Usage:    "print the version, and the commit and date that it was built from",
		Description: `Prints the same as --version. A program built outside of a repository has no commit.

Example:
   ptxsan version`,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return command.Usagef("version: expected no arguments, found %q", c.Args().Slice())
			}
			_, err := fmt.Fprintf(c.App.Writer, "%s version %s\n", c.App.Name, c.App.Version)
			return err
		},
	}
}

// shells maps shells to functions that return completion scripts.
var shells = map[string]func(*cli.App) (string, error){
	"bash": func(*cli.App) (string, error) { return bashScript, nil },
	"zsh":  func(*cli.App) (string, error) { return zshScript, nil },
	"fish": func(app *cli.App) (string, error) { return app.ToFishCompletion() },
}

// Completion returns the command completion.
func Completion() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Category:  category,
		Usage:     "print a script that makes a shell complete commands and flags",
		ArgsUsage: "bash|zsh|fish",
		Description: `Prints the script for the shell that is named.

Examples:
   . <(ptxsan completion bash)                                         # in ~/.bashrc
   . <(ptxsan completion zsh)                                          # in ~/.zshrc
   ptxsan completion -o ptxsan.fish fish`,
		Flags: []cli.Flag{command.OutputFlag()},
		BashComplete: func(c *cli.Context) {
			if !c.Args().Present() {
				fmt.Fprintln(c.App.Writer, strings.Join(slices.Sorted(maps.Keys(shells)), "\n"))
			}
		},
		Action: func(c *cli.Context) error {
			script, ok := shells[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return command.Usagef("completion: expected bash, zsh or fish, found %q",
					strings.Join(c.Args().Slice(), " "))
			}
			text, err := script(c.App)
			if err != nil {
				return err
			}
			return command.WriteText(c, text)
		},
	}
}

// The scripts call the program itself, with the words before the one to complete. The library includes the descriptions
// of commands when the variable 0 names zsh.
const (
	bashScript = `# Completion of ptxsan for bash.
_ptxsan() {
  local word=${COMP_WORDS[COMP_CWORD]} line=("${COMP_WORDS[@]:0:COMP_CWORD}")
  [[ $word == -* ]] && line+=("$word")
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${line[@]}" --generate-bash-completion 2>/dev/null)" -- "$word"))
}
complete -o bashdefault -o default -F _ptxsan ptxsan
`
	zshScript = `#compdef ptxsan
# Completion of ptxsan for zsh.
_ptxsan() {
  local -a line found
  line=("${(@)words[1,CURRENT-1]}")
  [[ ${words[CURRENT]} == -* ]] && line+=("${words[CURRENT]}")
  found=("${(@f)$(env 0=zsh "${line[@]}" --generate-bash-completion 2>/dev/null)}")
  if [[ -n ${found[1]} ]]; then
    _describe ptxsan found
  else
    _files
  fi
}
compdef _ptxsan ptxsan
`
)
