//go:build !windows

// How an application ends before it wants to: with all processes that it has started.

package application

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// kill ends a process and its descendants. They are stopped first, so that none starts another meanwhile.
func kill(p *os.Process) {
	if p.Signal(syscall.SIGSTOP) != nil {
		return // it has ended: its number may be another's
	}
	tree := map[int]bool{p.Pid: true}
	for grown := true; grown; {
		grown = false
		for child, parent := range parents() {
			if tree[parent] && !tree[child] {
				_ = syscall.Kill(child, syscall.SIGSTOP)
				tree[child], grown = true, true
			}
		}
	}
	_ = p.Kill()
	delete(tree, p.Pid)
	for pid := range tree {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// parents returns the parent of each process, as Linux says them (proc(5), "stat"); elsewhere none.
func parents() map[int]int {
	found := map[int]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		words := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // a name may hold anything
		if len(words) < 2 {
			continue
		}
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		found[child], _ = strconv.Atoi(words[1])
	}
	return found
}
