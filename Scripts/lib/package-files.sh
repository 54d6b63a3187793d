# shellcheck shell=bash
#
# The files of the package: those under version control, and those that could be.

# Prints the present files that match git pathspecs, each followed by a zero byte. Needs the package as folder.
package_files() {
    local file
    git ls-files -z --cached --others --exclude-standard -- "$@" |
        while IFS= read -r -d '' file; do
            [ ! -f "$file" ] || printf '%s\0' "$file"
        done
}
