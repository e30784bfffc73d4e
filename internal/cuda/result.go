// Outcomes in CUDA's numbers, and their relation to faults.

package cuda

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// Result is CUDA's number of an outcome. The numbers used here are the same in the runtime and the driver API.
type Result int32

// Outcomes (CUDA Runtime API, "Data types used by CUDA Runtime", cudaError).
const (
	Success                  Result = 0
	InvalidValue             Result = 1
	OutOfMemory              Result = 2
	NotInitialized           Result = 3
	InvalidConfiguration     Result = 9
	InvalidImage             Result = 200
	InvalidContext           Result = 201
	NoDevice                 Result = 100
	InvalidDevice            Result = 101
	NoImageForDevice         Result = 209
	InvalidPTX               Result = 218
	InvalidHandle            Result = 400
	NotFound                 Result = 500
	NotReady                 Result = 600
	IllegalAddress           Result = 700
	OutOfResources           Result = 701
	LaunchTimeout            Result = 702
	PeerAccessAlreadyEnabled Result = 704
	PeerAccessNotEnabled     Result = 705
	Assert                   Result = 710
	IllegalInstruction       Result = 715
	MisalignedAddress        Result = 716
	LaunchFailure            Result = 719
	NotSupported             Result = 801
)

// Error is an unsuccessful outcome with an explanation.
type Error struct {
	Result Result
	Why    string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (CUDA error %d)", e.Why, e.Result) }

// Stops reports whether the error is a fault after which the device cannot be used.
func (e *Error) Stops() bool {
	switch e.Result {
	case IllegalAddress, MisalignedAddress, Assert, IllegalInstruction, LaunchFailure:
		return true
	}
	return false
}

func errorf(r Result, format string, a ...any) error {
	return &Error{Result: r, Why: fmt.Sprintf(format, a...)}
}

// resultOf returns the result that a GPU returns for a fault.
func resultOf(f *report.FaultEvent) Result {
	switch f.Class {
	case "out-of-bounds", "use-after-free":
		return IllegalAddress
	case "misaligned":
		return MisalignedAddress
	case "assert":
		return Assert
	case "timeout", "livelock", "deadlock":
		return LaunchTimeout
	case "unsupported":
		return NotSupported
	case "trap":
		return IllegalInstruction
	}
	return LaunchFailure
}

// faultError returns the error of a launch that ended with a fault.
func faultError(kernel string, f *report.FaultEvent) error {
	return errorf(resultOf(f), "kernel %s: %s", kernel, strings.TrimSpace(f.Message))
}
