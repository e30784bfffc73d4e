// Package hostir extracts launch facts from CUDA host code as LLVM IR, the output of clang with
// -S -emit-llvm --cuda-host-only. It finds the facts that runtime/static/host finds in the source (HGRD §5.1, §6.3), with templates, overloads, macros and headers resolved by the compiler.
//
// [Scan] reads the text form with a small reader of its own, and executes functions symbolically:
// memory holds expressions over what is not known, calls of functions of the module are followed,
// branches add conditions. A loop is executed until the variables that it changes are known. They
// are unknown inside the loop, except counters, which have a first value and a step. Code that is
// not understood becomes an unknown value: facts may be missing, but not wrong. Unoptimised IR
// shows the program best; optimised IR is read as well.
//
// Arithmetic is as in package host: exact on signed integers, as overflow is undefined in C++
// (nsw), and on 64 bits; modulo 2^n on narrower unsigned integers.
//
// The package must not know PTX; it opens no files and runs no compiler.
package hostir
