"""Compiles the CUDA sources of solutions that call torch's load_inline into one module, without running nvcc for each.

build.py DIR SOLUTION... writes DIR/agents.so, which run.py uses. Each source becomes a namespace of one translation unit,
so that torch's headers are read once. A solution with an error is left out; DIR/left_out.json says which, and why.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import sysconfig
from unittest import mock

import torch
import torch.utils.cpp_extension as extension

HERE = os.path.dirname(os.path.abspath(__file__))


def calls(path):
    """The arguments of each load_inline of a solution, in the order of the calls."""
    found = []

    def record(name="", cpp_sources=(), cuda_sources=(), functions=(), **_):
        found.append({"cpp": texts(cpp_sources), "cuda": texts(cuda_sources), "functions": texts(functions)})
        return mock.MagicMock()

    with mock.patch.object(extension, "load_inline", record), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(open(path).read(), path, "exec"), {"__name__": "solution"})
    return found


def texts(value):
    return [value] if isinstance(value, str) else list(value or [])


def unit(path):
    """The namespaces of a solution, its includes, and the functions that Python calls."""
    stem, whole = os.path.basename(path).split(".")[0], open(path).read()
    includes, bodies, exports = [], [], []
    for number, call in enumerate(calls(path)):
        space = f"k_{re.sub(r'[^0-9a-zA-Z]', '_', stem)}_{number}"
        body = []
        for text in call["cpp"] + call["cuda"]:
            if "PYBIND11_MODULE" in text:
                raise ValueError("it has a module of its own")
            at = whole.find(text)
            first = whole.count("\n", 0, at) + 1 if at >= 0 else 1
            includes += re.findall(r"^[ \t]*(#[ \t]*include.*)$", text, re.M)
            body.append(f'#line {first} "{os.path.basename(path)}"\n'
                        + re.sub(r"^[ \t]*#[ \t]*(include|pragma[ \t]+once).*$", "", text, flags=re.M))
        macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", "\n".join(body), re.M)
        bodies.append(f"namespace {space} {{\n" + "\n".join(body) + "\n}\n"
                      + "".join(f"#undef {macro}\n" for macro in dict.fromkeys(macros)))
        exports += [f'm.def("{space}_{name}", &{space}::{name});' for name in call["functions"]]
    return includes, bodies, exports


def write(folder, units):
    includes, bodies, exports = ([line for one in units.values() for line in one[i]] for i in range(3))
    with open(os.path.join(folder, "agents.cu"), "w") as out:
        out.write("\n".join(["#include <torch/extension.h>"] + list(dict.fromkeys(includes))) + "\n")
        out.write("\n".join(bodies) + '\n#line 1 "agents.cu"\nPYBIND11_MODULE(agents, m) {\n' + "\n".join(exports) + "\n}\n")


def compiler(folder):
    paths = [HERE + "/include"] + extension.include_paths("cuda") + [sysconfig.get_path("include")]
    return ["nvcc", "-shared", "-std=c++20", "-lineinfo", "-gencode", "arch=compute_80,code=compute_80", "-Xcompiler",
            "-fPIC,-O0", "--expt-relaxed-constexpr", "-DTORCH_EXTENSION_NAME=agents", "-DTORCH_API_INCLUDE_EXTENSION_H",
            "-w", "-Xcudafe", "--error_limit=9999"] + extension.COMMON_NVCC_FLAGS + ["-I" + path for path in paths] + [
            "-o", os.path.join(folder, "agents.so"), os.path.join(folder, "agents.cu"), "-cudart", "shared",
            "-L" + os.path.dirname(torch.__file__) + "/lib", "-ltorch", "-ltorch_cpu", "-lc10", "-lc10_cuda",
            "-ltorch_python", "-ltorch_cuda", "-Xlinker", "--allow-shlib-undefined"]


def main(folder, paths):
    os.makedirs(folder, exist_ok=True)
    units, left_out = {}, {}
    for path in paths:
        try:
            units[os.path.basename(path)] = unit(path)
        except Exception as error:
            left_out[os.path.basename(path)] = str(error) or type(error).__name__
    while units:
        write(folder, units)
        done = subprocess.run(compiler(folder), capture_output=True, text=True)
        if done.returncode == 0:
            break
        faulty = re.findall(r"^(\S+?)[(:]\d+\)?: (?:fatal )?error:? *(.*)$", done.stderr, re.M)
        faulty = {name: text for name, text in reversed(faulty) if name in units}
        if not faulty:
            sys.exit(done.stderr[-4000:])
        for name, text in faulty.items():
            left_out[name] = "does not compile: " + text
            del units[name]
    with open(os.path.join(folder, "left_out.json"), "w") as out:
        json.dump(left_out, out, indent=1)
    print(f"{len(units)} of {len(paths)} solutions compiled")
    for name, why in left_out.items():
        print(f"left out {name}: {why}"[:300])


main(sys.argv[1], sys.argv[2:])
