#!/bin/sh
exec "${0%/*}/node" "${0%/*}/start.js" "$@"
