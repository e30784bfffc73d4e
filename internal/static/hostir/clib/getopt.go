// Command line options, as parsed by getopt and getopt_long of the C library.

package clib

import (
	"slices"
	"strings"
)

// LongOption is an entry of getopt_long's table. An entry without a name ends the table; without one, further entries
// are unknown.
type LongOption struct {
	Name string
	Arg  int // 0: none, 1: required, 2: optional
	Flag bool
	Val  int64
}

// Word is a word of a command line, with its index in the list last passed to getopt.
type Word struct {
	Text string
	ID   int
}

// Getopt is the state of the C library. Words are the elements of argv, the program's name first. Apart from Words, the
// initial state is the zero value with Index 1.
type Getopt struct {
	Words       []Word
	Index       int64  // optind
	next        string // rest of the current word
	first, last int64  // range of passed words that are not options
}

// Option is the result of a call of getopt.
type Option struct {
	Code  int64 // -1 at the end
	Arg   string
	From  int  // the ID of the word whose end is Arg, 0 for none
	Long  int  // index in the table, -1 for none
	Known bool // false: the other fields are unknown
}

// Equal reports whether two states have the same position in the same words.
func (g *Getopt) Equal(h *Getopt) bool {
	return g == h || g != nil && h != nil && g.Index == h.Index && g.next == h.next && g.first == h.first &&
		g.last == h.last && slices.Equal(g.Words, h.Words)
}

// Next returns the next option and the state after it. alone says that long options may begin with one hyphen
// (getopt_long_only).
func (g *Getopt) Next(short string, long []LongOption, alone bool) (*Getopt, Option) {
	n := *g
	n.Words = slices.Clone(g.Words)
	if strings.HasPrefix(short, "+") || strings.HasPrefix(short, "-") || n.Index < 1 || n.Index > int64(len(n.Words)) {
		return g, Option{}
	}
	if n.next == "" && !n.word() {
		return &n, Option{Code: -1, Long: -1, Known: true}
	}
	if o, ok := n.long(long, short, alone); ok {
		return &n, o
	}
	return &n, n.short(short)
}

// word advances to the next word that is an option, and moves other words behind the options. ok is false at the end.
func (g *Getopt) word() (ok bool) {
	g.last, g.first = min(g.last, g.Index), min(g.first, g.Index)
	all := int64(len(g.Words))
	move := func() {
		if g.first != g.last && g.last != g.Index {
			g.exchange()
		} else if g.last != g.Index {
			g.first = g.Index
		}
	}
	move()
	for g.Index < all && (len(g.Words[g.Index].Text) < 2 || g.Words[g.Index].Text[0] != '-') {
		g.Index++
	}
	g.last = g.Index
	if g.Index < all && g.Words[g.Index].Text == "--" {
		g.Index++
		if g.first != g.last && g.last != g.Index {
			g.exchange()
		} else if g.first == g.last {
			g.first = g.Index
		}
		g.last, g.Index = all, all
	}
	if g.Index == all {
		if g.first != g.last {
			g.Index = g.first
		}
		return false
	}
	return true
}

// exchange moves the passed words that are not options behind the options after them.
func (g *Getopt) exchange() {
	options := g.Words[g.last:g.Index]
	moved := slices.Concat(options, g.Words[g.first:g.last])
	n := int64(len(options))
	copy(g.Words[g.first:], moved)
	g.first += n
	g.last = g.Index
}

// long parses a long option; ok is false if the word is none.
func (g *Getopt) long(table []LongOption, short string, alone bool) (o Option, ok bool) {
	if g.next != "" || table == nil {
		return o, false
	}
	word := g.Words[g.Index].Text
	switch {
	case strings.HasPrefix(word, "--"):
		word = word[2:]
	case alone && (len(word) > 2 || !strings.Contains(short, word[1:2])):
		word = word[1:]
	default:
		return o, false
	}
	name, arg, has := strings.Cut(word, "=")
	found := slices.IndexFunc(table, func(l LongOption) bool { return l.Name == name })
	complete := len(table) > 0 && table[len(table)-1].Name == ""
	if found < 0 && complete && !alone && name != "" &&
		!slices.ContainsFunc(table, func(l LongOption) bool { return strings.HasPrefix(l.Name, name) }) {
		g.Index++
		return Option{Code: '?', Long: -1, Known: true}, true
	}
	if found < 0 || name == "" || table[found].Flag || has && table[found].Arg == 0 { // abbreviations are not supported
		return Option{}, true
	}
	o = Option{Code: table[found].Val, Long: found, Known: true}
	if has {
		o.Arg, o.From = arg, g.Words[g.Index].ID
	}
	g.Index++
	switch {
	case has:
	case table[found].Arg == 1 && g.Index == int64(len(g.Words)):
		return Option{}, true
	case table[found].Arg == 1:
		o.Arg, o.From = g.Words[g.Index].Text, g.Words[g.Index].ID
		g.Index++
	}
	return o, true
}

// short parses a letter.
func (g *Getopt) short(letters string) Option {
	if g.next == "" {
		g.next = g.Words[g.Index].Text[1:]
	}
	c, id := g.next[0], g.Words[g.Index].ID
	g.next = g.next[1:]
	at := strings.IndexByte(letters, c)
	if g.next == "" {
		g.Index++
	}
	o := Option{Code: int64(c), Long: -1, Known: true}
	if at < 0 || c == ':' || c == ';' {
		o.Code = '?'
		return o
	}
	if !strings.HasPrefix(letters[at+1:], ":") {
		return o
	}
	optional := strings.HasPrefix(letters[at+1:], "::")
	switch {
	case g.next != "":
		o.Arg, o.From = g.next, id
		g.next = ""
		g.Index++
	case optional:
	case g.Index == int64(len(g.Words)):
		o.Code = '?'
		if letters[0] == ':' {
			o.Code = ':'
		}
	default:
		o.Arg, o.From = g.Words[g.Index].Text, g.Words[g.Index].ID
		g.Index++
	}
	return o
}

// WordsOf numbers the words of a command line.
func WordsOf(list []string) (words []Word) {
	for i, s := range list {
		words = append(words, Word{s, i})
	}
	return words
}

// Moved reports whether the order of the words has changed.
func (g *Getopt) Moved() bool {
	return slices.ContainsFunc(g.Words, func(w Word) bool { return g.Words[w.ID] != w })
}
