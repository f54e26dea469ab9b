//! GNU parallel.

use super::job::{Job, Made};

pub(super) fn files(job: &Job<'_>) -> Vec<Made> {
    let Job { shards, here, out, .. } = job;
    let shard = format!("cd {here} && exec {}", job.shard("$1")).replace('\'', "'\\''");
    let merge = job.merge();
    // Logs are specific to this command: another one may have used the same folder.
    let of = format!("{:08x}", crc32fast::hash(shard.as_bytes()));
    let run = format!(
        "#!/bin/sh\n\
         # Runs the shards and merges them. Run it again after an interruption: what is done is not done again.\n\
         # Where results decide how much is played, the shards go by rounds; each has a log of its own.\n\
         # --jobs 50% leaves half of the cores free; add --sshlogin HOSTS to use other machines that share the folder.\n\
         set -eu\n\
         logs=$(cd \"$(dirname \"$0\")\" && pwd)/shards-{of}\n\
         # Paths are from where the files were made.\n\
         cd {here}\n\
         # The command of a shard, in which parallel finds no {{}} of its own.\n\
         export SARATOGA_SHARD='{shard}'\n\
         round=1 before=\n\
         while :; do\n\
         \x20   log=$logs-$round.log fresh=yes\n\
         \x20   [ ! -e \"$log\" ] || fresh=no\n\
         \x20   seq 1 {shards} | parallel --joblog \"$log\" --resume-failed --retries 3 --env SARATOGA_SHARD \"$@\" \\\n\
         \x20       'sh -c \"$SARATOGA_SHARD\" sh {{}}'\n\
         \x20   # It makes the report, or brings together what the next round begins with.\n\
         \x20   if told=$({merge} 2>&1); then\n\
         \x20       printf '%s\\n' \"$told\"\n\
         \x20       exit\n\
         \x20   fi\n\
         \x20   # A round of before may have been made whole then.\n\
         \x20   made=$(cat {out}/*.blocks 2>/dev/null | wc -c)\n\
         \x20   if [ \"$fresh$made\" = \"yes$before\" ]; then\n\
         \x20       printf '%s\\n' \"$told\" >&2\n\
         \x20       exit 1\n\
         \x20   fi\n\
         \x20   before=$made round=$((round + 1))\n\
         done\n"
    );
    vec![("run.sh", run, true)]
}
