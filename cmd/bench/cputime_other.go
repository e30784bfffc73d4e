//go:build !linux

// Processor time elsewhere.

package main

import "time"

var started = time.Now()

// processorTime is wall time where there is no clock of the thread.
func processorTime() time.Duration { return time.Since(started) }
