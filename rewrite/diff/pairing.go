// Pairing of statements of two functions.

package diff

import "slices"

// comparison compares two pieces of code.
type comparison struct{ a, b *code }

// statementPairs is pairs of statements, and the renaming under which those in same are equal.
type statementPairs struct {
	pairs []match
	names renaming
	same  int
}

// pairing elects the renaming that pairs suggest. Uses of a symbol have more weight than its declaration.
func (c *comparison) pairing(pairs []match) statementPairs {
	v := make(votes)
	for i, j := range each(pairs) {
		weight := 1
		if c.a.stmts[i].inst {
			weight = 2
		}
		v.vote(c.a.of(&c.a.stmts[i]), c.b.of(&c.b.stmts[j]), weight)
	}
	p := statementPairs{pairs: pairs, names: elect(v, c.a, c.b)}
	for i, j := range each(pairs) {
		if c.equal(p, i, j) {
			p.same++
		}
	}
	return p
}

// equal reports whether two statements are the same under the renaming.
func (c *comparison) equal(p statementPairs, i, j int) bool {
	return p.names.equal(c.a.of(&c.a.stmts[i]), c.b.of(&c.b.stmts[j]))
}

// byOrigin pairs each statement of A with the statement of B that originates from it.
func (c *comparison) byOrigin(origin func(line int) Origin) []match {
	at := make(map[int][]int) // statements of A by line
	for i := range c.a.stmts {
		line := int(c.a.stmts[i].cell.Line)
		at[line] = append(at[line], i)
	}
	var pairs []match
	next := 0
	for j := range c.b.stmts {
		line := origin(int(c.b.stmts[j].cell.Line)).Line
		for len(at[line]) > 0 && at[line][0] < next {
			at[line] = at[line][1:]
		}
		for _, i := range at[line][:min(len(at[line]), maxSkipped)] {
			if c.a.stmts[i].opcode == c.b.stmts[j].opcode {
				pairs = append(pairs, match{i, j, 1})
				next = i + 1
				break
			}
		}
	}
	return pairs
}

// maxSkipped is the number of statements of one line that a pass may have removed such that the next one of the line is
// still recognised.
const maxSkipped = 64

// byStructure aligns the statements twice: with their names, and with renamings. A renaming comes from pairs of
// statements of the same shape; the resulting alignment may give a better one.
func (c *comparison) byStructure() statementPairs {
	names, k := make(map[string]uint32), newKeyer()
	best := c.pairing(align(k.keys(c.a, byName(c.a, names)), k.keys(c.b, byName(c.b, names))))
	all := min(len(c.a.stmts), len(c.b.stmts))
	if best.same == all {
		return best
	}
	k = newKeyer()
	shapeA, shapeB := k.keys(c.a, byClass(c.a)), k.keys(c.b, byClass(c.b))
	for _, pairs := range [][]match{best.pairs, align(shapeA, shapeB), nil} {
		if pairs == nil {
			pairs = fill(best.pairs, shapeA, shapeB)
		}
		if p := c.renamed(pairs); p.same > best.same {
			best = p
		}
		if best.same == all {
			break
		}
	}
	return best
}

// renamed repeats the alignment under the renaming that pairs suggest.
func (c *comparison) renamed(pairs []match) statementPairs {
	names := c.pairing(pairs).names
	k := newKeyer()
	p := statementPairs{names: names, pairs: align(k.keys(c.a, names.renamed(len(c.b.symbols))), k.keys(c.b, itself))}
	p.same = size(p.pairs)
	return p
}

// fill adds, between the pairs, pairs of statements of the same shape.
func fill(pairs []match, a, b []uint32) []match {
	var out []match
	i, j := 0, 0
	for _, m := range append(slices.Clone(pairs), match{len(a), len(b), 0}) {
		for _, g := range align(a[i:m.a], b[j:m.b]) {
			out = append(out, match{i + g.a, j + g.b, g.n})
		}
		out = append(out, m)
		i, j = m.a+m.n, m.b+m.n
	}
	return out
}

// rows returns the rows of the pairs and of the statements between them.
func (c *comparison) rows(p statementPairs) []Row {
	a, b := c.a.items(), c.b.items()
	var rows []Row
	i, j := 0, 0
	for _, m := range append(slices.Clone(p.pairs), match{len(c.a.stmts), len(c.b.stmts), 0}) {
		rows = appendGap(rows, a.slice(i, m.a), b.slice(j, m.b))
		for k := range m.n {
			row := Row{Changed, a.cells[m.a+k], b.cells[m.b+k]}
			if c.equal(p, m.a+k, m.b+k) {
				row.Kind = Same
			}
			rows = append(rows, row)
		}
		i, j = m.a+m.n, m.b+m.n
	}
	return rows
}

// renamings returns the names that differ. If scopes have different symbols of one name, the last one is used.
func (c *comparison) renamings(r renaming) map[string]string {
	var out map[string]string
	for a, b := range r {
		if b < 0 || c.a.symbols[a].name == c.b.symbols[b].name {
			continue
		}
		if out == nil {
			out = make(map[string]string)
		}
		out[c.a.symbols[a].name] = c.b.symbols[b].name
	}
	return out
}

// items returns the statements in the form from which rows are made.
func (c *code) items() items {
	var s items
	for i := range c.stmts {
		s.cells = append(s.cells, c.stmts[i].cell)
		s.heads = append(s.heads, c.stmts[i].spelling)
		s.words = append(s.words, c.stmts[i].opcode)
	}
	return s
}
