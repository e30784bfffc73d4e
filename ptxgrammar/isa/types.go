// Types, state spaces, scopes and semantics.

package isa

import "strings"

// Type is a fundamental PTX type. The spelling in source is a dot and String().
type Type uint8

// Types.
const (
	TypeNone Type = iota
	Pred
	B8
	B16
	B32
	B64
	B128
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	F16x2
	BF16
	BF16x2
	TF32
	F32
	F64
	TexRef
	SamplerRef
	SurfRef
	// Types of a few instructions only: registers that hold them are declared
	// with a bit type.
	U16x2
	S16x2
	U8x4
	S8x4
	F32x2
	B1
	B1024
	U2
	S2
	U4
	S4
	E4M3
	E5M2
	E3M2
	E2M3
	E2M1
	E4M3x2
	E5M2x2
	E3M2x2
	E2M3x2
	E2M1x2
	E4M3x4
	E5M2x4
	E3M2x4
	E2M3x4
	E2M1x4
	UE8M0
	UE4M3
	UE8M0x2
	S2F6x2
	UE5M3x2
	UE8M0x4
	E2M1P4x4 // four e2m1 values, each in the lower half of a byte
	typeEnd
)

// Kind is the interpretation of a type's bits.
type Kind uint8

// Kinds.
const (
	KindNone Kind = iota
	KindPred
	KindBits
	KindUnsigned
	KindSigned
	KindFloat
	KindOpaque
)

var typeFacts = [typeEnd]struct {
	name string
	bits int
	kind Kind
}{
	TypeNone: {"", 0, KindNone}, Pred: {"pred", 1, KindPred},
	B8: {"b8", 8, KindBits}, B16: {"b16", 16, KindBits}, B32: {"b32", 32, KindBits}, B64: {"b64", 64, KindBits},
	B128: {"b128", 128, KindBits},
	U8:   {"u8", 8, KindUnsigned}, U16: {"u16", 16, KindUnsigned}, U32: {"u32", 32, KindUnsigned},
	U64: {"u64", 64, KindUnsigned},
	S8:  {"s8", 8, KindSigned}, S16: {"s16", 16, KindSigned}, S32: {"s32", 32, KindSigned},
	S64: {"s64", 64, KindSigned},
	F16: {"f16", 16, KindFloat}, F16x2: {"f16x2", 32, KindFloat}, BF16: {"bf16", 16, KindFloat},
	BF16x2: {"bf16x2", 32, KindFloat},
	TF32:   {"tf32", 32, KindFloat}, F32: {"f32", 32, KindFloat}, F64: {"f64", 64, KindFloat},
	TexRef: {"texref", 64, KindOpaque}, SamplerRef: {"samplerref", 64, KindOpaque},
	SurfRef: {"surfref", 64, KindOpaque},
	U16x2:   {"u16x2", 32, KindUnsigned}, S16x2: {"s16x2", 32, KindSigned}, U8x4: {"u8x4", 32, KindUnsigned},
	S8x4: {"s8x4", 32, KindSigned}, F32x2: {"f32x2", 64, KindFloat},
	B1: {"b1", 1, KindBits}, B1024: {"b1024", 1024, KindBits},
	U2: {"u2", 2, KindUnsigned}, S2: {"s2", 2, KindSigned}, U4: {"u4", 4, KindUnsigned}, S4: {"s4", 4, KindSigned},
	E4M3: {"e4m3", 8, KindFloat}, E5M2: {"e5m2", 8, KindFloat}, E3M2: {"e3m2", 6, KindFloat},
	E2M3: {"e2m3", 6, KindFloat}, E2M1: {"e2m1", 4, KindFloat},
	E4M3x2: {"e4m3x2", 16, KindFloat}, E5M2x2: {"e5m2x2", 16, KindFloat}, E3M2x2: {"e3m2x2", 16, KindFloat},
	E2M3x2: {"e2m3x2", 16, KindFloat}, E2M1x2: {"e2m1x2", 8, KindFloat},
	E4M3x4: {"e4m3x4", 32, KindFloat}, E5M2x4: {"e5m2x4", 32, KindFloat}, E3M2x4: {"e3m2x4", 32, KindFloat},
	E2M3x4: {"e2m3x4", 32, KindFloat}, E2M1x4: {"e2m1x4", 16, KindFloat},
	UE8M0: {"ue8m0", 8, KindFloat}, UE4M3: {"ue4m3", 8, KindFloat}, UE8M0x2: {"ue8m0x2", 16, KindFloat},
	S2F6x2: {"s2f6x2", 16, KindFloat}, UE5M3x2: {"ue5m3x2", 16, KindFloat},
	UE8M0x4: {"ue8m0x4", 32, KindFloat}, E2M1P4x4: {"e2m1p4x4", 32, KindFloat},
}

// String returns the type's spelling without the dot.
func (t Type) String() string { return typeFacts[t].name }

// Bits returns the width in bits: 1 for predicates.
func (t Type) Bits() int { return typeFacts[t].bits }

