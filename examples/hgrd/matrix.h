// What a kernel is told of a matrix, by value: rows, columns, and elements from row to row.
#pragma once

struct MatrixDim {
  int rows, cols, stride;
};

// Blocks of 16 x 16 threads that cover so many elements.
#define BLOCK 16
#define BLOCKS(n) (((n) + BLOCK - 1) / BLOCK)
