// Waiting for changes of a file.

package source

import (
	"context"
	"os"
	"time"
)

// interval is the time between two looks at a file. An editor that writes a file in pieces has finished within it.
const interval = 200 * time.Millisecond

// Changes waits for changes of a file.
type Changes struct {
	name string
	at   time.Time
	size int64
}

// Watch returns a Changes that begins with the state that the file has now.
func Watch(name string) *Changes {
	w := &Changes{name: name}
	w.changed()
	return w
}

// changed takes over the state of the file, and reports whether it is another one. A file that is not there has not changed: editors
// replace files.
func (w *Changes) changed() bool {
	info, err := os.Stat(w.name)
	if err != nil || info.ModTime().Equal(w.at) && info.Size() == w.size {
		return false
	}
	w.at, w.size = info.ModTime(), info.Size()
	return true
}

// Wait waits until the file has changed and stays as it is. It returns false if the context ends before.
func (w *Changes) Wait(ctx context.Context) bool {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for pending := false; ; {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		switch {
		case w.changed():
			pending = true
		case pending:
			return true
		}
	}
}
