// thrust::device_vector, host_vector and device_ptr (Thrust documentation, "Container Classes") for host code that is read
// where no toolkit is: memory and its copies, no algorithms and no iterators of other kinds.
#pragma once

#include <initializer_list>
#include <vector>

namespace thrust {

template <class T> using host_vector = std::vector<T>;

// A pointer to device memory, which host code does not dereference.
template <class T> struct device_ptr {
  T *at = nullptr;
  device_ptr() = default;
  explicit device_ptr(T *p) : at(p) {}
  T *get() const { return at; }
  device_ptr operator+(long n) const { return device_ptr(at + n); }
  device_ptr operator-(long n) const { return device_ptr(at - n); }
  long operator-(device_ptr other) const { return at - other.at; }
};

template <class T> T *raw_pointer_cast(device_ptr<T> p) { return p.at; }
template <class T> T *raw_pointer_cast(T *p) { return p; }
template <class T> device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }

template <class T> class device_vector {
  T *data_ = nullptr;
  size_t size_ = 0;

  void take(size_t n) {
    size_ = n;
    cudaMalloc(&data_, n * sizeof(T));
  }
  void copy(const T *from, cudaMemcpyKind kind) {
    cudaMemcpy(data_, from, size_ * sizeof(T), kind);
  }
  void exchange(device_vector &other) {
    T *data = data_;
    size_t size = size_;
    data_ = other.data_, size_ = other.size_;
    other.data_ = data, other.size_ = size;
  }

 public:
  typedef T value_type;
  typedef device_ptr<T> iterator, pointer;

  device_vector() = default;
  explicit device_vector(size_t n) {
    take(n);
    cudaMemset(data_, 0, n * sizeof(T));
  }
  device_vector(size_t n, const T &value) {
    take(n);
    std::vector<T> all(n, value);
    copy(all.data(), cudaMemcpyHostToDevice);
  }
  device_vector(const std::vector<T> &other) {
    take(other.size());
    copy(other.data(), cudaMemcpyHostToDevice);
  }
  device_vector(std::initializer_list<T> list) {
    take(list.size());
    copy(list.begin(), cudaMemcpyHostToDevice);
  }
  device_vector(const device_vector &other) {
    take(other.size_);
    copy(other.data_, cudaMemcpyDeviceToDevice);
  }
  device_vector(device_vector &&other) { exchange(other); }
  ~device_vector() { cudaFree(data_); }

  device_vector &operator=(const device_vector &other) {
    device_vector fresh(other);
    exchange(fresh);
    return *this;
  }
  device_vector &operator=(device_vector &&other) {
    exchange(other);
    return *this;
  }
  device_vector &operator=(const std::vector<T> &other) {
    device_vector fresh(other);
    exchange(fresh);
    return *this;
  }
  operator std::vector<T>() const {
    std::vector<T> out(size_);
    cudaMemcpy(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  device_ptr<T> data() const { return device_ptr<T>(data_); }
  device_ptr<T> begin() const { return data(); }
  device_ptr<T> end() const { return device_ptr<T>(data_ + size_); }
  void swap(device_vector &other) { exchange(other); }
  void resize(size_t n) {
    device_vector fresh(n);
    cudaMemcpy(fresh.data_, data_, (n < size_ ? n : size_) * sizeof(T), cudaMemcpyDeviceToDevice);
    exchange(fresh);
  }
};

template <class T> void swap(device_vector<T> &a, device_vector<T> &b) { a.swap(b); }

}  // namespace thrust
