// The one macro of TVM's header that kernels of FlashInfer use.
#pragma once
#include <cstdlib>
#include <iostream>

struct FatalMessage {
  bool fatal;
  ~FatalMessage() {
    if (fatal) abort();
  }
};

template <typename T>
const FatalMessage& operator<<(const FatalMessage& message, const T& value) {
  if (message.fatal) std::cerr << value;
  return message;
}

#define TVM_FFI_ICHECK(condition) FatalMessage{!(condition)}
