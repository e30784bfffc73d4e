package main

import (
	"bytes"
	"os"
	"testing"
)

// The program in docs/library.md is this one.
func TestLibraryDoc(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(doc, append([]byte("```go\n"), append(program, "```\n"...)...)) {
		t.Error("docs/library.md shows another program than examples/explore/main.go")
	}
}

func Example() {
	if err := explore("../message-passing/racy"); err != nil {
		panic(err)
	}
	// Output: ./racy.cu:10 and ./racy.cu:17: 100 of 100 schedules
}
