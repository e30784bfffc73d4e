// Random litmus tests.

package axioms

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Random returns the text of a random litmus test: two to four threads in any places, two or three locations, accesses
// of all kinds, scopes and sizes, fences, barriers, and dependencies between accesses. The same seed gives the same
// test.
func Random(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x6c69746d7573))}
	g.shape()
	var b strings.Builder
	fmt.Fprintf(&b, "PTX random-%d\n{\n", seed)
	for _, l := range g.locations {
		if g.wide {
			b.WriteString("u64 ")
		}
		fmt.Fprintf(&b, "%s=0;\n", l)
	}
	b.WriteString("}\n")
	columns := make([][]string, len(g.places))
	rows := 0
	for i, p := range g.places {
		columns[i] = append([]string{p}, g.thread(i)...)
		rows = max(rows, len(columns[i]))
	}
	for r := range rows {
		var cells []string
		for _, c := range columns {
			cell := ""
			if r < len(c) {
				cell = c[r]
			}
			cells = append(cells, fmt.Sprintf("%-26s", cell))
		}
		fmt.Fprintf(&b, " %s;\n", strings.Join(cells, "| "))
	}
	b.WriteString("exists (true)\n")
	return b.String()
}

// generator makes one test.
type generator struct {
	*rand.Rand
	places    []string
	locations []string
	scopes    []string // to choose from
	block     []int    // of each thread
	budget    int      // accesses that remain
	mixed     bool     // sizes differ
	wide      bool     // locations have 64 bits
	barriers  bool
	register  int
	previous  string // location of the access before
}

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// oneIn is true once in n times.
func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

// shape chooses threads, places and locations.
func (g *generator) shape() {
	threads := pick(g, 2, 2, 2, 3, 3, 4)
	g.locations = []string{"x", "y", "z"}[:pick(g, 2, 2, 3)]
	g.budget = pick(g, 4, 5, 6, 7)
	g.mixed = g.oneIn(5)
	g.wide = g.mixed && g.oneIn(2)
	g.barriers = g.oneIn(4)
	g.scopes = []string{"cta", "gpu", "sys"}
	kind := g.IntN(10)
	for i := range threads {
		cta := g.IntN(2)
		switch {
		case kind == 0: // several GPUs
			gpu := g.IntN(2)
			g.places = append(g.places, fmt.Sprintf("P%d@cta %d,gpu %d", i, cta, gpu))
			cta += 2 * gpu
		case kind <= 2:
			cluster := g.IntN(2)
			g.scopes = []string{"cta", "cluster", "gpu"}
			g.places = append(g.places, fmt.Sprintf("P%d@cta %d,cluster %d,gpu 0", i, cta, cluster))
			cta += 2 * cluster
		default:
			g.places = append(g.places, fmt.Sprintf("P%d@cta %d,gpu 0", i, cta))
		}
		g.block = append(g.block, cta)
	}
}

// thread returns the instructions of a thread.
func (g *generator) thread(i int) (code []string) {
	n := max(1, min(g.budget-(len(g.places)-1-i), pick(g, 1, 2, 2, 3)))
	g.budget -= n
	last, label := "", "" // the register of the last read, and the label at the end
	barrier := -1
	if g.barriers {
		barrier = g.IntN(n + 1)
	}
	for k := range n {
		if k == barrier {
			code = append(code, "bar.cta.sync 0")
		}
		if k > 0 && g.oneIn(3) {
			code = append(code, g.fence())
		}
		if last != "" && label == "" && barrier < k && g.oneIn(6) {
			label = "LC0"
			code = append(code, fmt.Sprintf("bne %s, 1, %s", last, label))
		}
		text, dst := g.access(last)
		code = append(code, text)
		if dst != "" {
			last = dst
		}
	}
	if n == barrier {
		code = append(code, "bar.cta.sync 0")
	}
	if label != "" {
		code = append(code, label+":")
	}
	return code
}

func (g *generator) fence() string {
	return "fence." + pick(g, "sc", "sc", "acq_rel") + "." + pick(g, g.scopes...)
}

// access returns an access, and the register that it reads into.
func (g *generator) access(last string) (text, dst string) {
	at, size := g.location()
	value := fmt.Sprint(pick(g, 1, 2))
	if last != "" && g.oneIn(4) {
		value = last
	}
	sem := func(list ...string) string {
		s := pick(g, list...)
		if s == "weak" || s == "volatile" {
			return s
		}
		return s + "." + pick(g, g.scopes...)
	}
	reg := func() string {
		dst = fmt.Sprintf("r%d", g.register)
		g.register++
		return dst
	}
	atomics := []string{"relaxed", "acquire", "release", "acq_rel"}
	switch k := g.IntN(12); {
	case k < 5:
		semantics := sem("weak", "relaxed", "relaxed", "acquire", "volatile")
		text = fmt.Sprintf("ld.%s%s %s, %s", semantics, size, reg(), at)
	case k < 10:
		text = fmt.Sprintf("st.%s%s %s, %s", sem("weak", "relaxed", "relaxed", "release", "volatile"), size, at, value)
	case k == 10 && !slices.Contains([]string{".u8", ".u16"}, size):
		op := pick(g, "add", "exch", "cas")
		text = fmt.Sprintf("atom.%s.%s%s %s, %s, ", sem(atomics...), op, size, reg(), at)
		if op == "cas" {
			text += "0, "
		}
		text += value
	case !slices.Contains([]string{".u8", ".u16"}, size):
		text = fmt.Sprintf("red.%s.add%s %s, %s", sem(atomics...), size, at, value)
	default:
		text = fmt.Sprintf("st.weak%s %s, %s", size, at, value)
	}
	return text, dst
}

// location returns a location with an offset, and the type of an access.
func (g *generator) location() (at, size string) {
	if at = pick(g, g.locations...); at == g.previous { // mostly another one than before
		at = pick(g, g.locations...)
	}
	g.previous = at
	switch {
	case !g.mixed:
		return at, ""
	case g.wide:
		bytes := pick(g, 8, 4, 4)
		return fmt.Sprintf("%s+%d", at, bytes*g.IntN(8/bytes)), fmt.Sprintf(".u%d", 8*bytes)
	}
	bytes := pick(g, 4, 4, 2, 1)
	return fmt.Sprintf("%s+%d", at, bytes*g.IntN(4/bytes)), fmt.Sprintf(".u%d", 8*bytes)
}
