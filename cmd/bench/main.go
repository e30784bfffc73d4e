// Command bench measures the emulator and the detectors. It runs known kernels at sizes three orders of magnitude
// apart, without a detector and with one, and compares them with the same loops compiled for the host. Every result is
// checked.
//
// The kernels are in kernels/kernels.cu, their native loops in kernels/native.c, and their inputs and results in
// workload_*.go. Times are processor times of the thread, the least of several runs, to reduce the influence of other
// work on the machine.
//
// The program runs kernels through runtime/session, and so measures the detectors as check runs them. It must not know
// how any detector works.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"

	"github.com/ptxsan/ptxsan/cmd/internal/gc"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings holds the command line.
type settings struct {
	only      string        // glob of workloads
	sizes     int           // of each workload, from the smallest on; 0 = all
	doc       string        // path of the Markdown file into which the tables are written, between its markers; "" = none
	compiler  string        // for the native loops, "" for none
	budget    time.Duration // processor time for the repetitions of one measurement
	detectors bool          // also measure instrumented kernels
	listener  string        // listening detector of further runs, "" for none
	random    bool          // also measure the random schedule
	cores     bool          // measure several processors
	memory    bool          // measure memory for many threads
	large     bool          // measure launches of many threads
	scale     bool          // only measure how the cost of access patterns grows
	count     bool          // for scale, count basic blocks instead of measuring processor time
	counter   string        // for scale, a program that counts basic blocks, to be asked about what exceeds the limit by processor time; "" for none
	under     string        // for scale, the detectors, separated by commas
	threads   int           // binary logarithm of the largest number of threads of patterns
	rounds    int           // binary logarithm of the largest number of accesses of patterns in rounds
	goals     string        // folder of the ptxsan program for make goals, which only measures commands of that program; "" to measure workloads
	profile   string        // file for a CPU profile, "" for none
}

func run(ctx context.Context, args []string, w io.Writer) error {
	if len(args) > 2 && args[0] == "merge" {
		return mergeProfiles(args[1], args[2:])
	}
	var s settings
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.StringVar(&s.only, "only", "*", "measure workloads whose name matches `GLOB`")
	fs.IntVar(&s.sizes, "sizes", 0, "measure the `N` smallest sizes of each workload, 0 for all")
	fs.StringVar(&s.doc, "o", "", "write the tables into the marked section of `FILE`, too")
	fs.StringVar(&s.compiler, "cc", "clang-19", "compile the native loops with `COMMAND`, '' for no comparison")
	fs.DurationVar(&s.budget, "budget", 500*time.Millisecond, "repeat each measurement for `TIME`")
	fs.BoolVar(&s.detectors, "detector", true, "measure kernels instrumented by iguard, too")
	fs.StringVar(&s.listener, "listener", "scord", "measure with the listening `DETECTOR`, too, or with one that does nothing (deaf, idle, values); '' for none")
	fs.BoolVar(&s.random, "random", true, "measure the random schedule, too")
	fs.BoolVar(&s.cores, "cores", true, "measure what more processors gain, too")
	fs.BoolVar(&s.memory, "memory", true, "measure the memory of a million threads, too")
	fs.BoolVar(&s.large, "large", false, fmt.Sprintf("measure launches of %d threads, too", largeThreads))
	fs.BoolVar(&s.scale, "scale", false,
		"measure how what detectors cost grows over patterns of accesses, and nothing else; -only matches PATTERN/OPERATION/SPACE")
	fs.BoolVar(&s.count, "count", false,
		"with -scale: count the basic blocks of Go that are executed in place of processor time, in a program built with -cover -covermode=atomic -coverpkg=./...")
	fs.StringVar(&s.counter, "counter", "", "with -scale: what exceeds the limit by processor time is measured again by `PROGRAM`, which was built for -count, and exceeds the limit only if it does so in basic blocks, too")
	fs.StringVar(&s.under, "under", "precise,scord,barracuda,iguard", "with -scale: measure the `DETECTORS`")
	fs.IntVar(&s.threads, "threads", 18, "the binary logarithm of the most threads of a pattern is `N`")
	fs.IntVar(&s.rounds, "rounds", 20, "the binary logarithm of the most accesses of a pattern in rounds is `N`; the fewest are a 16th of them")
	fs.StringVar(&s.goals, "goals", "", "measure whole commands of the ptxsan in `FOLDER` against their limits, and nothing else; the files that they read are made there")
	fs.StringVar(&s.profile, "cpuprofile", "", "write a profile of the processor to `FILE`")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if _, err := path.Match(s.only, ""); err != nil || fs.NArg() > 0 {
		return fmt.Errorf("expected no arguments and a glob for -only, found %q and %q", fs.Args(), s.only)
	}
	if s.listener != "" && !slices.Contains(listenerNames(), s.listener) {
		return fmt.Errorf("expected one of %q for -listener, found %q", listenerNames(), s.listener)
	}
	runtime.MemProfileRate = 0 // as the command does
	gc.CollectLate()
	stop, err := startProfile(s.profile)
	if err != nil {
		return err
	}
	if s.goals != "" {
		return errors.Join(measureGoals(ctx, &s, w), stop())
	}
	if s.scale {
		err = scale(ctx, &s, w)
		return errors.Join(err, stop())
	}
	res, err := measureAll(ctx, &s, w)
	if stopped := stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return err
	}
	text := res.markdown()
	if _, err := io.WriteString(w, "\n"+text); err != nil {
		return err
	}
	if s.doc == "" {
		return nil
	}
	return replaceSection(s.doc, sectionBegin, sectionEnd, text)
}

// startProfile starts a CPU profile, which the returned function stops.
func startProfile(name string) (stop func() error, err error) {
	if name == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

// chosen returns the workloads that the settings select.
func (s *settings) chosen() []*workload {
	return slices.DeleteFunc(allWorkloads(), func(wl *workload) bool {
		ok, err := path.Match(s.only, wl.name)
		return err != nil || !ok
	})
}

// sizesOf returns the sizes that the settings select.
func (s *settings) sizesOf(wl *workload) []uint32 {
	if s.sizes > 0 && s.sizes < len(wl.sizes) {
		return wl.sizes[:s.sizes]
	}
	return wl.sizes
}
