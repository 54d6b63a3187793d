# shellcheck shell=bash
#
# How llama.cpp is compiled, for the artifact and for the tools it is compared with.

. "$(dirname "${BASH_SOURCE[0]}")/places.sh"

readonly LLAMA_BUILD_FLAGS=(
    -DCMAKE_BUILD_TYPE=Release
    -DBUILD_SHARED_LIBS=OFF
    -DLLAMA_BUILD_TESTS=OFF
    -DLLAMA_BUILD_EXAMPLES=OFF
    -DLLAMA_BUILD_TOOLS=ON
    -DLLAMA_BUILD_SERVER=OFF
    -DLLAMA_CURL=OFF
    -DLLAMA_OPENSSL=OFF
    -DGGML_RPC=ON
    -DGGML_OPENMP=OFF
)

# What the build adds to llama.cpp's sources, without changing them.
readonly LLAMA_BUILD_ADDITIONS=("$package_root"/Scripts/kernels/*)

# Waits until no other script builds or installs, and keeps others waiting until this one ends.
lock_llama_build() {
    mkdir -p "$cache_root/locks"
    exec 9>"$cache_root/locks/llama"
    if ! flock --nonblock 9; then
        note "another build of llama.cpp is running; waiting for it"
        flock 9
    fi
}

# The instruction sets of this machine. A build for one machine's processor may not run on another's.
cpu_features() {
    sed -n 's/^\(flags\|Features\)[[:space:]]*:[[:space:]]*//p' /proc/cpuinfo | head -n 1 |
        tr ' ' '\n' | LC_ALL=C sort --unique | tr '\n' ' '
}

# A digest over all that decides what the compiler produces from a source of this identity.
llama_compile_key() {
    local cc="${CC:-cc}" cxx="${CXX:-c++}"
    {
        printf '%s\n' "$1" "${LLAMA_BUILD_FLAGS[@]}"
        "$cc" --version
        "$cxx" --version
        "$cc" -dumpmachine
        cat "${LLAMA_BUILD_ADDITIONS[@]}"
        cpu_features
    } | sha256sum | cut -d ' ' -f 1
}

# Prints the build folder for a source tree. Objects stay there, so an interrupted build goes on where it was.
llama_build_folder() {
    local key="$1" tree="$2"
    printf '%s/builds/%s-%s\n' "$cache_root" "${key:0:16}" "$(printf '%s' "$tree" | sha256sum | cut -c 1-8)"
}

# Writes the build files unless a finished run has done so.
configure_llama() {
    local tree="$1" commit="$2" build="$3"
    [ ! -f "$build/configured" ] || return 0
    step "Configuring llama.cpp"
    mkdir -p "$build/additions"
    cp "${LLAMA_BUILD_ADDITIONS[@]}" "$build/additions/"
    # A tree inside somebody's repository must not pick up that repository's commit.
    if ! env -u CFLAGS -u CXXFLAGS -u CPPFLAGS -u LDFLAGS GIT_CEILING_DIRECTORIES="$(dirname "$tree")" \
        cmake -G Ninja -S "$tree" -B "$build" "${LLAMA_BUILD_FLAGS[@]}" \
        -DCMAKE_PROJECT_ggml_INCLUDE="$build/additions/ggml-additions.cmake" \
        -DLLAMA_BUILD_COMMIT="${commit:0:12}" -DLLAMA_BUILD_NUMBER=0 >"$build/configure.log" 2>&1; then
        tail -n 20 "$build/configure.log" >&2
        fail "Could not configure llama.cpp." "The whole log is $build/configure.log."
    fi
    : >"$build/configured"
}

# Thins ninja's lines out to one for each twentieth of the work, or to one changing line on a terminal.
show_progress() {
    local line share shown=0
    while IFS= read -r line; do
        [[ "$line" =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        share=$((BASH_REMATCH[1] * 20 / BASH_REMATCH[2]))
        if [ -t 2 ]; then
            printf '\r    %d of %d' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
        elif [ "$share" -ne "$shown" ]; then
            note "${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
        fi
        shown="$share"
    done
    [ ! -t 2 ] || printf '\n' >&2
}

# Builds targets in a configured folder.
build_llama_targets() {
    local build="$1"
    shift
    if ! ninja -C "$build" "$@" 2>&1 | tee "$build/build.log" | show_progress; then
        grep -A 20 -m 1 -e '^FAILED' -e ' error: ' "$build/build.log" >&2 || tail -n 20 "$build/build.log" >&2
        fail "Could not build llama.cpp." "The whole log is $build/build.log." \
            "If memory or disk ran out, free some and run the command again: it goes on where it stopped."
    fi
}
