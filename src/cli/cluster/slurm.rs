//! A job array of Slurm, and a merge that starts when the array is finished.

use super::job::{Job, Made};

/// Default maximum number of tasks of an array.
pub(super) const USUAL_MOST: u64 = 1_000;

pub(super) fn files(job: &Job<'_>) -> Vec<Made> {
    let partition =
        job.args.partition.as_ref().map_or(String::new(), |name| format!("#SBATCH --partition={name}\n"));
    let head = |name: &str, more: &str| {
        format!(
            "#!/bin/sh\n#SBATCH --job-name={name}\n{partition}#SBATCH --cpus-per-task={}\n#SBATCH --mem={}\n\
             #SBATCH --time={}\n{more}",
            job.args.cores, job.memory, job.limit
        )
    };
    let enter = format!("cd {} || exit 1\n", job.here);
    let array = format!(
        "{}# Paths are from where the files were made. A shard that is begun again goes on where it was.\n{enter}exec {}\n",
        head(
            "saratoga",
            &format!(
                "#SBATCH --array=1-{}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n\
                 #SBATCH --output=saratoga-%A-%a.log\n",
                job.shards
            )
        ),
        job.shard("$SLURM_ARRAY_TASK_ID")
    );
    let merge = format!(
        "{}# It looks itself whether every shard is whole, and fails where one is not.\n{enter}exec {}\n",
        head("saratoga-merge", "#SBATCH --output=saratoga-merge-%j.log\n"),
        job.merge()
    );
    // The merge starts even if shards failed, as otherwise it would wait forever.
    let submit = "#!/bin/sh\n\
        # Submits the shards, and the merge after them. Where results decide how much is played, the merge fails and says\n\
        # what is missing: submit again for each round.\n\
        set -eu\n\
        cd \"$(dirname \"$0\")\"\n\
        array=$(sbatch --parsable shards.sbatch)\n\
        merge=$(sbatch --parsable --dependency=\"afterany:${array%%;*}\" merge.sbatch)\n\
        echo \"shards: job $array; merge: job $merge\"\n";
    vec![("shards.sbatch", array, false), ("merge.sbatch", merge, false), ("submit.sh", submit.into(), true)]
}
