// Package sample chooses which launches and blocks of a run the detectors watch, by a share that the user gives, or by
// the time that is left. What enters are kernels, launches and blocks as they begin; what leaves is whether each is
// watched, and how many were. It must not know programs, detectors and the emulator.
package sample

import (
	"fmt"
	"strconv"
	"strings"
)

// Share is a share of blocks or launches, in millionths.
type Share uint32

// Whole is the share that leaves nothing out.
const Whole Share = 1_000_000

// String returns the share in per cent, as in "12.5%".
func (s Share) String() string {
	return strconv.FormatFloat(float64(s)/float64(Whole/100), 'f', -1, 64) + "%"
}

// Step is a share that applies from one block of one launch of a process on. Launches are numbered from 1, blocks from
// 0.
type Step struct {
	Share
	Launch, Block uint64
}

// Plan is the shares of a run, in the order in which they apply. Without any, all is watched.
type Plan []Step

// Parse reads a plan: a share such as "10%", followed by others each with the launch, and perhaps the block, from which
// it applies, as in "100%,25%@41,5%@200.17".
func Parse(text string) (p Plan, err error) {
	for i, part := range strings.Split(text, ",") {
		share, from, later := strings.Cut(part, "@")
		number, per := strings.CutSuffix(share, "%")
		v, err := strconv.ParseFloat(number, 64)
		s := Step{Launch: 1}
		if later && err == nil {
			launch, block, inside := strings.Cut(from, ".")
			if s.Launch, err = strconv.ParseUint(launch, 10, 64); inside && err == nil {
				s.Block, err = strconv.ParseUint(block, 10, 64)
			}
		}
		if err != nil || !per || !(v >= 0 && v <= 100) || later != (i > 0) || i > 0 && !p[i-1].before(&s) {
			return nil, fmt.Errorf("expected a share from 0%% to 100%%, then shares with ascending launches from which they apply, as in 100%%,25%%@41,5%%@200.17; found %q", text)
		}
		s.Share = Share(v*float64(Whole/100) + 0.5)
		p = append(p, s)
	}
	return p, nil
}

// before reports whether a step applies earlier than another one.
func (s *Step) before(t *Step) bool {
	return s.Launch < t.Launch || s.Launch == t.Launch && s.Block < t.Block
}

// String returns the text that Parse reads.
func (p Plan) String() string {
	var parts []string
	for i, s := range p {
		text := s.String()
		if i > 0 {
			text += "@" + strconv.FormatUint(s.Launch, 10)
		}
		if s.Block > 0 {
			text += "." + strconv.FormatUint(s.Block, 10)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

// at returns the share that applies when a launch begins.
func (p Plan) at(launch uint64) Share {
	share := Whole
	for _, s := range p {
		if s.Launch < launch || s.Launch == launch && s.Block == 0 {
			share = s.Share
		}
	}
	return share
}
