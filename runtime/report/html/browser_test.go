package html_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/report/html"
)

// probe makes a browser say of the page, in an element that --dump-dom prints, what it shows.
const probe = `<script>
addEventListener("load", () => {
  const rgb = c => c.match(/[\d.]+/g).slice(0, 3).map(Number);
  const light = c => { const [r, g, b] = rgb(c).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  let worst = 99, where = "";
  for (const e of document.body.querySelectorAll("*")) {
    if (![...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()) || e.tagName == "SCRIPT") continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < worst) { worst = (a + .05) / (b + .05); where = e.tagName + "." + e.className; }
  }
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify({
    ground: light(getComputedStyle(document.body).backgroundColor), worst, where,
    articles: document.querySelectorAll("article").length, hits: [...document.querySelectorAll(".hit")].map(e => e.textContent),
    wide: document.documentElement.scrollWidth - innerWidth, loaded: performance.getEntriesByType("resource").length,
  });
  document.body.append(out);
});
</script></body>`

// seen is what the probe says.
type seen struct {
	Ground, Worst          float64
	Where                  string
	Articles, Wide, Loaded int
	Hits                   []string
}

var probed = regexp.MustCompile(`<pre id="probe">(.*?)</pre>`)

// look shows a page in a browser without a network.
func look(t *testing.T, browser, page string, dark bool, width int) *seen {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "page.html")
	if err := os.WriteFile(name, []byte(strings.Replace(page, "</body>", probe, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	scheme := 1
	if dark {
		scheme = 0
	}
	cmd := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir="+filepath.Join(dir, "profile"), fmt.Sprintf("--window-size=%d,1200", width), fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme), "--dump-dom", "file://"+name)
	out, err := cmd.Output()
	m := probed.FindSubmatch(out)
	if err != nil || m == nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	s := &seen{}
	if err = json.Unmarshal(bytes.ReplaceAll(bytes.ReplaceAll(m[1], []byte("&amp;"), []byte("&")), []byte("&lt;"), []byte("<")), s); err != nil {
		t.Fatalf("%v: %s", err, m[1])
	}
	return s
}

// TestBrowser: a browser shows the page, light and dark, wide and narrow, with contrast enough to
// read it, the lines of the race, and nothing loaded from elsewhere.
func TestBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("a browser shows the page: ", err)
	}
	page := pageOf(t)
	if m := regexp.MustCompile(`(?i)src=|url\(|@import|<script|<link`).FindString(page); m != "" {
		t.Errorf("the page may load something: %s", m)
	}
	for _, dark := range []bool{false, true} {
		for _, width := range []int{1280, 480} {
			s := look(t, browser, page, dark, width)
			if s.Ground < 0.2 != dark {
				t.Errorf("dark %v: the ground has the luminance %.2f", dark, s.Ground)
			}
			if s.Worst < 4.5 { // WCAG 2, level AA
				t.Errorf("dark %v: the text of %s has a contrast of %.1f only", dark, s.Where, s.Worst)
			}
			if s.Articles != 2 || len(s.Hits) != 3 || !strings.Contains(s.Hits[0], "line 3") || !strings.Contains(s.Hits[1], "line 5") {
				t.Errorf("%d findings, lines %q", s.Articles, s.Hits)
			}
			if s.Wide > 0 || s.Loaded > 0 {
				t.Errorf("width %d: the page is %d pixels too wide, and loads %d files", width, s.Wide, s.Loaded)
			}
		}
	}
}

// pageOf is the page of a report with a race and a fault.
func pageOf(t *testing.T) string {
	t.Helper()
	side := func(access string, line int) report.Access {
		return report.Access{Access: access, Instruction: "st.global.u32", PTX: report.Place{File: "k.ptx", Line: line}, Source: &report.Source{File: "k.cu", Line: line}, Kernel: "_Z6kernelPj"}
	}
	r := &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: "1"}, Detector: "precise", Notes: []string{"a note"},
		Races:    []*report.Race{{Kind: detect.InterBlock, Cause: detect.MissingFence, Space: "global", Symbol: "data[17]", Size: 4, Count: 2, First: side("write", 3), Second: side("read", 5), Replay: "ptxsan check " + strings.Repeat("--very-long ", 20)}},
		Faults:   []*report.FaultEvent{{Class: "trap", Message: "a trap", Kernel: "_Z6kernelPj", PTX: report.Place{File: "k.ptx", Line: 9}}},
		Coverage: []*report.Coverage{{Detector: "precise", Kernel: "quiet", Accesses: 2, Watched: 2}},
	}
	r.Finish()
	var b bytes.Buffer
	excerpt := func(_ string, n int) (string, bool) {
		return fmt.Sprintf("  // line %d <%s>", n, strings.Repeat("x", 100)), true
	}
	if err := html.Write(&b, r, report.TextOptions{Excerpt: excerpt, Names: report.NameFull}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
