package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// search says how the schedules of an exploration are chosen.
type search struct {
	name  string
	runs  int // at most, 0 for as many as there are
	steps int // of a run of the exhaustive search
}

var searchNames = []string{"mixed", "directed", "random", "pct", "round-robin", "exhaustive"}

// Defaults of --schedules.
const (
	defaultSchedules  = 200
	defaultExhaustive = 100_000
)

func searchFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "search", Value: searchNames[0], Category: catExecution,
		Usage:  "`METHOD` that chooses schedules: directed (exchange conflicting accesses), random, pct, round-robin, mixed (these in turn), or exhaustive (all orders of conflicting operations)",
		Action: oneOf("search", searchNames...),
	}
}

func searchOf(c *cli.Context, name string) (search, error) {
	s := search{name: name, runs: c.Int("schedules")}
	switch {
	case c.IsSet("schedules") && s.runs < 1:
		return s, usagef("--schedules: expected a number from 1 on, found %d", s.runs)
	case !c.IsSet("schedules") && name == "exhaustive":
		s.runs = defaultExhaustive
	case !c.IsSet("schedules"):
		s.runs = defaultSchedules
	}
	for _, flag := range []string{"record", "replay", "timeline", "save-trace", "schedule"} {
		if c.IsSet(flag) { // check has them
			return s, usagef("--schedules: many schedules cannot be run with --%s", flag)
		}
	}
	return s, nil
}

// fits reports detectors that the search cannot be made with.
func (s *search) fits(dets []*detector) error {
	if s.name != "exhaustive" {
		return nil
	}
	i := slices.IndexFunc(dets, func(d *detector) bool { return !d.listens() })
	if i < 0 {
		return nil
	}
	return usagef("--search exhaustive: expected detectors that listen (%s), found %s: its own accesses would have to be ordered in all ways, too", strings.Join(listeningNames(), ", "), dets[i].name())
}

// listeningNames are the detectors that listen.
func listeningNames() (list []string) {
	for _, k := range detectorKinds {
		if k.listen != nil {
			list = append(list, k.pass.Name)
		}
	}
	return list
}

// strategy makes the strategy for a program of which the longest launch takes so many
// warp instructions. Seeds begin with that of the configuration.
func (s *search) strategy(cfg emu.Config, longest uint64, wanted func(*rewrite.Inst) bool) emu.Strategy {
	random := emu.Seeds(emu.Run{Policy: emu.Random, Seed: cfg.Seed}, -1)
	pct := emu.Seeds(emu.Run{Policy: emu.PCT, Seed: cfg.Seed, Depth: cfg.Depth, Length: pctLength(cfg.Length, longest)}, -1)
	round := emu.Seeds(emu.Run{Policy: emu.RoundRobin, Seed: cfg.Seed}, roundVariants)
	switch s.name {
	case "directed":
		return emu.NewDirected(wanted)
	case "random":
		return random
	case "pct":
		return pct
	case "round-robin":
		return round
	case "exhaustive":
		return emu.NewAll(s.steps)
	}
	return emu.Mix(emu.NewDirected(wanted), random, pct, round)
}

// roundVariants is how many variants of round-robin are worth running: turns of up to
// 64 operations.
const roundVariants = 256

// pctLength is the range of the priority changes: as given, else no more than one launch
// executes.
func pctLength(given, longest uint64) uint64 {
	if given != emu.DefaultLength {
		return given
	}
	return min(given, max(longest, 16))
}
