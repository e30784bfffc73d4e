//go:build !amd64 || purego

// Machines without handlers in assembly: nothing runs there.

package vector

func handlerOf(Op) (full, masked uintptr) { return 0, 0 }

// Available reports whether programs can run on this machine.
func Available() bool { return false }

// Run executes the program from c.At on.
func Run(*Context) { panic("BUG: vector: no handlers") }

func addProducts(sums, a, b *float64, columns, k, stride uint64) {
	panic("BUG: vector: no handlers")
}
