// Versions and targets of linked modules: the result has the newer ones.

package rewrite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// raise updates .version and .target.
func (k *linker) raise() {
	a, b := k.m.AST, k.lib.AST
	if b.Version > a.Version {
		k.w.add(a.VersionAt.Start, a.VersionAt.End, versionText(b.Version), 0)
	}
	i, j := architecture(a.Target), architecture(b.Target)
	if i < 0 || j < 0 || !newer(b.Target[j], a.Target[i]) {
		return
	}
	target := slices.Clone(a.Target)
	target[i] = b.Target[j]
	k.w.add(a.TargetAt.Start, a.TargetAt.End, strings.Join(target, ", "), 0)
}

func versionText(v isa.Version) string { return fmt.Sprintf("%d.%d", v/10, v%10) }

// architecture returns the index of the sm_ entry of a target list, -1 if there is none.
func architecture(target []string) int {
	return slices.IndexFunc(target, func(s string) bool { return strings.HasPrefix(s, "sm_") })
}

// newer reports whether architecture a supports more than b: sm_90a more than sm_90.
func newer(a, b string) bool {
	na, sa := splitArch(a)
	nb, sb := splitArch(b)
	return na > nb || na == nb && sa > sb
}

func splitArch(s string) (number int, suffix string) {
	s = strings.TrimPrefix(s, "sm_")
	digits := strings.TrimRight(s, "af")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0, ""
	}
	return n, s[len(digits):]
}
