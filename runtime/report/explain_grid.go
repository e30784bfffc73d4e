// Explanations of races between grids that overlap.

package report

import "github.com/ptxsan/ptxsan/runtime/detect"

// explainGridWait says which grid does not wait for the one before it.
func explainGridWait(x *Race) Explanation {
	const wait = "griddepcontrol.wait (cudaGridDependencySynchronize())"
	if x.Between != "" {
		name := Simple(x.Between)
		return Explanation{
			wait + " in " + name + ", which is launched between the two: a wait is for the launch before alone, which may end before those before it",
			"cudaGridDependencySynchronize() in " + name + ", even if it uses none of the data",
		}
	}
	second := x.Second.inKernel()
	e := Explanation{
		wait + " before " + second + ": the launch may overlap the one before it",
		"cudaGridDependencySynchronize() in " + Simple(x.Second.Kernel) + " before " + second,
	}
	if f, ok := flagFaults[x.Flag]; ok {
		e.Missing, e.Hint = f.missing, f.hint+"; or "+e.Hint
	} else {
		e.Hint += ", or a launch without programmatic stream serialization"
	}
	if target := x.Second.NoGridControl; target != "" {
		e.Hint = "no griddepcontrol in this module, of target " + target +
			": compiled for less than sm_90, or without the macro? Otherwise " + e.Hint
	}
	return e
}

// inKernel returns the place of the access in the kernel's own code: of what is inlined there, the outermost call.
func (a *Access) inKernel() string {
	if s := a.Source; s != nil && !s.OfHeader() {
		frames := s.frames()
		return frames[len(frames)-1].String()
	}
	return a.at()
}

// flagFaults says, of a flag by which one grid tells another that it overlaps, what is missing, and how to add it: a
// smaller edit than a wait for the whole grid.
var flagFaults = map[detect.FlagFault]struct{ missing, hint string }{
	detect.FlagAcquire: {
		"an acquire: the kernel has read at {observe} what the launch before has released at {publish}, but no acquire or fence of device scope stands between that and {second}",
		"an acquire at {observe} (cuda::memory_order_acquire; ld.acquire.gpu), or __threadfence() after it",
	},
	detect.FlagRelease: {
		"a release: what the launch before has written at {publish} tells the kernel, but no release or fence of device scope stands between {first} and that",
		"a release at {publish} (cuda::memory_order_release; st.release.gpu), or __threadfence() before it",
	},
	detect.FlagBoth: {
		"a release and an acquire: what the launch before has written at {publish} tells the kernel, which reads it at {observe}, and neither has a fence of device scope there",
		"__threadfence() before {publish} and after {observe}",
	},
	detect.FlagEarly: {
		"an order: the kernel has read at {observe} what the launch before has written at {publish}, which it writes before {first}",
		"the write at {publish} after {first}, and after a barrier if another thread makes it",
	},
}
