// Package decode turns operands of instructions into slots of a frame: registers, immediates, addresses, special
// registers. Decode functions of all chapters use it.
//
// The package must not know opcodes; the tables of packages async, mma and exec do.
package decode
