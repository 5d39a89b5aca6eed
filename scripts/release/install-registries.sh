#!/usr/bin/env bash
# Installs the two registries for the rehearsal of a release on this machine, Verdaccio and pypiserver, and twine, into a folder:
#   bash scripts/release/install-registries.sh FOLDER
#   TOUCHSTONE_TEST_REGISTRIES=FOLDER npm run test:release -- test/release/registries.test.ts
set -euo pipefail
folder=${1:?Give a folder: bash scripts/release/install-registries.sh FOLDER}
mkdir -p "$folder"
cd "$folder"
# node-fetch@cjs, which a dependency asks for, is a tag that mirrors of the registry may lack.
echo '{ "private": true, "dependencies": { "verdaccio": "6.10.4" }, "overrides": { "node-fetch": "2.7.0" } }' >package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error
python3 -m venv python
python/bin/python -m pip install --quiet --disable-pip-version-check pypiserver==2.4.2 twine==7.0.0
