// The syntax tree: modules, functions, statements, instructions, operands.

package ptxgrammar

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// Module is the syntax tree of one PTX file. Statements, instructions and operands are in arrays that the tree refers
// to by index, so that the garbage collector has no pointers to follow. Declarations and functions, of which there are
// few, are ordinary values. Every node has its byte range in File.Src.
type Module struct {
	File          *File
	Version       isa.Version
	VersionAt     Range    // the number after .version
	Target        []string // sm_70, debug, ...
	TargetAt      Range    // the list after .target
	AddressSize   int      // 32 or 64; 32 when the directive is absent
	AddressSizeAt Range    // the number after .address_size, TargetAt when the directive is absent
	Items         []Item   // top level, in source order

	Funcs      []Func
	Decls      []Decl
	Insts      []Inst
	Labels     []Label
	Blocks     []Block
	Locs       []Loc
	Directives []Directive
	Operands   []Operand // see InstOperands and Children
	Files      []FileDirective

	toks []Tok
	text string // File.Src
}

// ItemKind is the kind of a top-level node.
type ItemKind uint8

// Top-level nodes.
const (
	ItemDecl      ItemKind = iota // Module.Decls
	ItemFunc                      // Module.Funcs
	ItemDirective                 // Module.Directives: .version, .target, .address_size, .pragma, .alias, .section
	ItemFile                      // Module.Files
	ItemLoc                       // Module.Locs (old compilers put them at top level)
)

// Item is a top-level node.
type Item struct {
	Kind  ItemKind
	Index uint32
}

// StmtKind is the kind of a statement in a function body.
type StmtKind uint8

// Statements.
const (
	StmtInst      StmtKind = iota // Module.Insts
	StmtLabel                     // Module.Labels
	StmtDecl                      // Module.Decls
	StmtBlock                     // Module.Blocks
	StmtLoc                       // Module.Locs
	StmtDirective                 // Module.Directives: .pragma, .branchtargets, .calltargets, .callprototype, .section
	StmtFile                      // Module.Files
	StmtEmpty                     // a lone ';': the index is that of its token
)

// Stmt is one statement: an index into the array for its Kind.
type Stmt struct {
	Kind  StmtKind
	Index uint32
}

// Linkage is the set of linking directives of a declaration.
type Linkage uint8

// Linking directives.
const (
	Extern Linkage = 1 << iota
	Visible
	Weak
	Common
)

// Func is a kernel or device function, with or without a body.
type Func struct {
	Range
	Entry    bool
	Linkage  Linkage
	Name     string
	NameAt   Range
	Returns  []Var
	Params   []Var
	ParamsAt Range  // with the parentheses; empty when there is no list
	Perf     []Perf // .maxntid 128, .noreturn, ...
	Body     int    // index into Module.Blocks, -1 for a declaration
}

// Perf is a performance-tuning or attribute directive of a function header.
type Perf struct {
	Range
	Name string // with the dot
	Args []uint64
}

// Decl is one declaration statement; .reg .b32 %a, %b; has two Vars.
type Decl struct {
	Range
	Vars []Var
}

// Var is one declared variable, register (range), parameter or reference.
type Var struct {
	Range   // from name to initialiser
	Space   isa.Space
	Bank    int // of .const[Bank], PTX before 2.2; 0 when not given
	Linkage Linkage
	Type    isa.Type
	Vec     int    // 1, 2 or 4
	Align   int    // bytes; 0 when not given
	Name    string // the prefix when Count > 0; "" for an unnamed prototype parameter
	NameAt  Range
	Count   int      // .reg .b32 %r<10> declares %r0 to %r9: Count 10; 0 for a plain name. Variables in a body may have one, too
	Dims    []int64  // array dimensions, -1 for []
	Init    int      // index into Module.Operands, -1 when there is none
	Ptr     *PtrInfo // .ptr attribute of a kernel parameter
	Attrs   []string // .attribute(...) words such as ".managed", and ".hidden" of a parameter
}

// PtrInfo is the .ptr attribute of a kernel parameter.
type PtrInfo struct {
	Space isa.Space
	Align int
}

// Block is a brace-enclosed statement list: a function body or a nested scope.
type Block struct {
	Range // with the braces
	Stmts []Stmt
}

// Label is "name:".
type Label struct {
	Range
	Name string
}

// Loc is a .loc directive, with inlined_at when the compiler wrote one.
type Loc struct {
	Range
	File, Line, Col int
	Function        string // function_name label; "" without inlined_at
	FunctionOffset  int
	InlinedAt       *LocAt
}

// LocAt is the place at which a .loc was inlined.
type LocAt struct{ File, Line, Col int }

// FileDirective is .file index "name".
type FileDirective struct {
	Range
	Index int
	Name  string // unquoted
}

// Directive is any other directive, kept as text with the names in it.
type Directive struct {
	Range
	Unknown   bool       // not in the tables: of a newer release
	Name      string     // with the dot
	Label     string     // name before the colon of .branchtargets, .calltargets, .callprototype
	Names     []string   // identifiers listed (targets, alias sides)
	Prototype *Prototype // of .callprototype, else nil
}

// Prototype is what a .callprototype says of functions.
type Prototype struct {
	Returns, Params []Var
	Perf            []Perf // .noreturn, .abi_preserve 8, ...
}

// Inst is one instruction. Methods of Module return its spelling and operands.
type Inst struct {
	First, End uint32 // token range, with guard and ';'
	opcode     uint32 // token of the base opcode
	firstOp    uint32 // top-level operands in Module.Operands
	nOps       uint32
	nMods      uint8
	HasGuard   bool
	GuardNot   bool
}

// OperandKind is the kind of an operand node.
type OperandKind uint8

// Operand nodes.
const (
	OperandName   OperandKind = iota // register, variable, label, function, special register; see Name and Member
	OperandInt                       // Value
	OperandFloat                     // Value holds the bits of a float64, or of a float32 when Single
	OperandString                    // OperandText is the literal with quotes
	OperandVector                    // {a, b, c}: children
	OperandAddr                      // [base], [base+off], [tex, {x,y}]: children, expressions; see Member
	OperandList                      // (a, b): a whole operand of an instruction in parentheses, as in call
	OperandUnary                     // Op child
	OperandBinary                    // child Op child; Op "|" is the pair d|p, '=' only inside initialisers
	OperandCast                      // (.u64) child: see CastType
	OperandCond                      // child ? child : child
	OperandCall                      // generic(child); 0xff(child), whose mask is Value: only inside initialisers
	OperandIndex                     // child[child]: an element of an array
)

// Operand is one node of an operand tree. Children are contiguous in
// Module.Operands.
type Operand struct {
	Kind   OperandKind
	Single bool   // OperandFloat: 0f literal
	op     uint8  // index into operators
	tok    uint32 // first token
	end    uint32 // token after the node
	first  uint32 // first child
	n      uint32
	Value  uint64
}
