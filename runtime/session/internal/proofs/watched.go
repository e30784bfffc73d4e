// Kernels whose races are not reported: detectors get no events of their accesses.

package proofs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// watch records whether races of a launch are reported, and reports whether that changes anything for its kernel.
func (f *Facts) watch(b *Launch) bool {
	was, known := f.watched[b.Kernel]
	now := was || !b.Unreported
	f.watched[b.Kernel] = now
	return !known || was != now
}

// watchedKey returns a key that identifies the watched kernels.
func (f *Facts) watchedKey() string {
	var names []string
	for k, yes := range f.watched {
		if !yes {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return fmt.Sprintf("not %s\n", strings.Join(names, " "))
}

// UnwatchedName reports whether a kernel was launched, but races are reported in none of its launches.
func (f *Facts) UnwatchedName(kernel string) bool {
	for k, yes := range f.watched {
		if k.Name == kernel {
			return !yes
		}
	}
	return false
}

// Unwatched returns the instructions of kernels that are not watched. Functions that they call stay watched, since
// others may call them, too.
func (f *Facts) Unwatched(mod *rewrite.Module) map[*rewrite.Inst]bool {
	out := make(map[*rewrite.Inst]bool)
	for _, k := range mod.Kernels() {
		if yes, launched := f.watched[k]; launched && !yes {
			for _, ref := range kernelcode.AccessesOf(k) {
				out[ref.Inst] = true
			}
		}
	}
	return out
}
