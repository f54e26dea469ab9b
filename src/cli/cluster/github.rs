//! A matrix of GitHub Actions.

use std::path::Path;

use super::job::{Job, Made, yaml};
use crate::cli::error::CliError;
use crate::cli::words::shell_word;

/// Most jobs of a matrix.
pub(super) const MOST: u64 = 256;

/// The commands that get the program: from a git repository, from the repository itself where that is the program's own, or
/// from a built program in it.
pub(super) fn install(program: Option<&str>) -> Result<String, CliError> {
    match program {
        None => Err(CliError::lines(&[
            "GitHub has no saratoga: say where it gets the program from with --program",
            "  --program URL   the git repository of saratoga, which is built there",
            "  --program PATH  a built program for Linux in your repository, from the folder in which you call this",
            "  --program .     your repository, which is that of saratoga",
        ])),
        Some(".") => Ok("cargo install --locked --path \"$GITHUB_WORKSPACE\"".into()),
        Some(url) if url.contains("://") => {
            Ok(format!("cargo install --locked --git {} saratoga", shell_word(url)))
        }
        Some(path) if Path::new(path).is_absolute() => Err(CliError::input(format!(
            "GitHub has only what is in the repository, and not {path}: name the program by its path from the folder in \
             which you call this"
        ))),
        Some(path) => Ok(format!("install -D -m 755 -- {} \"$HOME/.cargo/bin/saratoga\"", shell_word(path))),
    }
}

/// The workflow, of a command that is run in this folder of the repository.
pub(super) fn files(job: &Job<'_>, within: &Path, install: &str) -> Vec<Made> {
    let numbers: Vec<String> = (1..=job.shards).map(|it| it.to_string()).collect();
    let job = &job.told(plain);
    let shard = yaml(&job.shard("${{ matrix.shard }}"));
    // Where artifacts are is told from the root of the repository, to no shell.
    let folder_of_out = plain(&within.join(&job.args.out).display().to_string());
    let out = yaml(&folder_of_out);
    // Its own blocks alone: in a later round those of all shards lie beside them.
    let own = yaml(&format!("{folder_of_out}/shard-${{{{ matrix.shard }}}}-of-{}.blocks", job.shards));
    let earlier = format!(
        "\x20     - if: inputs.go_on_from != ''\n\
         \x20       uses: actions/download-artifact@v4\n\
         \x20       with:\n\
         \x20         run-id: ${{{{ inputs.go_on_from }}}}\n\
         \x20         github-token: ${{{{ github.token }}}}\n\
         \x20         name: report\n\
         \x20         path: {out}\n"
    );
    let install = yaml(&plain(install));
    let (folder, merge) = (within.display().to_string(), yaml(&job.merge()));
    let folder = yaml(&if folder.is_empty() { ".".into() } else { plain(&folder) });
    let minutes = job.args.minutes * 3 + 10;
    let workflow = format!(
        "# Copy this file to .github/workflows/ of your repository, with every ruleset and script that the command names, and\n\
         # start it by hand on the page of its actions. Where results decide how much is played, the merge fails and says what\n\
         # is missing: start it again for the next round, with the number that the address of the last run ends with.\n\
         name: saratoga\n\
         on:\n\
         \x20 workflow_dispatch:\n\
         \x20   inputs:\n\
         \x20     go_on_from:\n\
         \x20       description: Number of the run of the last round; empty for the first\n\
         \x20       default: ''\n\
         \x20       required: false\n\
         permissions:\n\
         \x20 actions: read\n\
         \x20 contents: read\n\
         defaults:\n\
         \x20 run:\n\
         \x20   # Paths of the command are from here.\n\
         \x20   working-directory: {folder}\n\
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
         \x20     - run: {install}\n\
         {earlier}\
         \x20     - run: {shard}\n\
         \x20     - uses: actions/upload-artifact@v4\n\
         \x20       if: always()\n\
         \x20       with:\n\
         \x20         name: shard-${{{{ matrix.shard }}}}\n\
         \x20         path: {own}\n\
         \x20 merge:\n\
         \x20   needs: shards\n\
         \x20   # Also where shards failed: the merge says which are missing, and fails.\n\
         \x20   if: always()\n\
         \x20   runs-on: ubuntu-latest\n\
         \x20   steps:\n\
         \x20     - uses: actions/checkout@v4\n\
         \x20     - run: {install}\n\
         \x20     - uses: actions/download-artifact@v4\n\
         \x20       with:\n\
         \x20         path: {out}\n\
         \x20         merge-multiple: true\n\
         \x20     - run: {merge}\n\
         \x20     - uses: actions/upload-artifact@v4\n\
         \x20       if: always()\n\
         \x20       with:\n\
         \x20         name: report\n\
         \x20         path: {out}\n",
        numbers.join(", "),
    );
    vec![("saratoga.yml", workflow, false)]
}

/// A text in which GitHub finds no expression of its own.
fn plain(text: &str) -> String {
    text.replace("${{", "${{ '${{' }}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_comes_from_where_it_is_said_to_be() {
        let install = |program| super::install(Some(program)).map_err(|error| format!("{error:?}"));
        assert_eq!(
            install("https://example.org/a b.git").unwrap(),
            "cargo install --locked --git 'https://example.org/a b.git' saratoga"
        );
        assert_eq!(install(".").unwrap(), "cargo install --locked --path \"$GITHUB_WORKSPACE\"");
        assert_eq!(
            install("bin/my saratoga").unwrap(),
            "install -D -m 755 -- 'bin/my saratoga' \"$HOME/.cargo/bin/saratoga\""
        );
        assert!(install("/usr/bin/saratoga").unwrap_err().contains("only what is in the repository"));
        assert!(format!("{:?}", super::install(None).unwrap_err()).contains("--program URL"));
    }

    #[test]
    fn no_word_is_an_expression() {
        assert_eq!(plain("a ${{ b }} $c"), "a ${{ '${{' }} b }} $c");
    }
}
