// Package query answers questions about modules that need only their resolved view: what an instruction computes
// (Evaluate), which threads use what a load reads (DemandOf), which registers decide what a loop does (StronglyLive),
// which functions call themselves (Recursive), what a module may lack for having been compiled for an older target
// (Older), and how a graph looks (DOT).
//
// It must not know edits, passes and the emulator.
package query
