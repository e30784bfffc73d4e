// Package steer finds out which values of a kernel decide where control goes or which memory is accessed, and where they
// come from: a data-flow analysis of the whole kernel, through calls, local memory and operations among lanes. Memory
// that several threads share is where values come from; whoever watches a run knows what is in it.
//
// What enters is a kernel (rewrite.Func); what leaves are its sinks, the operands that steer, and its stores, each with
// the sources from which its value may be computed; and which values of a launch decide what its threads do ([Decisive]).
//
// The package must not know who runs the kernel, nor what is in its memory.
package steer
