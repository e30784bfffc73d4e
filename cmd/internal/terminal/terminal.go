// Package terminal queries and uses the terminal behind an output stream: colour, width, and a progress line. It must
// not know what is printed.
package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/ptxsan/ptxsan/internal/output"
)

// Is reports whether w is a terminal.
func Is(w io.Writer) bool {
	f := output.FileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// Color reports whether to colour the output to w. The modes always and never decide. In any other mode, environment
// variables decide, NO_COLOR before CLICOLOR_FORCE and FORCE_COLOR; if none is set, output to a terminal is coloured.
func Color(mode string, w io.Writer, getenv func(string) string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	if getenv("NO_COLOR") != "" {
		return false
	}
	for _, name := range []string{"CLICOLOR_FORCE", "FORCE_COLOR"} {
		if v := getenv(name); v != "" && v != "0" {
			return true
		}
	}
	return Is(w)
}

// Width returns the number of columns of the terminal w, or other if w is none or does not know.
func Width(w io.Writer, other int) int {
	if f := output.FileOf(w); f != nil {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return other
}

// Progress shows the current activity in one line of a terminal. Several goroutines may use it.
type Progress struct {
	w     io.Writer // nil if it is no terminal
	width int

	mu     sync.Mutex
	what   string
	begun  time.Time // of the activity
	count  func() (done, of uint64)
	shown  string
	active chan struct{} // is closed by Done; nil if the line is not repeated
}

// NewProgress returns the progress line of w. It shows nothing when w is no terminal.
func NewProgress(w io.Writer) *Progress {
	if Is(w) {
		return &Progress{w: output.Raw(w), width: Width(w, 80)}
	}
	return &Progress{}
}

// Step replaces the line.
func (p *Progress) Step(what string) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.count = what, nil
	p.show(time.Now())
}

// refresh is the time between two displays of an activity that counts.
const refresh = 200 * time.Millisecond

// Follow replaces the line by an activity that counts blocks, which it shows as they are done, with the time that is
// left at that rate. Activities that take less than refresh are not shown.
func (p *Progress) Follow(what string, count func() (done, of uint64)) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.begun, p.count = what, time.Now(), count
	if p.active == nil {
		p.active = make(chan struct{})
		go p.repeat(p.active)
	}
}

// repeat shows the activity until the channel is closed.
func (p *Progress) repeat(end chan struct{}) {
	for tick := time.NewTicker(refresh); ; {
		select {
		case <-end:
			tick.Stop()
			return
		case now := <-tick.C:
			p.mu.Lock()
			if p.active == end && p.count != nil {
				p.show(now)
			}
			p.mu.Unlock()
		}
	}
}

// show writes the line if it has changed.
func (p *Progress) show(now time.Time) {
	text := "ptxsan: " + p.what
	if p.count != nil {
		done, of := p.count()
		text += extent(done, of, now.Sub(p.begun))
	}
	if text += " ..."; len(text) >= p.width {
		text = text[:max(p.width-1, 0)]
	}
	if text != p.shown {
		fmt.Fprint(p.w, "\r\x1b[K"+text+"\r") // other output begins at the start of the line
		p.shown = text
	}
}

// extent returns how many blocks are done, and the time that is left if the others take as long as these did.
func extent(done, of uint64, took time.Duration) string {
	switch {
	case of == 0:
		return ""
	case done == 0:
		return fmt.Sprintf(", 0 of %d blocks", of)
	}
	left := time.Duration(float64(took) * float64(of-min(done, of)) / float64(done))
	return fmt.Sprintf(", %d of %d blocks, %s left", min(done, of), of, left.Round(time.Second))
}

// Done clears the line.
func (p *Progress) Done() {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active != nil {
		close(p.active)
		p.active = nil
	}
	if p.count, p.shown = nil, ""; p.what != "" {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
