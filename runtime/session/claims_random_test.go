package session_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/testgen/racegen"
	"github.com/ptxsan/ptxsan/runtime/detect"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	claimed        = flag.Int("claims", 60, "random programs of which claims are compared with other runs")
	firstClaimed   = flag.Uint64("first-claim", 1, "seed of the first of them")
	findReasons    = flag.Bool("find-reasons", false, "look for programs that need one kind of reason")
	claimSchedules = flag.Int("claim-schedules", 24, "other runs of a program with a claim")
)

// claims returns what a report says that its verdict holds for.
func claims(rep *report.Report) (every bool, contents []string) {
	h := rep.Weakest()
	if h == nil {
		return false, nil
	}
	return h.Schedules == report.EverySchedule, h.Contents
}

// maxClaimSteps limits the instructions of warps in a launch of a random program.
const maxClaimSteps = 400_000

// claimSubject is a random program, and a run of it.
type claimSubject struct {
	made    racegen.Program
	program *session.Program
	file    *launchfile.File
}

func newClaimSubject(seed uint64) (*claimSubject, error) {
	s := &claimSubject{made: racegen.Idioms(seed)}
	var err error
	if s.program, err = session.Parse("k.ptx", []byte(s.made.PTX)); err != nil {
		return nil, err
	}
	s.file, err = s.parse(s.made.Launches)
	return s, err
}

func (s *claimSubject) parse(launches string) (*launchfile.File, error) {
	return launchfile.Parse("k.yaml", []byte(launches), launchfile.Options{})
}

// schedule is a way to run a program.
type schedule struct {
	policy string
	seed   uint64
	memory emu.Memory
	late   bool // asynchronous copies are performed late
}

func (s schedule) String() string {
	return fmt.Sprintf("%s, seed %d, memory %d, late %v", s.policy, s.seed, s.memory, s.late)
}

// claimSchedule returns the schedule of a number: 0 is that of a check.
func claimSchedule(i int) schedule {
	policies := []string{"random", "pct", "apart", "random", "pct", "round-robin"}
	if i == 0 {
		return schedule{policy: "its"}
	}
	s := schedule{policy: policies[i%len(policies)], seed: uint64(i), late: i%3 == 0}
	if i%4 == 3 {
		s.memory = emu.PTX
	}
	return s
}

// claimRun is what a run shows.
type claimRun struct {
	rep     *report.Report
	verdict string
	memory  map[string][]byte
}

// under runs the program.
func (s *claimSubject) under(how schedule, file *launchfile.File) (*claimRun, error) {
	plan, err := session.NewPlan(s.program, file, 0)
	if err != nil {
		return nil, err
	}
	var o session.Options
	cfg := &o.Emulator
	cfg.Policy, cfg.Seed, cfg.Memory, cfg.LateAsync = session.PolicyNamed(how.policy), how.seed, how.memory, how.late
	cfg.MaxSteps, cfg.Depth, cfg.Length = maxClaimSteps, emu.DefaultDepth, emu.DefaultLength
	if o.Detectors, err = session.ParseDetectors("precise"); err != nil {
		return nil, err
	}
	o.Claims = how == claimSchedule(0)
	ran := &claimRun{memory: make(map[string][]byte)}
	for {
		s, err := session.Open(o)
		if err != nil {
			return nil, err
		}
		if ran.rep, err = plan.Check(context.Background(), s); err != nil {
			return nil, err
		}
		for i := range file.Buffers {
			b := &file.Buffers[i]
			p := make([]byte, b.Size())
			if err = s.Object(b.Name).Read(0, p); err != nil && ran.rep.Verdict != report.Fault {
				return nil, err
			}
			ran.memory[b.Name] = p
		}
		if s.Strayed() == nil || o.Refuted {
			break
		}
		o.Refuted = true
	}
	ran.verdict = verdictText(ran.rep)
	return ran, nil
}

// verdictText returns the verdict with the pairs of lines that race, and faults.
func verdictText(rep *report.Report) string {
	pairs := make(map[string]bool)
	for _, x := range rep.Pairs() {
		a, b := x.First.PTX.Line, x.Second.PTX.Line
		pairs[fmt.Sprintf("%s of %d and %d", x.Severity, min(a, b), max(a, b))] = true
	}
	for _, f := range rep.Faults {
		pairs[fmt.Sprintf("%s at %d", f.Class, f.PTX.Line)] = true
	}
	return rep.Verdict + ": " + strings.Join(slices.Sorted(maps.Keys(pairs)), ", ")
}

// differs returns in what another run differs, "" in nothing.
func (r *claimRun) differs(other *claimRun, loose bool) string {
	if r.verdict != other.verdict {
		return fmt.Sprintf("verdict %q, not %q", other.verdict, r.verdict)
	}
	if loose {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(r.memory)) {
		if name != "sums" && name != "strays" && !bytes.Equal(r.memory[name], other.memory[name]) {
			return "contents of " + name
		}
	}
	return ""
}

