// Programs that cannot load the driver's library, and need no C library for it.

//go:build slim

package gpu

// library is the driver's library, which nothing loads.
const library = ""

func open(string) (uintptr, error) { return 0, ErrSlim }

func find(uintptr, string) (uintptr, error) { return 0, ErrSlim }

func bind(any, uintptr) {}
