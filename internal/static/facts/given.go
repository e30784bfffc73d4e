// Launch facts in the form for the analysis of a kernel.

package facts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// Given is what is known of all launches of a kernel at one place of host code. A kernel launched at several places is
// free of races if it is under each Given, and has a race if it has one under any.
type Given struct {
	Site     string            // file:line:col of the launch, "" for any launch
	Facts    []Fact            // names are unique
	Pointers map[Param]Pointer // pointer arguments with a known allocation
	Shared   *expr.Int         // bytes of dynamic shared memory; nil: unknown
	// First says that the module's variables have their initial values when the kernel starts.
	First bool
	// Changed has the variables of the module that the host may have written to, by their names there: see Launch.
	Changed []string
	// Lost has the variables of formulas whose values host code's reader has not followed, extents included: see Var.
	Lost map[string]bool
	// LostAt has the places in host code where the reader stopped to follow them, as far as they are known.
	LostAt map[string]string
	// Unfollowed says that host code was not followed to the launch: see Launch.
	Unfollowed bool
	// Unclustered says that the launch names no clusters: they are as the kernel requires, or of one block.
	Unclustered bool
	// Start describes the arguments of the program for which the facts hold, "" for any.
	Start string
	// Disjoint says that pointer parameters of unknown origin do not alias.
	Disjoint bool
}

// LosesPointers reports whether there are pointers that were not followed.
func (g *Given) LosesPointers() bool {
	for _, p := range g.Pointers {
		if p.Lost {
			return true
		}
	}
	return false
}

// Nothing returns the facts of any launch.
func Nothing() *Given { return &Given{} }

// Fact is a named formula that holds for the launches.
type Fact struct {
	Name    string // Text and At
	Class   Class
	Text    string
	At      string
	Formula *expr.Bool
	// Var and Value are set for a definition: Formula is Var == Value. No other fact defines the same variable.
	Var   string
	Value *expr.Int
}

// Param is a kernel parameter, or a location in a struct passed by value.
type Param struct {
	Index  int   // from 0
	Offset int64 // in bytes
}

// String returns the name of a parameter in facts, where parameters count from 1.
func (p Param) String() string {
	if p.Offset != 0 {
		return fmt.Sprintf("parameter %d at byte %d", p.Index+1, p.Offset)
	}
	return fmt.Sprintf("parameter %d", p.Index+1)
}

// MarshalText implements encoding.TextMarshaler. The form is index@offset.
func (p Param) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d@%d", p.Index, p.Offset), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Param) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%d@%d", &p.Index, &p.Offset)
	return err
}

// Pointer is the value of a pointer argument.
type Pointer struct {
	Buffer string    // pointers to different buffers do not alias
	Offset *expr.Int // bytes from the start of the allocation; nil: unknown
	// Size is the size of the allocation in bytes: no access from Offset on leaves it. Nil: unknown. Bound is the name
	// of this fact.
	Size  *expr.Int
	Bound string
	// Initial is the value of every element when the kernel starts; nil: unknown. Init is the name of this fact.
	Initial *expr.Int
	Init    string
	// Order is what the elements are when the kernel starts; "": unknown. Ordered is the name of this fact.
	Order   Order
	Ordered string
	Lost    bool // see Arg
}

// The ranges of extents (CUDA C++ Programming Guide, compute capabilities).
const (
	maxThreads  = 1024
	maxThreadsZ = 64
	maxBlocks   = math.MaxInt32
	maxBlocksYZ = math.MaxUint16
	maxCluster  = 16
)

// Dim returns the variable for special register "ntid", "nctaid" or "cluster_nctaid" in dimension 'x', 'y' or 'z'.
func Dim(register string, axis byte) *expr.Int {
	most := int64(maxThreads)
	switch {
	case register == "ntid" && axis == 'z':
		most = maxThreadsZ
	case register == "cluster_nctaid":
		most = maxCluster
	case register == "nctaid" && axis == 'x':
		most = maxBlocks
	case register == "nctaid":
		most = maxBlocksYZ
	}
	return expr.Uniform(register+"."+string(axis), 1, most)
}

// ExtentName returns the name for people of the variable of an extent of grid or block, such as block.x.
func ExtentName(variable string) string {
	return strings.NewReplacer("nctaid", "grid", "ntid", "block").Replace(variable)
}

// ParamVar returns the variable for a parameter, or for the value at an offset in it: a signed number of that many
// bits.
func ParamVar(index int, offset int64, bits int) *expr.Int {
	name := fmt.Sprintf("p%d", index)
	if offset != 0 {
		name += fmt.Sprintf("@%d", offset)
	}
	bits = min(max(bits, 1), 64)
	return expr.Uniform(name, -1<<(bits-1), 1<<(bits-1)-1)
}

