#!/bin/sh
# Submits the shards, and the merge after them. Where results decide how much is played, the merge fails and says
# what is missing: submit again for each round.
set -eu
cd "$(dirname "$0")"
array=$(sbatch --parsable shards.sbatch)
merge=$(sbatch --parsable --dependency="afterany:${array%%;*}" merge.sbatch)
echo "shards: job $array; merge: job $merge"