// contradiction runs the program under other schedules and returns how one differs from a run, "" if none does.
func (s *claimSubject) contradiction(run *claimRun, n int) (string, error) {
	for i := 1; i <= n; i++ {
		how := claimSchedule(i)
		other, err := s.under(how, s.file)
		if err != nil {
			return "", fmt.Errorf("%v: %w", how, err)
		}
		if text := run.differs(other, s.made.Loose); text != "" {
			return fmt.Sprintf("%v: %s", how, text), nil
		}
	}
	if s.made.Threads > exhausted {
		return "", nil
	}
	return s.exhaustive(run)
}

// exhausted is the number of threads up to which all schedules of a program are tried.
const exhausted = 6

// exhaustive runs all orders of conflicting operations of the program, or as many as the limits allow, and returns how
// they differ from a run.
func (s *claimSubject) exhaustive(run *claimRun) (string, error) {
	plan, err := session.NewPlan(s.program, s.file, 0)
	if err != nil {
		return "", err
	}
	e := session.Exploration{
		Scenario: plan, Search: session.Search{Name: "exhaustive", Runs: 60, Steps: 4000}, Workers: 1, RacesOnly: true,
	}
	e.Options.Emulator.MaxSteps = maxClaimSteps
	for i := range s.file.Buffers {
		if b := &s.file.Buffers[i]; !s.made.Loose && b.Name != "sums" && b.Name != "strays" {
			e.Outcomes = append(e.Outcomes, b)
		}
	}
	if e.Options.Detectors, err = session.ParseDetectors("precise"); err != nil {
		return "", err
	}
	rep, err := e.Run(context.Background())
	if err != nil {
		return "", err
	}
	if text := verdictText(rep); text != run.verdict {
		return fmt.Sprintf("all schedules: verdict %q, not %q", text, run.verdict), nil
	}
	if n := len(rep.Exploration.Outcomes); n > 1 {
		return fmt.Sprintf("all schedules: %d outcomes", n), nil
	}
	return "", nil
}

// TestSteadyPrograms: random programs of which every schedule does the same are clean under all schedules, and others
// are not: the oracle sees differences.
func TestSteadyPrograms(t *testing.T) {
	steady, differ := 0, 0
	for seed := range uint64(60) {
		s, err := newClaimSubject(seed)
		if err != nil {
			t.Fatal(seed, err)
		}
		run, err := s.under(claimSchedule(0), s.file)
		if err != nil {
			t.Fatal(seed, err)
		}
		text, err := s.contradiction(run, 6)
		switch {
		case err != nil:
			t.Error(seed, err)
		case s.made.Steady && (run.verdict != "clean: " || text != ""):
			t.Errorf("seed %d: %s; %s", seed, run.verdict, text)
		case s.made.Steady:
			steady++
		case text != "":
			differ++
		}
	}
	if steady < 12 || differ < 6 {
		t.Errorf("%d programs do the same in every schedule, %d differ", steady, differ)
	}
}

// claimTotals counts programs by what their reports claim.
type claimTotals struct {
	programs, clean, every, contents int
	steady, steadyEvery              int      // programs of which every schedule does the same, and those with that claim
	narrow                           []uint64 // seeds of the others
}

// TestClaims: where a report of a random program claims every schedule, other schedules show the same findings, and the
// same memory but for what the program lets differ; where it claims every content of buffers, other contents show the
// same findings. Most programs of which every schedule does the same have the claim.
func TestClaims(t *testing.T) {
	var total claimTotals
	for seed := *firstClaimed; seed < *firstClaimed+uint64(*claimed); seed++ {
		if err := total.check(seed); err != nil {
			made := racegen.Idioms(seed)
			t.Errorf("seed %d: %v\n%s\n%s", seed, err, made.PTX, made.Launches)
		}
	}
	t.Logf("%+v", total)
	if total.every == 0 {
		t.Skip("reports have no claims")
	}
	if total.steadyEvery*10 < total.steady*9 || total.contents == 0 {
		t.Error("too few claims")
	}
}

// check compares the claims for a program with other runs.
func (total *claimTotals) check(seed uint64) error {
	s, err := newClaimSubject(seed)
	if err != nil {
		return err
	}
	run, err := s.under(claimSchedule(0), s.file)
	if err != nil {
		return err
	}
	every, contents := claims(run.rep)
	total.count(s, run, every, contents)
	if s.made.Steady && !every {
		total.narrow = append(total.narrow, seed)
	}
	text := ""
	if every {
		text, err = s.contradiction(run, *claimSchedules)
	}
	if text == "" && err == nil && len(contents) > 0 {
		text, err = s.contents(run, contents, seed, every)
	}
	if text != "" {
		err = fmt.Errorf("every schedule: %v, every content of %v: %s", every, contents, text)
	}
	return err
}

