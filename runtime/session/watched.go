// Kernels whose races nobody asks for: detectors are not told of their accesses.

package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
)

// watch takes up whether races in a launch are asked for, and reports whether that is new of its
// kernel.
func (f *facts) watch(b *boundLaunch) bool {
	was, known := f.watched[b.kernel]
	now := was || !b.Unreported
	f.watched[b.kernel] = now
	return !known || was != now
}

// watchedKey tells what is watched from other choices.
func (f *facts) watchedKey() string {
	var names []string
	for k, yes := range f.watched {
		if !yes {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return fmt.Sprintf("not %s\n", strings.Join(names, " "))
}

// unwatchedName reports whether a kernel was launched, and races asked for in none of its launches.
func (f *facts) unwatchedName(kernel string) bool {
	for k, yes := range f.watched {
		if k.Name == kernel {
			return !yes
		}
	}
	return false
}

// unwatched are the instructions of kernels that are not watched. Functions that they call are, as
// others may call them, too.
func (f *facts) unwatched(mod *rewrite.Module) map[*rewrite.Inst]bool {
	out := make(map[*rewrite.Inst]bool)
	for _, k := range mod.Kernels() {
		if yes, launched := f.watched[k]; launched && !yes {
			for _, ref := range refs(k) {
				out[ref.Inst] = true
			}
		}
	}
	return out
}
