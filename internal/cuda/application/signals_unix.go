//go:build !windows

// The signals that are passed on to an application.

package application

import (
	"os"
	"syscall"
)

var passed = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
