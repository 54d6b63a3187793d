# shellcheck shell=bash
# shellcheck disable=SC2034 # read by the scripts that source this file
#
# The flags of every debug build, so that checks and tests share one.

readonly SWIFT_CHECK_FLAGS=(--explicit-target-dependency-import-check error)
