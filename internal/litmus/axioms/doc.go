// Package axioms computes which outcomes the PTX memory consistency model allows a litmus test, and whether some
// execution has a data race. It enumerates candidate executions (which write each read reads from, the order of
// fence.sc operations, coherence) and keeps those that satisfy the axioms, written from the manual's chapter (PTX ISA,
// "Memory Consistency Model", sections "Relations" and "Axioms"). It is slow: the emulator and the detector precise are
// compared with it, and it decides litmus tests of several proxies.
//
// Where the manual leaves room:
//   - Initial values are writes that precede all operations in program order.
//   - Accesses of different sizes share bytes; a read that is not morally strong with a write of its own size may combine bytes
//     of several writes, but only where accesses of the test divide the bytes.
//   - "The same address" in proxy-preserved base causality order means overlapping bytes at one generic virtual address.
//   - The read and the write of an atomic operation are two operations: where only the write is observed, the read need not
//     precede in causality order what the write precedes, as in the formal models of PTX.
//   - Between fence.sc operations, which have no address, causality order is base causality order.
//   - A barrier is a rendezvous of the threads that name it, the n-th time of one with the n-th time of the others.
//
// The package must not know the emulator and the detectors.
package axioms
