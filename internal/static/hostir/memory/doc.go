// Package memory is the memory of a host program that is executed symbolically: objects, the values in them, which
// objects code that is not followed may reach, and the conditions of the path on which a state holds.
//
// The package must not know instructions, functions of libraries and launches.
package memory
