// Package options has what one detector differs in from another: the memory model, the shortcuts that it takes, and
// what the program is known not to do. It must know neither accesses nor threads.
package options
