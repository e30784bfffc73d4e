// What a program is that another compiler builds of the same files.

package hostcode

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/input"
)

// compilerMacros matches macros that say which compiler reads a file, or of which version, and questions about what it
// has. nvcc and its host compiler define others than clang does. __CUDACC__ is the same for both.
var compilerMacros = regexp.MustCompile(`\b(__clang__|__clang_\w+|__llvm__|__CUDA__|__NVCC__|__NVCOMPILER\w*|__PGI\w*|__CUDACC_[A-Z]\w*|__CUDA_API_\w+|__GNUC\w*|__GNUG__|__VERSION__|__EDG\w*|__OPTIMIZE__|__NO_INLINE__|` +
	`__has_(?:builtin|feature|extension|attribute|cpp_attribute|c_attribute|declspec_attribute|include_next)|_OPENMP|CUDART_VERSION|CUDA_VERSION|__FAST_MATH__|__DATE__|__TIME__|__TIMESTAMP__)\b|__has_include\s*\(\s*<`)

// notCode matches comments and texts.
var notCode = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"`)

// differing returns why a program that nvcc builds of files may be another one than clang read, "" if there is no
// reason.
func differing(files []string) string {
	for _, name := range slices.Sorted(slices.Values(files)) {
		text, err := input.Read(name, MaxFileBytes)
		if err != nil {
			return fmt.Sprintf("%s cannot be read again, so that nothing is known of launches: %v", name, err)
		}
		for i, line := range lines(notCode.ReplaceAllFunc(text, blanked)) {
			if m := compilerMacros.FindString(line); m != "" {
				return fmt.Sprintf("%s:%d: %s differs between compilers, so that nothing is known of launches", name,
					i+1, m)
			}
		}
	}
	return ""
}

// exceptionWords matches what throws or handles exceptions.
var exceptionWords = regexp.MustCompile(`\b(?:try|throw|catch)\b`)

// mentioned reports whether code in files matches an expression. Files that cannot be read do.
func mentioned(words *regexp.Regexp, files []string) bool {
	return slices.ContainsFunc(files, func(name string) bool {
		text, err := input.Read(name, MaxFileBytes)
		return err != nil || words.Match(notCode.ReplaceAllFunc(text, blanked))
	})
}

// blanked returns a text with nothing but its line breaks, and the quotes of a text.
func blanked(text []byte) (out []byte) {
	if text[0] == '"' {
		return []byte(`""`)
	}
	for _, c := range text {
		if c == '\n' {
			out = append(out, c)
		}
	}
	return append(out, ' ')
}

func lines(text []byte) []string { return regexp.MustCompile(`\r?\n`).Split(string(text), -1) }
