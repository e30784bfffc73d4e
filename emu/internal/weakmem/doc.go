// Package weakmem is the memory consistency model of the PTX manual (PTX ISA 8, "Memory Consistency Model") as a
// machine: it says which values loads may return.
//
// A Graph holds the operations of a run and what is known of their relations: program order, the writes that reads
// return (reads-from), barriers. Consistent reports whether the rest, coherence order and Fence-SC order, can be
// completed so that all axioms hold. Operations enter in any order that keeps the program order of each thread; a read
// may be resolved, and a write may get its value, later than the operations of its thread that follow. The axiom
// No-Thin-Air holds because a write gets its value only when the reads that it depends on are resolved.
//
// A History is for runs that are too long for a graph: it keeps the latest stores of each location, and for each warp
// (Agent) a vector clock of what happens before its next access. A load may return a stored value that the clock does
// not hide. It allows less than a Graph, and nothing that the axioms forbid.
//
// What enters are operations on ranges of memory, with their strength, scope and thread. The caller chooses among the
// stores that a load may return. The package must not know instructions, registers and schedules.
package weakmem
