#pragma once

#include <functional>

namespace cllama {

/// Runs `body` on a thread with a stack for deep recursion and waits for it. What it throws is thrown here.
void on_large_stack(const std::function<void()> & body);

}  // namespace cllama
