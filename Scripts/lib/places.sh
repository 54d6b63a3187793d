# shellcheck shell=bash
# shellcheck disable=SC2034 # read by the scripts that source this file
#
# Where things are: the package, the cache that outlives a clone, and the Swift toolchain.

package_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
cache_root="${CARBOCATION_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/carbocation-local-llm}"
artifacts_root="$package_root/Vendor/llama-artifacts"
current_artifact="$artifacts_root/current"

# A toolchain unpacked to /opt/swift is used when none is on the path.
if ! command -v swift >/dev/null 2>&1 && [ -x /opt/swift/usr/bin/swift ]; then
    PATH="$PATH:/opt/swift/usr/bin"
    export PATH
fi

# Makes a folder that may be left behind by an interrupted run. It lies in the cache, so that what is
# finished in it can be put in place by a rename.
new_work_folder() {
    mkdir -p "$cache_root/work"
    find "$cache_root/work" -mindepth 1 -maxdepth 1 -mtime +1 -exec rm -rf {} +
    mktemp -d "$cache_root/work/$1.XXXXXX"
}

# Succeeds when the file exists and has the digest.
has_sha256() {
    [ -f "$1" ] && printf '%s  %s\n' "$2" "$1" | sha256sum --check --status
}
