// Package panics waits for goroutines, as sync.WaitGroup does, and hands on their panics: a panic that leaves a
// goroutine ends the process with Go's own message and exit code. It must not know what the goroutines do.
package panics

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
)

// Group is a number of goroutines. The zero value is ready.
type Group struct {
	Stop func() // called at the first panic, so that others which wait for that goroutine end; nil for nothing

	running sync.WaitGroup
	once    sync.Once
	failed  any // value of the first panic, with its stack; nil if there was none
}

// Go calls f on a goroutine of its own.
func (g *Group) Go(f func()) {
	g.running.Go(func() {
		if p := Attempt(f); p != nil {
			g.fail(p)
		}
	})
}

func (g *Group) fail(p any) {
	g.once.Do(func() {
		g.failed = p
		if g.Stop != nil {
			g.Stop()
		}
	})
}

// Attempt calls f and returns the value of its panic as text, with the stack, nil if there was none.
func Attempt(f func()) (failed any) {
	defer func() {
		if p := recover(); p != nil {
			failed = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	f()
	return nil
}

// Brief returns in one line the value of a panic that Attempt has returned, and the places in this module that lead to
// it.
func Brief(failed any) string {
	lines := strings.Split(fmt.Sprint(failed), "\n")
	text, places, below := lines[0], []string(nil), false
	for i, line := range lines[:len(lines)-1] {
		below = below || strings.HasPrefix(line, "panic(")
		function, own := strings.CutPrefix(line, module)
		if !below || !own || len(places) == mostPlaces {
			continue
		}
		folder, _, _ := strings.Cut(path.Base(function), ".")
		file, _, _ := strings.Cut(path.Base(filepath.ToSlash(lines[i+1])), " ")
		places = append(places, path.Join(path.Dir(function), folder, file))
	}
	if places != nil {
		text += " at " + strings.Join(places, ", ")
	}
	return text
}

// module is the prefix of the functions of this module in stacks, mostPlaces the number of their places in a line.
const (
	module     = "github.com/ptxsan/ptxsan/"
	mostPlaces = 3
)

// Wait waits for all goroutines. It panics with the value and the stack of the first one that panicked.
func (g *Group) Wait() {
	g.running.Wait()
	if g.failed != nil {
		panic(g.failed)
	}
}