// ParamOf returns the parameter for which a variable with a name stands: see ParamVar.
func ParamOf(variable string) (p Param, ok bool) {
	digits, isParam := strings.CutPrefix(variable, "p")
	index, offset, isField := strings.Cut(digits, "@")
	n, err := strconv.Atoi(index)
	if isField && err == nil {
		p.Offset, err = strconv.ParseInt(offset, 10, 64)
	}
	p.Index = n
	return p, isParam && err == nil
}

// Defines reports whether a fact says what the value of a variable is.
func (g *Given) Defines(variable string) bool {
	return slices.ContainsFunc(g.Facts, func(f Fact) bool { return f.Var == variable })
}

// Given converts a launch to formulas, without the facts of the classes in drop. widths has the number of bits of each
// parameter, 0 for one that is not a number; its length is the number of arguments.
func (l *Launch) Given(drop map[Class]bool, widths []int) *Given {
	g := &giver{
		Given:  &Given{Site: l.Site.String(), Pointers: make(map[Param]Pointer), Lost: make(map[string]bool), LostAt: make(map[string]string)},
		launch: l, drop: drop, names: make(map[string]int), uses: make(map[string][]string),
	}
	if !drop[Dims] {
		g.dims("nctaid", "grid", l.Grid)
		g.dims("ntid", "block", l.Block)
		g.dims("cluster_nctaid", "cluster", l.Cluster)
		g.wholeClusters()
		g.Unclustered = l.Cluster == [3]*expr.Int{}
		if l.Shared != nil && !l.Shared.IsUnknown() {
			g.Shared = g.copyFor("extents", l.Shared)
		}
	}
	g.First, g.Unfollowed, g.Start = l.First && !drop[Values], l.Unfollowed, l.Start()
	g.Changed = l.Changed
	for i := range l.Args {
		if i < len(widths) {
			g.arg(Param{Index: i}, widths[i], &l.Args[i])
		}
	}
	for i := range l.Requires {
		g.condition(&l.Requires[i])
	}
	return g.Given
}

// NoWrap adds that the numbers passed by host code fit signed registers, which is the form of parameters in formulas.
func (g *Given) NoWrap() {
	for _, f := range g.Facts {
		if f.Var == "" || f.Value.Op() != expr.OpWrap {
			continue
		}
		x := f.Value.Args()[0]
		bits, signed := f.Value.Width()
		if !signed || bits > 64 {
			continue
		}
		lo, hi, _ := TypeRange(fmt.Sprintf("s%d", bits))
		if lo != nil {
			g.Facts = append(g.Facts, Fact{
				Name: "no-wrap: " + f.Name + " fits a signed register", Class: Overflow,
				Text: f.Text, At: f.At, Formula: expr.All(expr.Ge(x, expr.Big(lo)), expr.Le(x, expr.Big(hi))),
			})
		}
	}
}

// giver makes a Given from a launch.
type giver struct {
	*Given
	launch *Launch
	drop   map[Class]bool
	names  map[string]int
	// uses has the copies of a variable, by name, if relations are dropped: each argument has its own, and the extents
	// have one.
	uses map[string][]string
}

// add adds a fact under a unique name.
func (g *giver) add(f Fact) {
	f.Name = f.Text
	if f.At != "" {
		f.Name += " (" + f.At + ")"
	}
	if n := g.names[f.Name]; n > 0 {
		g.names[f.Name]++
		f.Name += fmt.Sprintf(" #%d", n+1)
	}
	g.names[f.Name]++
	g.Facts = append(g.Facts, f)
}

func (g *giver) dims(register, what string, extents [3]*expr.Int) {
	for i, x := range extents {
		axis := "xyz"[i]
		if x == nil || x.IsUnknown() {
			g.Lost[register+"."+string(axis)] = g.Site != "" && what != "cluster"
			continue
		}
		v := Dim(register, axis)
		g.add(Fact{
			Class: Dims, Text: fmt.Sprintf("%s.%c = %s", what, axis, x), At: g.Site,
			Var: register + "." + string(axis), Value: g.copyFor("extents", x),
			Formula: expr.Eq(v, g.copyFor("extents", x)),
		})
	}
}

// wholeClusters adds that the grid consists of whole clusters.
func (g *giver) wholeClusters() {
	for i, x := range g.launch.Cluster {
		if x == nil {
			continue
		}
		if k, ok := x.Int64(); !ok || k <= 1 {
			continue
		}
		axis := "xyz"[i]
		g.add(Fact{
			Class: Dims, Text: fmt.Sprintf("grid.%c is a multiple of %s", axis, x), At: g.Site,
			Formula: expr.Eq(expr.Rem(Dim("nctaid", axis), x), expr.Const(0)),
		})
	}
}

