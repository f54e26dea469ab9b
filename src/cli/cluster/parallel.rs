//! GNU parallel.

use super::job::{Job, Made};

pub(super) fn files(job: &Job<'_>) -> Vec<Made> {
    let Job { shards, here, .. } = job;
    let shard = format!("cd {here} && exec {}", job.shard("$1")).replace('\'', "'\\''");
    let merge = job.merge();
    let run = format!(
        "#!/bin/sh\n\
         # Runs the shards and merges them. Run it again after an interruption: what is done is not done again.\n\
         # --jobs 50% leaves half of the cores free; add --sshlogin HOSTS to use other machines that share the folder.\n\
         set -eu\n\
         log=$(cd \"$(dirname \"$0\")\" && pwd)/shards.log\n\
         # Paths are from where the files were made.\n\
         cd {here}\n\
         # The command of a shard, in which parallel finds no {{}} of its own.\n\
         export SARATOGA_SHARD='{shard}'\n\
         seq 1 {shards} | parallel --joblog \"$log\" --resume-failed --retries 3 --env SARATOGA_SHARD \"$@\" \\\n\
         \x20   'sh -c \"$SARATOGA_SHARD\" sh {{}}'\n\
         {merge}\n"
    );
    vec![("run.sh", run, true)]
}
