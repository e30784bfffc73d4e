"""What changes in packages under "ptxsan exec", after their import (sitecustomize.py)."""

import atexit
import functools
import inspect
import os
import struct
import threading
import time
import weakref

from ptxsan_start import beside

wire = beside("ptxsan_wire")


def devices_of_jax(module):
    """JAX looks for the files of NVIDIA's devices, which the machine need not have."""
    module.has_visible_nvidia_gpu = lambda: True


_given_lines = weakref.WeakSet()  # functions whose lines Numba was not asked for


def lines_of_numba(module):
    """@cuda.jit writes line information unless it is asked for something else."""
    jit = module.jit
    signature = inspect.signature(jit)

    def noting(make):
        @functools.wraps(make)
        def noted(*args, **named):
            _given_lines.update(function for function in args[:1] if inspect.isfunction(function))
            return make(*args, **named)  # may compile the function

        return noted

    @functools.wraps(jit)
    def with_lines(*args, **named):
        given = signature.bind_partial(*args, **named).arguments
        debug = given.get("debug")
        if "lineinfo" in given or (module.config.CUDA_DEBUGINFO_DEFAULT if debug is None else debug):
            return jit(*args, **named)
        made = noting(jit)(*args, **named, lineinfo=True)
        return noting(made) if inspect.isfunction(made) else made

    module.jit = with_lines


def functions_of_numba(module):
    """Numba does not warn of a function without source for lines that it was not asked for."""
    line_of = module.get_func_def_lineno

    @functools.wraps(line_of)
    def line(function):
        found = line_of(function)
        if found is None and function in _given_lines:
            return function.__code__.co_firstlineno + 1  # as without a source
        return found

    module.get_func_def_lineno = line


def sources_of_numba(module):
    """CUDA sources become PTX instead of LTO-IR, which nvJitLink does not link with what has Numba's lines."""
    compiler = module.compile

    @functools.wraps(compiler)
    def to_ptx(src, name, cc, ltoir=False, *more, **named):
        return compiler(src, name, cc, False, *more, **named)

    module.compile = to_ptx


def operations_of_torch(module):
    """PyTorch's operations run on the processor (exec --torch-host), in this thread and in those that start later."""
    host = beside("ptxsan_torch")
    mode = host.host_aten()
    mode.__enter__()
    atexit.register(mode.__exit__, None, None, None)
    run = threading.Thread.run

    @functools.wraps(run)
    def on_host(thread):
        with host.OnHost():
            run(thread)

    threading.Thread.run = on_host


class _Tuner:
    """The autotuner that runs: launches within its benchmarks are runs of the same work."""

    number, last = 0, 0  # 0 for none
    arguments = b""  # those that point to memory: address, size of the name, name


_PER_MILLISECOND = 10_000  # instructions of warps: the emulator's clock has 10 MHz


def _clock(number, arguments=b""):
    """Says that later launches are runs of an autotuner, 0 for none. Returns how many instructions warps have executed."""
    reply = wire.call(wire.BENCHMARK, struct.pack("<Q", number) + arguments)
    return struct.unpack("<Q", reply)[0] if reply else 0  # CUDA has not been loaded


def _milliseconds(run):
    """Calls a function once, and returns its time on the emulator's clock; what launches nothing has the time of the processor."""
    since, begin = _clock(_Tuner.number, _Tuner.arguments), time.process_time()
    try:
        run()
    finally:
        now, end = _clock(0), time.process_time()
    return (now - since) / _PER_MILLISECOND or (end - begin) * 1000


def _once(benchmark):
    """Returns a function for one that measures how long another takes: it runs that one once, since a GPU's time is not known, and
    clears no cache."""
    signature = inspect.signature(benchmark)

    @functools.wraps(benchmark)
    def measured(*args, **named):
        given = signature.bind(*args, **named)
        given.apply_defaults()
        options = {**given.arguments.get("kwargs", {}), **given.arguments}
        for x in options.get("grad_to_none") or ():
            x.grad = None
        time = _milliseconds(options["_callable"] if "_callable" in options else options["fn"])
        quantiles = options.get("quantiles")
        if quantiles is not None:
            return [time] * len(quantiles) if len(quantiles) > 1 else time
        return [time] if options.get("return_mode") == "all" else time

    return measured


