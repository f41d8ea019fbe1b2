// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ck/algorithm.hpp - ck/algorithm.h for C++17, in the words of Thrust: vectors of the device, iterators
// that are added to and subtracted, algorithms over [first, last).
//
//   ck::device_vector<float> x = {1, 2, 3};
//   float sum = ck::reduce(x.begin(), x.end(), 0.0f, ck::plus());
//   float norm = ck::transform_reduce(x.begin(), x.end(), "|v| v * v", 0.0f, ck::plus());
//
// An operation is text in CK, or one of the names below. All calls use one stream of the device that
// $CK_DEVICE names, else of the first GPU, else of the host device: ck::stream(). A function that gives
// a value waits for it, others return at once. Failures throw ck::error.
#ifndef CK_ALGORITHM_HPP
#define CK_ALGORITHM_HPP

#include "ck/algorithm.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace ck {

struct error : std::runtime_error {
  ck_status_t status;
  explicit error(ck_status_t s) : std::runtime_error(ck_last_error()), status(s) {}
};

inline void check(ck_status_t status)
{
  if (status != CK_OK) throw error(status);
}

// The stream of all calls here; made at its first use.
inline ck_stream_t *stream()
{
  struct place {
    ck_device_t *device = nullptr;
    ck_stream_t *stream = nullptr;
    place()
    {
      check(ck_device_open_auto(&device));
      check(ck_stream_create(device, nullptr, &stream));
    }
    ~place()
    {
      ck_stream_release(stream);
      ck_device_release(device);
    }
  };
  static place here;
  return here.stream;
}

// ---- types and operations ----

template <typename T> constexpr ck_dtype_t dtype_of()
{
  static_assert(std::is_arithmetic_v<T>, "a number; structs are described by ck_struct_type_t");
  if constexpr (std::is_same_v<T, bool>) return CK_BOOL;
  else if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? CK_F32 : CK_F64;
  else if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 1 ? CK_I8 : sizeof(T) == 2 ? CK_I16 : sizeof(T) == 4 ? CK_I32 : CK_I64;
  else return sizeof(T) == 1 ? CK_U8 : sizeof(T) == 2 ? CK_U16 : sizeof(T) == 4 ? CK_U32 : CK_U64;
}

template <typename T> ck_arg_t arg_of(T value)
{
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? ck_f32(static_cast<float>(value)) : ck_f64(static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>) return ck_arg_signed(value, dtype_of<T>());
  else return ck_arg_unsigned(value, dtype_of<T>());
}

// A function: text in CK, with named values that it uses.
class op
{
public:
  op(const char *text) : op(std::string(text)) {}
  op(std::string text) : self(std::make_shared<store>()) { self->text = std::move(text); }
  // op("|v| v < least").with("least", 3.0f)
  template <typename T> op with(const char *name, T value) const
  {
    op more = *this;
    more.self = std::make_shared<store>(*self);
    more.self->state.push_back({name, ck_type_scalar(dtype_of<T>()), arg_of(value), ck_access_t{}});
    return more;
  }
  ck_op_t get() const
  {
    return ck_op_with_state(self->text.c_str(), self->state.data(), self->state.size());
  }

private:
  struct store {
    std::string text;
    std::vector<ck_op_state_t> state; // names are the caller's, mostly literals
  };
  std::shared_ptr<store> self;
};

// clang-format off
inline op plus() { return "+"; }
inline op multiplies() { return "*"; }
inline op minus() { return "-"; }
inline op minimum() { return "min"; }
inline op maximum() { return "max"; }
inline op less() { return "<"; }
inline op greater() { return ">"; }
inline op equal_to() { return "=="; }
inline op identity() { return "|v| v"; }
inline op negate() { return "|v| -v"; }
// clang-format on

// ---- iterators ----

// A place in a sequence: what it is made of, and an offset. Copies share what they are made of.
class iterator
{
public:
  struct node {
    ck_iterator_t it;
    std::vector<iterator> parts;
    std::vector<op> ops;
    ck_op_t own_op;
    std::vector<ck_iterator_t> own_parts;
  };
  explicit iterator(ck_iterator_t it) : self(std::make_shared<node>()) { self->it = it; }
  iterator(ck_iterator_kind_t kind, std::vector<iterator> parts, const op *f = nullptr);
  iterator operator+(std::int64_t n) const
  {
    iterator moved = *this;
    moved.offset += static_cast<std::uint64_t>(n);
    return moved;
  }
  friend std::uint64_t operator-(const iterator &last, const iterator &first)
  {
    return last.offset - first.offset;
  }
  // The elements from here on. What is returned borrows from the argument and from this iterator.
  ck_iterator_t from(ck_iterator_t &whole) const
  {
    whole = self->it;
    return offset ? ck_iterator_drop(&whole, offset) : whole;
  }

private:
  std::shared_ptr<node> self;
  std::uint64_t offset = 0;
  friend class range;
};

