// Searches: the strategies of explorations by name.

package session

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Run is a run that an exploration makes.
type Run = emu.Run

// Search says how the schedules of an exploration are chosen.
type Search struct {
	Name  string // one of SearchNames
	Runs  int    // schedules at most, 0 for as many as there are
	Quiet int    // schedules that are enough when they neither find anything new nor order conflicting accesses in a new way; 0 for no number
	First *Run   // made before the others, as one of Runs; nil for none
	Steps int    // turns of threads after which the exhaustive search cuts a run off, 0 for 20,000
}

// SearchNames are the ways to choose schedules: see emu.NewDirected, emu.Seeds, emu.Mix and
// emu.NewAll.
var SearchNames = []string{"mixed", "directed", "random", "pct", "round-robin", "exhaustive"}

// Numbers of schedules that are enough as a rule.
const (
	DefaultSchedules  = 200
	DefaultQuiet      = 50      // in a row that show nothing new
	DefaultExhaustive = 100_000 // of the exhaustive search
)

// Fits reports detectors that the search cannot be made with. The error is an *InputError.
func (s *Search) Fits(dets []*Detector) error {
	if s.Name != "exhaustive" {
		return nil
	}
	i := slices.IndexFunc(dets, func(d *Detector) bool { return !d.Listens() })
	if i < 0 {
		return nil
	}
	return inputErrorf("--search exhaustive: expected detectors that listen (%s), found %s: its own accesses would have to be ordered in all ways, too", strings.Join(listeningNames(), ", "), dets[i].Name())
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
func (s *Search) strategy(cfg emu.Config, longest uint64, wanted func(*rewrite.Inst) bool) emu.Strategy {
	if s.First != nil {
		rest := *s
		rest.First = nil
		return emu.Ahead(*s.First, rest.strategy(cfg, longest, wanted))
	}
	random := emu.Seeds(emu.Run{Policy: emu.Random, Seed: cfg.Seed}, -1)
	pct := emu.Seeds(emu.Run{Policy: emu.PCT, Seed: cfg.Seed, Depth: cfg.Depth, Length: pctLength(cfg.Length, longest)}, -1)
	round := emu.Seeds(emu.Run{Policy: emu.RoundRobin, Seed: cfg.Seed}, roundVariants)
	switch s.Name {
	case "directed":
		return emu.NewDirected(wanted)
	case "random":
		return random
	case "pct":
		return pct
	case "round-robin":
		return round
	case "exhaustive":
		return emu.NewAll(s.Steps)
	}
	return emu.Mix(emu.NewDirected(wanted), random, pct, round)
}

// roundVariants is how many variants of round-robin are worth running: turns of up to
// 64 operations.
const roundVariants = 256

// pctLength is the range of the priority changes: as given, else no more than one launch
// executes.
func pctLength(given, longest uint64) uint64 {
	if given != 0 && given != emu.DefaultLength {
		return given
	}
	return min(emu.DefaultLength, max(longest, 16))
}
