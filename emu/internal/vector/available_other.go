//go:build !amd64 || purego

// Platforms without handlers in assembly: programs cannot run.

package vector

func find(Op) handlersOf { return handlersOf{} }

// Available reports whether programs can run on this machine.
func Available() bool { return false }

const noHandlers = "BUG: vector: no handlers"

// Run executes the program from c.At on.
func Run(*Context) { panic(noHandlers) }

func addProducts(sums, a, b *float64, rows, columns, k, strideSums, strideA, strideB uint64) {
	panic(noHandlers)
}

func widenF16(to *float64, from *byte, count uint64)  { panic(noHandlers) }
func widenBF16(to *float64, from *byte, count uint64) { panic(noHandlers) }
func widenTF32(to *float64, from *byte, count uint64) { panic(noHandlers) }
func widenF32(to *float64, from *byte, count uint64)  { panic(noHandlers) }
func narrowF32(to *byte, from *float64, count uint64) { panic(noHandlers) }

func widenPairs(to *float64, stride uint64, even, odd *[32]uint32) { panic(noHandlers) }

func narrowPairs(even, odd *[32]uint32, from *float64, stride uint64) { panic(noHandlers) }

func transpose(to, from *float64, rows, columns, strideTo, strideFrom uint64) { panic(noHandlers) }