// Size returns the width in memory, in bytes; 0 for predicates, TypeNone and types
// narrower than a byte.
func (t Type) Size() int { return typeFacts[t].bits / 8 }

// Kind returns the interpretation of the type's bits.
func (t Type) Kind() Kind { return typeFacts[t].kind }

// Lanes returns the number of values in a packed type (f16x2: 2), 1 for other types.
func (t Type) Lanes() int {
	name := typeFacts[t].name
	switch {
	case strings.HasSuffix(name, "x2"):
		return 2
	case strings.HasSuffix(name, "x4"):
		return 4
	}
	return 1
}

// Widened returns the type of the same kind with twice the bits (mul.wide),
// TypeNone when there is none.
func (t Type) Widened() Type {
	for w := Pred; w < typeEnd; w++ {
		if typeFacts[w].kind == typeFacts[t].kind && typeFacts[w].bits == 2*typeFacts[t].bits && w.Lanes() == 1 {
			return w
		}
	}
	return TypeNone
}

// Signed reports whether t is a signed integer.
func (t Type) Signed() bool { return typeFacts[t].kind == KindSigned }

// Float reports whether t is a floating-point type.
func (t Type) Float() bool { return typeFacts[t].kind == KindFloat }

// Truncate returns the lower bits of a word that a value of the type has. A type without a width changes nothing.
func (t Type) Truncate(word uint64) uint64 {
	if n := t.Bits(); n > 0 && n < 64 {
		return word & (1<<n - 1)
	}
	return word
}

// Extend returns the integer of the type that the lower bits of a word hold, extended to 64 bits as its sign requires.
func (t Type) Extend(word uint64) uint64 {
	if n := t.Bits(); t.Signed() && n > 0 && n < 64 {
		return uint64(int64(word<<(64-n)) >> (64 - n))
	}
	return t.Truncate(word)
}

// TypeOf returns the type spelled s (without the dot).
func TypeOf(s string) (Type, bool) { t, ok := typeByName[s]; return t, ok }

var typeByName = func() map[string]Type {
	m := make(map[string]Type, typeEnd)
	for t := Pred; t < typeEnd; t++ {
		m[typeFacts[t].name] = t
	}
	return m
}()

// Space is a PTX state space.
type Space uint8

// Spaces. SpaceNone on a memory instruction means generic addressing.
const (
	SpaceNone Space = iota
	SpaceReg
	SpaceSreg
	SpaceConst
	SpaceGlobal
	SpaceLocal
	SpaceParam
	SpaceShared
	SpaceTex
	SpaceTensor // tensor memory, which no modifier names
	spaceEnd

	Spaces = int(spaceEnd) // number of spaces
)

var spaceNames = [spaceEnd]string{
	"generic", "reg", "sreg", "const", "global", "local", "param", "shared", "tex",
	"tensor",
}

// String returns the space's spelling without the dot, "generic" for SpaceNone.
func (s Space) String() string { return spaceNames[s] }

// SpaceOf returns the space of a modifier such as "global", "param::entry" or
// "shared::cta" (without the dot).
func SpaceOf(s string) (Space, bool) {
	switch s {
	case "shared::cta", "shared::cluster":
		return SpaceShared, true
	case "param::entry", "param::func":
		return SpaceParam, true
	}
	for i := SpaceReg; i <= SpaceTex; i++ {
		if spaceNames[i] == s {
			return i, true
		}
	}
	return SpaceNone, false
}

// Scope is the set of threads that an operation synchronises with.
type Scope uint8

// Scopes, narrow to wide.
const (
	ScopeNone Scope = iota
	ScopeCTA
	ScopeCluster
	ScopeGPU
	ScopeSys
)

var scopeNames = [...]string{"", "cta", "cluster", "gpu", "sys"}

// String returns the scope's spelling without the dot.
func (s Scope) String() string { return scopeNames[s] }

// ScopeOf returns the scope spelled s; membar's "gl" is gpu.
func ScopeOf(s string) (Scope, bool) {
	if s == "gl" {
		return ScopeGPU, true
	}
	for i, n := range scopeNames {
		if i > 0 && n == s {
			return Scope(i), true
		}
	}
	return ScopeNone, false
}

// Sem is the memory-ordering semantics of an instruction, as spelled.
type Sem uint8

// Semantics.
const (
	SemNone Sem = iota
	SemWeak
	SemVolatile
	SemMMIO
	SemRelaxed
	SemAcquire
	SemRelease
	SemAcqRel
	SemSC
)

var semNames = [...]string{"", "weak", "volatile", "mmio", "relaxed", "acquire", "release", "acq_rel", "sc"}

// String returns the spelling without the dot.
func (s Sem) String() string { return semNames[s] }

// Acquires reports whether the semantics include acquire.
func (s Sem) Acquires() bool { return s == SemAcquire || s >= SemAcqRel }

// Releases reports whether the semantics include release.
func (s Sem) Releases() bool { return s >= SemRelease }

// SemOf returns the semantics spelled s.
func SemOf(s string) (Sem, bool) {
	for i, n := range semNames {
		if i > 0 && n == s {
			return Sem(i), true
		}
	}
	return SemNone, false
}
