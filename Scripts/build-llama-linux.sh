#!/usr/bin/env bash
# Builds llama.cpp into the artifact that the package links, and installs it at Vendor/llama-artifacts/current.
#
# A built artifact is kept in the cache under a key of everything that decides its content, so another clone
# on the same machine only links it in. LLAMA_CPP_SOURCE may name another source tree.
set -euo pipefail

scripts="$(cd "$(dirname "$0")" && pwd)"
. "$scripts/lib/messages.sh"
. "$scripts/lib/places.sh"
. "$scripts/lib/llama-build.sh"

[ "$(uname -s)" = Linux ] || fail "build-llama-linux.sh builds on Linux only."

# Prints the cached artifact, after building it when there is none or its archive is damaged.
build_artifact() {
    local cached="$1" tree build work
    if [ -f "$cached/KEY" ] && (cd "$cached" && sha256sum --check --status lib/sha256); then
        return 0
    fi
    tree="$("$scripts/llama-source" --tree)"
    build="$(llama_build_folder "$compile_key" "$tree")"
    configure_llama "$tree" "$commit" "$build"
    step "Building llama.cpp (about 8 minutes on two cores)"
    build_llama_targets "$build" llama llama-common ggml mtmd

    step "Packing the artifact"
    work="$(new_work_folder artifact)"
    chmod 755 "$work"
    "$scripts/bundle-llama-artifact" "$tree" "$commit" "$build" "$work"
    (cd "$work" && sha256sum lib/libllama-combined.a >lib/sha256)
    printf '%s\n' "$artifact_key" >"$work/KEY"
    mkdir -p "$(dirname "$cached")"
    rm -rf "$cached"
    mv -T "$work" "$cached"
}

# Puts the artifact in place. The key comes last: without it the next run installs again.
install_artifact() {
    local cached="$1" incoming="$artifacts_root/incoming" outgoing="$artifacts_root/outgoing"
    step "Installing the llama artifact"
    mkdir -p "$artifacts_root"
    rm -rf "$incoming" "$outgoing"
    if ! cp --archive --link "$cached" "$incoming" 2>/dev/null; then
        rm -rf "$incoming"
        cp --archive "$cached" "$incoming"
    fi
    rm "$incoming/KEY"
    [ ! -e "$current_artifact" ] || mv -T "$current_artifact" "$outgoing"
    mv -T "$incoming" "$current_artifact"
    # SwiftPM remembers what the manifest answered before the artifact was there.
    swift package --package-path "$package_root" --scratch-path "$outgoing/scratch" purge-cache >&2
    rm -rf "$outgoing"
    cp "$cached/KEY" "$artifacts_root/KEY"
    mv "$artifacts_root/KEY" "$current_artifact/KEY"
}

identity="$("$scripts/llama-source" --identity)"
commit="${identity#* }"
compile_key="$(llama_compile_key "$identity")"
artifact_key="$({
    printf '%s\n' "$compile_key"
    cat "$scripts/bundle-llama-artifact"
} | sha256sum | cut -d ' ' -f 1)"

if [ "$(cat "$current_artifact/KEY" 2>/dev/null)" = "$artifact_key" ]; then
    note "the llama artifact is in place"
    exit 0
fi
lock_llama_build
cached="$cache_root/artifacts/${artifact_key:0:32}"
build_artifact "$cached"
install_artifact "$cached"
