// Package barracuda is the host half of BARRACUDA: Eizenberg, Peng, Pigli, Mansky and
// Devietti, "BARRACUDA: Binary-level Analysis of Runtime Races in CUDA programs", PLDI
// 2017. It consumes a stream of operations (Op) and finds races with vector clocks.
//
// It knows nothing of PTX, nor where the operations come from.
// docs/detectors/barracuda.md says what follows the paper and where that
// contradicts itself or leaves questions open.
package barracuda
