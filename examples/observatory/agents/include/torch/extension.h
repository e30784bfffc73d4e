// What extensions use of torch/extension.h, without torch::nn: it compiles in half the time.
#pragma once
#include <torch/types.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/csrc/autograd/python_variable.h>
