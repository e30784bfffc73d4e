// Package clib has functions of the C library on known strings: getopt and getopt_long, the functions that parse
// numbers, and comparisons.
//
// The package must not know how programs are executed.
package clib
