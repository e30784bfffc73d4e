// Package causes contains the pages about the causes of races, as Markdown: what each means, wrong and right code, and the
// manual's words. It must not know reports, detectors and commands.
package causes

import (
	"embed"
	"strings"
)

//go:embed *.md
var pages embed.FS

// Overview returns the page that lists all causes, without the part about the code in the others.
func Overview() string {
	text, err := pages.ReadFile("README.md")
	if err != nil {
		panic("BUG: " + err.Error()) // it is embedded
	}
	table, _, _ := strings.Cut(string(text), "\n## ")
	return table
}

// Page returns the page of a cause, and whether there is one.
func Page(cause string) (text string, ok bool) {
	data, err := pages.ReadFile(cause + ".md")
	return string(data), err == nil && cause != "README"
}

// Names returns the causes that have a page, in the order of the alphabet.
func Names() (names []string) {
	files, err := pages.ReadDir(".")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".md"); name != "README" {
			names = append(names, name)
		}
	}
	return names
}

// Address returns where the page of a cause is on the web; "" if there is none.
func Address(cause string) string {
	if _, ok := Page(cause); !ok {
		return ""
	}
	return "https://github.com/ptxsan/ptxsan/blob/main/docs/causes/" + cause + ".md"
}
