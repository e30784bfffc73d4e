// Package address analyses the addresses of memory accesses: it proves which memory they access, and which of them can
// never race.
//
// The inputs are a resolved module (rewrite.Func) and the known facts of its launches: parameters, sizes of grid and
// block (Program, Given, LaunchValues).
//
// The outputs are facts about addresses:
//
//	RootsOf       the variable or parameter that each address is based on, and the offset from it
//	MemRefsOf     the accesses of a function with their roots; MayAlias compares two
//	LinearOf      addresses that are sums of constants and of indices of thread and block
//	Exempt        accesses that take part in no data race, and why
//	Deciding      loads whose values decide branches only
//	Consulted     loads whose values decide branches, among other things
//	Guesses       loads whose values a compare-and-swap expects
//	Looks         weak loads that test a location before a compare-and-swap on it
//	Marks         stores of one value, the same in all threads
//	Waits         loads by which threads wait, and the conditions on their values
//
// Expensive results are cached with the function or module (rewrite.Func.Memo) and may be used by several goroutines.
//
// The package must not know the users of the facts: the emulator, which verifies them at run time (emu.Booking),
// passes, and detectors. docs/proofs.md proves the rules sound; the table in rules.go lists them.
package address
