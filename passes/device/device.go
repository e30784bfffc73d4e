// Package device contains the device libraries: the code that instrumented kernels call. Each library is written in
// CUDA C++ (lib/*.cu), compiled by generate.sh to PTX that is committed beside it, and embedded here. The package
// returns text; it must not know passes, linking or execution.
package device

import (
	"bytes"
	_ "embed"
	"regexp"
)

// Library is the PTX of one device library.
type Library struct {
	Name string // file name for messages and provenance
	PTX  []byte
}

//go:embed lib/iguard.ptx
var iguardPTX []byte

//go:embed lib/ldetector.ptx
var lDetectorPTX []byte

//go:embed lib/memtrace.ptx
var memTracePTX []byte

//go:embed lib/boundscheck.ptx
var boundsCheckPTX []byte

//go:embed lib/collide.ptx
var collidePTX []byte

// Collide returns the collide detector's library; see lib/collide.cu and runtime/abi.
func Collide() Library { return Library{"collide.ptx", collidePTX} }

var sleep = regexp.MustCompile(`nanosleep\.u32\s+(%r\d+);`)

// CollideOlder returns the collide detector's library for targets from sm_60 on, which have no nanosleep: it waits as
// many cycles of the clock as it would wait nanoseconds.
func CollideOlder() Library {
	text := sleep.ReplaceAll(collidePTX, []byte(`{
	.reg .pred %more;
	.reg .b32 %since, %cycles;
	mov.u32 %since, %clock;
WAIT:
	mov.u32 %cycles, %clock;
	sub.s32 %cycles, %cycles, %since;
	setp.lt.u32 %more, %cycles, $1;
	@%more bra WAIT;
	}`))
	return Library{"collide_older.ptx", bytes.Replace(text, []byte(".target sm_70"), []byte(".target sm_60"), 1)}
}

//go:embed lib/collide_cluster.ptx
var collideClusterPTX []byte

// CollideCluster returns the part of the collide detector's library for modules with clusters; see
// lib/collide_cluster.cu.
func CollideCluster() Library { return Library{"collide_cluster.ptx", collideClusterPTX} }

//go:embed lib/barracuda.ptx
var barracudaPTX []byte

// Barracuda returns the BARRACUDA detector's library; see lib/barracuda.cu and runtime/abi.
func Barracuda() Library { return Library{"barracuda.ptx", barracudaPTX} }

// IGuard returns the iGUARD detector's library; see lib/iguard.cu and runtime/abi.
func IGuard() Library { return Library{"iguard.ptx", iguardPTX} }

// LDetector returns the LDetector detector's library; see lib/ldetector.cu and runtime/abi.
func LDetector() Library { return Library{"ldetector.ptx", lDetectorPTX} }

//go:embed lib/ldetector_global.ptx
var lDetectorGlobalPTX []byte

// LDetectorGlobal returns the LDetector detector's library for global arrays; see lib/ldetector_global.cu.
func LDetectorGlobal() Library { return Library{"ldetector_global.ptx", lDetectorGlobalPTX} }

//go:embed lib/ldetector_launch.ptx
var lDetectorLaunchPTX []byte

// LDetectorLaunch returns the LDetector detector's library of child grids; see lib/ldetector_launch.cu.
func LDetectorLaunch() Library { return Library{"ldetector_launch.ptx", lDetectorLaunchPTX} }

// MemTrace returns the memtrace pass's library; see lib/memtrace.cu and runtime/abi.
func MemTrace() Library { return Library{"memtrace.ptx", memTracePTX} }

// BoundsCheck returns the boundscheck pass's library; see lib/boundscheck.cu and runtime/abi.
func BoundsCheck() Library { return Library{"boundscheck.ptx", boundsCheckPTX} }
