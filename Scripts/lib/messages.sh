# shellcheck shell=bash
#
# How scripts speak: progress and errors go to stderr, so that stdout can carry a result.

# Announces the step that begins now.
step() {
    printf '==> %s\n' "$*" >&2
}

# Adds a detail to the step.
note() {
    printf '    %s\n' "$*" >&2
}

# Ends the script. The first argument says what failed, the others what to do about it.
fail() {
    printf 'error: %s\n' "$1" >&2
    shift
    local remedy
    for remedy in "$@"; do
        printf '       %s\n' "$remedy" >&2
    done
    exit 1
}
