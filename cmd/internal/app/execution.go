// Execution flags, and the emulator's configuration.

package app

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// How the emulator runs kernels: flags, and the resulting configuration.

// executionFlags returns the flags for the execution of kernels in the emulator.
func executionFlags() []cli.Flag {
	return slices.Concat(scheduleFlags(), checkingFlags(), limitFlags())
}

func scheduleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "schedule", Value: "its", Usage: "`POLICY` that picks the threads to run next: its (fair, independent threads), lockstep (as before Volta), random, pct (probabilistic concurrency testing), round-robin (turns of equal length) or apart (each thread by itself)", Category: command.CatExecution, Action: command.OneOf("schedule", session.PolicyNames()...)},
		&cli.StringFlag{Name: "memory", Value: "sc", Usage: "memory consistency `MODEL`: sc (a load returns the latest store) or ptx (a load returns any store that the PTX manual's model allows)", Category: command.CatExecution, Action: command.OneOf("memory", memoryNames...)},
		&cli.Uint64Flag{Name: "seed", Usage: "seed `N` of the random and pct schedules; variant of round-robin", Category: command.CatExecution},
		&cli.IntFlag{Name: "pct-depth", Value: emu.DefaultDepth, Usage: "pct changes priorities at `N`-1 points", Category: command.CatExecution},
		&cli.Uint64Flag{Name: "pct-length", Value: emu.DefaultLength, Usage: "pct changes priorities within the first `N` memory accesses and synchronisations", Category: command.CatExecution},
		&cli.StringFlag{Name: "record", Usage: "write the schedule of the run to `FILE`", Category: command.CatExecution},
		&cli.StringFlag{Name: "replay", Usage: "follow the recorded schedule in `FILE`, or given as text, instead of --schedule; program, launches and inputs must be the recorded ones", Category: command.CatExecution},
		minimiseFlag(),
	}
}

func checkingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "max-faults", Value: 1, Usage: "end a launch at the `N`th kind of invalid memory access; before that, only the faulting threads stop", Category: command.CatExecution},
		&cli.BoolFlag{
			Name:     "no-memcheck",
			Usage:    "do not report invalid memory accesses: they read zeros and write nothing",
			Category: command.CatExecution,
		},
		&cli.StringFlag{Name: "padding", Usage: "keep allocations `BYTES` (K, M, G for powers of 1024) apart, so that an access up to that far out of bounds does not reach another allocation", DefaultText: "64G for the first 1,024, 4G for others", Category: command.CatExecution, Action: paddingLimit},
		&cli.BoolFlag{
			Name:  "initcheck",
			Usage: "report uses of memory that neither the launch file (for exec, the application) initialised nor a kernel wrote", Category: command.CatExecution,
		},
		&cli.BoolFlag{
			Name:  "varcheck",
			Usage: "report accesses outside the shared or local variable, or the parameter, from which their address was computed", Category: command.CatExecution,
		},
		&cli.BoolFlag{
			Name:  "late-async",
			Usage: "perform asynchronous copies as late as possible, when a thread waits for them, so that a missing wait changes results", Category: command.CatExecution,
		},
		command.StrictFlag(),
		&cli.BoolFlag{
			Name:  "synccheck",
			Usage: "report undefined behaviour of warp synchronisation that works on hardware: member masks and barriers that name exited or absent lanes, shuffles from lanes that do not take part", Category: command.CatExecution,
		},
	}
}

func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Uint64Flag{Name: "max-steps", Usage: "stop a launch after `N` warp instructions of the program itself", DefaultText: limits.DefaultOf("max-steps"), Category: command.CatExecution},
		command.TimeoutFlag(),
		&cli.StringFlag{Name: "memory-limit", Usage: "limit device memory to `BYTES` (K, M, G for powers of 1024)", DefaultText: limits.DefaultOf("memory-limit"), Category: command.CatExecution},
		&cli.StringFlag{Name: "stack-limit", Usage: "limit local memory to `BYTES` per thread", DefaultText: limits.DefaultOf("stack-limit"), Category: command.CatExecution},
		&cli.StringFlag{Name: "state-limit", Usage: "limit the state of all resident threads, and of grids that kernels launch, to `BYTES`", DefaultText: limits.DefaultOf("state-limit"), Category: command.CatExecution},
		&cli.StringFlag{Name: "printf-limit", Usage: "limit the output of printf to `BYTES` per launch; the rest is lost", DefaultText: limits.DefaultOf("printf-limit"), Category: command.CatExecution},
		&cli.IntFlag{Name: "call-depth", Usage: "limit calls to `N` deep", DefaultText: limits.DefaultOf("call-depth"), Category: command.CatExecution},
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "use `N` processors: independent blocks run in parallel, otherwise the detector runs beside the emulator; results do not depend on N", DefaultText: "all", Category: command.CatExecution},
		&cli.IntFlag{Name: "resident", Usage: "at most `N` blocks at a time on the device, 0 for all", Category: command.CatExecution},
		&cli.IntFlag{Name: "resident-threads", Usage: "at most `N` threads at a time on the device, but at least one block; 0 for all", Category: command.CatExecution},
	}
}

