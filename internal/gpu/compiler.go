// What the driver's compiler cannot compile although it is right.

package gpu

import (
	"bytes"
	"regexp"
)

var (
	beginning  = regexp.MustCompile(`\.(?:func|entry)\b`) // of a function
	lop3Result = regexp.MustCompile(`\blop3\.b32\s+([%$\w]+)`)
	equalsZero = regexp.MustCompile(`\bsetp\.eq((?:\.(?:and|or|xor))?)\.[bsu]32(\s[^;]*?,\s*)([%$\w]+)(\s*,\s*)0(\s*[,;])`)
)

// ForDriver returns the same PTX in a form that the driver's compiler compiles. That of CUDA 13.0 (driver 580.159.04)
// ends the process with a segmentation fault where a result of lop3 is only compared with 0 for equality: "less than 1"
// asks the same. Lines stay where they are.
func ForDriver(ptx []byte) []byte {
	if !bytes.Contains(ptx, []byte("lop3")) {
		return ptx
	}
	var out []byte
	from := 0
	for _, m := range append(beginning.FindAllIndex(ptx, -1), []int{len(ptx)}) {
		out = append(out, functionForDriver(ptx[from:m[0]])...)
		from = m[0]
	}
	return out
}

// functionForDriver is ForDriver for the text of one function.
func functionForDriver(text []byte) []byte {
	results := map[string]bool{}
	for _, m := range lop3Result.FindAllSubmatch(text, -1) {
		results[string(m[1])] = true
	}
	if len(results) == 0 {
		return text
	}
	return equalsZero.ReplaceAllFunc(text, func(comparison []byte) []byte {
		m := equalsZero.FindSubmatch(comparison)
		if !results[string(m[3])] {
			return comparison
		}
		return bytes.Join([][]byte{[]byte("setp.lt"), m[1], []byte(".u32"), m[2], m[3], m[4], []byte("1"), m[5]}, nil)
	})
}
