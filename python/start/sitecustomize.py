"""Programs under "ptxsan exec --torch-host" have this file first on their path: PyTorch's operations run on the processor from the
import of torch on. A sitecustomize of the program's own runs as well."""

import atexit
import importlib.util
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


class _AfterTorch:
    """Finds torch as it is found without this, and starts the mode after its import."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            _start()

        spec.loader.exec_module = exec_module
        return spec


def _start():
    spec = importlib.util.spec_from_file_location("ptxsan_torch", os.path.join(_here, "ptxsan_torch.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    mode = module.host_aten()
    mode.__enter__()
    atexit.register(mode.__exit__, None, None, None)


sys.meta_path.insert(0, _AfterTorch())
_this = sys.modules.pop("sitecustomize")
sys.path[:] = [folder for folder in sys.path if folder != _here]
try:
    import sitecustomize  # noqa: F401
except ImportError:
    sys.modules["sitecustomize"] = _this
