// ptxsan analyze: static race detection.

package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/cmd/internal/terminal"
	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

func analyzeCommand() *cli.Command {
	return &cli.Command{
		Name:      "analyze",
		Category:  "Analysis",
		Usage:     "find data races for every input that host code allows",
		ArgsUsage: "FILE.ptx|FILE.cu",
		Description: `The flags that most people need:

   --host FILE       the host code, which says how kernels are launched
   --launch FILE     the launches, or facts about them: --facts FILE
   --kernel GLOB     analyse only these kernels
   --witness FILE    write a launch that shows a race, for check
   --format FORMATS  text, json, html, or a format for code-scanning pages

Decides for each pair of memory accesses of a kernel whether two threads can race
there: for any input, or for the launches that host code makes (--host), a facts file
describes (--facts) or a launch file lists (--launch). A race comes with a witness: a
launch and two threads of it. A pair that is neither proved nor refuted is a
warning. The verdict is racy, fault (an access or a call faults wherever a thread
comes to it), clean (every pair is proved) or unknown; the exit code is 1 for a race,
3 for a fault, else 0. CUDA source is compiled; its own launches are --host.

Without launches, pointer parameters may point to the same memory, and grid, block
and numbers may have any value. --no-facts shows what a class of facts contributes:
` + facts.ClassNames() + `.

Examples:
   ptxsan analyze k.cu
   ptxsan analyze --host app.cu k.ptx
   ptxsan analyze --host app.cu --write-facts app.facts.yaml k.ptx
   ptxsan analyze --facts app.facts.yaml --witness w.yaml k.ptx`,
		Flags: slices.Concat(command.SourceFlags(), factFlags(), []cli.Flag{
			command.LaunchFlag(), command.RootFlag(), command.KernelFlag(), command.SuppressionsFlag(),
			command.BaselineFlag(), command.NoCheckFlag(),
			&cli.StringSliceFlag{Name: "no-facts", Usage: "ignore facts of `CLASS`; repeatable", Category: command.CatInput},
			&cli.StringSliceFlag{Name: "assume", Usage: "assume `WHAT` where nothing is known: disjoint (pointer parameters do not alias) or no-wrap (no index overflows its register, whatever the sizes); repeatable", Category: command.CatInput},
			&cli.Int64Flag{Name: "budget", Usage: "stop after `N` units of work for a kernel, and leave the remaining pairs undecided", DefaultText: "enough for some minutes", Category: command.CatExecution},
			command.TimeoutFlag(),
			&cli.BoolFlag{Name: "no-cache", Usage: "neither use nor keep results", Category: command.CatExecution},
			&cli.StringFlag{Name: "cache", Usage: "keep results in `DIR`", DefaultText: "ptxsan in the user's cache directory", Category: command.CatExecution},
			&cli.StringFlag{Name: "write-facts", Usage: "write the facts to `FILE`, in the form that --facts reads", Category: command.CatOutput},
			&cli.StringFlag{Name: "witness", Usage: "write a launch file to `FILE` that shows a race, for ptxsan check", Category: command.CatOutput},
			&cli.StringFlag{Name: "witness-of", Usage: "of the race with this `ID`", DefaultText: "one that an execution confirms", Category: command.CatOutput},
			&cli.StringFlag{Name: "certificate", Usage: "write what is proved to `FILE`, for ptxsan verify", Category: command.CatOutput},
			command.ReportFlag(), command.PathBaseFlag(), command.OutputFlag(), command.ColorFlag(),
			command.DemangleFlag(), command.ErrorLevelFlag(), command.RequireFlag(), command.SchedulesFlag(), command.AllowFlag(),
		}),
		Action: command.Timed(analyzeAction),
	}
}

// factFlags returns the flags that say where facts about launches come from.
func factFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "host", Usage: "take facts about launches from host code in `FILE` (CUDA C++, which needs clang, or LLVM IR of it); repeatable", Category: command.CatInput},
		&cli.StringFlag{Name: "args", Usage: "assume that the program of --host is started with `ARGUMENTS` ('' for none), quoted as for a shell", Category: command.CatInput},
		&cli.StringSliceFlag{Name: "facts", Usage: "take facts about launches from `FILE` (YAML, docs/facts.md), or those that are stated: n=1024,block.x=256,'parameter 2=n'; repeatable", Category: command.CatInput},
	}
}

