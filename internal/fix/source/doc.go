// Package source makes the edits of a repair in the text of a CUDA source file, where they have a simple form there:
// statements that are inserted beside whole statements, scopes, the text of asm statements, conditions before a call,
// branches that end and continue, and kernels that are split. It reads lines, not C++.
//
// The package must not know how repairs are found, nor how sources are compiled.
package source
