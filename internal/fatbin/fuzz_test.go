package fatbin

import (
	"bytes"
	"debug/elf"
	"testing"
)

// FuzzOpen reads damaged files. What can be read must be decoded or refused, and
// what can be rewritten must be read again with the new PTX in it.
func FuzzOpen(f *testing.F) {
	a, b := container(f, sass70, with(text70, LZ4)), container(f, with(text70, Zstd), image{kind: KindPTX, arch: 50, data: "x"})
	for _, files := range hosts(f, a, b) {
		for _, data := range files {
			f.Add(data)
		}
	}
	f.Add(program(f, elf.ET_EXEC, false, []uint64{2, 1}, container(f, sass70), container(f, text70)))
	for _, h := range hostile(f, 512) {
		f.Add(h.data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		file, err := Open("f", data)
		if err != nil {
			return
		}
		if hasLargeZeros(file) {
			return // writing them out is correct, and slow
		}
		for i, m := range file.Modules {
			for j, e := range m.Entries {
				if e.Size < 1<<20 { // larger ones only cost time
					_, _ = e.Data() // must not panic; damaged payloads are errors
				}
				if e.Kind != KindPTX {
					continue
				}
				for _, text := range []string{"// short", string(bytes.Repeat([]byte("// long\n"), 400))} {
					checkEmbedded(t, file, Replacement{Module: i, Entry: j, PTX: []byte(text), Arch: e.Arch})
				}
			}
		}
		if !bytes.Equal(before, data) {
			t.Error("the input was written to")
		}
	})
}

func checkEmbedded(t *testing.T, file *File, r Replacement) {
	how := Uncompressed
	out, err := file.Embed([]Replacement{r}, EmbedOptions{Compression: &how, DropPTX: true})
	if err != nil {
		return
	}
	again, err := Open("f", out)
	if err != nil {
		t.Fatalf("cannot read what was written: %v", err)
	}
	for _, m := range again.Modules {
		for _, i := range m.PTX() {
			if got, err := m.Entries[i].Data(); err == nil && bytes.Equal(got, r.PTX) {
				return
			}
		}
	}
	t.Fatalf("the new PTX is not in the output")
}

func hasLargeZeros(file *File) bool {
	h, ok := file.host.(*elfHost)
	if !ok {
		return false
	}
	for _, p := range h.elf.Progs {
		if p.Memsz-p.Filesz > 1<<20 && p.Memsz-p.Filesz < maxZeros+1<<20 {
			return true
		}
	}
	return false
}
