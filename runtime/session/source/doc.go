// Package source makes what a check needs of CUDA source: PTX, by the compiler that is installed, and a launch file for
// kernels that have none.
//
// In go a file, an architecture and the compiler's macros and folders; out come the syntax tree of the PTX, the command
// line that has made it, and a template whose blocks are those of the launches in the file's own host code, where that
// says them. The package must not know detectors, nor what a check reports.
package source
