// Names of flags, worked out once for each flag of the command that runs.

package command

import "github.com/urfave/cli/v2"

// named is a flag that knows its names. Those of the library work them out with a regular
// expression whenever they are asked.
type named struct {
	cli.Flag
	names []string
}

// Names implements cli.Flag.
func (f *named) Names() []string { return f.names }

// RunAction implements cli.ActionableFlag.
func (f *named) RunAction(c *cli.Context) error {
	if a, ok := f.Flag.(cli.ActionableFlag); ok {
		return a.RunAction(c)
	}
	return nil
}

// RememberNames is called when the command line has been read and before the command runs: for each flag the
// library then looks at the names of all, which took a tenth of a short check.
func RememberNames(c *cli.Context) error {
	flags := make([]cli.Flag, len(c.Command.Flags))
	for i, f := range c.Command.Flags {
		flags[i] = &named{f, f.Names()}
	}
	c.Command.Flags = flags
	return nil
}
