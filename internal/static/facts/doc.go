// Package facts represents launch facts: what host code guarantees about the launches of kernels.
//
// A [File] has one [Launch] for each place in host code that launches a kernel: the extents of
// grid and block and the arguments as expressions over variables of the host, the allocations that
// pointers lead to, and the conditions that hold whenever the launch is executed. Facts come from
// host code (internal/static/hostcode), facts files or launch files (internal/factfile). [Launch.Given]
// converts a launch to the input of the kernel's analysis: named formulas over the special
// registers and parameters of the kernel.
//
// Facts belong to classes: the five of the paper on HGRD (§4, Table 4), and those that a proof
// needs beyond them. A class can be left out, to show what it contributes.
//
// The package must not know PTX or C, nor YAML except the form in which [File.Write] writes it.
package facts
