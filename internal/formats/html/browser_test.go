package html_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/formats/html"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
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
  const edge = document.documentElement.getBoundingClientRect().right, over = [];
  for (const e of document.body.querySelectorAll("*")) {
    if (e.getBoundingClientRect().right > edge + 1 || !e.closest("svg") && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display != "inline") over.push(e.tagName + "." + e.getAttribute("class"));
  }
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify({
    ground: light(getComputedStyle(document.body).backgroundColor), worst, where,
    articles: document.querySelectorAll("article").length, hits: [...document.querySelectorAll(".hit")].map(e => e.textContent),
    course: document.querySelector(".course svg").getBoundingClientRect().width, rows: document.querySelector(".course svg").getBoundingClientRect().height,
    over, loaded: performance.getEntriesByType("resource").length,
  });
  document.body.append(out);
});
</script></body>`

// seen is what the probe says.
type seen struct {
	Ground, Worst    float64
	Course, Rows     float64 // width and height of the timeline
	Where            string
	Articles, Loaded int
	Hits, Over       []string
}

var probed = regexp.MustCompile(`<pre id="probe">(.*?)</pre>`)

// browse shows a page of a width in a browser without a network, and returns what the browser prints. A window cannot
// be narrow: the page is.
func browse(t *testing.T, browser, page string, dark bool, width int, args ...string) []byte {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "page.html")
	page = strings.Replace(page, "<html ", fmt.Sprintf("<html style='width: %dpx' ", width), 1)
	if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	scheme := 1
	if dark {
		scheme = 0
	}
	cmd := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--hide-scrollbars", fmt.Sprintf("--window-size=%d,1400", max(width, 500)), fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme))
	cmd.Args = append(append(cmd.Args, args...), "file://"+name)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return out
}

// look returns what the probe says of a page in a browser.
func look(t *testing.T, browser, page string, dark bool, width int) *seen {
	t.Helper()
	out := browse(t, browser, strings.Replace(page, "</body>", probe, 1), dark, width, "--dump-dom")
	m := probed.FindSubmatch(out)
	if m == nil {
		t.Fatalf("the page has no probe:\n%s", out)
	}
	s := &seen{}
	if err := json.Unmarshal(bytes.ReplaceAll(bytes.ReplaceAll(m[1], []byte("&amp;"), []byte("&")), []byte("&lt;"), []byte("<")), s); err != nil {
		t.Fatalf("%v: %s", err, m[1])
	}
	return s
}

// TestBrowser: a browser shows the page, light and dark, each wide and narrow, with contrast enough to
// read it, the lines of the race, the timeline, and nothing loaded from elsewhere.
func TestBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("a browser shows the page: ", err)
	}
	page := pageOf(t)
	if m := regexp.MustCompile(`(?i)src=|url\(|@import|<script|<link`).FindString(page); m != "" {
		t.Errorf("the page may load something: %s", m)
	}
	for i, width := range []int{1280, 400, 1280, 400} {
		dark := i >= 2
		s := look(t, browser, page, dark, width)
		if s.Ground < 0.2 != dark {
			t.Errorf("dark %v: the ground has the luminance %.2f", dark, s.Ground)
		}
		if s.Worst < 4.5 { // WCAG 2, level AA
			t.Errorf("dark %v: the text of %s has a contrast of %.1f only", dark, s.Where, s.Worst)
		}
		if s.Course < 0.4*float64(width) || s.Rows != 2*22 {
			t.Errorf("width %d: the timeline is %.0f wide, and %.0f high for two warps", width, s.Course, s.Rows)
		}
		if s.Articles != 3 || len(s.Hits) != 3 || !strings.Contains(s.Hits[0], "line 3") || !strings.Contains(s.Hits[1], "line 5") {
			t.Errorf("%d findings and timelines, lines %q", s.Articles, s.Hits)
		}
		if len(s.Over) > 0 || s.Loaded > 0 {
			t.Errorf("width %d: %q are too wide, and the page loads %d files", width, s.Over, s.Loaded)
		}
		file := filepath.Join(t.TempDir(), "page.png")
		if *pictures != "" {
			file = filepath.Join(*pictures, fmt.Sprintf("page-%d-%v.png", width, dark))
		}
		browse(t, browser, page, dark, width, "--screenshot="+file)
		if n := colours(t, file); n < 20 {
			t.Errorf("dark %v: the picture of the page has %d colours", dark, n)
		}
	}
}

// pictures is the folder that keeps the pictures of the page.
var pictures = flag.String("pictures", "", "write the pictures of the page to this folder")

// colours counts the colours of a picture.
func colours(t *testing.T, name string) int {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[color.Color]bool{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
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
		Coverage: []*report.Coverage{{Detector: "precise", Kernel: "quiet", Launched: report.AddShape(nil, [3]uint32{2, 1, 1}, [3]uint32{32, 1, 1}), Accesses: 2, Watched: 2}},
	}
	r.Timeline = &report.Timeline{
		Steps: 90, From: 1, To: 91,
		Lanes: []*report.Lane{
			{Launch: "kernel(unsigned int*) #1", Warp: 31, Block: [3]uint32{65535, 65535, 65535}, Code: []report.Span{{From: 1, To: 40, What: "k.cu:3"}}, Waits: []report.Span{{From: 40, To: 90, What: "barrier 0"}}},
			{Launch: "kernel(unsigned int*) #1", Code: []report.Span{{From: 40, To: 91, What: "k.cu:5"}}, Marks: []report.Mark{{At: 60, Class: "fence", What: "membar.gl"}}},
		},
		Races: []report.TimedRace{{Name: "precise race: missing-fence", Ends: [2]report.TimedAccess{{Lane: 0, At: 30, Place: "k.cu:3"}, {Lane: 1, At: 70, Place: "k.cu:5"}}}},
		Left:  []string{"7 earlier moments"},
	}
	r.Finish()
	var b bytes.Buffer
	excerpt := func(_ string, n int) (string, bool) {
		return fmt.Sprintf("  // line %d <%s>", n, strings.Repeat("x", 100)), true
	}
	if err := html.Write(&b, r, report.TextOptions{Excerpt: excerpt, Names: report.NameFull, Command: "ptxsan check k.ptx", Date: "2026-01-02"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
