#!/usr/bin/env bash
# `touchstone run` for pre-commit, with the Touchstone of the project that is committed to, or the one on the path.
set -euo pipefail

if [ -x node_modules/.bin/touchstone ]; then exec node_modules/.bin/touchstone run "$@"; fi
if command -v touchstone >/dev/null; then exec touchstone run "$@"; fi
echo '✗ Touchstone is installed neither in this project nor on the path; nothing was asked.' >&2
exit 4