func analyzeAction(c *cli.Context) error {
	name, err := command.OneFile(c)
	if err != nil {
		return err
	}
	o := analysis.Options{Budget: c.Int64("budget"), Drop: make(map[facts.Class]bool)}
	if chosen := report.Filter(c.StringSlice("kernel")); len(chosen) > 0 {
		o.Chosen = chosen.Chooses
	}
	if c.IsSet("budget") && o.Budget < 1 {
		return command.Usagef("--budget: expected a number from 1 on, found %d", o.Budget)
	}
	for _, what := range c.StringSlice("assume") {
		switch what {
		case "disjoint":
			o.Disjoint = true
		case "no-wrap":
			o.NoWrap = true
		default:
			return command.Usagef("--assume: expected disjoint or no-wrap, found %q", what)
		}
	}
	for _, class := range c.StringSlice("no-facts") {
		known, ok := facts.ClassOf(class)
		if !ok {
			return command.Usagef("--no-facts: expected one of %s, found %q", facts.ClassNames(), class)
		}
		o.Drop[known] = true
	}
	mod, err := command.ReadModule(c, name)
	if err != nil {
		return err
	}
	if _, err = session.KernelsMatching(mod, c.StringSlice("kernel"), "--kernel"); err != nil {
		return err
	}
	if o.Facts, o.File, err = launchFacts(c, session.NewProgram(mod), ""); err != nil {
		return err
	}
	if out := c.String("write-facts"); out != "" {
		if err = command.WriteOutput(c, out, facts.Join(o.Facts).Write); err != nil {
			return err
		}
	}
	if _, _, err = knownOf(c); err != nil {
		return err
	}
	o.Cache = cacheOf(c)
	progress := terminal.NewProgress(c.App.ErrWriter)
	o.Step = progress.Step
	command.Running(c.Context)
	out, err := analyze(c, session.NewProgram(mod), o)
	progress.Done()
	if err != nil {
		return err
	}
	rep := out.Report
	if err = writeCertificate(c, mod, o, rep); err != nil {
		return err
	}
	if err = settle(c, rep); err != nil {
		return err
	}
	rep.SettleStatic(c.String("error-level"))
	if err = writeReport(c, rep); err != nil {
		return err
	}
	return verdictOf(c, rep, nil)
}

// analyze runs the analysis, and the action of --witness.
func analyze(c *cli.Context, p *session.Program, o analysis.Options) (*analysis.Outcome, error) {
	out, err := analysis.Run(c.Context, p, o)
	if err != nil {
		var in *session.InputError
		if errors.As(err, &in) {
			err = command.BadInput(err)
		}
		return nil, err
	}
	name := c.String("witness")
	if name == "" {
		return out, nil
	}
	text, _, err := out.Witness(c.Context, c.String("witness-of"))
	if errors.Is(err, analysis.ErrNoWitness) {
		out.Report.Notes = append(out.Report.Notes, fmt.Sprintf("%s is not written: %v", name, err))
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	return out, command.WriteBytes(c, name, []byte(text))
}

// statedFacts reads what a value of --facts says of the launches of a program's kernels: a file, or assignments.
func statedFacts(name string, p *session.Program) (*facts.File, error) {
	if _, err := os.Stat(name); err == nil || !strings.Contains(name, "=") {
		return factfile.Load(name)
	}
	var kernels []factfile.Kernel
	for _, k := range p.Module.Kernels() {
		of := factfile.Kernel{Name: k.Name}
		for _, q := range session.KernelParams(k) {
			of.Params = append(of.Params, q.Name)
		}
		if k.Defined() {
			kernels = append(kernels, of)
		}
	}
	f, err := factfile.Assign(name, kernels)
	if err != nil {
		err = fmt.Errorf("--facts: %w", err)
	}
	return f, err
}

// launchFacts reads the facts of --host, --facts and --launch, and the launch file itself. The launch file gets a name,
// "" for that of the flag.
func launchFacts(c *cli.Context, p *session.Program, named string) (list []*facts.File, file *launch.File, err error) {
	o := hostcode.Options{Defines: c.StringSlice("define"), Includes: c.StringSlice("include")}
	if c.IsSet("args") {
		if o.Args, err = hostcode.Words(c.String("args")); err != nil {
			return nil, nil, command.Usagef("--args: %v in %q", err, c.String("args"))
		}
		if len(c.StringSlice("host")) == 0 {
			return nil, nil,
				command.Usagef("--args: it says how the program of --host is started, and there is no --host")
		}
	}
	if list, err = hostFacts(c, o); err != nil {
		return nil, nil, command.BadInput(err)
	}
	for _, name := range c.StringSlice("facts") {
		f, wrong := statedFacts(name, p)
		if wrong != nil {
			return nil, nil, command.BadInput(wrong)
		}
		list = append(list, f)
	}
	if name := c.String("launch"); name != "" {
		if file, err = launch.Load(name, launch.Options{Root: c.String("root"), Name: named}); err != nil {
			return nil, nil, command.BadInput(err)
		}
		list = append(list, factfile.FromLaunches(file))
	}
	return list, file, nil
}

// hostFacts reads the host code of --host, and that of the source which is analysed: alone, where nothing else says how
// kernels are launched, and else as a further file of the program, if clang can compile it.
func hostFacts(c *cli.Context, o hostcode.Options) ([]*facts.File, error) {
	hosts, name := c.StringSlice("host"), c.Args().First()
	switch {
	case !source.Is(name) || slices.Contains(hosts, name):
	case len(hosts) > 0:
		if list, err := hostcode.Load(c.Context, append(slices.Clone(hosts), name), o); err == nil {
			return list, nil
		}
	case len(c.StringSlice("facts"))+len(c.String("launch")) == 0:
		return source.Facts(c.Context, name, o), nil
	}
	return hostcode.Load(c.Context, hosts, o)
}

// cacheOf returns the cache of results, nil for none.
func cacheOf(c *cli.Context) *analysis.Cache {
	dir := c.String("cache")
	if c.Bool("no-cache") {
		return nil
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(user, "ptxsan", "analyze")
	}
	return &analysis.Cache{
		Dir: dir, Salt: session.Version + buildOf(), MaxFiles: limits.CacheFiles,
		MaxBytes: limits.CacheBytes, EntryBytes: limits.CacheEntryBytes,
	}
}

// buildOf identifies the build of the program.
func buildOf() string {
	name, err := os.Executable()
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(name)
	}
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}
