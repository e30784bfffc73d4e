// Hunks: runs of changed rows with context.

package diff

// hunk is rows[start:end] of a section: differences with context around them.
type hunk struct{ start, end int }

// hunks groups differences that are separated by at most twice the context of equal rows.
func hunks(rows []Row, context int) []hunk {
	context = max(context, 0)
	var out []hunk
	for i := range rows {
		if rows[i].Kind == Same {
			continue
		}
		h := hunk{max(0, i-context), min(len(rows), i+1+context)}
		if n := len(out); n > 0 && h.start <= out[n-1].end {
			out[n-1].end = h.end
			continue
		}
		out = append(out, h)
	}
	return out
}

// block returns the end of the run of rows from i that all differ, or are all the same.
func block(rows []Row, i int) int {
	same := rows[i].Kind == Same
	for i < len(rows) && (rows[i].Kind == Same) == same {
		i++
	}
	return i
}
