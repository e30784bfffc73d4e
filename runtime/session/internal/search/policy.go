// Scheduling policies by name.

package search

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu"
)

var (
	policyNames = []string{"its", "lockstep", "random", "pct", "round-robin", "apart", "executions"}
	policies    = []emu.Policy{
		emu.ITS, emu.Lockstep, emu.Random, emu.PCT, emu.RoundRobin, emu.PerThread,
		emu.Executions,
	}
)

// PolicyNames returns the names of the scheduling policies that a run can have; the last one is only for replays.
func PolicyNames() []string { return slices.Clone(policyNames[:len(policyNames)-1]) }

// PolicyNamed returns the policy of that name, which must be one of PolicyNames.
func PolicyNamed(name string) emu.Policy { return policies[slices.Index(policyNames, name)] }

// PolicyName returns the name of a policy.
func PolicyName(p emu.Policy) string { return policyNames[slices.Index(policies, p)] }
