package app

import (
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	siteLink   = regexp.MustCompile(`<a [^>]*href="([^"]*)"`)
	siteAnchor = regexp.MustCompile(` id="([^"]*)"`)
)

// TestSite builds the site as make site does: each page of the index is there, and each link in it leads to a file and
// a heading.
func TestSite(t *testing.T) {
	mdbook, err := exec.LookPath(cmp.Or(os.Getenv("MDBOOK"), "mdbook"))
	if err != nil {
		t.Skip("mdBook builds the site: ", err)
	}
	cmd := exec.Command("../../../docs/site/build.sh")
	cmd.Env = append(os.Environ(), "MDBOOK="+mdbook)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "WARN") {
		t.Fatalf("%v\n%s", err, out)
	}
	const root = "../../../build/site"
	site, anchors := map[string]string{}, map[string]bool{}
	err = filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, name)
		if site[rel] = ""; err != nil || path.Ext(rel) != ".html" {
			return err
		}
		text, err := os.ReadFile(name)
		site[rel] = string(text)
		for _, m := range siteAnchor.FindAllStringSubmatch(site[rel], -1) {
			anchors[rel+"#"+m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for name, text := range site {
		if name == "print.html" || name == "404.html" || name == "toc.html" {
			continue // all pages in one; for a server
		}
		for _, m := range siteLink.FindAllStringSubmatch(text, -1) {
			file, fragment, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			links++
			if _, ok := site[target]; !ok || fragment != "" && !anchors[target+"#"+fragment] {
				t.Errorf("%s: no %s", name, m[1])
			}
		}
	}
	for _, page := range []string{"index.html", "docs/tutorial.html", "docs/causes/not-strong.html", "docs/generated/cli.html"} {
		if site[page] == "" {
			t.Errorf("no page %s", page)
		}
	}
	if links < 500 {
		t.Errorf("the site has %d links", links)
	}
}
