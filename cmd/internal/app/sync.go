// The command sync.

package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/internal/syncs"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

func syncCommand() *cli.Command {
	flags := []cli.Flag{
		command.LaunchFlag(), command.RootFlag(), command.KernelFlag(), command.NoCheckFlag(),
		command.SuppressionsFlag(), command.BaselineFlag(), detectorFlag(), command.ErrorLevelFlag(),
		schedulesFlag("verify the changes that stand together under `N` schedules; by default 100"),
		&cli.IntSliceFlag{
			Name: "line", Category: command.CatExecution,
			Usage: "ask about the synchronisation of source line `N` only, of the PTX where it has no source; repeatable",
		},
		&cli.BoolFlag{
			Name: "libraries", Category: command.CatExecution,
			Usage: "also change what code of libraries synchronises",
		},
		&cli.BoolFlag{
			Name: "apply", Category: command.CatOutput,
			Usage: "print the PTX with the changes, and nothing else; with --output, write it there and print the answers",
		},
		&cli.BoolFlag{Name: "diff", Usage: "print the changes as a patch, and nothing else", Category: command.CatOutput},
		&cli.StringFlag{
			Name: "apply-source", Category: command.CatOutput,
			Usage: "print the changes as a patch of the CUDA source `FILE`, compiled and run, and nothing else",
		},
		&cli.BoolFlag{Name: "write", Usage: "also apply the patch to the CUDA source", Category: command.CatOutput},
		syncFormatFlag(), command.PathBaseFlag(), command.OutputFlag(), command.ColorFlag(), patchBudgetFlag(0, "no limit"),
	}
	return &cli.Command{
		Name:      "sync",
		Category:  "Execution",
		Usage:     "say what each barrier, fence and scope of kernels is for, and which can go",
		ArgsUsage: "FILE.ptx|FILE.cu",
		Description: `Leaves out, or weakens, one synchronising instruction of the launches after the other, and
says what shows it: that it is needed, with the lines and threads that race without it or
the fault or result; that a weaker one will do; that it is not needed for these launches,
and for which schedules and contents that holds, or not in any launch; or why that is not
decided. Then it tries which of the changes stand together, and verifies them as a whole.

--apply and --diff print these changes. CUDA source is compiled, and runs on a template
without --launch; a patch of it follows the answers, with what stands when the patched
source is compiled and run. --apply-source prints such a patch for PTX. The exit code is 0 when the question was answered, whatever the answers,
1 when the program itself has races and 3 when it faults, which are printed instead, and
5 when the launches execute no synchronisation.

Examples:
   ptxsan sync k.cu
   ptxsan sync --launch k.yaml k.ptx
   ptxsan sync --launch k.yaml --line 17 k.ptx
   ptxsan sync --launch k.yaml --diff k.ptx | patch k.ptx
   ptxsan sync --launch k.yaml --apply-source k.cu --write k.ptx`,
		Flags:  slices.Concat(flags, command.SourceFlags(), command.DriverFlags(), exploredFlags()),
		Action: syncAction,
	}
}

// syncForms are the formats of answers about synchronisation.
var syncForms = []string{"text", "json", "sarif", "html"}

func syncFormatFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "format", Value: "text", Category: command.CatOutput,
		Usage: "`FORMATS` of the answers: text, json, sarif or html; several as sarif=r.sarif,html=r.html, of which one may be without a file",
		Action: func(_ *cli.Context, v string) error {
			for part := range strings.SplitSeq(v, ",") {
				if name, _, _ := strings.Cut(part, "="); !slices.Contains(syncForms, name) {
					return command.Usagef("--format: expected text, json, sarif or html, found %q", name)
				}
			}
			_, err := command.ReportFormats(v)
			return err
		},
	}
}

func syncAction(c *cli.Context) error {
	ctx, cancel := command.Timeout(c)
	defer cancel()
	k, err := checkerOf(c)
	if err != nil {
		return err
	}
	if err = checkSync(c, k); err != nil {
		return err
	}
	if source.Is(c.Args().First()) && k.plan.File.Guessed {
		rep, wrong := k.swept(ctx, c)
		if wrong != nil {
			return wrong
		}
		if rep.Verdict == report.Racy {
			return refuse(c, k, rep, "the program has races; ptxsan fix finds what synchronisation it lacks")
		}
		k.plan = k.raced(rep)
	}
	known, err := knownRace(c)
	if err != nil {
		return err
	}
	ask := &question{lines: c.IntSlice("line"), step: k.progress.Step}
	command.Concluding(ctx)
	o := k.options
	o.Progress = nil
	res, err := syncs.Run(ctx, syncs.Options{
		Subject: trial.Subject{Plan: k.plan, Session: o, Known: known, Workers: c.Int("jobs")},
		Budget:  k.budget, Sets: c.Int("schedules"), Libraries: c.Bool("libraries"), Asked: ask.about,
	})
	k.progress.Done()
	switch ended := unfinished(ctx, notAllAsked, err); {
	case res == nil || err != nil && ctx.Err() == nil && !errors.Is(err, trial.ErrSpent):
		return ended
	case res.Refused != "":
		return refuse(c, k, res.Report, res.Refused)
	case err == nil && ask.missing() != nil:
		return ask.missing()
	case err != nil:
		res.Report.Notes = append(res.Report.Notes, fmt.Sprintf("%s: %v; there is no set of changes", notAllAsked, err))
		return cmp.Or(ended, k.answer(ctx, c, res, ask))
	}
	return k.answer(ctx, c, res, ask)
}

// notAllAsked says that a search was ended.
const notAllAsked = "the search was not finished"

// guessedSync says what the answers about a template are worth.
const guessedSync = "the launches are guesses, and what is not needed in them may be needed in others"