// contents runs the program with other contents of buffers, and returns how a run differs.
func (s *claimSubject) contents(run *claimRun, buffers []string, seed uint64, every bool) (string, error) {
	for i := range 4 {
		how := claimSchedule(0)
		if every {
			how = claimSchedule(i)
		}
		file, err := s.parse(s.made.Refilled(buffers, seed<<8+uint64(i)<<4))
		if err != nil {
			return "", err
		}
		other, err := s.under(how, file)
		if err != nil {
			return "", err
		}
		if text := run.differs(other, true); text != "" {
			return fmt.Sprintf("other contents of %v, %v: %s", buffers, how, text), nil
		}
	}
	return "", nil
}

func (total *claimTotals) count(s *claimSubject, run *claimRun, every bool, contents []string) {
	for _, c := range []struct {
		is bool
		n  *int
	}{
		{true, &total.programs},
		{run.rep.Verdict == report.Clean, &total.clean},
		{every, &total.every},
		{len(contents) > 0, &total.contents},
		{s.made.Steady, &total.steady},
		{s.made.Steady && every, &total.steadyEvery},
	} {
		if c.is {
			*c.n++
		}
	}
}

// place matches an operation with its place in a report.
var place = regexp.MustCompile(`(\S+ at )?k\.ptx:\d+`)

// reasons returns why a report does not claim every schedule, or every content, each kind of reason once.
func reasons(rep *report.Report, on detect.Ground) (list []string) {
	for _, d := range rep.Depends {
		if d.On != on {
			continue
		}
		what := d.What
		if _, steers, ok := strings.Cut(what, " decides "); ok {
			what, _, _ = strings.Cut("decides "+steers, " at ")
		}
		what = place.ReplaceAllString(what, "…")
		if !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	return list
}

// needed lists kinds of reasons with a program that has no claim for that reason alone: other runs contradict the claim
// that there would be without it. TestClaimsNeedReasons -find-reasons finds more.
var needed = []struct {
	on     detect.Ground
	reason string
	seed   uint64
}{
	{detect.OnOrder, "decides a branch", 41},
	{detect.OnOrder, "decides an address", 281},
	{detect.OnOrder, "decides whether an instruction is executed", 339},
	{detect.OnOrder, "decides what is in memory", 95},
	{detect.OnOrder, "… and … have no order", 53},
	{detect.OnOrder, "lanes of a warp execute … together; one by one, they race", 11},
	{detect.OnOrder, "… is not repeated until the phase is complete", 316},
	{detect.OnOrder, "… may arrive at the barrier before … has, in place of another thread of the phase before: the thread does not wait for that phase", 181},
	{detect.OnContents, "… a branch", 6},
	{detect.OnContents, "… an address", 86},
	{detect.OnContents, "… whether an instruction is executed", 3341},
	{detect.OnContents, "… an operand of a compare-and-swap", 18},
}

// TestClaimsNeedReasons: no kind of reason can be left out.
func TestClaimsNeedReasons(t *testing.T) {
	for _, c := range needed {
		list, text, err := withoutReason(c.on, c.seed, 40)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(list, []string{c.reason}) || text == "" {
			t.Errorf("seed %d: reasons %q, of which one should be %q; contradiction %q", c.seed, list, c.reason, text)
		}
	}
	for _, on := range []detect.Ground{detect.OnOrder, detect.OnContents} {
		if *findReasons {
			searchReasons(t, on)
		}
	}
}

// searchReasons logs programs for TestClaimsNeedReasons.
func searchReasons(t *testing.T, on detect.Ground) {
	programs, caught := make(map[string]int), make(map[string][]uint64)
	for seed := *firstClaimed; seed < *firstClaimed+uint64(*claimed); seed++ {
		list, text, err := withoutReason(on, seed, *claimSchedules)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 1 {
			continue
		}
		if programs[list[0]]++; text != "" {
			caught[list[0]] = append(caught[list[0]], seed)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(programs)) {
		seeds := caught[reason]
		t.Logf("%s: %d of %d: %s: %v", on, len(seeds), programs[reason], reason, seeds[:min(len(seeds), 12)])
	}
}

// withoutReason returns why a clean program has no claim, and if there is one kind of reason how other runs contradict
// that claim.
func withoutReason(on detect.Ground, seed uint64, schedules int) (list []string, text string, err error) {
	s, err := newClaimSubject(seed)
	if err != nil {
		return nil, "", err
	}
	run, err := s.under(claimSchedule(0), s.file)
	if err != nil || run.rep.Verdict != report.Clean {
		return nil, "", err
	}
	if list = reasons(run.rep, on); len(list) != 1 {
		return list, "", nil
	}
	if on == detect.OnContents {
		text, err = s.contents(run, run.rep.Claims[0].Matter, seed, false)
		return list, text, err
	}
	if list[0] == "decides what is in memory" {
		s.made.Loose = false // memory tells
	}
	text, err = s.contradiction(run, schedules)
	return list, text, err
}
