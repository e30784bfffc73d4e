// Waiting for changes of files.

package source

import (
	"context"
	"os"
	"slices"
	"time"
)

// interval is the time between two looks at the files. An editor that writes a file in pieces has finished within it.
const interval = 200 * time.Millisecond

// Changes waits for changes of files.
type Changes struct {
	files map[string]os.FileInfo // as last seen, nil for a file that was not there
}

// Watch returns a Changes that begins with the state that files have now.
func Watch(names ...string) *Changes {
	w := &Changes{files: make(map[string]os.FileInfo)}
	w.Also(names...)
	return w
}

// Also adds files. Those that are watched already keep the state that they were seen with.
func (w *Changes) Also(names ...string) {
	for _, name := range names {
		if _, known := w.files[name]; !known {
			w.files[name], _ = os.Stat(name)
		}
	}
}

// Only leaves out files that are not among the names.
func (w *Changes) Only(names ...string) {
	for name := range w.files {
		if !slices.Contains(names, name) {
			delete(w.files, name)
		}
	}
}

// changed takes over the state of the files, and reports whether one is another than before, and whether all are there.
// A file that is not there has not changed: editors replace files.
func (w *Changes) changed() (changed, all bool) {
	all = true
	for name, before := range w.files {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			all = false
		case before == nil || !info.ModTime().Equal(before.ModTime()) || info.Size() != before.Size() ||
			!os.SameFile(info, before):
			w.files[name], changed = info, true
		}
	}
	return changed, all
}

// Wait waits until a file has changed, and all are there and stay as they are. It returns false if the context ends
// before.
func (w *Changes) Wait(ctx context.Context) bool {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for pending := false; ; {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		switch changed, all := w.changed(); {
		case changed:
			pending = true
		case pending && all:
			return true
		}
	}
}
