#!/bin/sh
# Reads the name of a Markdown file and prints how many boxes in it are not ticked.
set -eu
IFS= read -r file
echo "$(grep -c '^ *- \[ \]' "$file" || true) open points in $file"