// [first, first + count), as the functions of C take it; lives as long as the call.
class range
{
public:
  range(const iterator &first, std::uint64_t count) : keep(first)
  {
    rest = keep.from(whole);
    it = ck_iterator_take(&rest, count);
  }
  explicit range(const iterator &first) : keep(first) { it = keep.from(whole); }
  range(const range &) = delete;
  const ck_iterator_t *get() const { return &it; }

private:
  iterator keep;
  ck_iterator_t whole, rest, it;
};

inline iterator::iterator(ck_iterator_kind_t kind, std::vector<iterator> parts, const op *f)
    : self(std::make_shared<node>())
{
  self->parts = std::move(parts);
  self->own_parts.resize(2 * self->parts.size());
  self->it = ck_iterator_of(kind, nullptr);
  self->it.number = static_cast<std::uint32_t>(self->parts.size());
  for (std::size_t i = 0; i < self->parts.size(); ++i) {
    self->own_parts[2 * i + 1] = self->parts[i].from(self->own_parts[2 * i]);
    self->it.parts[i] = &self->own_parts[2 * i + 1];
  }
  if (f) {
    self->ops.push_back(*f);
    self->own_op = self->ops[0].get();
    self->it.op = &self->own_op;
  }
}

template <typename T> iterator make_counting_iterator(T start)
{
  return iterator(ck_iterator_count(arg_of(start)));
}
template <typename T> iterator make_constant_iterator(T value)
{
  return iterator(ck_iterator_constant(arg_of(value)));
}
template <typename T> iterator make_discard_iterator()
{
  return iterator(ck_iterator_discard(ck_type_scalar(dtype_of<T>())));
}
inline iterator make_transform_iterator(const iterator &x, const op &f)
{
  return iterator(CK_ITERATOR_TRANSFORM, {x}, &f);
}
inline iterator make_transform_output_iterator(const iterator &x, const op &f)
{
  return iterator(CK_ITERATOR_TRANSFORM_OUTPUT, {x}, &f);
}
inline iterator make_permutation_iterator(const iterator &x, const iterator &index)
{
  return iterator(CK_ITERATOR_GATHER, {x, index});
}
template <typename... I> iterator make_zip_iterator(const I &...parts)
{
  return iterator(CK_ITERATOR_ZIP, {parts...});
}

// ---- vectors ----

template <typename T> class device_vector
{
public:
  explicit device_vector(std::size_t n, T value = T()) : device_vector(std::vector<T>(n, value)) {}
  device_vector(std::initializer_list<T> values) : device_vector(std::vector<T>(values)) {}
  device_vector(const std::vector<T> &values) : count(values.size())
  {
    std::size_t bytes = (count ? count : 1) * sizeof(T);
    check(ck_buffer_create(ck_stream_device(stream()), bytes, stream(), &data));
    if (count) check(ck_buffer_write(data, 0, values.data(), count * sizeof(T), stream()));
    check(ck_stream_sync(stream()));
  }
  device_vector(const device_vector &) = delete;
  device_vector &operator=(const device_vector &) = delete;
  ~device_vector() { ck_buffer_release(data); }

  std::size_t size() const { return count; }
  ck_buffer_t *buffer() const { return data; }
  iterator begin() const
  {
    return iterator(ck_iterator_array(ck_span(data, 0, count), dtype_of<T>()));
  }
  iterator end() const { return begin() + static_cast<std::int64_t>(count); }
  // The elements, on the host.
  std::vector<T> host() const
  {
    std::vector<T> values(count);
    if (count) check(ck_buffer_read(data, 0, values.data(), count * sizeof(T), stream()));
    check(ck_stream_sync(stream()));
    return values;
  }

private:
  std::size_t count;
  ck_buffer_t *data = nullptr;
};

// ---- algorithms ----

// One value that an algorithm stores.
template <typename T> class result
{
public:
  const ck_iterator_t *get() { return &it; }
  T value() const { return room.host()[0]; }

private:
  device_vector<T> room{T()};
  ck_iterator_t it = ck_iterator_array(ck_whole(room.buffer()), dtype_of<T>());
};

