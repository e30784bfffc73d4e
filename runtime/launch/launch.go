// Package launch reads launch files: YAML that lists the buffers to allocate, the kernels to launch with their
// arguments, and the expected results of the run.
//
// The package only handles data. It uses the scalar types of PTX by name and width, because buffers and arguments
// consist of them. It must know nothing else of PTX, nor the emulator. It accesses no device: it produces buffers in
// pieces that the caller writes.
//
// Every error in a launch file is an *Error with file, line and column.
package launch

import "github.com/ptxsan/ptxsan/internal/yamldoc"

// File is a launch file.
type File struct {
	Name       string      // as given to Parse
	Text       []byte      // of the file
	Buffers    []Buffer    // in file order
	Textures   []Texture   // in file order
	TensorMaps []TensorMap // in file order
	Endpoints  []Endpoint  // in file order
	Globals    []Global    // in file order
	Launches   []Launch    // at least one
	Expect     *Expect     // nil when there is nothing to compare
	Guessed    bool        // a template, whose sizes, numbers and contents nobody has confirmed
	Shaped     bool        // of a template: the blocks are known
	Sized      bool        // of a template: grids and numbers are known, too
	NoHost     bool        // no host, peer or mapped access to the buffers while kernels run
	// Guess is a template beside launches that host code makes, nil without; Notes say how both came about. Texts of
	// files have neither.
	Guess *File
	Notes []string
}

// Buffer returns the buffer of a name, nil when there is none.
func (f *File) Buffer(name string) *Buffer {
	for i := range f.Buffers {
		if f.Buffers[i].Name == name {
			return &f.Buffers[i]
		}
	}
	return nil
}

// Pos is a place in a launch file. Its Errorf is for errors that only the caller can detect, such as a kernel that the
// module does not have.
type Pos = yamldoc.Pos

// Error is an error at a place in a launch file.
type Error = yamldoc.Error

// Buffer is one device allocation.
type Buffer struct {
	Pos
	Name  string
	Type  Type
	Count uint64 // elements
	Init  Init
	// Initialised says that the file gives initial contents, such as zeros.
	Initialised bool
}

// Size returns the length of the buffer in bytes.
func (b *Buffer) Size() uint64 { return b.Count * uint64(b.Type.Size()) }

// InitKind is a kind of initial contents.
type InitKind uint8

// Kinds of initial contents.
const (
	InitNumber InitKind = iota // every element is Init.Value
	InitIota                   // 0, 1, 2, ...
	InitRandom                 // uniform in [Min, Max] from Seed
	InitList                   // Init.List, one number per element
	InitFile                   // the contents of Init.Path
)

// Init describes the contents of a buffer. The zero value is all zeros.
type Init struct {
	Kind     InitKind
	Value    Number
	List     []Number
	Seed     uint64
	Min, Max Number
	Path     string // as written, relative to the launch file
	from     folder // folder of Path, set by Load
	held     []byte // contents of Path, set by Hold
}

// Global overrides the initial value of a module-scope variable. A number fills
// every element; a list must not be longer than the variable.
type Global struct {
	Pos
	Name string
	Init Init
}

// Launch is one kernel launch.
type Launch struct {
	Pos
	Kernel    string
	KernelPos Pos
	Grid      [3]uint32
	Block     [3]uint32
	Cluster   [3]uint32
	Shared    uint64 // dynamic shared memory, bytes
	// Cooperative makes all blocks run concurrently, as grid.sync() requires.
	Cooperative bool
	// Programmatic lets the launch begin before the end of the one before it in the file, as programmatic stream
	// serialization does.
	Programmatic bool
	Site         string // place in host code that makes the launch, "" for none
	Args         []Arg
	ArgsPos      Pos
}

// ArgKind is the kind of a kernel argument.
type ArgKind uint8

// Kinds of arguments.
const (
	ArgNumber ArgKind = iota // Value, converted to the parameter's type, or to Type if given
	ArgBuffer                // the pointer to Buffer, or the texture object or tensor map of that name
	ArgStruct                // Fields, for a parameter passed by value
)

// Arg is one kernel argument, or one field of a struct argument.
type Arg struct {
	Pos
	Kind   ArgKind
	Buffer string
	Offset uint64 // bytes from the start of the buffer
	Value  Number
	Type   Type // TypeNone unless written, as in {f64: 1.5}
	Fields []Arg

	tensorMap bool // Buffer names a tensor map
}

// Expect is the expected result of a run. Zero fields are not compared.
type Expect struct {
	Pos
	Verdict  string // racy, clean or fault
	Races    int    // unique pairs; -1 when not given
	Kinds    []string
	Space    string
	Lines    [][2]int // pairs of source lines
	Fault    string   // class of the first fault
	Lockstep string   // deadlock or livelock: the end of the program without independent thread scheduling
	Buffers  []ExpectBuffer
	// Semantics lists the right answers under named definitions of a race.
	Semantics []Semantics
}

// ExpectBuffer is the expected contents of a buffer.
type ExpectBuffer struct {
	Pos
	Name      string
	Equals    Init
	Tolerance float64 // largest absolute difference allowed
}
