// The table of functions: names, parameters, and what computes them.

package library

import (
	"slices"
	"strings"
	"sync"
)

// Kinds of parameters, by their letters in the table. The first parameter of each function with the letter h is the
// handle, which is not an argument: its stream is that of the request.
const (
	Handle      = 'h' // the library's handle
	Owner       = 'o' // the same, whose object's number is an argument
	Integer     = 'i' // int; int64_t in functions whose names end in _64
	Enumeration = 'e' // int
	Compute     = 'c' // int, the type that gemmEx computes in
	Long        = 'l' // 64 bits
	Single      = 'f' // float
	Double      = 'd' // double
	Pointer     = 'p' // address on the device, or an object's number
	Scalar      = 's' // pointer to a scalar of the function's type, on the host or the device
	RealScalar  = 'u' // the same of the real type
	MixedScalar = 'x' // the same of the type that Compute and the operands say
	Result      = 'r' // pointer to a result of the function's type, on the host or the device
	RealResult  = 'v' // the same of the real type
	Index       = 'n' // the same of type Integer
	Made        = 'O' // pointer on the host to an object's number
	HostSize    = 'Z' // pointer on the host to a size_t
	HostInteger = 'N' // pointer on the host to an int
)

// FirstType is the argument of gemmEx with the type of its first operand.
const FirstType = 7

// Function is a function of a library.
type Function struct {
	Name    string
	Library string
	Type    Type   // of the elements, as the name says
	Wide    bool   // integers have 64 bits
	Letters string // the kinds of all parameters, with the handle
	Kinds   string // the kinds of arguments, without the handle
	Hidden  bool   // a call of hand-written functions, which the library does not export
	run     func(*call)
}

// row is a row of the table: names with alternatives in braces, after a dot if the function is hidden, and for each of
// these the letter of a type.
type row struct {
	names, types, letters string
	run                   func(*call)
}

// table has the functions of a library.
type table struct {
	library string
	wide    bool // each function has one with integers of 64 bits
	rows    []row
}

func tables() []table {
	return []table{
		{"cublas", true, append(append(vectors(), matrices()...), products()...)},
		{"cublasLt", false, []row{{".cublasLtMatmul", "s", "h e e l l l x p e l l p e l l x p e l l p e l l l c e", gemmEx(with(matmul[float64], matmul[complex128]))}}},
		{"curand", false, generators()},
		{"cufft", false, transforms()},
		{"cusparse", false, sparseMatrices()},
	}
}

// functions are all functions by name.
var functions = sync.OnceValue(func() map[string]*Function {
	all := make(map[string]*Function)
	for _, f := range Functions() {
		all[f.Name] = f
	}
	return all
})

// Functions returns the functions that exist, in the order of the table.
func Functions() (list []*Function) {
	for _, t := range tables() {
		for _, r := range t.rows {
			for i, name := range alternatives(strings.TrimPrefix(r.names, ".")) {
				f := &Function{
					Name: name, Library: t.library, Letters: strings.ReplaceAll(r.letters, " ", ""),
					run: r.run, Hidden: r.names[0] == '.',
				}
				if r.types != "" {
					f.Type = letters[r.types[i]]
				}
				f.Kinds = strings.TrimPrefix(f.Letters, string(Handle))
				list = append(list, f)
				if t.wide {
					w := *f
					w.Name, w.Wide = name+"_64", true
					list = append(list, &w)
				}
			}
		}
	}
	return list
}

// alternatives returns the names that a pattern stands for.
func alternatives(pattern string) (list []string) {
	before, rest, _ := strings.Cut(pattern, "{")
	choices, after, found := strings.Cut(rest, "}")
	if !found {
		return []string{pattern}
	}
	for c := range strings.SplitSeq(choices, ",") {
		list = append(list, before+c+after)
	}
	return list
}

