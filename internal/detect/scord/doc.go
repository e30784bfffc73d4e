// Package scord simulates the hardware race detector of Kamath, George and Basu, "ScoRD: A Scoped
// Race Detector for GPUs", ISCA 2020, on the events of an emulated GPU: the barrier counters and
// lock tables of the SMs, the fence file, and the metadata in memory with the fields and widths of
// the paper. Only global memory is checked.
//
// Events enter by Detector.Event and Detector.Accesses, races leave by Detector.End. Files model_*
// are the hardware: its state (model_metadata, model_memory, model_locks, model_release,
// model_mark), its rules (model_access, model_rules) and its memory traffic (model_traffic).
//
// It must know neither PTX nor the emulator. docs/detectors/scord.md has the decisions where the
// paper leaves questions open.
package scord
