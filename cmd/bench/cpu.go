// The name of the machine's processor.

package main

import (
	"bufio"
	"os"
	"strings"
)

// processorName returns the model of the machine's processor, from Linux's /proc.
func processorName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if name, ok := strings.CutPrefix(sc.Text(), "model name"); ok {
			return strings.Trim(name, "\t :")
		}
	}
	return "unknown processor"
}
