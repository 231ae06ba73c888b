#!/usr/bin/env bash
# Plays one match whole, in shards under GNU parallel, and in shards as a Slurm
# job array, and checks that the same games come out. Needs a release build of
# kisolo and jq; what is not installed of parallel and Slurm is passed over.
# A local Slurm of one node is started if `sbatch` is there but no controller
# answers (root only). Usage: tests/cluster.sh [path of kisolo]
set -euo pipefail
kisolo=$(realpath "${1:-$(dirname "$0")/../target/release/kisolo}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
parts=4
match=("$kisolo" match --rounds 12 --quiet --concurrency 1
    --engine name=a nodes=300 --engine name=b nodes=100 --each option.Hash=1)

# The games without what differs from run to run.
games() {
    cat "$@" | jq -cS 'del(.date, .moves[].ms)' | sort
}

same() {
    if [ "$(games whole.jsonl)" != "$(games "$1"-*.jsonl)" ]; then
        echo "$1: the shards are not the whole match" >&2
        exit 1
    fi
    echo "$1: $(cat "$1"-*.jsonl | wc -l) games, the same as in one run"
}

"${match[@]}" --records whole.jsonl >/dev/null

if command -v parallel >/dev/null; then
    seq "$parts" | parallel -j 2 "${match[@]@Q} --shard {}/$parts --records parallel-{}.jsonl" >/dev/null
    same parallel
else
    echo "parallel: not installed"
fi

start_slurm() {
    mkdir -p /run/munge slurm
    chown munge: /run/munge
    pgrep munged >/dev/null || runuser -u munge -- munged
    cat >slurm/slurm.conf <<CONF
ClusterName=local
SlurmctldHost=$(hostname -s)
SlurmUser=root
StateSaveLocation=$work/slurm
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/ctld.pid
SlurmdPidFile=$work/slurm/d.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
CONF
    export SLURM_CONF=$work/slurm/slurm.conf
    slurmctld -L "$work/slurm/ctld.log"
    slurmd -L "$work/slurm/d.log"
    trap 'kill $(cat slurm/ctld.pid slurm/d.pid) 2>/dev/null; pkill munged; sleep 1; rm -rf "$work"' EXIT
    for _ in $(seq 50); do
        sinfo -h -o %T 2>/dev/null | grep -q idle && return
        sleep 0.2
    done
    tail -n 5 slurm/*.log >&2
    exit 1
}

if command -v sbatch >/dev/null; then
    timeout 5 sinfo -h >/dev/null 2>&1 || start_slurm
    cat >job.sh <<JOB
#!/usr/bin/env bash
#SBATCH --array=1-$parts
#SBATCH --output=slurm-%a.out
${match[@]@Q} --shard \$SLURM_ARRAY_TASK_ID/$parts --records slurm-\$SLURM_ARRAY_TASK_ID.jsonl --resume
JOB
    sbatch --wait job.sh >/dev/null
    same slurm
else
    echo "slurm: not installed"
fi