def _replace(owner, *names):
    for name in names:
        if name in vars(owner):
            setattr(owner, name, _once(vars(owner)[name]))


def _tunes(owner, name, arguments):
    """Says of a method that its benchmarks are an autotuner's; arguments returns the names of its arguments, and these."""
    method = getattr(owner, name)

    @functools.wraps(method)
    def tuning(self, *args, **named):
        outer, _Tuner.last = (_Tuner.number, _Tuner.arguments), _Tuner.last + 1
        _Tuner.number, _Tuner.arguments = _Tuner.last, b"".join(_pointers(arguments(self, args, named)))
        try:
            return method(self, *args, **named)
        finally:
            _Tuner.number, _Tuner.arguments = outer

    setattr(owner, name, tuning)


def _pointers(arguments):
    """Packs those arguments that are tensors."""
    for name, x in arguments.items():
        if hasattr(x, "data_ptr"):
            yield struct.pack("<QI", x.data_ptr(), len(name.encode())) + name.encode()


def benchmarks_of_triton(module):
    _replace(module, "do_bench", "do_bench_cudagraph", "do_bench_proton", "do_bench_cudagraph_proton")
    run = module.Mark._run

    @functools.wraps(run)
    def first(self, bench, *args, **named):
        if len(bench.x_vals) > 1:
            size = f"{bench.x_names[0]} = {bench.x_vals[0]}"
            text = f"the benchmark {bench.plot_name} was run with {size} alone: its other {len(bench.x_vals) - 1} sizes were not run"
            wire.call(wire.NOT_RUN, text.encode())
            bench.x_vals = bench.x_vals[:1]
        return run(self, bench, *args, **named)

    module.Mark._run = first


def _most():
    """Returns how many configurations of an autotuner run at most: compilers take seconds for each."""
    given = os.environ.get("PTXSAN_CONFIGURATIONS", "")
    return max(int(given), 1) if given.isdecimal() else 16


def _some(configurations, kernel):
    """Returns at most so many configurations, spread over all."""
    n, most = len(configurations), _most()
    if n <= most:
        return configurations
    text = f"the autotuner of {kernel} ran {most} of {n} configurations: the others were not compiled"
    wire.call(wire.NOT_RUN, text.encode())
    return [configurations[i * n // most] for i in range(most)]


def tuner_of_triton(module):
    prune = module.Autotuner.prune_configs

    @functools.wraps(prune)
    def some(self, *args, **named):
        return _some(prune(self, *args, **named), self.base_fn.__name__)

    module.Autotuner.prune_configs = some
    _tunes(module.Autotuner, "run", lambda self, args, named: {**dict(zip(self.arg_names, args)), **named})


def benchmarks_of_tilelang(module):
    _replace(module, "do_bench")


def tuner_of_tilelang(module):
    run = module.AutoTuner.run

    @functools.wraps(run)
    def some(self, *args, **named):
        configurations, kernel = self.configs, getattr(self.fn, "__name__", "a kernel")
        if callable(configurations):
            self.configs = lambda *args, **named: _some(configurations(*args, **named), kernel)
        else:
            self.configs = _some(configurations, kernel)
        return run(self, *args, **named)

    module.AutoTuner.run = some
    _tunes(module.AutoTuner, "run", lambda self, args, named: {})


def benchmarks_of_inductor(module):
    for owner in (module.InductorBenchmarker, module.TritonBenchmarker, module.TorchProfilerBenchmarker):
        _replace(owner, "benchmark_gpu", "benchmark_gpu_with_cuda_graph")
