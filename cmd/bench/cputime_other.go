//go:build !linux

// Processor time and memory on other systems.

package main

import (
	"os"
	"time"
)

var started = time.Now()

// processorTime returns wall time, since there is no thread clock.
func processorTime() time.Duration { return time.Since(started) }

// memoryOf returns 0: unknown.
func memoryOf(*os.ProcessState) int64 { return 0 }

// ownMemory returns 0: unknown.
func ownMemory() int64 { return 0 }
