// The pages about the causes of races, as Markdown: what each means, wrong and right code, and the manual's words.

package docs

import (
	"embed"
	"strings"
)

//go:embed causes/*.md
var causes embed.FS

// CauseOverview returns the page that lists all causes, without the part about the code in the others.
func CauseOverview() string {
	text, err := causes.ReadFile("causes/README.md")
	if err != nil {
		panic("BUG: " + err.Error()) // it is embedded
	}
	table, _, _ := strings.Cut(string(text), "\n## ")
	return table
}

// CausePage returns the page of a cause, and whether there is one.
func CausePage(cause string) (text string, ok bool) {
	data, err := causes.ReadFile("causes/" + cause + ".md")
	return string(data), err == nil && cause != "README"
}

// CauseNames returns the causes that have a page, in the order of the alphabet.
func CauseNames() (names []string) {
	files, err := causes.ReadDir("causes")
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

// CauseAddress returns where the page of a cause is on the web; "" if there is none.
func CauseAddress(cause string) string {
	if _, ok := CausePage(cause); !ok {
		return ""
	}
	return PageAddress("causes/" + cause + ".md")
}

// PageAddress returns where a page of this folder is on the web.
func PageAddress(page string) string {
	return "https://github.com/ptxsan/ptxsan/blob/main/docs/" + page
}
