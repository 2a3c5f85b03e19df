# Bash completion for the flagstone command. Source it, or install it with `cmake --install`.
_flagstone() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} program=${COMP_WORDS[0]}
  local verbs="help list analyze order run exec compare reproduce report diff store sweep synth block"
  local machine="--machine --set --seed --json --quiet --help"
  local common="--size --input $machine"
  local launch="--entry --grid --block --shared --arg --fill --triton --dry-run"
  local verb="" candidate
  for candidate in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ " $verbs " == *" $candidate "* ]] && { verb=$candidate; break; }
  done

  # The first column of one of the command's own lists.
  _flagstone_names() { "$program" list "$1" 2>/dev/null | sed -n '3,$s/ .*//p'; }

  # Completes the last item of a comma-separated list.
  _flagstone_list() {
    local done=${word%"${word##*,}"}
    mapfile -t COMPREPLY < <(compgen -P "$done" -W "$(_flagstone_names "$1")" -- "${word##*,}")
  }

  case $previous in
    --policy) _flagstone_list policies; return ;;
    --machine) _flagstone_list machines; return ;;
    --warp-scheduler) mapfile -t COMPREPLY < <(compgen -W "$(_flagstone_names schedulers)" -- "$word"); return ;;
    --prefetch) mapfile -t COMPREPLY < <(compgen -W "$(_flagstone_names prefetchers)" -- "$word"); return ;;
    --on) mapfile -t COMPREPLY < <(compgen -W "local parallel slurm" -- "$word"); return ;;
    --engine) mapfile -t COMPREPLY < <(compgen -W "rtl model lockstep" -- "$word"); return ;;
    --values) mapfile -t COMPREPLY < <(compgen -W "full slice" -- "$word"); return ;;
    --fill) mapfile -t COMPREPLY < <(compgen -W "zero iota uniform" -- "$word"); return ;;
    --size) mapfile -t COMPREPLY < <(compgen -W "test medium ladm paper" -- "$word"); return ;;
    --data) mapfile -t COMPREPLY < <(compgen -W "static known" -- "$word"); return ;;
    --level) mapfile -t COMPREPLY < <(compgen -W "l1 l2 both" -- "$word"); return ;;
    --emit) mapfile -t COMPREPLY < <(compgen -W "ptx cuda triton" -- "$word"); return ;;
    --granularity) mapfile -t COMPREPLY < <(compgen -W "byte element sector line" -- "$word"); return ;;
    --dump) mapfile -t COMPREPLY < <(compgen -W "kernel addresses tree footprints sharers graph groups image coalescing ladm" -- "$word"); return ;;
    --json | --csv | --sqlite | --batch | --wave | --dump-buffer | --graph | --stimulus | --response | --timeline | --checkpoint | --resume | --store | --report | --output | --record | -o)
      mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
  esac

  local words
  case $verb in
    "") words="$verbs --help --version" ;;
    list) words="workloads machines keys policies schedulers prefetchers blocks experiments statistics columns --json --help" ;;
    analyze) words="$(_flagstone_names workloads) --policy --granularity --data --max-instructions --graph --dump --detail --report $launch $common" ;;
    order) words="$(_flagstone_names workloads) --level --order --top --all --verify --cold-l2 --jobs --emit --output --data --max-instructions --detail --store --fresh --store-any-engine $launch $common" ;;
    run) words="$(_flagstone_names workloads) --policy --warp-scheduler --prefetch --data --engine --values --no-check --functional
      --cold-l2 --miss-classes --detail --report --max-cycles --max-instructions --check-races --dump-buffer --threads --perturb --wave --wave-from --wave-to --wave-on --wave-before --wave-after --wave-scope
      --timeline --timeline-from --timeline-to --checkpoint --resume --store --fresh --store-any-engine --verbose $launch $common" ;;
    exec) mapfile -t COMPREPLY < <(compgen -W "--toolkit --policy --warp-scheduler --prefetch --data --engine --functional --kernel
      --launches --expect --record --cold-l2 --miss-classes --detail --timeline --max-cycles --max-instructions
      --check-races --threads $machine" -- "$word"; compgen -f -- "$word"); return ;;
    compare) words="$(_flagstone_names workloads) --policy --warp-scheduler --prefetch --data --engine --values --no-check --csv
      --report --jobs --perturb --store --fresh --store-any-engine $common" ;;
    reproduce) words="$(_flagstone_names experiments) --jobs --machine --workload --size --engine --seed --perturb --perturb-up-to --store --fresh --store-any-engine --json --report --quiet --help" ;;
    sweep) words="plan run status collect report --store --fresh --store-any-engine --jobs --on --retry --hosts --sbatch --batch-seconds --batch --yes --all
      --csv --json --sqlite --columns --output --quiet --help" ;;
    report) mapfile -t COMPREPLY < <(compgen -W "--output --extract --help" -- "$word"; compgen -f -- "$word"); return ;;
    diff) mapfile -t COMPREPLY < <(compgen -W "--all --json --report --help" -- "$word"; compgen -f -- "$word"); return ;;
    store) words="list verify prune --store --days --all --built-mb --json --help" ;;
    block) words="$(_flagstone_names blocks) --stimulus --response --engine --param --drain --wave --help" ;;
    synth) words="$(_flagstone_names blocks) --library --machine --param --clock --wire --activity --treemap --schematic --netlist --prove
      --points --papers --detail --json --report --quiet --help" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _flagstone flagstone