template <typename T> T reduce(iterator first, iterator last, T init, const op &f = plus())
{
  result<T> to;
  ck_op_t own = f.get();
  ck_iterator_t start = ck_iterator_constant(arg_of(init));
  check(ck_reduce(stream(), range(first, last - first).get(), &own, &start, to.get(), nullptr));
  return to.value();
}
template <typename T>
T transform_reduce(iterator first, iterator last, const op &t, T init, const op &f)
{
  iterator x = make_transform_iterator(first, t);
  return reduce(x, x + static_cast<std::int64_t>(last - first), init, f);
}
template <typename T> T inner_product(iterator first, iterator last, iterator other, T init)
{
  return transform_reduce(make_zip_iterator(first, other),
                          make_zip_iterator(first, other) +
                              static_cast<std::int64_t>(last - first),
                          "|p| p[0] * p[1]", init, plus());
}
inline std::uint64_t count_if(iterator first, iterator last, const op &p)
{
  iterator kept = make_transform_iterator(first, p);
  return transform_reduce(kept, kept + static_cast<std::int64_t>(last - first),
                          "|holds| u64(holds)", std::uint64_t{0}, plus());
}
inline iterator transform(iterator first, iterator last, iterator to, const op &f)
{
  ck_op_t own = f.get();
  check(ck_transform(stream(), range(first, last - first).get(), range(to, last - first).get(),
                     &own, nullptr));
  return to + static_cast<std::int64_t>(last - first);
}
inline iterator transform(iterator first, iterator last, iterator other, iterator to, const op &f)
{
  ck_op_t own = f.get();
  check(ck_transform_pairs(stream(), range(first, last - first).get(), range(other).get(),
                           range(to, last - first).get(), &own, nullptr));
  return to + static_cast<std::int64_t>(last - first);
}
template <typename T> void fill(iterator first, iterator last, T value)
{
  ck_iterator_t own = ck_iterator_constant(arg_of(value));
  check(ck_fill(stream(), range(first, last - first).get(), &own, nullptr));
}
inline iterator inclusive_scan(iterator first, iterator last, iterator to, const op &f = plus())
{
  ck_op_t own = f.get();
  check(ck_inclusive_scan(stream(), range(first, last - first).get(), range(to, last - first).get(),
                          &own, nullptr, nullptr));
  return to + static_cast<std::int64_t>(last - first);
}
template <typename T>
iterator exclusive_scan(iterator first, iterator last, iterator to, T init, const op &f = plus())
{
  ck_op_t own = f.get();
  ck_iterator_t start = ck_iterator_constant(arg_of(init));
  check(ck_exclusive_scan(stream(), range(first, last - first).get(), range(to, last - first).get(),
                          &own, &start, nullptr));
  return to + static_cast<std::int64_t>(last - first);
}
inline void sort(iterator first, iterator last, const op &before = less())
{
  ck_op_t own = before.get();
  check(ck_merge_sort(stream(), range(first, last - first).get(), &own, nullptr, nullptr));
}
inline void sort_by_key(iterator first, iterator last, iterator values, const op &before = less())
{
  ck_op_t own = before.get();
  check(ck_merge_sort_pairs(stream(), range(first, last - first).get(),
                            range(values, last - first).get(), &own, nullptr, nullptr, nullptr));
}
// Each of these gives the end of what it has written.
inline iterator copy_if(iterator first, iterator last, iterator to, const op &keep)
{
  result<std::uint64_t> count;
  ck_op_t own = keep.get();
  check(ck_select(stream(), range(first, last - first).get(), &own, range(to).get(), count.get(),
                  nullptr));
  return to + static_cast<std::int64_t>(count.value());
}
inline iterator unique_copy(iterator first, iterator last, iterator to, const op &same = equal_to())
{
  result<std::uint64_t> count;
  ck_op_t own = same.get();
  check(ck_unique(stream(), range(first, last - first).get(), range(to).get(), &own, count.get(),
                  nullptr));
  return to + static_cast<std::int64_t>(count.value());
}
inline iterator reduce_by_key(iterator first, iterator last, iterator values, iterator keys_to,
                              iterator to, const op &f = plus())
{
  result<std::uint64_t> count;
  ck_op_t own = f.get();
  check(ck_reduce_by_key(stream(), range(first, last - first).get(), range(values).get(), &own,
                         range(keys_to).get(), range(to).get(), nullptr, count.get(), nullptr));
  return to + static_cast<std::int64_t>(count.value());
}
inline iterator lower_bound(iterator first, iterator last, iterator values, iterator values_last,
                            iterator to)
{
  check(ck_lower_bound(stream(), range(first, last - first).get(),
                       range(values, values_last - values).get(), range(to).get(), nullptr,
                       nullptr));
  return to + static_cast<std::int64_t>(values_last - values);
}

} // namespace ck
#endif
