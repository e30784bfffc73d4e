// Package state is what runs: machines, launches, blocks, warps, groups of lanes, frames and decoded instructions, as
// data with small methods. All other parts of the emulator work on it and see its fields.
//
// The package must not know the semantics of instructions, the scheduler, or when events are emitted.
package state
