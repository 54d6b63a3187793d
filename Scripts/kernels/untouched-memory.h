#pragma once

#include <cstddef>
#include <cstdint>

// Sets bytes, as `memset`. While `ggml_leave_untouched` holds for the calling thread, zeros are not written into whole
// pages; they are given back to the system, which has zeros for them when they are used. For private memory that is no
// mapping of a file.
void clear_memory(void *memory, uint8_t value, size_t size);

extern "C" void ggml_leave_untouched(bool leaves_untouched);