// memoryNames are the values of --memory.
var memoryNames = []string{emu.SC: "sc", emu.PTX: "ptx"}

// replayed lists the execution flags that a command line needs to repeat a run, without those that only set limits;
// switches lists those without a value.
var (
	replayed = []string{
		"device", "memory", "schedule", "seed", "pct-depth", "pct-length", "replay", "max-faults",
		"max-steps", "memory-limit", "padding", "resident", "resident-threads",
	}
	switches = []string{"no-memcheck", "initcheck", "varcheck", "synccheck", "late-async"}
)

// execution holds the values of the execution flags.
type execution struct {
	config emu.Config
	policy string
	memory uint64 // limit in bytes, 0 for the default
}

func executionOf(c *cli.Context) (execution, error) {
	e := execution{policy: cmp.Or(c.String("schedule"), session.PolicyNames()[0])} // explore has no --schedule
	e.config = emu.Config{
		Policy: session.PolicyNamed(e.policy), Seed: c.Uint64("seed"), Depth: c.Int("pct-depth"),
		Length:   c.Uint64("pct-length"),
		MaxSteps: c.Uint64("max-steps"), Resident: c.Int("resident"), MaxFaults: c.Int("max-faults"),
		NoMemcheck: c.Bool("no-memcheck"), Uninitialised: c.Bool("initcheck"), Variables: c.Bool("varcheck"),
		Synccheck: c.Bool("synccheck"),
		Memory:    emu.Memory(max(slices.Index(memoryNames, c.String("memory")), 0)),
		LateAsync: c.Bool("late-async"), Workers: cmp.Or(c.Int("jobs"), runtime.NumCPU()),
		Limits: emu.Limits{CallDepth: c.Int("call-depth"), Threads: c.Int("resident-threads")},
	}
	for _, limit := range []struct {
		flag string
		to   *uint64
	}{
		{"memory-limit", &e.memory},
		{"padding", &e.config.Padding},
		{"stack-limit", &e.config.Limits.Stack},
		{"state-limit", &e.config.Limits.ThreadState},
		{"printf-limit", &e.config.Limits.Printf},
	} {
		v, err := limits.ParseBytes(c.String(limit.flag))
		if err != nil {
			return e, command.Usagef("--%s: %w", limit.flag, err)
		}
		*limit.to = v
	}
	e.config.MemoryLimit = e.memory
	for _, number := range []struct {
		flag  string
		least int
	}{{"call-depth", 0}, {"jobs", 0}, {"max-faults", 1}, {"pct-depth", 1}, {"resident", 0}, {"resident-threads", 0}} {
		if n := c.Int(number.flag); n < number.least {
			return e, command.Usagef("--%s: expected a number from %d on, found %d", number.flag, number.least, n)
		}
	}
	if c.Int("pct-depth") > emu.MaxDepth {
		return e, command.Usagef("--pct-depth: expected a number up to %d, found %d", emu.MaxDepth, c.Int("pct-depth"))
	}
	if err := command.CheckTimeout(c); err != nil {
		return e, err
	}
	return e, e.schedules(c)
}

// schedules sets up recording and replay.
func (e *execution) schedules(c *cli.Context) error {
	if err := checkMinimise(c); err != nil {
		return err
	}
	if c.String("record") != "" {
		e.config.Record = new(emu.Schedule)
	}
	if c.String("replay") == "" {
		return nil
	}
	var err error
	if e.config.Replay, err = command.ReadSchedule(c, "replay"); err != nil {
		return err
	}
	e.policy = session.PolicyName(e.config.Replay.Policy)
	return nil
}

// writeRecord writes the recorded schedule, if any.
func writeRecord(c *cli.Context, s *emu.Schedule) error {
	if s == nil {
		return nil
	}
	text, err := s.MarshalText()
	if err != nil {
		return err
	}
	return command.WriteBytes(c, c.String("record"), append(text, '\n'))
}
