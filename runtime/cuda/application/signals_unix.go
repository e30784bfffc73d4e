//go:build !windows

// The signals that an application is passed.

package application

import (
	"os"
	"syscall"
)

var passed = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
