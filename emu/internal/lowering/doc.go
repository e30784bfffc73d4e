// Package lowering chooses, for an instruction of PTX, the operation of package vector that computes the same, bit for
// bit; it is vector.Slow where there is none. It must not know where registers are, nor how programs are built or
// executed.
package lowering
