//! A kind of file: what may stand in it, and how it is judged as a whole.

use std::sync::Arc;

use crate::diagnostic::SourceText;
use crate::rules::find::Shelf;

use super::Reading;
use super::keys::Key;

/// What the files of one kind say, as far as they are read. The default is a file that says nothing.
pub(crate) trait FileKind: Default + 'static {
    /// What is made of a file without faults.
    type Whole;

    /// Where such files are found by name.
    const SHELF: Shelf;
    /// Every key of a file, `extends` among them.
    const KEYS: &'static [Key<Self>];
    /// The tables of a file and what each is about, in the order they are written.
    const TABLES: &'static [(&'static str, &'static str)];
    /// A second name of a table, and the table.
    const SECOND_NAME: Option<(&'static str, &'static str)>;

    /// Begins a file called `name`, over what it extends: what a file says of itself is not true of another.
    fn begin(&mut self, name: String);

    /// Judges the keys together, once every file is read, and puts its faults with the others. `None` where too
    /// much is at fault.
    fn judge(reading: &mut Reading<Self>, root: &Arc<SourceText>) -> Option<Self::Whole>;
}
