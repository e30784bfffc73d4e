//go:build !linux

// Processor time and memory elsewhere.

package main

import (
	"os"
	"time"
)

var started = time.Now()

// processorTime is wall time where there is no clock of the thread.
func processorTime() time.Duration { return time.Since(started) }

// memoryOf is not known here.
func memoryOf(*os.ProcessState) int64 { return 0 }

// ownMemory is not known here.
func ownMemory() int64 { return 0 }
