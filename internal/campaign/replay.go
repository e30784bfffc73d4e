// Runs as text, which repeat findings.

package campaign

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/internal/yamldoc"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Run is a repeatable run: a policy with its parameters, or a schedule.
type Run struct {
	Policy string
	Seed   uint64
	Depth  int    // of pct
	Length uint64 // of pct
	Replay *emu.Schedule
}

// seeded lists the policies that are determined by a seed.
var seeded = []emu.Policy{emu.Random, emu.RoundRobin, emu.ITS}

// String returns the run in the syntax of ParseRun: POLICY:SEED, pct:SEED:DEPTH:LENGTH, or a schedule.
func (r *Run) String() string {
	switch {
	case r.Replay != nil:
		text, err := r.Replay.MarshalText()
		if err != nil {
			return ""
		}
		return string(text)
	case r.Policy == session.PolicyName(emu.PCT):
		return fmt.Sprintf("%s:%d:%d:%d", r.Policy, r.Seed, r.Depth, r.Length)
	}
	return fmt.Sprintf("%s:%d", r.Policy, r.Seed)
}

// ParseRun parses the output of String.
func ParseRun(text string) (*Run, error) {
	if emu.IsSchedule(text) {
		r := &Run{Replay: new(emu.Schedule)}
		return r, r.Replay.UnmarshalText([]byte(text))
	}
	words := strings.Split(text, ":")
	r := &Run{Policy: words[0]}
	wrong := fmt.Errorf("run %q: expected POLICY:SEED of %s, pct:SEED:DEPTH:LENGTH, or a schedule",
		yamldoc.Shorten(text), policyList())
	numbers := make([]uint64, len(words)-1)
	for i, w := range words[1:] {
		var err error
		if numbers[i], err = strconv.ParseUint(w, 10, 63); err != nil {
			return nil, wrong
		}
	}
	switch {
	case len(numbers) == 3 && r.Policy == session.PolicyName(emu.PCT) && numbers[1] <= emu.MaxDepth:
		r.Seed, r.Depth, r.Length = numbers[0], int(numbers[1]), numbers[2]
		return r, nil
	case len(numbers) == 1 && strings.Contains(" "+policyList()+" ", " "+r.Policy+" "):
		r.Seed = numbers[0]
		return r, nil
	}
	return nil, wrong
}

func policyList() string {
	var names []string
	for _, p := range seeded {
		names = append(names, session.PolicyName(p))
	}
	return strings.Join(names, " ")
}

// EncodeReplays returns the text of a file with a list of replays, which plans can name.
func EncodeReplays(list []Replay) ([]byte, error) {
	if len(list) == 0 {
		return []byte("[]\n"), nil
	}
	return yaml.Marshal(list)
}

// configure sets cfg to repeat the run.
func (r *Run) configure(cfg *emu.Config) {
	if cfg.Replay = r.Replay; cfg.Replay == nil {
		cfg.Policy, cfg.Seed, cfg.Depth, cfg.Length = session.PolicyNamed(r.Policy), r.Seed, r.Depth, r.Length
	}
}

// tokens implements session.Replayer: reports name runs as text.
type tokens struct{}

// Run implements session.Replayer.
func (tokens) Run(_ []*session.Detector, r *explore.Run) string {
	if s := r.Schedule(); s != nil {
		return tokens{}.Schedule(nil, s)
	}
	return (&Run{Policy: session.PolicyName(r.Policy), Seed: r.Seed, Depth: r.Depth, Length: r.Length}).String()
}

// Schedule implements session.Replayer.
func (tokens) Schedule(_ []*session.Detector, s *emu.Schedule) string {
	return (&Run{Replay: s}).String()
}

// Results implements session.Replayer.
func (tokens) Results(again string, _ []string) string { return again }

// Prune implements session.Replayer.
func (tokens) Prune(*report.Report) {}
