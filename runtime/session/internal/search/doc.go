// Package search has how explorations choose the schedules of their runs, by name, and the measure of what the runs
// have covered: the ordered pairs of conflicting accesses.
//
// What enters is what the emulator did in a run; what leaves is a strategy of emu for the next one. It must not know
// sessions, scenarios and how they are run.
package search
