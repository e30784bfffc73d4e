// Searches: the strategies of explorations, by name.

package search

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
)

// Run is a run that an exploration makes.
type Run = explore.Run

// Search describes how the schedules of an exploration are chosen.
type Search struct {
	Name  string // one of SearchNames
	Runs  int    // maximal number of schedules, 0 for no limit
	Quiet int    // number of consecutive schedules without a finding or a new order of conflicting accesses that ends the search; 0 for no limit
	First *Run   // made before the others, and counted in Runs; nil for none
	Steps int    // turns of threads after which the exhaustive search cuts off a run, 0 for 20,000
}

// SearchNames lists the values of Search.Name: see explore.NewDirected, explore.Seeds, explore.Mix and explore.NewAll.
var SearchNames = []string{"mixed", "directed", "random", "pct", "round-robin", "exhaustive"}

// Default numbers of schedules.
const (
	DefaultSchedules  = 200
	DefaultQuiet      = 50      // consecutive schedules that show nothing new
	DefaultExhaustive = 100_000 // for the exhaustive search
)

// Fits returns an *InputError for detectors that the search does not support.
func (s *Search) Fits(dets []*detectors.Detector) error {
	if s.Name != "exhaustive" {
		return nil
	}
	i := slices.IndexFunc(dets, func(d *detectors.Detector) bool { return !d.Listens() })
	if i < 0 {
		return nil
	}
	return badinput.Errorf("--search exhaustive: expected detectors that listen (%s), found %s: its own accesses would have to be ordered in all ways, too", strings.Join(listeningNames(), ", "), dets[i].Name())
}

// listeningNames returns the names of the detectors that listen.
func listeningNames() (list []string) {
	for _, k := range detectors.Kinds {
		if k.Listen != nil {
			list = append(list, k.Pass.Name)
		}
	}
	return list
}

// Strategy makes the strategy for a program whose launches take up to so many warp instructions, longest, and
// instructions of threads. Seeds begin with that of the configuration.
func (s *Search) Strategy(cfg emu.Config, longest, threads uint64, wanted func(*rewrite.Inst) bool) explore.Strategy {
	if s.First != nil {
		rest := *s
		rest.First = nil
		return explore.Ahead(*s.First, rest.Strategy(cfg, longest, threads, wanted))
	}
	random := explore.Seeds(explore.Run{Policy: emu.Random, Seed: cfg.Seed}, -1)
	pct := explore.Seeds(explore.Run{
		Policy: emu.PCT, Seed: cfg.Seed, Depth: cfg.Depth,
		Length: pctLength(cfg.Length, longest),
	}, -1)
	if cfg.Memory == emu.PTX && threads <= maxDrawn {
		random, pct = explore.Mix(random, explore.DrawnExecutions(cfg.Seed, s.Steps)),
			explore.Mix(pct, explore.DrawnExecutions(cfg.Seed, s.Steps))
	}
	round := explore.Seeds(explore.Run{Policy: emu.RoundRobin, Seed: cfg.Seed}, roundVariants)
	switch s.Name {
	case "directed":
		return explore.NewDirected(wanted)
	case "random":
		return random
	case "pct":
		return pct
	case "round-robin":
		return round
	case "exhaustive":
		if cfg.Memory == emu.PTX {
			return explore.NewExecutions(s.Steps)
		}
		return explore.NewAll(s.Steps)
	}
	return explore.Mix(explore.NewDirected(wanted), random, pct, round)
}

// maxDrawn is the number of instructions of all threads of a launch up to which every other run of the random searches
// under weak memory has loads that return later stores, and stores out of order, as those of the exhaustive search
// have: their time grows with the cube of the number of accesses.
const maxDrawn = 400

// roundVariants is the number of useful variants of round-robin: turns of up to 64 operations.
const roundVariants = 256

// pctLength returns the range of the priority changes: the given one, else at most the length of a launch.
func pctLength(given, longest uint64) uint64 {
	if given != 0 && given != emu.DefaultLength {
		return given
	}
	return min(emu.DefaultLength, max(longest, 16))
}
