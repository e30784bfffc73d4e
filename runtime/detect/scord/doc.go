// Package scord simulates the hardware race detector of Kamath, George and Basu, "ScoRD: A Scoped
// Race Detector for GPUs", ISCA 2020, on the events of an emulated GPU: the barrier counters and
// lock tables of the SMs, the fence file, and the metadata in memory with the fields and widths of
// the paper. Only global memory is checked.
//
// Events enter by Detector.Event and Detector.Accesses, races leave by Detector.End. Files model_*
// are the hardware: its state (model_metadata, model_locks, model_release, model_mark), its rules
// (model_access, model_rules) and its memory traffic (model_traffic). Files fast_* make it fast
// without changing what it finds: granules with the same metadata share a record, and one that is
// accessed by itself owns its record (fast_record), a line of granules is one run or a few kinds
// (fast_run, fast_line), an access of a warp is checked a line at a time (fast_row, fast_step), and
// the rounds of a loop together (fast_walk, fast_group, fast_spans, fast_slide).
//
// It must know neither PTX nor the emulator. docs/detectors/scord.md has the decisions where the
// paper leaves questions open.
package scord
