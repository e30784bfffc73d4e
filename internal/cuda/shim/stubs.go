// The generated functions of drop-in libraries over the runtime, such as cuBLAS: C that packs arguments into a request
// (src/calls.h).

package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	calls "github.com/ptxsan/ptxsan/internal/cuda/library"
)

// standIns are the libraries over the runtime, with the number of the result of functions that exist by name only.
var standIns = map[string]string{
	"cublas":   "15", // CUBLAS_STATUS_NOT_SUPPORTED
	"cublasLt": "15",
	"curand":   "999", // CURAND_STATUS_INTERNAL_ERROR
	"cufft":    "16",  // CUFFT_NOT_SUPPORTED
	"cusparse": "10",  // CUSPARSE_STATUS_NOT_SUPPORTED
	"nccl":     "3",   // ncclInternalError
}

// parameter returns the type of a parameter in C, and the expression that makes an argument of it.
func parameter(f *calls.Function, kind byte, name string) (typ, argument string) {
	integer, size := "int", 4
	if f.Wide {
		integer, size = "int64_t", 8
	}
	scalar := func(size int) string { return fmt.Sprintf("library_scalar(h, %s, %d)", name, size) }
	result := func(h string, size int) string { return fmt.Sprintf("library_result(%s, %s, %d)", h, name, size) }
	switch kind {
	case calls.Integer:
		return integer, "library_value((uint64_t)(int64_t)" + name + ")"
	case calls.Enumeration, calls.Compute:
		return "int", "library_value((uint32_t)" + name + ")"
	case calls.Long:
		return "int64_t", "library_value((uint64_t)" + name + ")"
	case calls.Single:
		return "float", "library_float(" + name + ")"
	case calls.Double:
		return "double", "library_float(" + name + ")"
	case calls.Scalar:
		return "const void *", scalar(f.Type.Size())
	case calls.RealScalar:
		return "const void *", scalar(f.Type.Part().Size())
	case calls.MixedScalar:
		compute := strings.IndexByte(f.Kinds, calls.Compute)
		first := compute // of cuSPARSE, which computes in the type of the operands
		if f.Library == "cublas" {
			first = calls.FirstType
		}
		return "const void *", fmt.Sprintf("library_scalar(h, %s, library_mixed(p%d, p%d))", name, compute, first)
	case calls.Result:
		return "void *", result("h", f.Type.Size())
	case calls.RealResult:
		return "void *", result("h", f.Type.Part().Size())
	case calls.Index:
		return "void *", result("h", size)
	case calls.Made, calls.HostSize:
		return "void *", result("NULL", 8)
	case calls.HostInteger:
		return "void *", result("NULL", 4)
	}
	return "const void *", "library_pointer(" + name + ")"
}

// function returns the C function for a row of the table.
func function(f *calls.Function) string {
	params, args := []string(nil), make([]string, len(f.Kinds))
	if f.Letters[0] == calls.Owner || f.Letters[0] == calls.Handle {
		params = []string{"struct library_handle *h"}
	}
	for i := range f.Kinds {
		if f.Kinds[i] == calls.Owner {
			args[i] = "library_value(h->object)"
			continue
		}
		name := fmt.Sprintf("p%d", i)
		typ, argument := parameter(f, f.Kinds[i], name)
		params, args[i] = append(params, typ+" "+name), argument
	}
	handle, check := "NULL", ""
	if len(params) > 0 && strings.HasPrefix(params[0], "struct library_handle") {
		handle, check = "h", "\tif (h == NULL)\n\t\treturn library_status(WIRE_NOT_INITIALIZED);\n"
	}
	return fmt.Sprintf("EXPORT int %s(%s) {\n%s\tconst struct library_argument list[] = {\n\t\t%s,\n\t};\n\treturn library_status(library_call(%s, %q, list, sizeof list / sizeof *list));\n}\n",
		f.Name, strings.Join(params, ", "), check, strings.Join(args, ",\n\t\t"), handle, f.Name)
}

// generated returns the generated functions, a file for each library, in the order of the table.
func generated() (files []string) {
	for _, f := range calls.Functions() {
		if len(files) == 0 || !strings.HasPrefix(files[len(files)-1], "// "+f.Library+"\n") {
			files = append(files, "// "+f.Library+"\n#include \"library.h\"\n")
		}
		if !f.Hidden {
			files[len(files)-1] += function(f)
		}
	}
	return files
}

// writeCalls writes the generated functions.
func writeCalls(src string) error {
	for _, text := range generated() {
		name, _, _ := strings.Cut(strings.TrimPrefix(text, "// "), "\n")
		if err := os.WriteFile(filepath.Join(src, name+"_calls.c"), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
