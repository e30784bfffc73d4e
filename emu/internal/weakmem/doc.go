// Package weakmem is the memory consistency model of the PTX manual (PTX ISA 8, "Memory Consistency Model") as a machine: it says
// which values loads may return.
//
// A Graph holds the operations of a run and what is known of their relations: program order, the writes that reads return
// (reads-from), barriers. Consistent reports whether the rest, coherence order and Fence-SC order, can be completed so that all
// axioms hold. Operations enter in any order that keeps the program order of each thread; a read may be resolved, and a write may
// get its value, later than the operations of its thread that follow. The axiom No-Thin-Air holds because a write gets its value
// only when the reads that it depends on are resolved.
//
// What enters are operations on ranges of memory, with their strength, scope and thread. The package must not know instructions,
// registers, schedules, and who chooses among the values that are possible.
package weakmem