// checkSync refuses flags that do not go together.
func checkSync(c *cli.Context, k *checker) error {
	for _, d := range k.options.Detectors {
		if !d.Listens() {
			return command.Usagef("--detector: expected one that listens to the emulator, such as precise, found %s",
				session.Names(k.options.Detectors))
		}
	}
	given := slices.DeleteFunc([]string{"apply", "diff", "apply-source"}, func(f string) bool { return !c.IsSet(f) })
	if len(given) > 1 {
		return command.Usagef("--%s: expected no --%s as well", given[0], given[1])
	}
	if err := checkWrite(c); err != nil {
		return err
	}
	if f := k.plan.File; c.Bool("write") && f.Guessed && !f.Sized {
		return command.Usagef("--write: %s; expected a launch file of your own (--launch)", guessedSync)
	}
	_, err := searchOf(c, "")
	return err
}

// refuse prints the findings of a program that is not asked about, and ends the command as check does.
func refuse(c *cli.Context, k *checker, rep *report.Report, why string) error {
	rep.Notes = append(rep.Notes, "no synchronisation was asked about: "+why)
	if err := completeReport(c, rep, k.plan.File); err != nil {
		return err
	}
	if err := writeReport(c, rep); err != nil {
		return err
	}
	return command.Exit(cmp.Or(findingCode(c, rep), command.Findings))
}

// question selects the synchronisation that is asked about.
type question struct {
	lines        []int // none for all
	step         func(string)
	have         []int // lines of all synchronisation
	asked, other int   // synchronisations
}

// about reports whether a synchronisation is asked about.
func (q *question) about(s *syncs.Site) bool {
	if !slices.Contains(q.have, s.Line()) {
		q.have = append(q.have, s.Line())
	}
	if len(q.lines) > 0 && !slices.Contains(q.lines, s.Line()) {
		q.other++
		return false
	}
	q.asked++
	q.step("asking about " + s.Place())
	return true
}

// missing returns an error if a line that is asked about has no synchronisation.
func (q *question) missing() error {
	for _, n := range q.lines {
		if slices.Contains(q.have, n) {
			continue
		}
		var lines []string
		for _, have := range slices.Sorted(slices.Values(q.have)) {
			lines = append(lines, strconv.Itoa(have))
		}
		return command.Usagef("--line: no synchronisation of the launches is in line %d; lines with some: %s", n,
			cmp.Or(strings.Join(lines, ", "), "none"))
	}
	return nil
}

// answer writes a result, and returns the end of the command.
func (k *checker) answer(ctx context.Context, c *cli.Context, res *syncs.Result, ask *question) error {
	rep := res.Report
	res.Fill(rep)
	if k.plan.File.Guessed && len(res.Set) > 0 {
		rep.Notes = append(rep.Notes, guessedSync+": run sync with launches of your own, such as exec --save writes, before you change anything")
	}
	if ask.other > 0 {
		rep.Notes = append(rep.Notes, fmt.Sprintf("not asked about: %d in other lines (--line)", ask.other))
	}
	if err := completeReport(c, rep, k.plan.File); err != nil {
		return err
	}
	if err := writeAnswers(c, res); err != nil {
		return err
	}
	if err := patchSync(ctx, c, res); err != nil {
		return err
	}
	if len(rep.Sync) == 0 {
		return command.Exit(command.Nothing)
	}
	return nil
}

// writeAnswers writes the answers, the changed PTX, or a patch, as the flags say.
func writeAnswers(c *cli.Context, res *syncs.Result) error {
	switch {
	case c.Bool("diff"):
		return command.WriteOutput(c, c.String("output"), func(w io.Writer) error {
			_, err := io.WriteString(w, res.Diff())
			return err
		})
	case c.IsSet("apply-source"):
		return nil // the patch is printed, and nothing else
	case !c.Bool("apply"):
		return writeReport(c, res.Report)
	}
	file := c.String("output")
	if err := command.WriteBytes(c, file, command.Text(res.Module)); err != nil || file == "" || file == "-" {
		return err
	}
	return errors.Join(c.Set("output", ""), writeReport(c, res.Report)) // the file has the PTX
}

// patchSync makes the changes in the CUDA source, prints the patch, and with --write applies it. Text for CUDA source has
// the patch behind the answers.
func patchSync(ctx context.Context, c *cli.Context, res *syncs.Result) error {
	name := sourceOf(c)
	if name == "" || c.Bool("apply") || !c.IsSet("apply-source") && (len(res.Set) == 0 || !textOnly(c)) && !c.Bool("write") {
		return nil
	}
	src, err := command.ReadInput(c, name, limits.SourceBytes)
	if err != nil {
		return err
	}
	p, err := res.Source(ctx, name, src, hostcode.Options{Defines: c.StringSlice("define"), Includes: c.StringSlice("include")})
	switch {
	case ctx.Err() != nil:
		return unfinished(ctx, "the patch of the source was not checked to the end", session.Ended(ctx))
	case err != nil:
		return command.Usagef("%s: expected source that compiles to kernels like these: %s", name, trial.Untitled(err))
	}
	if c.IsSet("apply-source") {
		err = command.WriteOutput(c, c.String("output"), func(w io.Writer) error {
			_, wrong := io.WriteString(w, p.Diff())
			return wrong
		})
		fmt.Fprint(c.App.ErrWriter, p.Summary())
	} else if textOnly(c) {
		_, err = fmt.Fprint(c.App.Writer, p.Summary(), p.Diff())
	}
	if err != nil || !c.Bool("write") || p.Text == string(src) {
		return err
	}
	if err = command.Replace(c, name, src, []byte(p.Text)); err == nil {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: %s is changed\n", name)
	}
	return err
}
