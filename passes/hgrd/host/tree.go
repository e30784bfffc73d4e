// The syntax tree: as much of C++ as launches need.

package host

// ctype is a type: its base name without qualifiers, and how many pointers lead to it.
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
	exOpaque   // a lambda, new, and what is not understood
)

// node is an expression.
type node struct {
	kind    exprKind
	op      string // or the name, number or member
	typ     ctype
	x, y, z *node
	args    []*node
	config  []*node // of a launch
	targs   []*node // template arguments
	at      token
	from    int // tokens of it
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
	x     *node  // condition, value
	post  *node
	init  *stmt
	body  []*stmt // of a block, and the branches of others: body, then other
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

	hidden bool // of file scope: no other file can name it
}

// function is a function with a body.
type function struct {
	name     string
	params   []decl
	template []string
	body     []*stmt
	unit     *unit
	static   bool // it cannot be called from elsewhere
	device   bool // __global__ or __device__ without __host__
	result   ctype
	at       token
	calls    map[string]bool
	jumps    bool // it has goto

	from, to int // tokens of its body
}

// structure is a struct with the fields that are known.
type structure struct {
	name   string
	fields []decl
}
