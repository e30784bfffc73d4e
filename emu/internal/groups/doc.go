// Package groups creates, splits and merges groups of lanes, lets them wait for each other at joins, and gives them
// activation frames.
//
// The package must not know which policy schedules them; it hands ready groups to state.Scheduler.
package groups
