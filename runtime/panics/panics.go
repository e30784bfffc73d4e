// Package panics waits for goroutines, as sync.WaitGroup does, and hands on their panics: a panic that leaves a goroutine ends the
// process with Go's own message and exit code. It must not know what the goroutines do.
package panics

import (
	"fmt"
	"runtime/debug"
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

// Wait waits for all goroutines. It panics with the value and the stack of the first one that panicked.
func (g *Group) Wait() {
	g.running.Wait()
	if g.failed != nil {
		panic(g.failed)
	}
}
