// Package host extracts launch facts from CUDA host code: which kernels it launches, with which
// extents and arguments, and which conditions hold at each launch (HGRD §5.1, §6.3).
//
// [Scan] reads the source with a preprocessor and a tolerant parser of its own, and executes host
// functions symbolically: variables hold expressions over what is not known (input, results of
// other functions), branches and loops add conditions, allocations make buffers. Code that it does
// not understand becomes an unknown value, never an error: facts may be missing, but not wrong.
//
// Arithmetic on signed integers is exact, as overflow is undefined in C; that on 64-bit
// unsigned integers is taken to be, since sizes that wrap around cannot be allocated; that on
// narrower unsigned integers wraps around.
//
// The package must not know PTX, and opens files only through a function that the caller passes.
package host
