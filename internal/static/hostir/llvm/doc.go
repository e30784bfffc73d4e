// Package llvm reads LLVM IR in its text form: types with their layout on a 64-bit host, variables, functions with
// blocks and instructions, positions in the source, and the loops of a function.
//
// What enters are the texts of the files of a program; what leaves is one [Module]. What is not understood is
// [OpOther], or marks its function as unread.
//
// The package must not know CUDA, libraries and how a function is executed.
package llvm
