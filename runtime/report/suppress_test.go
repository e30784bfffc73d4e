package report

import (
	"strings"
	"testing"
)

func racing() *Report {
	r := &Report{Races: []*Race{{
		Cause: "missing-fence", Kind: "inter-block", Space: "global", Symbol: "data[17]",
		First:  Access{Access: "write", Kernel: "_Z3runPj", PTX: Place{File: "dir/k.ptx", Line: 40}, Source: &Source{File: "src/k.cu", Line: 17}},
		Second: Access{Access: "read", Kernel: "_Z3runPj", Function: "_Z4helpv", PTX: Place{File: "dir/k.ptx", Line: 51}, Source: &Source{File: "src/k.cu", Line: 24}},
	}}}
	r.Finish()
	return r
}

// TestSuppress: every field must match; places match both ways round.
func TestSuppress(t *testing.T) {
	id := racing().Races[0].ID
	for entry, want := range map[string]bool{
		"id: " + id:                              true,
		"id: 00":                                 false,
		"kernel: run":                            true,
		"kernel: '_Z3*'":                         true,
		"kernel: other":                          false,
		"function: 'help*'":                      true,
		"function: run":                          true,
		"function: main":                         false,
		"symbol: data":                           true,
		"symbol: 'data[17]'":                     true,
		"symbol: 'data[1]'":                      false,
		"symbol: dat":                            false,
		"cause: missing-fence":                   true,
		"cause: missing-lock":                    false,
		"source: k.cu:17":                        true,
		"source: k.cu:24":                        true,
		"source: src/k.cu":                       true,
		"source: k.ptx:51":                       true,
		"source: k.cu:18":                        false,
		"source: k.cu:17, with: k.cu:24":         true,
		"source: k.cu:24, with: k.cu:17":         true,
		"source: k.cu:17, with: k.cu:17":         false,
		"source: k.cu:17, cause: missing-lock":   false,
		"source: k.cu:17, reason: known":         true,
		"with: k.cu:24, symbol: data, id: " + id: true,
	} {
		list, err := ParseSuppressions("s.yaml", []byte("suppressions:\n  - {"+entry+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		r := racing()
		r.Suppress(list)
		if got := len(r.Suppressed) == 1 && len(r.Races) == 0 && r.Verdict == Clean; got != want {
			t.Errorf("%s: suppressed %v, want %v", entry, got, want)
		}
		if unused := strings.Join(r.Notes, "") == "s.yaml:2:5: the suppression matches no finding"; unused == want {
			t.Errorf("%s: notes %q", entry, r.Notes)
		}
	}
}

// TestSuppressionErrors: bad files are refused with a place.
func TestSuppressionErrors(t *testing.T) {
	for src, want := range map[string]string{
		"":                                `s.yaml:1:1: expected "suppressions:" and a list, nothing else`,
		"suppressions: 3":                 "s.yaml:1:15: expected a list of suppressions",
		"suppressions: [3]":               "s.yaml:1:16: expected a suppression such as {source: k.cu:17, with: k.cu:24}",
		"suppressions:\n- {kernal: x}":    `s.yaml:2:4: unknown field "kernal"; expected one of: id, kernel, function, symbol, cause, source, with, reason`,
		"suppressions:\n- {reason: x}":    "s.yaml:2:3: the suppression would match every race; expected a field besides reason",
		"suppressions:\n- {kernel: [a]}":  "s.yaml:2:12: expected a word for kernel",
		"suppressions:\n- {kernel: '[a'}": `s.yaml:2:12: kernel: "[a" is not a glob`,
		"suppressions: [":                 "s.yaml:1:1: not YAML: ",
		"suppressions: []\n---\nraces: 3": "s.yaml:2:1: a second YAML document; expected the end of the file",
		"suppressions: [{id: a, id: b}]":  `s.yaml:1:24: duplicate field "id", first given in line 1`,
		"suppressions: []\nraces: [x]":    `s.yaml:1:1: expected "suppressions:" and a list, nothing else`,
	} {
		if _, err := ParseSuppressions("s.yaml", []byte(src)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

// FuzzSuppressions: any file is read or refused.
func FuzzSuppressions(f *testing.F) {
	f.Add([]byte("suppressions:\n- {source: k.cu:17, with: k.cu:24, reason: known}\n"))
	f.Add([]byte("suppressions: [{kernel: '*', symbol: data}]"))
	f.Add([]byte("suppressions: &a [*a]"))
	f.Add(xmlFile("<record><kind>Race</kind><where><func>run</func><line>17</line></where><where/></record>"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if list, err := ParseSuppressions("s.yaml", src); err == nil {
			racing().Suppress(list)
		}
	})
}

// TestIgnoredWithoutReason: a comment ptxsan:ignore hides nothing without a reason, and a note says so.
func TestIgnoredWithoutReason(t *testing.T) {
	for comment, honoured := range map[string]bool{
		"x = 1; // ptxsan:ignore": false, "x = 1; // ptxsan:ignore:": false, "x = 1; /* ptxsan:ignore */": false, "x = 1; // ptxsan:ignore known": true,
	} {
		r := racing()
		list := r.Ignored(func(_ string, n int) (string, bool) { return comment, n == 17 })
		note := "src/k.cu:17: ptxsan:ignore has no reason, and is not honoured: write // ptxsan:ignore REASON"
		if notes := strings.Join(r.Notes, "; "); len(list) > 0 != honoured || (notes == note) == honoured {
			t.Errorf("%s: %d suppressions, notes %q", comment, len(list), notes)
		}
	}
}
