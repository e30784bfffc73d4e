// Commands that repeat runs of an exploration.

package app

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/replay"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// replayTokens creates the commands that repeat runs of an exploration.
type replayTokens struct {
	c     *cli.Context
	files replay.Files // holds schedules that are too long for a command line
}

func newReplayTokens(c *cli.Context) *replayTokens {
	return &replayTokens{c, replay.Files{Dir: c.String("replay-dir")}}
}

// Run implements session.Replayer. It returns the command line that repeats a run of an exploration, with its policy
// and seed, or with its schedule.
func (t *replayTokens) Run(dets []*session.Detector, r *session.Run) string {
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

// Schedule implements session.Replayer. It returns the command line that replays a schedule.
func (t *replayTokens) Schedule(dets []*session.Detector, s *emu.Schedule) string {
	text, err := s.MarshalText()
	if err != nil {
		return ""
	}
	return t.with(dets, map[string]string{"replay": t.files.Token(text)})
}

// Results implements session.Replayer. It returns the command line that repeats a run and prints buffers.
func (t *replayTokens) Results(again string, buffers []string) string {
	for _, name := range buffers {
		again += " --print " + replay.Quote(name)
	}
	return again
}

// Prune implements session.Replayer.
func (t *replayTokens) Prune(rep *report.Report) { t.files.Prune(rep.Replays) }

// write writes the long schedules that a report needs, and prints their names.
func (t *replayTokens) write(rep *report.Report) error {
	return t.files.Write(rep.Replays(), func(name string, text []byte) error {
		if err := command.WriteBytes(t.c, name, text); err != nil {
			return err
		}
		fmt.Fprintf(t.c.App.ErrWriter, "ptxsan: wrote %s: a schedule of %d bytes that a replay command names\n", name,
			len(text))
		return nil
	})
}

// with returns the command line of one run with some flags set to other values.
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
