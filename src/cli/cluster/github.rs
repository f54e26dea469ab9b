//! A matrix of GitHub Actions.

use super::job::{Job, Made};

/// Most jobs of a matrix.
pub(super) const MOST: u64 = 256;

pub(super) fn files(job: &Job<'_>) -> Vec<Made> {
    let numbers: Vec<String> = (1..=job.shards).map(|it| it.to_string()).collect();
    let shard = job.shard("${{ matrix.shard }}");
    let (out, minutes) = (&job.out, job.args.minutes * 3 + 10);
    let workflow = format!(
        "name: saratoga\n\
         on: workflow_dispatch\n\
         jobs:\n\
         \x20 shards:\n\
         \x20   runs-on: ubuntu-latest\n\
         \x20   timeout-minutes: {minutes}\n\
         \x20   strategy:\n\
         \x20     fail-fast: false\n\
         \x20     matrix:\n\
         \x20       shard: [{}]\n\
         \x20   steps:\n\
         \x20     - uses: actions/checkout@v4\n\
         \x20     - run: cargo install --locked --path .\n\
         \x20     - run: {shard}\n\
         \x20     - uses: actions/upload-artifact@v4\n\
         \x20       if: always()\n\
         \x20       with:\n\
         \x20         name: shard-${{{{ matrix.shard }}}}\n\
         \x20         path: {out}\n\
         \x20 merge:\n\
         \x20   needs: shards\n\
         \x20   # Also where shards failed: the merge says which are missing, and fails.\n\
         \x20   if: always()\n\
         \x20   runs-on: ubuntu-latest\n\
         \x20   steps:\n\
         \x20     - uses: actions/checkout@v4\n\
         \x20     - run: cargo install --locked --path .\n\
         \x20     - uses: actions/download-artifact@v4\n\
         \x20       with:\n\
         \x20         path: {out}\n\
         \x20         merge-multiple: true\n\
         \x20     - run: {}\n\
         \x20     - uses: actions/upload-artifact@v4\n\
         \x20       with:\n\
         \x20         name: report\n\
         \x20         path: {out}\n",
        numbers.join(", "),
        job.merge()
    );
    vec![("saratoga.yml", workflow, false)]
}
