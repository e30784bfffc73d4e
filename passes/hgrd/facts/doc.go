// Package facts is what host code says of the launches of kernels: launch facts.
//
// A [File] has one [Launch] for each place in host code that launches a kernel: the extents of
// grid and block and the arguments as expressions over variables of the host, the allocations
// that pointers lead to, and the conditions that hold whenever the launch is executed. Host
// code (passes/hgrd/host), a facts file or a launch file (runtime/factfile) are where it comes
// from. [Launch.Given] turns a launch into what the analysis of the kernel wants: named
// formulas over the special registers and parameters of the kernel.
//
// Facts are of classes: the five of the paper on HGRD (§4, Table 4), and what a proof needs
// beyond them. A class can be left out, which shows what it is good for.
//
// The package knows no PTX, no C and no YAML but the form in which [File.Write] writes it.
package facts
