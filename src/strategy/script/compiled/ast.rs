//! The first stage: a script with what the compiler needs to know of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{ASTNode, Expr};

use super::super::module::{Constant, Form, Function, Module};
use super::super::value::{MOST_ELEMENTS, Types, Value};
use super::super::walk::walk;

/// The constants at the top of a script; `None` for one that compiled code does not support.
pub type Constants = BTreeMap<String, Option<Value>>;

/// Maximum number of texts whose index fits in an op.
const MOST_TEXTS: usize = 256;

/// A constant that is a list.
pub struct ConstantList {
    pub name: String,
    pub values: Vec<Value>,
}

impl ConstantList {
    /// Returns the list of a constant, if compiled code supports all of its elements.
    fn of(constant: &Constant) -> Option<ConstantList> {
        let array = constant.value.as_ref()?.as_array_ref().ok()?;
        let values: Option<Vec<Value>> = array.iter().map(Value::of).collect();
        let values = values.filter(|all| all.len() <= MOST_ELEMENTS)?;
        let fit = values.iter().all(|value| value.types().within(Types::ELEMENT));
        fit.then(|| ConstantList { name: constant.name.clone(), values })
    }
}

/// A script as read by the compiler.
pub struct Sources {
    pub module: Rc<Module>,
    /// For each function, the position and description of something that is not compiled, if any.
    pub unsupported: Vec<Option<(usize, String)>>,
    pub constants: Constants,
    pub lists: Vec<ConstantList>,
    /// The texts in its functions that compiled code can refer to.
    pub texts: Vec<String>,
    /// Whether it uses lists.
    pub has_lists: bool,
    pub form: Form,
    /// The function that decides.
    pub entry: usize,
}

impl Sources {
    /// Analyses a script in which a function decides.
    pub fn of(module: &Rc<Module>, (entry, form): (usize, Form)) -> Sources {
        let value = |constant: &Constant| constant.value.as_ref().and_then(Value::of);
        let constants = module.constants.iter().map(|it| (it.name.clone(), value(it))).collect();
        let lists: Vec<ConstantList> = module.constants.iter().filter_map(ConstantList::of).collect();
        let (mut has_lists, mut texts) = (!lists.is_empty(), Vec::new());
        for function in &module.functions {
            walk(function.statements(), &mut |node| match node {
                ASTNode::Expr(Expr::Array(..)) => has_lists = true,
                ASTNode::Expr(Expr::StringConstant(text, _))
                    if !texts.iter().any(|known| known == text.as_str()) =>
                {
                    texts.push(text.to_string());
                }
                _ => {}
            });
        }
        texts.truncate(MOST_TEXTS);
        let this =
            |function: &Function| function.code.is_err().then(|| (function.body.start, "`this`".into()));
        let unsupported = module.functions.iter().map(this).collect();
        Sources { module: module.clone(), unsupported, constants, lists, texts, has_lists, form, entry }
    }

    /// Returns whether the function that decides is compiled.
    pub fn compiles(&self) -> bool {
        self.unsupported[self.entry].is_none()
    }
}
