"""Runs one solution of KernelBench on small inputs, with the functions that build.py has compiled.

run.py DIR SOLUTION, in a checkout of the leaderboard. The problem's constants are halved, the largest first, until its
inputs and weights are small; the result is compared with that of the problem's own model.
"""

import ast
import importlib.util
import json
import os
import re
import sys
import types

import torch
import torch.utils.cpp_extension as extension

INPUTS, WEIGHTS, SMALLEST = 1 << 14, 1 << 16, 4


def compiled(folder, stem):
    """What takes the place of load_inline: the functions of its calls, in their order."""
    spec = importlib.util.spec_from_file_location("agents", os.path.join(folder, "agents.so"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    count = 0

    def load(*_, functions=(), **__):
        nonlocal count
        space = f"k_{re.sub(r'[^0-9a-zA-Z]', '_', stem)}_{count}"
        count += 1
        names = [functions] if isinstance(functions, str) else functions
        return types.SimpleNamespace(**{name: getattr(module, f"{space}_{name}") for name in names})

    return load


def problem(stem):
    with open("docs/assets/raw_data.json") as f:
        row = next(row for row in json.load(f) if row["file"] == stem)
    return f"docs/assets/problems/l{row['level']}_p{row['problem_id'] + 1}.py"  # the rows count from 0


def numbers(tree):
    """Whole numbers that are assigned to names at the top of the file or in its functions: {name: nodes}."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            with_value = ast.Expression(node.value)
            if all(isinstance(part, (ast.Expression, ast.Constant, ast.BinOp, ast.operator)) for part in ast.walk(with_value)):
                value = eval(compile(with_value, "", "eval"))
                if type(value) is int:
                    found.setdefault(node.targets[0].id, (value, []))[1].append(node)
    return {name: value for name, (value, _) in found.items()}, found


def load(tree, nodes, values):
    for name, value in values.items():
        for node in nodes[name][1]:
            node.value = ast.Constant(value)
    space = {"__name__": "problem"}
    exec(compile(ast.fix_missing_locations(tree), "problem", "exec"), space)
    return space


def sizes(space):
    """The elements of the inputs and of the weights, on a device without memory; the model must accept the inputs."""
    with torch.device("meta"), torch.no_grad():
        inputs = [value for value in space["get_inputs"]() if isinstance(value, torch.Tensor)]
        model = space["Model"](*space["get_init_inputs"]())
        model(*space["get_inputs"]())
    return sum(value.numel() for value in inputs), sum(value.numel() for value in model.parameters())


def small(path):
    tree = ast.parse(open(path).read())
    values, nodes = numbers(tree)
    fixed = set()
    while True:
        inputs, weights = sizes(load(tree, nodes, values))
        free = [name for name in values if name not in fixed and values[name] >= 2 * SMALLEST]
        if inputs <= INPUTS and weights <= WEIGHTS or not free:
            return load(tree, nodes, values), values
        name = max(free, key=lambda n: values[n])
        try:
            sizes(load(tree, nodes, {**values, name: values[name] // 2}))
            values[name] //= 2
        except Exception:
            fixed.add(name)


def main(folder, solution):
    stem = os.path.basename(solution).split(".")[0]
    space, values = small(problem(stem))
    print("constants:", values)
    extension.load_inline = compiled(folder, stem)
    new = {"__name__": "solution"}
    exec(compile(open(solution).read(), solution, "exec"), new)
    torch.manual_seed(1)
    inputs, start = space["get_inputs"](), space["get_init_inputs"]()
    torch.manual_seed(2)
    expected = space["Model"](*start)(*inputs)
    torch.manual_seed(2)
    on_device = [value.cuda() if isinstance(value, torch.Tensor) else value for value in inputs]
    result = new["ModelNew"](*start).cuda()(*on_device)
    torch.cuda.synchronize()
    same = torch.allclose(expected, result.cpu(), atol=1e-2, rtol=1e-2)
    print("result:", "as the problem's model" if same else "differs from the problem's model")


with torch.no_grad():
    main(sys.argv[1], sys.argv[2])
