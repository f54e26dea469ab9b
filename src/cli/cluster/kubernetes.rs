//! An Indexed Job of Kubernetes.

use std::path::{Path, PathBuf};

use super::job::{Job, Made, yaml};

pub(super) fn files(job: &Job<'_>) -> Vec<Made> {
    let job = &job.told(plain);
    let shard = job.shard("$((JOB_COMPLETION_INDEX + 1))");
    let shards = pod(job, "saratoga-shards", &shard, Some(job.shards));
    let merge = pod(job, "saratoga-merge", &job.merge(), None);
    let submit = "#!/bin/sh\n\
        # Runs the shards, waits until they are complete or given up, and merges. The merge looks itself whether every shard\n\
        # is whole, and fails where one is not. Where results decide how much is played, submit again for each round.\n\
        set -eu\n\
        cd \"$(dirname \"$0\")\"\n\
        # A job that is over does not run again.\n\
        kubectl delete --ignore-not-found -f merge.yaml -f shards.yaml\n\
        kubectl apply -f shards.yaml\n\
        until kubectl wait --for=condition=complete --timeout=60s job/saratoga-shards 2>/dev/null; do\n\
        \x20   kubectl wait --for=condition=failed --timeout=1s job/saratoga-shards 2>/dev/null && break\n\
        done\n\
        kubectl apply -f merge.yaml\n\
        echo \"its answer: kubectl logs -f job/saratoga-merge\"\n";
    let container = "# Builds the image: in a checkout of saratoga, `docker build -f Containerfile -t IMAGE .`\n\
        FROM docker.io/library/rust:1-slim AS build\n\
        WORKDIR /src\n\
        COPY . .\n\
        RUN cargo build --release --locked --bin saratoga\n\
        FROM docker.io/library/debian:stable-slim\n\
        COPY --from=build /src/target/release/saratoga /usr/local/bin/saratoga\n\
        ENTRYPOINT [\"saratoga\"]\n";
    vec![
        ("shards.yaml", shards, false),
        ("merge.yaml", merge, false),
        ("Containerfile", container.into(), false),
        ("submit.sh", submit.into(), true),
    ]
}

fn pod(job: &Job<'_>, name: &str, command: &str, shards: Option<u64>) -> String {
    let args = job.args;
    let indexed = shards.map_or(String::new(), |shards| {
        let at_once = shards.min(1_000);
        format!("  completionMode: Indexed\n  completions: {shards}\n  parallelism: {at_once}\n")
    });
    // A shard goes on where it was; a merge that finds blocks missing would find no more.
    let (again, restart) = if shards.is_some() { (1_000, "OnFailure") } else { (0, "Never") };
    let mount = yaml(&mount(&args.out).display().to_string());
    // Kubernetes writes 2G as 2Gi.
    let memory = match job.memory.strip_suffix(['G', 'M']) {
        Some(_) => format!("{}i", job.memory),
        None => job.memory.clone(),
    };
    let memory = yaml(&memory);
    format!(
        "apiVersion: batch/v1\n\
         kind: Job\n\
         metadata:\n  name: {name}\n\
         spec:\n\
         {indexed}  backoffLimit: {again}\n\
         \x20 template:\n\
         \x20   spec:\n\
         \x20     restartPolicy: {restart}\n\
         \x20     containers:\n\
         \x20       - name: saratoga\n\
         \x20         image: {}\n\
         \x20         # Paths are from here.\n\
         \x20         workingDir: {mount}\n\
         \x20         command: [\"/bin/sh\", \"-c\"]\n\
         \x20         args:\n\
         \x20           - {}\n\
         \x20         resources:\n\
         \x20           requests: {{ cpu: \"{}\", memory: {memory} }}\n\
         \x20           limits: {{ memory: {memory} }}\n\
         \x20         volumeMounts:\n\
         \x20           - {{ name: runs, mountPath: {mount} }}\n\
         \x20     volumes:\n\
         \x20       - name: runs\n\
         \x20         persistentVolumeClaim: {{ claimName: {} }}\n",
        yaml(&args.image),
        yaml(&format!("exec {command}")),
        args.cores,
        yaml(&args.claim)
    )
}

/// Where the volume is: the folder above that of the results.
pub(super) fn mount(out: &Path) -> PathBuf {
    let above = out.parent().filter(|above| above.is_absolute() && above.parent().is_some());
    above.unwrap_or(Path::new("/data")).to_path_buf()
}

/// A text in which Kubernetes finds no variable of its own.
fn plain(text: &str) -> String {
    text.replace('$', "$$")
}
