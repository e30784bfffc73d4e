// Other systems, which decide by themselves.

//go:build !linux

package hugepage

func advise(uintptr) {}
