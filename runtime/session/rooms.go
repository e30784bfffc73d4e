// The parts of the API that packages below this one hold.

package session

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
	"github.com/ptxsan/ptxsan/runtime/session/internal/inspect"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
	"github.com/ptxsan/ptxsan/runtime/session/internal/search"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// Detector is a race detector with its options.
type Detector = detectors.Detector

// ParseDetectors parses a comma-separated list of detectors, each with options as NAME<option=value,...>. The error is
// an *InputError.
func ParseDetectors(spec string) ([]*Detector, error) { return detectors.ParseDetectors(spec) }

// WithOption returns a copy of list in which the detector of that name has an additional option. The error is an
// *InputError.
func WithOption(list []*Detector, name, option, value string) ([]*Detector, error) {
	return detectors.WithOption(list, name, option, value)
}

// NewDetector makes a custom detector that listens: a session calls listen for each of its programs. The name appears
// in reports.
func NewDetector(name string, listen func() (detect.Detector, error)) (*Detector, error) {
	return detectors.NewDetector(name, listen)
}

// Names returns the names of detectors, separated by commas.
func Names(list []*Detector) string { return detectors.Names(list) }

// Specs returns detectors with their options, separated by commas.
func Specs(list []*Detector) string { return detectors.Specs(list) }

// DetectorNames returns the names of the detectors, the default first.
func DetectorNames() []string { return detectors.DetectorNames() }

// DetectorPass returns the pass with the documentation and options of a detector, nil if there is none of that name.
func DetectorPass(name string) *passes.Pass { return detectors.DetectorPass(name) }

// KernelParams describes a kernel's parameters. It guesses which of them, or of their fields, are pointers.
func KernelParams(k *rewrite.Func) []launch.Param { return kernelcode.KernelParams(k) }

// StaticShared returns an upper bound for the shared memory in bytes that a kernel's variables take, a multiple of 16.
func StaticShared(k *rewrite.Func) uint64 { return kernelcode.StaticShared(k) }

// DescribeTensorMap returns the emulator's description of a tensor map in the numbers of CUDA's driver API.
func DescribeTensorMap(t *gpu.TensorMap) (*emu.TensorMap, error) { return devices.DescribeTensorMap(t) }

// Reached returns a kernel and the functions that it may call or launch.
func Reached(k *rewrite.Func) []*rewrite.Func { return kernelcode.Reached(k) }

// Variables returns the variables of the module that the code of a kernel names.
func Variables(k *rewrite.Func) []*rewrite.Var { return kernelcode.Variables(k) }

// SourceOf returns the place of an instruction in the CUDA source, nil if unknown.
func SourceOf(in *rewrite.Inst) *report.Source { return symbolize.SourceOf(in) }

// OpcodeText returns the opcode with its modifiers.
func OpcodeText(in *rewrite.Inst) string { return symbolize.OpcodeText(in) }

// AccessOf describes an instruction that accesses memory, and its function. Access is empty unless the instruction is
// atomic.
func AccessOf(in *rewrite.Inst) report.Access { return symbolize.AccessOf(in) }

// Excerpts returns a function for report.TextOptions.Excerpt, which returns lines of the user's source files.
func Excerpts(dir string, read func(name string) ([]byte, error)) func(file string, n int) (string, bool) {
	return symbolize.Excerpts(dir, read)
}

// Inspection holds the properties of a module that need no execution.
type Inspection = inspect.Inspection

// Inspect determines the properties of a module that need no execution.
func Inspect(m *rewrite.Module) (*Inspection, error) { return inspect.Inspect(m) }

// Search describes how the schedules of an exploration are chosen.
type Search = search.Search

// Run is a run that an exploration makes.
type Run = explore.Run

// ConflictSet is a set of ordered pairs of conflicting accesses.
type ConflictSet = search.ConflictSet

// NewConflictSet makes an empty set.
func NewConflictSet() *ConflictSet { return search.NewConflictSet() }

// SearchNames lists the values of Search.Name.
var SearchNames = search.SearchNames

// Default numbers of schedules.
const (
	DefaultSchedules  = search.DefaultSchedules
	DefaultQuiet      = search.DefaultQuiet
	DefaultExhaustive = search.DefaultExhaustive
)

// PolicyNames returns the names of scheduling policies.
func PolicyNames() []string { return search.PolicyNames() }

// PolicyNamed returns the policy of a name of PolicyNames.
func PolicyNamed(name string) emu.Policy { return search.PolicyNamed(name) }

// PolicyName returns the name of a policy.
func PolicyName(p emu.Policy) string { return search.PolicyName(p) }
