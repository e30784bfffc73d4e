package main

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
)

// replayTokens says how the runs of an exploration are repeated.
type replayTokens struct{ c *cli.Context }

// maxToken is how long a schedule may be to stand in a command line, in bytes.
const maxToken = 8 << 10

// command is the command line that repeats a run of an exploration: with the policy and
// the seed, or with the schedule itself. It is empty when the schedule is too long.
func (t *replayTokens) command(dets []*detector, r *emu.Run) string {
	s := r.Schedule()
	if s == nil {
		set := map[string]string{"schedule": policyName(r.Policy), "seed": strconv.FormatUint(r.Seed, 10)}
		if r.Policy == emu.PCT {
			set["pct-depth"], set["pct-length"] = strconv.Itoa(r.Depth), strconv.FormatUint(r.Length, 10)
		}
		return t.with(dets, set)
	}
	return t.schedule(dets, s)
}

// schedule is command for a schedule.
func (t *replayTokens) schedule(dets []*detector, s *emu.Schedule) string {
	text, err := s.MarshalText()
	if err != nil || len(text) > maxToken {
		return ""
	}
	return t.with(dets, map[string]string{"replay": string(text)})
}

// with is the command line of one run with some flags set to other values.
func (t *replayTokens) with(dets []*detector, set map[string]string) string {
	for _, flag := range []string{"schedule", "seed", "pct-depth", "pct-length", "replay"} {
		if _, ok := set[flag]; !ok {
			set[flag] = ""
		}
	}
	if len(dets) == 0 {
		return replayOf(t.c, "emulate", set)
	}
	var words []string
	for _, d := range dets {
		words = append(words, d.pipeline.String())
	}
	set["detector"] = strings.Join(words, ",")
	return replayOf(t.c, "check", set)
}
