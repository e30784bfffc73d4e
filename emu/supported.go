package emu

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// Emulates reports whether the opcode has semantics here. A kernel may still ask for
// a form of it that is not emulated; launching it says so.
func Emulates(op isa.Op) bool { return semantics[op.String()] != nil }
