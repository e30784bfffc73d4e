package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// replayTokens says how the runs of an exploration are repeated.
type replayTokens struct {
	c    *cli.Context
	long map[string][]byte // schedules that are too long for a command line, by the name of their file
}

// maxToken is how long a schedule may be to stand in a command line, in bytes.
const maxToken = 8 << 10

// Run implements session.Replayer: the command line that repeats a run of an exploration,
// with the policy and the seed, or with the schedule itself or, when that is long, a file
// that write makes.
func (t *replayTokens) Run(dets []*session.Detector, r *emu.Run) string {
	s := r.Schedule()
	if s == nil {
		set := map[string]string{"schedule": session.PolicyName(r.Policy), "seed": strconv.FormatUint(r.Seed, 10)}
		if r.Policy == emu.PCT {
			set["pct-depth"], set["pct-length"] = strconv.Itoa(r.Depth), strconv.FormatUint(r.Length, 10)
		}
		return t.with(dets, set)
	}
	return t.Schedule(dets, s)
}

// Schedule implements session.Replayer: Run for a schedule.
func (t *replayTokens) Schedule(dets []*session.Detector, s *emu.Schedule) string {
	text, err := s.MarshalText()
	if err != nil {
		return ""
	}
	replay := string(text)
	if len(text) > maxToken {
		replay = t.file(text)
	}
	return t.with(dets, map[string]string{"replay": replay})
}

// file is the name of the file that a long schedule will be in.
func (t *replayTokens) file(text []byte) string {
	hash := fnv.New64a()
	hash.Write(text)
	name := filepath.Join(t.c.String("replay-dir"), fmt.Sprintf("ptxsan-%016x.schedule", hash.Sum64()))
	if t.long == nil {
		t.long = make(map[string][]byte)
	}
	t.long[name] = text
	return name
}

// manyLong is how many long schedules are kept before those that are not needed are
// looked for.
const manyLong = 16

// Prune implements session.Replayer.
func (t *replayTokens) Prune(rep *report.Report) {
	if len(t.long) > manyLong {
		t.forget(rep)
	}
}

// forget drops long schedules that a report does not need.
func (t *replayTokens) forget(rep *report.Report) {
	var commands []string
	for _, x := range rep.Races {
		commands = append(commands, x.Replay)
	}
	for _, x := range rep.Faults {
		commands = append(commands, x.Replay)
	}
	if rep.Exploration != nil {
		for _, x := range rep.Exploration.Outcomes {
			commands = append(commands, x.Replay)
		}
	}
	maps.DeleteFunc(t.long, func(name string, _ []byte) bool {
		return !slices.ContainsFunc(commands, func(c string) bool { return strings.Contains(c, filepath.Base(name)) })
	})
}

// write writes the long schedules that a report needs, and says so.
func (t *replayTokens) write(rep *report.Report) error {
	t.forget(rep)
	for _, name := range slices.Sorted(maps.Keys(t.long)) {
		if err := writeBytes(t.c, name, t.long[name]); err != nil {
			return err
		}
		fmt.Fprintf(t.c.App.ErrWriter, "ptxsan: wrote %s: a schedule of %d bytes that a replay command names\n", name, len(t.long[name]))
	}
	return nil
}

// with is the command line of one run with some flags set to other values.
func (t *replayTokens) with(dets []*session.Detector, set map[string]string) string {
	for _, flag := range []string{"schedule", "seed", "pct-depth", "pct-length", "replay"} {
		if _, ok := set[flag]; !ok {
			set[flag] = ""
		}
	}
	if len(dets) == 0 {
		return replayOf(t.c, "emulate", set)
	}
	set["detector"] = session.Specs(dets)
	return replayOf(t.c, "check", set)
}
