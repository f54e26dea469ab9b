//! Random scripts for proptest that shrink statement by statement and expression by expression.

use std::fmt;

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rand::Rng as _;

use super::grow;
use super::tree::{Node, Tree, Ty, What};

/// Random scripts.
pub fn scripts() -> impl Strategy<Value = Tree> {
    Scripts
}

#[derive(Debug)]
struct Scripts;

impl Strategy for Scripts {
    type Tree = Shrinking;
    type Value = Tree;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Scripts> {
        Ok(Shrinking::new(grow::tree(runner.rng().next_u64())))
    }
}

/// A failing script, and the one being tried in its place.
pub struct Shrinking {
    fails: Tree,
    tried: Tree,
    edits: Vec<Edit>,
    next: usize,
    /// Whether any edit was successful since the first was last tried.
    improved: bool,
}

/// A reduction: what to do where. A location is the function and then a path of child indices; indices past the
/// functions are the values of the constants.
#[derive(Clone)]
struct Edit {
    place: Vec<usize>,
    how: How,
}

#[derive(Clone)]
enum How {
    RemoveFunction,
    Remove(usize),
    /// Replaces a block by its statements.
    Open(usize),
    Replace(Node),
}

impl Shrinking {
    pub fn new(tree: Tree) -> Shrinking {
        let edits = edits(&tree);
        Shrinking { tried: tree.clone(), fails: tree, edits, next: 0, improved: false }
    }

    fn try_next(&mut self) -> bool {
        self.tried = self.fails.clone();
        if self.next >= self.edits.len() && std::mem::take(&mut self.improved) {
            self.next = 0;
        }
        let Some(edit) = self.edits.get(self.next) else { return false };
        self.next += 1;
        edit.apply(&mut self.tried);
        true
    }
}

impl ValueTree for Shrinking {
    type Value = Tree;

    fn current(&self) -> Tree {
        self.tried.clone()
    }

    fn simplify(&mut self) -> bool {
        if self.tried != self.fails {
            self.fails = self.tried.clone();
            self.edits = edits(&self.fails);
            // An edit that failed before will usually fail again.
            self.next = self.next.saturating_sub(1);
            self.improved = true;
        }
        self.try_next()
    }

    fn complicate(&mut self) -> bool {
        self.try_next()
    }
}

impl fmt::Debug for Shrinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tried.fmt(f)
    }
}

impl Edit {
    fn apply(&self, tree: &mut Tree) {
        if let How::RemoveFunction = self.how {
            match self.place[0].checked_sub(tree.functions.len()) {
                None => drop(tree.functions.remove(self.place[0])),
                Some(constant) => drop(tree.constants.remove(constant)),
            }
            return;
        }
        let mut node = match self.place[0].checked_sub(tree.functions.len()) {
            None => &mut tree.functions[self.place[0]].body,
            Some(constant) => &mut tree.constants[constant].1,
        };
        for &kid in &self.place[1..] {
            node = &mut node.kids[kid];
        }
        match &self.how {
            How::RemoveFunction => {}
            How::Remove(kid) => drop(node.kids.remove(*kid)),
            How::Open(kid) => {
                let inner = std::mem::take(&mut node.kids[*kid].kids);
                node.kids.splice(kid..=kid, inner);
            }
            How::Replace(other) => *node = other.clone(),
        }
    }
}

/// Returns every way to make a script smaller, largest first.
fn edits(tree: &Tree) -> Vec<Edit> {
    let mut edits = Vec::new();
    let roots = tree.functions.iter().map(|function| &function.body);
    for (i, root) in roots.chain(tree.constants.iter().map(|(_, value)| value)).enumerate() {
        edits.push(Edit { place: vec![i], how: How::RemoveFunction });
        smaller(root, &mut vec![i], &mut edits);
    }
    edits.sort_by_key(|edit| edit.place.len());
    edits
}

fn smaller(node: &Node, place: &mut Vec<usize>, edits: &mut Vec<Edit>) {
    let mut add = |how: How| edits.push(Edit { place: place.clone(), how });
    let removable = match node.what {
        What::Block(_) => 0..node.kids.len(),
        // The subject itself is kept.
        What::Switch => 1..node.kids.len(),
        What::If => 2..node.kids.len(),
        What::Arm(_) => 0..node.kids.len() - 1,
        What::List => 0..node.kids.len(),
        What::Let(_) | What::Return | What::Break => 0..node.kids.len(),
        _ => 0..0,
    };
    removable.rev().for_each(|kid| add(How::Remove(kid)));
    if let What::Block(_) = node.what {
        let blocks = (0..node.kids.len()).filter(|&kid| matches!(node.kids[kid].what, What::Block(_)));
        blocks.for_each(|kid| add(How::Open(kid)));
    }
    let is_expression = node.ty != Ty::Nothing && !matches!(node.what, What::Block(_) | What::Arm(_));
    if is_expression
        || matches!(
            node.what,
            What::If | What::While | What::Do(_) | What::For(..) | What::Loop | What::Switch
        )
    {
        // A part of the same type.
        let mut parts = Vec::new();
        for kid in &node.kids {
            kid.walk(&mut |part| {
                let fits = part.ty == node.ty && !matches!(part.what, What::Arm(_));
                let statement = matches!(part.what, What::Block(_)) || part.ty != Ty::Nothing;
                if fits && statement {
                    parts.push(part);
                }
            });
        }
        parts.into_iter().for_each(|part| add(How::Replace(part.clone())));
    }
    if is_expression && !node.kids.is_empty() {
        match node.ty {
            Ty::Int => [1, 0].into_iter().for_each(|n| add(How::Replace(Node::int(n)))),
            Ty::Bool => {
                [true, false]
                    .into_iter()
                    .for_each(|b| add(How::Replace(Node::new(What::Bool(b), Ty::Bool, vec![]))));
            }
            Ty::List => add(How::Replace(Node::new(What::List, Ty::List, vec![]))),
            Ty::Card | Ty::MaybeMove | Ty::Any => add(How::Replace(Node::unit(node.ty))),
            _ => {}
        }
    }
    if let What::Int(n) = node.what
        && !matches!(n, 0 | 1)
    {
        [0, 1, n / 2].into_iter().for_each(|n| add(How::Replace(Node::int(n))));
    }
    for (i, kid) in node.kids.iter().enumerate() {
        place.push(i);
        let body = match node.what {
            What::If | What::While | What::For(..) => i > 0,
            What::Loop | What::Arm(_) => true,
            What::Do(_) => i == 0,
            _ => false,
        };
        if let (What::Block(_), [.., value]) = (&kid.what, &kid.kids[..])
            && !body
            && value.ty != Ty::Nothing
        {
            edits.push(Edit { place: place.clone(), how: How::Replace(value.clone()) });
        }
        smaller(kid, place, edits);
        place.pop();
    }
}
