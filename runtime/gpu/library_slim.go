// Programs without the driver's loader, which need no C library.

//go:build slim

package gpu

// library is empty: the driver's library is not loaded.
const library = ""

func open(string) (uintptr, error) { return 0, ErrSlim }

func find(uintptr, string) (uintptr, error) { return 0, ErrSlim }

func bind(any, uintptr) {}
