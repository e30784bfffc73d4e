package cubin

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/cubin/cubintest"
)

// hostile returns cubins of about n bytes whose parts refer to each other many times.
func hostile(n int) map[string][]byte {
	var ptx, calls, files cubintest.Table
	ptx.Unit(2, "")
	ptx.Function("k")
	calls.Unit(2, "", "k.cu")
	calls.Function("k")
	files.Unit(2, strings.Repeat("f", n), slicesOf("k.cu", n/32)...)
	files.Function("k")
	for i := range n / 32 {
		ptx.Row(uint64(i), 0, 6+2*i)
		calls.Row(uint64(i), 1, 1+i)
		calls.Inlined(i+1, i)
		files.Row(uint64(i), 1+i, 1)
	}
	ptx.End(uint64(n))
	calls.End(uint64(n))
	files.End(uint64(n))
	text := head + ".entry k()\n{\n" + strings.Repeat("\nret;", n/32) + "\n}\n"
	with := func(sections ...cubintest.Section) []byte {
		return cubintest.Build([]string{"k"}, append(sections, cubintest.Text(sectionText, text), ptx.Section(sectionPTX)), false)
	}
	list := map[string][]byte{
		"deep calls":   with(calls.Section(sectionLines), cubintest.Section{Name: sectionString, Data: bytes.Repeat([]byte("f"), n)}),
		"long folders": with(files.Section(sectionLines)),
	}
	var many []cubintest.Section
	for i := range 1000 {
		many = append(many, cubintest.Section{Name: fmt.Sprint(sectionText, ".", i)})
	}
	overlapping := cubintest.Build(nil, append(many, cubintest.Section{Name: sectionText, Data: bytes.Repeat([]byte("ret;\x00"), n/5)}), false)
	size := uint64(n / 5 * 5)
	headers := le.Uint64(overlapping[40:])
	end := le.Uint64(overlapping[32:]) - 2*64 // the last section, before that of names
	last := overlapping[end:]
	for at := headers + 3*64; at < end; at += 64 {
		copy(overlapping[at+24:at+32], last[24:32])
		le.PutUint64(overlapping[at+32:], size)
	}
	list["overlapping sections"] = overlapping
	outside := bytes.Clone(list["deep calls"])
	le.PutUint64(outside[le.Uint64(outside[40:])+7*64+24:], 1<<62)
	list["a section outside of the file"] = outside
	return list
}

func slicesOf(s string, n int) (list []string) {
	for range n {
		list = append(list, s)
	}
	return list
}

// TestHostile: what a cubin costs is bounded by its size.
func TestHostile(t *testing.T) {
	for name, data := range hostile(1 << 20) {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			p, err := Read("k.cubin", data)
			runtime.ReadMemStats(&after)
			if refused := strings.Contains(name, "section"); refused != (err != nil) {
				t.Errorf("%v", err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%v", took)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
				t.Errorf("%d bytes are allocated for %d", used, len(data))
			}
			if err == nil && len(p.PTX) > 200<<20 {
				t.Errorf("%d bytes of PTX", len(p.PTX))
			}
		})
	}
}
