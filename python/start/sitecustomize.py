"""Programs under "ptxsan exec" have this file first on their path: packages that they import are changed after their import, as
ptxsan_packages.py says. A sitecustomize of the program's own runs as well."""

import importlib.util
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


def beside(name):
    """Imports a file of this folder, which is not on the path."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, os.path.join(_here, name + ".py"))
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


class _After:
    """Finds modules as they are found without this, and calls a function after the import of some."""

    changed = {  # functions of ptxsan_packages.py, by module
        "jax._src.hardware_utils": "devices_of_jax",
        "numba.cuda.cudadrv.nvrtc": "sources_of_numba",
        "numba.cuda.decorators": "lines_of_numba",
        "numba.cuda.lowering": "functions_of_numba",
        "tilelang.autotuner.tuner": "tuner_of_tilelang",
        "tilelang.profiler.bench": "benchmarks_of_tilelang",
        "torch._inductor.runtime.benchmarking": "benchmarks_of_inductor",
        "triton.runtime.autotuner": "tuner_of_triton",
        "triton.testing": "benchmarks_of_triton",
    }
    if os.path.exists(os.path.join(_here, "ptxsan_torch.py")):
        changed["torch"] = "operations_of_torch"

    def __init__(self):
        self.finding = set()  # finders may ask all others in turn

    def find_spec(self, name, path=None, target=None):
        if name not in self.changed or name in self.finding:
            return None
        self.finding.add(name)
        try:
            found = (f.find_spec(name, path, target) for f in list(sys.meta_path) if hasattr(f, "find_spec"))
            spec = next((s for s in found if s is not None), None)
        finally:
            self.finding.discard(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            getattr(beside("ptxsan_packages"), self.changed[name])(module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _After())
_this = sys.modules["ptxsan_start"] = sys.modules.pop("sitecustomize")
sys.path[:] = [folder for folder in sys.path if folder != _here]
try:
    import sitecustomize  # noqa: F401
except ImportError:
    sys.modules["sitecustomize"] = _this
