// Package order says what threads know: the accesses that are ordered before their next one. A vector clock has, for
// each thread of a launch, the time up to which its accesses are known. Clocks are immutable and share their trees;
// joins of them are made when they are needed (clock_join), those of releases too (clock_release), and those of what a
// thread acquires from another one again and again (clock_beside). It must know neither accesses, memory nor the
// operations by which threads learn from each other.
package order
