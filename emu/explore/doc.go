// Package explore makes many runs of one program under schedules that a strategy chooses: from seeds, so that
// conflicting accesses happen in the other order, or all that can be told apart.
//
// What enters is a function that makes one run with the configuration of the emulator that it is given; what leaves are
// the runs, in an order that does not depend on how many are made at a time. This package guides the emulator through
// emu.Guide and learns from its events. It must not know how the emulator executes, detectors and launch files.
package explore
