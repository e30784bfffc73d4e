// Package hostir reads launch facts out of CUDA host code as LLVM IR: what clang makes of it with
// -S -emit-llvm --cuda-host-only. It finds what passes/hgrd/host finds in the source (HGRD §5.1,
// §6.3), with templates, overloads, macros and headers resolved by the compiler.
//
// [Scan] reads the text form with a small reader of its own, and executes functions symbolically:
// memory holds expressions over what is not known, calls of functions of the module are
// followed, branches add conditions. A loop is executed until what it changes is known; that
// is unknown in it, but for counters, which have a first value and a step. What is not understood
// becomes an unknown value: facts may be missing, not wrong. Unoptimised IR shows the program
// best; optimised IR is read as well.
//
// Arithmetic is as in package host: exact on signed integers, as overflow is undefined in C++
// (nsw), and on 64 bits; modulo 2^n on narrower unsigned integers.
//
// The package knows no PTX, opens no files and runs no compiler.
package hostir
