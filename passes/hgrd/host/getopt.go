// The options of a command line, as getopt and getopt_long of the C library find them.

package host

import (
	"slices"
	"strings"
)

// LongOption is an entry of the table that getopt_long gets. One without a name is the last: without it, there are more than are known.
type LongOption struct {
	Name string
	Arg  int // 0: none, 1: required, 2: optional
	Flag bool
	Val  int64
}

// Word is a word of a command line, with its place in the list that getopt got last.
type Word struct {
	Text string
	ID   int
}

// Getopt is where the C library is in a command line. Words are those of argv, the program's name first. The zero value
// of the rest, with Index 1, is the start.
type Getopt struct {
	Words       []Word
	Index       int64  // optind
	next        string // rest of the word that is being read
	first, last int64  // words that are no options, and that were passed
}

// Option is what a call of getopt returns.
type Option struct {
	Code  int64 // -1 at the end
	Arg   string
	From  int  //  the ID of the word that Arg is at the end of, 0 for none
	Long  int  // the entry of the table, -1 for none
	Known bool // false: the rest is not known
}

// Equal reports whether two are at the same place of the same words.
func (g *Getopt) Equal(h *Getopt) bool {
	return g == h || g != nil && h != nil && g.Index == h.Index && g.next == h.next && g.first == h.first && g.last == h.last && slices.Equal(g.Words, h.Words)
}

// Next is the next option, and where the library is then. alone says that long options may begin with one hyphen
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

// word goes to the next word that is an option; those that are none are moved behind the options. ok is false at the end.
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

// exchange moves the words that are no options behind the options after them.
func (g *Getopt) exchange() {
	options := g.Words[g.last:g.Index]
	moved := slices.Concat(options, g.Words[g.first:g.last])
	n := int64(len(options))
	copy(g.Words[g.first:], moved)
	g.first += n
	g.last = g.Index
}

// long reads a long option; ok is false when the word is none.
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
	if found < 0 && complete && !alone && name != "" && !slices.ContainsFunc(table, func(l LongOption) bool { return strings.HasPrefix(l.Name, name) }) {
		g.Index++
		return Option{Code: '?', Long: -1, Known: true}, true
	}
	if found < 0 || name == "" || table[found].Flag || has && table[found].Arg == 0 { // abbreviations are not followed
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

// short reads a letter.
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

// Moved reports whether the words are in another order than before.
func (g *Getopt) Moved() bool {
	return slices.ContainsFunc(g.Words, func(w Word) bool { return g.Words[w.ID] != w })
}
