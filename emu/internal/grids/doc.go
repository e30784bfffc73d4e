// Package grids checks launches of a host or of threads, runs grids that threads have launched, and limits how long a
// launch runs.
//
// It must not know how a grid is executed: state.Machine.Run does that.
package grids
