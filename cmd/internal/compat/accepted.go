// The flags of compute-sanitizer that change nothing, with the reasons that their notes give.

package compat

import (
	"strconv"
	"strings"
)

// values is the form of a flag's values.
type values func(value string) (expected string, ok bool)

func oneOf(list ...string) values {
	return func(value string) (string, bool) {
		for _, v := range list {
			if v == value {
				return "", true
			}
		}
		return strings.Join(list, ", "), false
	}
}

// anyText takes each value.
func anyText(string) (string, bool) { return "", true }

func number(value string) (string, bool) {
	_, err := strconv.ParseUint(value, 10, 64)
	return "a number from 0 on", err == nil
}

// ignoredFlag is a flag that is accepted with a note.
type ignoredFlag struct {
	name   string
	values values // nil for a flag without a value
	note   string // why it changes nothing, or what does it instead
}

// Reasons that several flags share.
const (
	always     = "this is checked in any case"
	noDriver   = "nothing is injected into a driver and no process is attached to"
	noSessions = "a report names the program's version, the launches and the findings: --format json"
	noOptiX    = "OptiX is not emulated, and not checked"
	noUnused   = "memory that is never used is not looked for"
	noCore     = "no core file is written: exec --save DIR writes each launch, with its memory, for check and explore"
	noNVTX     = "ranges of NVTX do not choose what is checked: --kernel, --launch-skip and --launch-count choose what is checked"
	allFrames  = "reports have the frames that the line information has"
	notOrdered = "launches run one after the other on the emulated GPU, and are compared by the order of their streams"
)

// allAccepted are the flags that the manual of compute-sanitizer 2026.4 (13.5) lists and that need nothing here.
var allAccepted = []ignoredFlag{
	{"check-device-heap", yesNo, always},
	{"check-bulk-copy", yesNo, always},
	{"check-exit-code", yesNo, "the exit code of an application is that of the command unless there are findings"},
	{"check-optix", nil, noOptiX},
	{"check-optix-leaks", nil, noOptiX},
	{"check-warpgroup-mma", yesNo, always},
	{"coredump-behavior", oneOf("full", "exit"), noCore},
	{"coredump-name", anyText, noCore},
	{"generate-coredump", nil, noCore},
	{"destroy-on-device-error", oneOf("context", "kernel"), "a fault ends the launch; the other calls of the application go on, unless --stop is given"},
	{"dump-kernel-launches", nil, "launches are not printed: exec --save DIR writes each one, --timeline FILE shows them"},
	{"force-blocking-launches", nil, notOrdered},
	{"force-synchronization-limit", number, notOrdered},
	{"ignore-getprocaddress-notfound", nil, "lookups of functions that do not exist are not reported"},
	{"injection-path", anyText, noDriver},
	{"injection-path32", anyText, noDriver},
	{"launch-timeout", number, noDriver},
	{"max-connections", number, noDriver},
	{"kill", nil, noDriver},
	{"port", number, noDriver},
	{"support-32bit", nil, noDriver},
	{"language", oneOf("c", "fortran"), "reports count from 0, as C does"},
	{"num-callers-device", number, allFrames},
	{"num-callers-host", number, allFrames},
	{"show-backtrace", oneOf("yes", "host", "device", "no"), allFrames},
	{"backtrace-short", yesNo, allFrames},
	{"num-cuda-barriers", number, "barriers in shared memory are found when they are initialised, whatever their number"},
	{"nvtx", yesNo, noNVTX},
	{"nvtx-include", anyText, noNVTX},
	{"nvtx-exclude", anyText, noNVTX},
	{"prefix", anyText, "lines of reports begin with ========="},
	{"print-level", oneOf("info", "auto", "warn", "error", "fatal"), "findings of all levels are printed; --error-level sets which ones count"},
	{"print-session-details", nil, noSessions},
	{"save-session-details", nil, noSessions},
	{"quiet", nil, "the report is printed; --output FILE writes it to a file"},
	{"read", anyText, "records of compute-sanitizer cannot be read: ptxsan report reads what --format json has written"},
	{"strip-paths", yesNo, "--path-base DIR makes names of files relative to a folder"},
	{"target-processes-filter", anyText, "all processes are checked, or with --children=false of exec the first one"},
	{"xml", nil, "there is no XML of findings: --format json, sarif or junit"},
	{"check-cache-control", nil, "prefetches and discards are checked as far as the emulator executes them"},
	{"detect-missing-module-unload", nil, "modules that are not unloaded are not looked for"},
	{"report-device-side-allocation-failure", yesNo, "malloc in a kernel that fails returns a null pointer, whose use is a fault"},
	{"track-stream-ordered-races", oneOf("all", "use-before-alloc", "use-after-free", "no"), always},
	{"racecheck-continue-on-deadlock", yesNo, "a deadlock is a fault that ends its launch alone"},
	{"racecheck-deadlock-timeout", number, "a deadlock is found when no thread can go on, without a clock"},
	{"racecheck-filter-cluster-id", number, "all clusters are checked"},
	{"racecheck-memcpy-async", yesNo, always},
	{"racecheck-fence-proxy-async", yesNo, always},
	{"racecheck-trace-sync", yesNo, "synchronisation is not printed: emulate --trace, check --timeline"},
	{"check-api-memory-access", yesNo, always},
	{"initcheck-address-space", oneOf("global", "shared", "all"), "--initcheck checks global and shared memory"},
	{"initcheck-track-filtered-global-memory", yesNo, "kernels that are not checked run as well, and what they write is initialised"},
	{"track-unused-memory", nil, noUnused},
	{"unused-memory-threshold", number, noUnused},
	{"unused-shared-memory-report-limit", number, noUnused},
	{"missing-barrier-init-is-fatal", yesNo, "an operation on a barrier that is not initialised is a fault in any case"},
}

var yesNo = oneOf("yes", "no")
