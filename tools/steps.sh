# Sourced by ./demo and ./check: runs one step after the other, says what it does, keeps each step's
# output in a log, and on failure names the step and shows the log's end.
logs=build/logs
mkdir -p "$logs"
# ccache keeps its objects in the tree, so that a cluster user's home is left alone.
export CCACHE_DIR="${CCACHE_DIR:-$PWD/build/ccache}"
# What was compiled in one clone is found again in another.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR=1
# What tests keep beside it: Verilated blocks, and the verdicts of tests of hardware (tests/remember).
keep_for_tests() {
  export XDG_CACHE_HOME="$CCACHE_DIR/tests" FLAGSTONE_VERDICTS="$CCACHE_DIR/tests/verdicts"
  mkdir -p "$FLAGSTONE_VERDICTS"
  find "$XDG_CACHE_HOME" -type f -mtime +30 -delete
}
cores=$(nproc)

# step NAME "what it does" COMMAND...
step() {
  local name=$1 what=$2 log=$logs/$1.log start=$SECONDS
  shift 2
  printf '%-58s' "$what ..."
  if "$@" >"$log" 2>&1 </dev/null; then
    printf 'done (%d s)\n' $((SECONDS - start))
  else
    printf 'FAILED (%d s)\n' $((SECONDS - start))
    echo "Step '$name' failed. The end of its log, $log:" >&2
    tail -n 30 "$log" >&2
    exit 1
  fi
}

# configure PRESET OPTIONS...
configure() {
  local preset=$1
  shift
  cmake --preset "$preset" "$@"
}
