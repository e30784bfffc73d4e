// The flags --cpuprofile and --memprofile.

package app

import (
	"io"
	"runtime"
	"runtime/pprof"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// Profiles of ptxsan itself, for its developers.

func profileFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "cpuprofile", Usage: "write a profile of ptxsan's processor time to `FILE`, for go tool pprof", Category: command.CatOutput},
		&cli.StringFlag{Name: "memprofile", Usage: "write a profile of ptxsan's memory allocations to `FILE`, for go tool pprof", Category: command.CatOutput},
	}
}

// profiled returns an action that also writes the profiles of the flags, even when the action fails. An error of the
// action takes precedence.
func profiled(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.String("memprofile") != "" {
			runtime.MemProfileRate = 512 << 10 // bytes between two samples, Go's default
		}
		failed, err := profileTime(c, action)
		if err == nil {
			err = profileMemory(c)
		}
		if failed != nil {
			return failed
		}
		return err
	}
}

// profileTime runs the action, with a CPU profile if the flag is set. failed is the action's error, err that of writing
// the profile.
func profileTime(c *cli.Context, action cli.ActionFunc) (failed, err error) {
	name := c.String("cpuprofile")
	if name == "" {
		return action(c), nil
	}
	err = command.WriteData(c, name, func(w io.Writer) error {
		if cannot := pprof.StartCPUProfile(w); cannot != nil {
			return cannot
		}
		defer pprof.StopCPUProfile()
		failed = action(c)
		return nil
	})
	return failed, err
}

func profileMemory(c *cli.Context) error {
	name := c.String("memprofile")
	if name == "" {
		return nil
	}
	return command.WriteData(c, name, func(w io.Writer) error {
		runtime.GC() // the profile shows the state at the last collection
		return pprof.Lookup("allocs").WriteTo(w, 0)
	})
}
