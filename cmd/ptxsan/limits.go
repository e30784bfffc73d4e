package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// limit is a bound on what inputs may hold or runs may use. docs/limits.md is made of
// them, and limits_test.go meets and exceeds each one.
type limit struct {
	of     string // what is bounded; the test has the same name
	flag   string // that sets another value, without dashes; "" for none
	value  string // by default
	beyond string // what happens to what exceeds it
	exit   int    // of a command whose input or run exceeds it
}

// limits are all of them: of runs, of launches, of texts.
var limits = []limit{
	{
		"warp instructions of a launch", "max-steps",
		fmt.Sprintf("%s, and %s for each warp; at most %s", count(emu.StepsBase), count(emu.StepsPerWarp), count(emu.DefaultMaxSteps)),
		"fault `timeout` at the thread that runs. Grids launched by kernels count towards it. Launches with more warps than instructions are refused with exit code 2", exitFault,
	},
	{
		"time of a command", "timeout", timeText(defaultTimeout) + "; explore: " + timeText(defaultExploration),
		"fault `timeout` at a thread that runs, or waits", exitFault,
	},
	{
		"device memory", "memory-limit", bytesText(emu.DefaultMemoryLimit) + "; buffers of the launch file: " + bytesText(launch.DefaultMaxBytes),
		"the launch file is refused; `malloc` in a kernel returns null", exitUsage,
	},
	{
		"allocations of a run", "memory-limit", fmt.Sprintf("as many as make up the memory limit, at %s bytes each, and %s at least", count(emu.RecordBytes), count(emu.LeastAllocations)),
		"`malloc` in a kernel returns null, and using that is a fault; variables and buffers are refused. Freed allocations count: their addresses are not used again", exitFault,
	},
	{"local memory of a thread", "stack-limit", bytesText(emu.DefaultStackLimit), "fault `out-of-bounds` (stack overflow) at the call", exitFault},
	{"calls in each other", "call-depth", count(emu.DefaultCallDepth), "fault `out-of-bounds` (stack overflow) at the call", exitFault},
	{
		"state of resident threads", "state-limit", bytesText(emu.DefaultThreadState),
		"fault `unsupported` at the thread that needs more. The state is registers, local and shared memory of the blocks that are resident, what threads wait for, and grids that kernels have launched, those of all grids below a launch together. Device memory is not part of it", exitFault,
	},
	{"output of printf in a launch", "printf-limit", bytesText(emu.DefaultPrintfLimit), "the rest is lost, as on a device; vprintf returns -1", exitClean},

	{"threads of a block", "", count(launch.MaxBlockThreads), "the launch file is refused", exitUsage},
	{"blocks of a grid in x", "", count(launch.MaxGridX), "the launch file is refused", exitUsage},
	{"blocks of a grid in y or z", "", count(launch.MaxGridYZ), "the launch file is refused", exitUsage},
	{"blocks of a cluster", "", count(launch.MaxClusterBlocks), "the launch file is refused", exitUsage},
	{"shared memory of a block", "", bytesText(launch.MaxSharedBytes), "the launch is refused", exitUsage},
	{"arguments of a launch", "", count(launch.MaxArgs), "the launch file is refused", exitUsage},
	{"fields of a struct argument", "", count(launch.MaxFields), "the launch file is refused", exitUsage},
	{"length of a buffer's name", "", count(launch.MaxNameLength), "the launch file is refused", exitUsage},
	{"bytes of a launch file", "", bytesText(launch.MaxFileBytes), "the launch file is refused", exitUsage},

	{"bytes of PTX", "", bytesText(maxProgramBytes), "the file is refused", exitUsage},
	{"bytes of a program with fat binaries", "", bytesText(maxBinaryBytes), "the file is refused", exitUsage},
	{"bytes of a schedule", "", bytesText(maxScheduleBytes), "the file is refused", exitUsage},
	{"bytes of a list of suppressions", "", bytesText(maxSuppressionBytes), "the file is refused", exitUsage},
	{"bytes of a file of passes", "", bytesText(maxPassesBytes), "the file is refused", exitUsage},

	{"brackets in each other", "", count(ptxgrammar.MaxNesting), "error in the PTX", exitUsage},
	{"operators of an expression", "", count(ptxgrammar.MaxChain), "error in the PTX", exitUsage},
	{"modifiers of an instruction", "", count(ptxgrammar.MaxModifiers), "error in the PTX", exitUsage},
	{
		"edges of branches that share a list of targets", "", count(rewrite.MaxSharedEdges),
		"error in the PTX at the branch. Of the branches of a module that name the same `.branchtargets`, all but the first count, each with the labels of the list", exitUsage,
	},
	{"bytes of a token", "", count(ptxgrammar.MaxToken), "error in the PTX", exitUsage},
}

// defaultOf is the default of the limit that a flag sets.
func defaultOf(flag string) string {
	for _, l := range limits {
		if l.flag == flag {
			return l.value
		}
	}
	panic("BUG: --" + flag + " sets no limit")
}

// count is a number with commas between thousands.
func count(n uint64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// bytesText is a number of bytes, as flags take them.
func bytesText(n uint64) string {
	units := "KMG"
	for i := len(units); i > 0; i-- {
		if size := uint64(1) << (10 * i); n >= size && n%size == 0 {
			return fmt.Sprintf("%d%c", n/size, units[i-1])
		}
	}
	return count(n)
}

// timeText is a time without units that are 0.
func timeText(d time.Duration) string {
	s := strings.Replace(d.String(), "m0s", "m", 1)
	return strings.Replace(s, "h0m", "h", 1)
}

// limitsDoc is docs/limits.md.
func limitsDoc() string {
	var b strings.Builder
	b.WriteString(`# Limits

Generated from the program: do not edit. ` + "`make generate`" + ` rewrites it.

What inputs may hold and what runs may use, so that a file from elsewhere cannot take all memory or
run for ever. For each limit there is a test that meets it and one that exceeds it by one. Bytes are
in units of 1024. Exit codes: 2 the input is refused, 3 the kernel is stopped with a fault. Limits on what is in fat
binaries are in [binaries.md](binaries.md#limits).

| limit on | default | option | what happens beyond | exit code |
|---|---|---|---|---|
`)
	for _, l := range limits {
		flag := ""
		if l.flag != "" {
			flag = "`--" + l.flag + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d |\n", l.of, l.value, flag, l.beyond, l.exit)
	}
	return b.String()
}