// vectors are the functions of level 1.
func vectors() []row {
	rows := []row{
		{"cublasI{s,d,c,z}amax_v2", "sdcz", "h i p i n", typed(extreme[float64](true), extreme[complex128](true))},
		{"cublasI{s,d,c,z}amin_v2", "sdcz", "h i p i n", typed(extreme[float64](false), extreme[complex128](false))},
		{"cublas{S,D,Sc,Dz}asum_v2", "sdcz", "h i p i v", typed(asum[float64], asum[complex128])},
		{"cublas{S,D,Sc,Dz}nrm2_v2", "sdcz", "h i p i v", typed(nrm2[float64], nrm2[complex128])},
		{"cublas{S,D,C,Z}axpy_v2", "sdcz", "h i s p i p i", typed(axpy[float64], axpy[complex128])},
		{"cublas{S,D,C,Z}copy_v2", "sdcz", "h i p i p i", typed(copyVector[float64], copyVector[complex128])},
		{"cublas{S,D,C,Z}swap_v2", "sdcz", "h i p i p i", typed(swap[float64], swap[complex128])},
		{"cublas{S,D,C,Z}scal_v2", "sdcz", "h i s p i", typed(scal[float64](false), scal[complex128](false))},
		{"cublas{Cs,Zd}scal_v2", "cz", "h i u p i", scal[complex128](true)},
		{"cublas{S,D}dot_v2", "sd", "h i p i p i r", dot[float64](false)},
		{"cublas{C,Z}dotu_v2", "cz", "h i p i p i r", dot[complex128](false)},
		{"cublas{C,Z}dotc_v2", "cz", "h i p i p i r", dot[complex128](true)},
		{"cublas{S,D,C,Z}rot_v2", "sdcz", "h i p i p i u s", typed(rotate[float64](false), rotate[complex128](false))},
		{"cublas{Cs,Zd}rot_v2", "cz", "h i p i p i u u", rotate[complex128](true)},
	}
	return rows
}

// matrices are the functions of level 2.
func matrices() []row {
	return []row{
		{"cublas{S,D,C,Z}gemv_v2", "sdcz", "h e i i s p i p i s p i", with(gemv[float64], gemv[complex128])},
		{"cublas{S,D}ger_v2", "sd", "h i i s p i p i p i", with(ger[float64](false), nil)},
		{"cublas{C,Z}geru_v2", "cz", "h i i s p i p i p i", with(nil, ger[complex128](false))},
		{"cublas{C,Z}gerc_v2", "cz", "h i i s p i p i p i", with(nil, ger[complex128](true))},
		{"cublas{S,D,C,Z}symv_v2", "sdcz", "h e i s p i p i s p i", with(symv[float64](false), symv[complex128](false))},
		{"cublas{C,Z}hemv_v2", "cz", "h e i s p i p i s p i", with(nil, symv[complex128](true))},
		{"cublas{S,D,C,Z}syr_v2", "sdcz", "h e i s p i p i", with(syr[float64](1, false), syr[complex128](1, false))},
		{"cublas{C,Z}her_v2", "cz", "h e i u p i p i", with(nil, syr[complex128](1, true))},
		{"cublas{S,D,C,Z}syr2_v2", "sdcz", "h e i s p i p i p i", with(syr[float64](2, false), syr[complex128](2, false))},
		{"cublas{C,Z}her2_v2", "cz", "h e i s p i p i p i", with(nil, syr[complex128](2, true))},
		{"cublas{S,D,C,Z}trmv_v2", "sdcz", "h e e e i p i p i", with(triangular[float64](false), triangular[complex128](false))},
		{"cublas{S,D,C,Z}trsv_v2", "sdcz", "h e e e i p i p i", with(triangular[float64](true), triangular[complex128](true))},
	}
}

