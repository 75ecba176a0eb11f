#!/bin/sh
# The docker that `wrangler dev` calls (WRANGLER_DOCKER_BIN) on a machine without buildx and without a registry: drops what
# only buildx knows, and does not pull an image that is already here.
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
