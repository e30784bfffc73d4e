// Package barracuda is the host half of BARRACUDA: Eizenberg, Peng, Pigli, Mansky and Devietti,
// "BARRACUDA: Binary-level Analysis of Runtime Races in CUDA programs", PLDI 2017. It consumes a
// stream of operations (Op) and finds races with vector clocks.
//
// It must know neither PTX nor the source of the operations: events of the emulator, records of an
// instrumented kernel, or a trace file. docs/detectors/barracuda.md says what follows the paper
// and where the paper contradicts itself or leaves questions open.
package barracuda
