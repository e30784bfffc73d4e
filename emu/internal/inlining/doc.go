// Package inlining decides how the calls of a function are executed: which are inlined, and which arguments and results
// are passed in registers instead of .param variables. It must not know where registers are, nor how instructions
// execute.
package inlining
