// Printing a module byte for byte.

package ptxgrammar

// Print returns the text of a module: the source, byte for byte, including white space and comments. Apply returns
// changed text.
func Print(m *Module) []byte {
	out := make([]byte, 0, len(m.File.Src))
	at := uint32(0)
	for _, it := range m.Items {
		r := m.ItemRange(it)
		out = append(out, m.File.Src[at:r.Start]...)
		out = append(out, m.File.Src[r.Start:r.End]...)
		at = r.End
	}
	return append(out, m.File.Src[at:]...)
}
