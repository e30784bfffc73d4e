// Textures and surfaces of kernels, as far as their instructions show them.

package session

import (
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// TextureShapes returns the parameters and variables that instructions use as textures or surfaces, by name, each with
// the shape that the first such instruction requires.
func TextureShapes(k *rewrite.Func) map[string]launch.TextureShape {
	w := kernelcode.FlowsOf(k)
	out := make(map[string]launch.TextureShape)
	for _, f := range kernelcode.Reached(k) {
		for _, in := range f.Insts {
			geometry := textureGeometry(in)
			if geometry == "" {
				continue
			}
			o := kernelcode.TextureHandle(in)
			if o == nil {
				continue
			}
			name := ""
			if v, ok := o.Sym.(*rewrite.Var); ok {
				name = v.Name
			} else if at := w.Regs[o.Reg]; at.Param != nil && at.Off == 0 {
				name = at.Param.Name
			}
			if _, known := out[name]; name != "" && !known {
				out[name] = textureShape(in, geometry)
			}
		}
	}
	return out
}

// textureGeometry returns the shape that the modifiers of a texture or surface instruction name, "" for
// other instructions and for queries.
func textureGeometry(in *rewrite.Inst) string {
	if in.Instr.Class != isa.ClassTexture {
		return ""
	}
	for _, set := range []string{"geom", "cube", "samples"} {
		if name := in.Mod(set); name != "" {
			return name
		}
	}
	return ""
}

// textureShape returns the shape that an instruction requires of its texture or surface.
func textureShape(in *rewrite.Inst, geometry string) launch.TextureShape {
	s := launch.TextureShape{Type: launch.F32, Channels: 1, Dims: 2}
	rest, array := strings.CutPrefix(geometry, "a")
	s.Array, s.Cube, s.Samples = array, rest == "cube", rest == "2dms"
	if strings.HasPrefix(rest, "1") || strings.HasPrefix(rest, "3") {
		s.Dims = int(rest[0] - '0')
	}
	if kernelcode.IsSurface(in) {
		s.Type, s.Channels = surfaceTexel(in)
		return s
	}
	if t := kernelcode.TypeOf(in.Type(0)); t != launch.TypeNone {
		s.Type = t
	}
	s.Linear = geometry == "1d" && in.Type(1) == isa.S32 // tex1Dfetch
	return s
}

// surfaceTexel returns the type and the number of channels that an instruction accesses in a surface: its bytes.
func surfaceTexel(in *rewrite.Inst) (launch.Type, int) {
	channels := map[string]int{"v2": 2, "v4": 4}[in.Mod("vec")]
	channels = max(channels, 1)
	switch in.Type(0).Size() {
	case 1:
		return launch.U8, channels
	case 2:
		return launch.U16, channels
	case 8:
		return launch.U32, min(2*channels, 4)
	}
	return launch.U32, channels
}
