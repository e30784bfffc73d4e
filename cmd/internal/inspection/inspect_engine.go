// The flags --decoded and --schedule of inspect.

package inspection

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Output of inspect about the emulator: decoded kernels and recorded schedules.

// inspectDecoded prints the decoded form of kernels in the emulator, without detectors.
func inspectDecoded(w io.Writer, mod *rewrite.Module, chosen report.Filter) error {
	kernels, err := session.KernelsMatching(mod, chosen, "--kernel")
	if err != nil {
		return err
	}
	m, err := emu.New(mod, emu.Config{})
	if err != nil {
		return command.BadInput(err)
	}
	names := make([]string, 0, len(kernels))
	for _, k := range kernels {
		names = append(names, k.Name)
	}
	return m.WriteDecoded(w, names...)
}

// inspectSchedule prints a recorded schedule in words.
func inspectSchedule(c *cli.Context) error {
	switch {
	case c.NArg() > 0:
		return command.Usagef("inspect --schedule: expected no file beside the schedule, found %q", c.Args().Slice())
	case c.IsSet("dot") || c.IsSet("decoded") || c.IsSet("kernel"):
		return command.Usagef("inspect --schedule: expected no --dot, --decoded or --kernel")
	}
	s, err := command.ReadSchedule(c, "schedule")
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := s.WriteText(&b); err != nil {
		return command.BadInput(err)
	}
	return command.WriteText(c, b.String())
}
