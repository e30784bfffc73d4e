// Package proofs concludes from the launches of a program which of its accesses cannot race, and which of its kernels.
//
// What enters are launches as Facts collects them, those so far and those announced; what leaves are sets of
// instructions for a detector to leave out, with reasons. The proofs themselves are of internal/address and
// internal/static. This package must not know sessions, devices and how a detector checks.
package proofs
