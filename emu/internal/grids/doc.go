// Package grids checks launches of a host or of threads, runs grids that threads have launched, and limits how long a
// launch runs.
//
// The package must not know how a grid is executed; it calls state.Machine.Run.
package grids
