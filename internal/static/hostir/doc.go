// Package hostir extracts launch facts from CUDA host code as LLVM IR, the output of clang with -S -emit-llvm
// --cuda-host-only: which kernels the program launches, with which extents and arguments, and which conditions hold at
// each launch (HGRD §5.1, §6.3).
//
// [Scan] reads the text form with a small reader of its own, and executes functions symbolically: first those that run
// before main, then main, then those that other code may call. Memory holds expressions over what is not known, calls
// of functions of the module are followed, branches add conditions. A loop is executed until the variables that it
// changes are known. They are unknown inside the loop, except counters, which have a first value and a step.
//
// Facts may be missing, but not wrong. An instruction, a call or a store that is not understood makes unknown each
// variable that it mentions, and each one whose address has escaped, which is in a place that is not followed
// (memory.go). What is known of functions of libraries is in known.go.
//
// Arithmetic is exact on signed integers, as overflow is undefined in C++ (nsw), and on 64 bits; it is modulo 2^n on
// narrower unsigned integers. Unoptimised IR shows the program best; optimised IR is read as well.
//
// The package must not know PTX; it opens no files and runs no compiler.
package hostir