// products are the functions of level 3 and those that extend it.
func products() []row {
	const (
		form    = "h e e i i i s p i p i s p i"
		strided = "h e e i i i s p i l p i l s p i l i"
	)
	return []row{
		{"cublas{S,D,C,Z}gemm_v2", "sdcz", form, with(gemm[float64]((*call).ref), gemm[complex128]((*call).ref))},
		{"cublasHgemm", "h", form, with(gemm[float64]((*call).ref), nil)},
		{"cublas{C,Z}gemm3m", "cz", form, with(nil, gemm[complex128]((*call).ref))},
		{"cublas{H,S,D,C,Z}gemmBatched", "hsdcz", form + "i", with(gemmBatched[float64]((*call).ref), gemmBatched[complex128]((*call).ref))},
		{"cublas{H,S,D,C,Z}gemmStridedBatched", "hsdcz", strided, with(gemmStrided[float64]((*call).ref), gemmStrided[complex128]((*call).ref))},
		{"cublas{S,C}gemmEx", "sc", "h e e i i i s p e i p e i s p e i", with(gemm[float64]((*call).typed), gemm[complex128]((*call).typed))},
		{"cublasGemmEx", "s", "h e e i i i x p e i p e i x p e i c e", gemmEx(with(gemm[float64]((*call).typed), gemm[complex128]((*call).typed)))},
		{"cublasGemmBatchedEx", "s", "h e e i i i x p e i p e i x p e i i c e", gemmEx(with(gemmBatched[float64]((*call).typed), gemmBatched[complex128]((*call).typed)))},
		{"cublasGemmStridedBatchedEx", "s", "h e e i i i x p e i l p e i l x p e i l i c e", gemmEx(with(gemmStrided[float64]((*call).typed), gemmStrided[complex128]((*call).typed)))},
		{"cublas{S,D,C,Z}symm_v2", "sdcz", "h e e i i s p i p i s p i", with(symm[float64](false), symm[complex128](false))},
		{"cublas{C,Z}hemm_v2", "cz", "h e e i i s p i p i s p i", with(nil, symm[complex128](true))},
		{"cublas{S,D,C,Z}syrk_v2", "sdcz", "h e e i i s p i s p i", with(syrk[float64](false), syrk[complex128](false))},
		{"cublas{C,Z}herk_v2", "cz", "h e e i i u p i u p i", with(nil, syrk[complex128](true))},
		{"cublas{S,D,C,Z}syr2k_v2", "sdcz", "h e e i i s p i p i s p i", with(syr2k[float64](false), syr2k[complex128](false))},
		{"cublas{C,Z}her2k_v2", "cz", "h e e i i s p i p i u p i", with(nil, syr2k[complex128](true))},
		{"cublas{S,D,C,Z}trmm_v2", "sdcz", "h e e e e i i s p i p i p i", with(trmm[float64], trmm[complex128])},
		{"cublas{S,D,C,Z}trsm_v2", "sdcz", "h e e e e i i s p i p i", with(trsm[float64], trsm[complex128])},
		{"cublas{S,D,C,Z}trsmBatched", "sdcz", "h e e e e i i s p i p i i", with(trsmBatched[float64], trsmBatched[complex128])},
		{"cublas{S,D,C,Z}geam", "sdcz", "h e e i i s p i s p i p i", typed(geam[float64], geam[complex128])},
		{"cublas{S,D,C,Z}dgmm", "sdcz", "h e i i p i p i p i", typed(dgmm[float64], dgmm[complex128])},
	}
}

// titles are the libraries by the names that their files and the table have, and people's names of them.
var titles = []struct{ name, title string }{
	{"cublas", "cuBLAS"},
	{"cublasLt", "cuBLASLt"},
	{"curand", "cuRAND"},
	{"cufft", "cuFFT"},
	{"cusparse", "cuSPARSE"},
	{"nccl", "NCCL"},
}

// Title returns people's name of a library, its name in the table if it has none.
func Title(name string) string {
	for _, t := range titles {
		if t.name == name {
			return t.title
		}
	}
	return name
}

// Of returns the library of a function, "" if it is unknown.
func Of(function string) string {
	if f := Named(function); f != nil {
		return f.Library
	}
	return ""
}

// Has reports whether there is a library of that name.
func Has(name string) bool {
	return slices.ContainsFunc(titles, func(t struct{ name, title string }) bool { return t.name == name })
}

// CallName returns a function's name as programs write it: cublas_v2.h adds the ending _v2.
func CallName(function string) string {
	if !strings.HasPrefix(function, "cublas") {
		return function
	}
	return strings.TrimSuffix(strings.TrimSuffix(function, "_64"), "_v2")
}

// Named returns the function of a name, nil for none.
func Named(function string) *Function { return functions()[function] }
