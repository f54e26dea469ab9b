#!/bin/sh
# Runs the shards and merges them. Run it again after an interruption: what is done is not done again.
# Where results decide how much is played, the shards go by rounds; each has a log of its own.
# --jobs 50% leaves half of the cores free; add --sshlogin HOSTS to use other machines that share the folder.
set -eu
logs=$(cd "$(dirname "$0")" && pwd)/shards-{{logs}}
# Paths are from where the files were made.
cd {{here}}
# The command of a shard, in which parallel finds no {} of its own.
export SARATOGA_SHARD='{{shard}}'
round=1 before=
while :; do
    log=$logs-$round.log fresh=yes
    [ ! -e "$log" ] || fresh=no
    seq 1 {{shards}} | parallel --joblog "$log" --resume-failed --retries 3 --env SARATOGA_SHARD "$@" \
        'sh -c "$SARATOGA_SHARD" sh {}'
    # It makes the report, or brings together what the next round begins with.
    if told=$({{merge}} 2>&1); then
        printf '%s\n' "$told"
        exit
    fi
    # A round of before may have been made whole then.
    made=$(cat {{out}}/*.blocks 2>/dev/null | wc -c)
    if [ "$fresh$made" = "yes$before" ]; then
        printf '%s\n' "$told" >&2
        exit 1
    fi
    before=$made round=$((round + 1))
done
