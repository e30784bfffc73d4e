// Package limits contains the table of limits on inputs of commands and on resources of runs, so that an untrusted file
// cannot take all memory or run for ever. The defaults of flags and the rows of docs/generated/limits.md come from it.
// The code of each limited resource enforces its limit.
package limits

import (
	"fmt"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/certificate"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// Sizes in bytes of the largest files that commands read. The syntax tree of PTX takes up to 80 times the size of the
// text (SECURITY.md).
const (
	ProgramBytes     = 128 << 20 // PTX, as a file or as an entry of a fat binary
	BinaryBytes      = 1 << 30   // programs and other files with fat binaries
	ScheduleBytes    = 64 << 20
	SuppressionBytes = 16 << 20
	PassesBytes      = 1 << 20
	ReportBytes      = 256 << 20 // reports saved as JSON
	SourceBytes      = 16 << 20  // a CUDA source file from which reports quote lines
)

// The cache of analyze.
const (
	CacheFiles      = 2_000
	CacheBytes      = 64 << 20
	CacheEntryBytes = 8 << 20
)

// Default time limits of a command, for one run and for an exploration, and of a call of serve.
const (
	Timeout     = 10 * time.Minute
	Exploration = time.Hour
	Call        = 30 * time.Second
)

// Limit is a bound on what inputs may hold or runs may use.
type Limit struct {
	Of     string // the limited quantity; the test of the limit has the same name
	Flag   string // the flag that sets another value, without dashes; "" for none
	Value  string // the default
	Beyond string // the effect of exceeding the limit
	Exit   int    // exit code when the limit is exceeded
}

// Exit codes of a command when a limit is exceeded.
const (
	goesOn  = 0 // the run continues, without what exceeds the limit
	refused = 2 // the input is refused
	stopped = 3 // the kernel is stopped, with a fault
)

// fileBytes returns the limit on the size of a file that commands read.
func fileBytes(of string, most uint64) Limit {
	return Limit{Of: of, Value: bytesText(most), Beyond: "the file is refused", Exit: refused}
}

// launchFile returns a limit on a value in a launch file.
func launchFile(of, most string) Limit {
	return Limit{Of: of, Value: most, Beyond: "the launch file is refused", Exit: refused}
}

// All lists every limit: of runs, of launches, of texts.
var All = []Limit{
	{
		"warp instructions of a launch", "max-steps",
		fmt.Sprintf("%s, and %s for each warp; at most %s; exec: %s", count(emu.StepsBase), count(emu.StepsPerWarp),
			count(emu.DefaultMaxSteps), count(emu.LongMaxSteps)),
		"fault `timeout` at the thread that runs. Grids launched by kernels count towards it. Launches with more warps than instructions are refused with exit code 2", stopped,
	},
	{
		"time of a command", "timeout", TimeText(Timeout) + "; explore: " + TimeText(Exploration),
		"fault `timeout` at a thread that runs, or waits; explore reports the schedules that were finished, with exit code 4 when they show nothing. The time of reading and analysing files counts: when no kernel runs a second after the time limit, or the report is not written five seconds after it, the command ends without a report, with exit code 4", stopped,
	},
	{
		"device memory", "memory-limit", bytesText(emu.DefaultMemoryLimit) + "; exec: " + bytesText(emu.LongMemoryLimit) + "; buffers of the launch file: " + bytesText(launch.DefaultMaxBytes),
		"the launch file is refused; `malloc` in a kernel returns null", refused,
	},
	{
		"allocations of a run", "memory-limit", fmt.Sprintf("as many as make up the memory limit, at %s bytes each, and %s at least", count(emu.RecordBytes), count(emu.LeastAllocations)),
		"`malloc` in a kernel returns null, and using that is a fault; variables and buffers are refused. Freed allocations count: their addresses are not used again", stopped,
	},
	{"local memory of a thread", "stack-limit", bytesText(emu.DefaultStackLimit), "fault `out-of-bounds` (stack overflow) at the call", stopped},
	{"calls in each other", "call-depth", count(emu.DefaultCallDepth), "fault `out-of-bounds` (stack overflow) at the call", stopped},
	{
		"state of resident threads", "state-limit", bytesText(emu.DefaultThreadState),
		"further blocks start when others have ended, unless no thread can run otherwise; where that does not suffice, and in cooperative launches, fault `unsupported` at the thread that needs more. The state is registers, local and shared memory of the blocks that are resident, what threads wait for, and grids that kernels have launched, those of all grids below a launch together. Device memory is not part of it", stopped,
	},
	{"grids launched by grids, in each other", "", count(emu.MaxNesting), "`cudaErrorLaunchMaxDepthExceeded` from the device runtime, as on a device", goesOn},
	{"grids launched by a grid that have not run", "", count(emu.MaxPending), "the oldest of them runs at once", goesOn},
	{"output of printf in a launch", "printf-limit", bytesText(emu.DefaultPrintfLimit), "the rest is lost, as on a device; vprintf returns -1", goesOn},

	launchFile("threads of a block", count(launch.MaxBlockThreads)),
	launchFile("blocks of a grid in x", count(launch.MaxGridX)),
	launchFile("blocks of a grid in y or z", count(launch.MaxGridYZ)),
	launchFile("blocks of a cluster", count(launch.MaxClusterBlocks)),
	{"shared memory of a block", "", bytesText(launch.MaxSharedBytes), "the launch is refused", refused},
	launchFile("launches of a launch file", count(launch.MaxLaunches)),
	launchFile("arguments of a launch", count(launch.MaxArgs)),
	launchFile("fields of a struct argument", count(launch.MaxFields)),
	launchFile("length of a buffer's name", count(launch.MaxNameLength)),
	launchFile("bytes of a launch file", bytesText(launch.MaxFileBytes)),

	fileBytes("bytes of PTX", ProgramBytes),
	fileBytes("bytes of a program with fat binaries", BinaryBytes),
	fileBytes("bytes of a schedule", ScheduleBytes),
	fileBytes("bytes of a saved report", ReportBytes),
	fileBytes("bytes of a list of suppressions", SuppressionBytes),
	fileBytes("bytes of a facts file", factfile.MaxFileBytes),
	fileBytes("bytes of a certificate", certificate.MaxBytes),
	{"values and words of a certificate", "", count(certificate.MaxParts), "the file is refused", refused},
	{"launches of a facts file", "", count(factfile.MaxLaunches), "the file is refused", refused},
	{"variables of a launch of a facts file", "", count(factfile.MaxVariables), "the file is refused", refused},
	{"bytes of a file of host code", "", bytesText(hostcode.MaxFileBytes), "the file is refused", refused},
	{"bytes of a file of LLVM IR", "", bytesText(hostcode.MaxIRBytes), "the file is refused, and host code of which clang makes more", refused},
	{"files of the cache of `analyze`", "", count(CacheFiles), "the oldest are deleted", goesOn},
	{"bytes of the cache of `analyze`", "", bytesText(CacheBytes), "the oldest files are deleted", goesOn},
	{"bytes of a result in the cache of `analyze`", "", bytesText(CacheEntryBytes), "the result is not kept, and a file of the cache not read", goesOn},
	fileBytes("bytes of a file of passes", PassesBytes),

	{"brackets in each other", "", count(ptxgrammar.MaxNesting), "error in the PTX", refused},
	{"operators of an expression", "", count(ptxgrammar.MaxChain), "error in the PTX", refused},
	{"modifiers of an instruction", "", count(ptxgrammar.MaxModifiers), "error in the PTX", refused},
	{
		"edges of branches that share a list of targets", "", count(rewrite.MaxSharedEdges),
		"error in the PTX at the branch. Of the branches of a module that name the same `.branchtargets`, all but the first count, each with the labels of the list", refused,
	},
	{
		"blocks searched for where lanes meet under lockstep", "", count(rewrite.MaxJoinSearch),
		"the further branches of the function have no join but their immediate post-dominator ([lockstep.md](../lockstep.md)). Blocks count once for each branch that leads to them", goesOn,
	},
	{"registers of a function that instructions name", "", count(rewrite.MaxRegisters), "error in the PTX at the function", refused},
	{"bytes of a token", "", count(ptxgrammar.MaxToken), "error in the PTX", refused},
}
