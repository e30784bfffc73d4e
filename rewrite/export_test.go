package rewrite

// For tests that run what was rewritten, which import the emulator.
var (
	RandomKernel = randomKernel
	FallsThrough = (*Inst).fallsThrough
)
