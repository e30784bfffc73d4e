package cubin

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cubin/cubintest"
	"github.com/ptxsan/ptxsan/internal/fatbin"
)

// TestEntries: PTX comes from texts, and in modules without one from machine code that has it.
func TestEntries(t *testing.T) {
	with, without := cubinOf(2, false, cubintest.Text(sectionText, plain)), cubintest.Build([]string{"k"}, nil, false)
	text := cubintest.Entry{Kind: 1, Arch: 70, Data: []byte(head)}
	for name, c := range map[string]struct {
		file []byte
		want []string
	}{
		"a cubin":             {with, []string{"0 sass sm_90"}},
		"a cubin without PTX": {without, nil},
		"machine code":        {cubintest.Fatbin(cubintest.Entry{Kind: 2, Arch: 90, Data: with}), []string{"0 sass sm_90"}},
		"a text beside it":    {cubintest.Fatbin(cubintest.Entry{Kind: 2, Arch: 90, Data: with}, text), []string{"0 ptx sm_70"}},
		"several modules": {slices.Concat(
			cubintest.Fatbin(cubintest.Entry{Kind: 2, Arch: 90, Data: with}, cubintest.Entry{Kind: 2, Arch: 80, Data: without}),
			cubintest.Fatbin(cubintest.Entry{Kind: 2, Arch: 80, Data: without}), cubintest.Fatbin(text),
		), []string{"0 sass sm_90", "2 ptx sm_70"}},
		"what is no cubin": {cubintest.Fatbin(cubintest.Entry{Kind: 2, Arch: 90, Data: []byte("?")}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := fatbin.Open("f", c.file)
			if err != nil {
				t.Fatal(err)
			}
			list, err := Entries(f)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range list {
				got = append(got, fmt.Sprintf("%d %s %s", e.Module, e.Kind, e.Target()))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestEntriesLinked: what was linked when a program was built stands for the modules that it was made of, unless all of
// them have texts.
func TestEntriesLinked(t *testing.T) {
	with := cubintest.Entry{Kind: 2, Arch: 90, Data: cubinOf(2, false, cubintest.Text(sectionText, plain))}
	open := func(relocatable ...cubintest.Entry) *fatbin.File {
		t.Helper()
		f, err := fatbin.Open("f", slices.Concat(cubintest.Fatbin(with), cubintest.Fatbin(relocatable...)))
		if err != nil {
			t.Fatal(err)
		}
		f.Modules[0].Linked, f.Modules[1].Relocatable = true, true
		return f
	}
	text := cubintest.Entry{Kind: 1, Arch: 90, Data: []byte(head)}
	if list, err := Entries(open(with)); err != nil || len(list) != 1 || list[0].Module != 0 {
		t.Errorf("machine code: %v, %v; want the linked one", list, err)
	}
	mixed := open(with)
	mixed.Modules = append(mixed.Modules, open(text).Modules[1])
	if list, err := Entries(mixed); err != nil || len(list) != 2 || list[0].Module != 0 || list[1].Module != 2 {
		t.Errorf("machine code and a text: %v, %v; want the linked one and the text", list, err)
	}
	list, err := Entries(open(with, text))
	if err != nil || len(list) != 1 || list[0].Module != 1 || list[0].Kind != fatbin.KindPTX {
		t.Errorf("a text: %v, %v; want it alone", list, err)
	}
}
