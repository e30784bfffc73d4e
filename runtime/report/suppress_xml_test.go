package report

import (
	"strings"
	"testing"
)

func xmlFile(records string) []byte {
	return []byte("<?xml version=\"1.0\"?>\n<ComputeSanitizerOutput>\n" + records + "\n</ComputeSanitizerOutput>\n")
}

// TestSuppressXML: records match races by place, function, space, size and access.
func TestSuppressXML(t *testing.T) {
	const unused = "s.xml:3:1: the suppression matches no finding"
	for record, note := range map[string]string{
		"<where><func>run</func></where>":                                                                "",
		"<where><func>_Z3run.*</func></where>":                                                           "",
		"<where><func>ru</func></where>":                                                                 unused,
		"<where><path>.*/k.cu</path><line>17</line></where>":                                             "",
		"<where><path>k\\.cu</path><line>24</line></where>":                                              "",
		"<where><path>k.cu</path><line>18</line></where>":                                                unused,
		"<where><path>other.cu</path></where>":                                                           unused,
		"<where><line>17</line></where><where><line>24</line></where>":                                   "",
		"<where><line>24</line></where><where><line>17</line></where>":                                   "",
		"<where><line>17</line></where><where><line>17</line></where>":                                   unused,
		"<kind>Race</kind><where><func>help</func><path>k.cu</path><line>24</line><pc>0x40</pc></where>": "",
		"<where><func>help</func><path>k.cu</path><line>17</line></where>":                               unused,
		"<what><space>__global__</space><size>4</size></what><where><line>17</line></where>":             "",
		"<what><space>shared</space></what><where><line>17</line></where>":                               unused,
		"<what><size>8</size></what><where><line>17</line></where>":                                      unused,
		"<what><direction>write</direction></what><where><line>24</line></where>":                        "",
		"<what><direction>atomic</direction></what><where><line>24</line></where>":                       unused,
		"<deviceStack><frame><func>help</func></frame><frame></frame></deviceStack>":                     "",
		"<kind>Api</kind><where><line>17</line></where>":                                                 "s.xml:3:1: a record of kind Api is no race",
		"<hostStack><frame><func>main</func></frame></hostStack>":                                        "s.xml:3:1: the record names no function, file or line of the device",
	} {
		list, err := ParseSuppressions("s.xml", xmlFile("<record>"+record+"</record>"))
		if err != nil {
			t.Fatal(err)
		}
		r := racing()
		r.Races[0].Size = 4
		r.Suppress(list)
		if got := strings.Join(r.Notes, "; "); got != note || (len(r.Suppressed) == 1) != (note == "") {
			t.Errorf("%s: %d suppressed, notes %q, want %q", record, len(r.Suppressed), got, note)
		}
	}
}

// TestSuppressXMLErrors: bad files are refused with a place.
func TestSuppressXMLErrors(t *testing.T) {
	for src, want := range map[string]string{
		"<a/>":                               "s.xml:1:1: expected <ComputeSanitizerOutput> with records",
		"<ComputeSanitizerOutput>\n<record>": "s.xml:2:9: not XML: line 2: unexpected EOF",
		"<!DOCTYPE a>\n<a/>":                 `s.xml:1:1: "<!DOCTYPE a": expected elements only`,
		string(xmlFile("<record><where><line>x</line></where></record>")):   `s.xml:3:16: line: expected a positive number, found "x"`,
		string(xmlFile("<record>\n<where><func>(</func></where></record>")): `s.xml:4:8: func: "(" is no regular expression`,
		strings.Repeat("<a>", 40): "s.xml:1:97: elements are nested more than 32 deep",
	} {
		if _, err := ParseSuppressions("s.xml", []byte(src)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}
