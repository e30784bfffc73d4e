// The syntax tree: the part of C++ that launches need.

package host

// ctype is a type: its base name without qualifiers, and the number of pointers to it.
type ctype struct {
	name  string
	ptr   int
	ref   bool
	konst bool
}

type exprKind uint8

const (
	exName exprKind = iota
	exNumber
	exString
	exCall     // x(args)
	exLaunch   // x<<<config>>>(args)
	exMember   // x.name, x->name
	exIndex    // x[y]
	exUnary    // op x
	exPostfix  // x op
	exBinary   // x op y
	exAssign   // x op y, op is = += …
	exChoice   // x ? y : z
	exCast     // (typ) x
	exSizeType // sizeof(typ)
	exSize     // sizeof x
	exList     // {args}
	exOpaque   // a lambda, new, and constructs that are not understood
)

// node is an expression.
type node struct {
	kind    exprKind
	op      string // operator, name, number or member
	typ     ctype
	x, y, z *node
	args    []*node
	config  []*node // of a launch
	targs   []*node // template arguments
	at      token
	from    int // its range of tokens
	to      int
}

type stmtKind uint8

const (
	stBlock stmtKind = iota
	stDecl
	stExpr
	stIf
	stFor
	stRange // for (x : y)
	stWhile
	stDo
	stReturn
	stBreak // and continue
	stSwitch
	stCase // x is nil for default
	stLabel
	stGoto
	stTry
)

// stmt is a statement.
type stmt struct {
	kind  stmtKind
	op    string // break or continue
	x     *node  // condition or value
	post  *node
	init  *stmt
	body  []*stmt // body of a block; for a branch: body, then other
	other []*stmt
	decls []*decl
	at    token
}

// decl is a declared variable.
type decl struct {
	typ   ctype
	name  string
	array bool
	init  *node   // = init
	args  []*node // (args) or {args}
	brace bool
	at    token

	hidden bool // at file scope, and invisible to other files
}

// function is a function with a body.
type function struct {
	name     string
	params   []decl
	template []string
	body     []*stmt
	unit     *unit
	static   bool // it cannot be called from elsewhere
	device   bool // __global__, or __device__ without __host__
	result   ctype
	at       token
	calls    map[string]bool
	jumps    bool // it contains goto

	from, to int // tokens of its body
}

// structure is a struct with its known fields.
type structure struct {
	name   string
	fields []decl
}
