// Package address analyses the addresses of memory accesses: it proves where accesses go, and
// which of them cannot race.
//
// What enters is a resolved module (rewrite.Func) and what is known of its launches:
// parameters, sizes of grid and block (Program, Given, LaunchValues).
//
// What leaves are facts about addresses:
//
//	RootsOf       the variable or parameter that each address was made from, at which offset
//	MemRefsOf     the accesses of a function with their roots; MayAlias compares two
//	LinearOf      addresses that are sums of constants and of indices of thread and block
//	Exempt        accesses that take part in no data race, for one of three reasons
//	Deciding      loads whose values decide branches only
//	Consulted     loads whose values decide branches, among other things
//	Guesses       loads whose values a compare-and-swap expects
//	Marks         stores of one value, the same in all threads
//
// Results that cost something are kept with the function or module (rewrite.Func.Memo)
// and may be used by several goroutines.
//
// The package must not know who uses the facts: the emulator, which verifies them at run time
// (emu.Booking), passes, or detectors. docs/proofs.md argues that the rules are sound; the table
// in rules.go lists them.
package address