// arg adds the facts about an argument, or about a field of one.
func (g *giver) arg(p Param, bits int, a *Arg) {
	switch {
	case a.Buffer != "":
		g.pointer(p, a)
	case a.Fields != nil:
		for i := range a.Fields {
			f := &a.Fields[i]
			g.arg(Param{p.Index, f.Offset}, f.Bits, &f.Arg)
		}
	case a.Int != nil && bits > 0 && !a.Int.IsUnknown():
		v := ParamVar(p.Index, p.Offset, bits)
		value := g.copyFor(v.String(), a.Int)
		if w := typeBits(a.Type); w == 0 || w > bits {
			value = expr.Wrap(value, bits, true)
		}
		g.add(Fact{
			Class: Relations, Text: fmt.Sprintf("%s = %s", p, a.Int), At: g.Site,
			Var: v.String(), Value: value, Formula: expr.Eq(v, value),
		})
	}
}

func (g *giver) pointer(p Param, a *Arg) {
	b := g.launch.Buffer(a.Buffer)
	if b == nil || g.drop[Identity] {
		return
	}
	ptr := Pointer{Buffer: b.Name, Lost: a.Lost}
	at := ""
	if b.Site.Line > 0 {
		at = " (" + b.Site.String() + ")"
	}
	if a.Offset != nil && !a.Offset.IsUnknown() {
		ptr.Offset = g.copyFor("buffer", a.Offset)
	}
	if b.Size != nil && !b.Size.IsUnknown() && !g.drop[InBounds] {
		ptr.Size = g.copyFor("buffer", b.Size)
		ptr.Bound = fmt.Sprintf("in-bounds: %s, to which %s points, has %s bytes%s", b.Name, p, b.Size, at)
	}
	if b.Init != nil && !b.Init.IsUnknown() && !g.drop[Values] {
		ptr.Initial = g.copyFor("buffer", b.Init)
		ptr.Init = fmt.Sprintf("%s, to which %s points, starts with %s%s", b.Name, p, b.Init, at)
	}
	if b.Order != "" && !g.drop[Values] {
		ptr.Order, ptr.Ordered = b.Order, fmt.Sprintf("%s, to which %s points, has %s elements%s", b.Name, p, b.Order,
			at)
	}
	g.Pointers[p] = ptr
}

// copyFor renames the variables of an expression to those of formulas: h.name. If relations are dropped, each use has
// its own variables.
func (g *giver) copyFor(use string, x *expr.Int) *expr.Int {
	return x.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		name := "h." + v.Name
		if g.drop[Relations] {
			name += "@" + use
			g.use(v.Name, name)
		}
		return g.variable(v, name)
	}})
}

// variable returns a variable of the host as one of formulas.
func (g *giver) variable(v expr.Variable, name string) *expr.Int {
	if of := g.launch.Var(v.Name); of != nil && of.Lost {
		g.Lost[name] = true
		g.LostAt[name] = of.Site.String()
	}
	v.Name = name
	return expr.NewVar(v)
}

func (g *giver) use(variable, name string) {
	for _, have := range g.uses[variable] {
		if have == name {
			return
		}
	}
	g.uses[variable] = append(g.uses[variable], name)
}

// maxInstances limits the combinations of copies for which a condition is added.
const maxInstances = 64

// condition adds a condition; if relations are dropped, for all combinations of the copies of its variables.
func (g *giver) condition(c *Condition) {
	if g.drop[c.Class] {
		return
	}
	names := []map[string]string{{}}
	for _, v := range c.That.Vars() {
		copies := g.uses[v.Name]
		if len(copies) == 0 {
			copies = []string{"h." + v.Name}
		}
		var next []map[string]string
		for _, m := range names {
			for _, name := range copies {
				with := map[string]string{v.Name: name}
				for k, x := range m {
					with[k] = x
				}
				next = append(next, with)
			}
		}
		if names = next; len(names) > maxInstances {
			return
		}
	}
	text := c.Text
	if text == "" {
		text = c.That.String()
	}
	for _, m := range names {
		g.add(Fact{
			Class: c.Class, Text: text, At: c.Site.String(),
			Formula: c.That.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
				return g.variable(v, m[v.Name])
			}}),
		})
	}
}

// typeBits returns the width of a signed type, 0 for others.
func typeBits(name string) int {
	lo, hi, ok := TypeRange(name)
	if !ok || lo.Sign() == 0 {
		return 0
	}
	return hi.BitLen() + 1
}
