#!/bin/sh
# Appends what it reads to a file in the folder `out`.
set -eu
mkdir -p out
cat >> "out/$1"
