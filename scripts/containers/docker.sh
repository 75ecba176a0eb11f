#!/bin/sh
# The docker command for `wrangler dev` (WRANGLER_DOCKER_BIN) on a machine without buildx and registry: removes options that
# only buildx has, and does not pull images that already exist.
case "$1" in
  build)
    shift
    for arg in "$@"; do
      shift
      case "$arg" in
        --load | --provenance=*) ;;
        *) set -- "$@" "$arg" ;;
      esac
    done
    exec docker build --network host "$@"
    ;;
  pull)
    for image in "$@"; do :; done
    docker image inspect "$image" > /dev/null 2>&1 || exec docker "$@"
    ;;
  *) exec docker "$@" ;;
esac
