// Test: exec has every flag that the manual of compute-sanitizer lists.

package app

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// sanitizerManual has the options of the tables of compute-sanitizer's manual, version 2026.4 of CUDA 13.5.
const sanitizerManual = `check-device-heap check-bulk-copy check-exit-code check-optix-leaks check-warpgroup-mma
	coredump-behavior coredump-name demangle destroy-on-device-error dump-kernel-launches error-exitcode
	force-blocking-launches force-synchronization-limit generate-coredump help h ignore-getprocaddress-notfound
	injection-path injection-path32 kernel-name kernel-name-exclude language launch-count c launch-skip s
	launch-timeout log-file max-connections kill mode num-callers-device num-callers-host num-cuda-barriers nvtx
	nvtx-include nvtx-exclude port prefix preload-library print-level print-limit print-session-details quiet q read
	require-cuda-init save save-session-details strip-paths support-32bit suppressions target-processes
	target-processes-filter tool xml
	show-backtrace backtrace-short
	check-cache-control detect-missing-module-unload leak-check padding report-api-errors
	report-device-side-allocation-failure track-stream-ordered-races
	racecheck-continue-on-deadlock racecheck-deadlock-timeout racecheck-detect-level racecheck-filter-cluster-id
	racecheck-memcpy-async racecheck-fence-proxy-async racecheck-num-workers racecheck-report racecheck-trace-sync
	check-api-memory-access check-optix initcheck-address-space initcheck-track-filtered-global-memory
	track-unused-memory unused-memory-threshold unused-shared-memory-report-limit
	missing-barrier-init-is-fatal`

func TestSanitizerFlags(t *testing.T) {
	app := newApp(strings.NewReader(""), io.Discard, io.Discard)
	var have []string
	for _, f := range append(app.Command(execName).Flags, cli.HelpFlag) {
		have = append(have, f.Names()...)
	}
	for _, name := range strings.Fields(sanitizerManual) {
		if !slices.Contains(have, name) {
			t.Errorf("exec has no flag --%s", name)
		}
	}
}
