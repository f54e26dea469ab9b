//! The first stage: Rhai's syntax trees of the functions of a script.

use std::collections::BTreeMap;

use rhai::{AST, ASTNode, Dynamic, Engine, Expr, Stmt};

use super::super::outline::{DecidingFunction, Form, Function as Checked};
use super::super::value::{MOST_ELEMENTS, Types, Value};
use super::super::walk::walk;

/// A function of a script.
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    /// Its body, as a script of its own: those of functions are closed to other crates.
    body: AST,
    /// It is a method of one type.
    pub typed: bool,
    /// Where in the script something stands that is not compiled, and what it is.
    pub obstacle: Option<(usize, String)>,
}

impl Function {
    /// The statements of its body.
    pub fn statements(&self) -> &[Stmt] {
        self.body.statements()
    }
}

/// The constants at the top of a script; `None` for one that is no value of compiled code.
pub type Constants = BTreeMap<String, Option<Value>>;

/// So many texts have a number that fits in an op.
const MOST_TEXTS: usize = 256;

/// A constant that is a list.
pub struct ConstantList {
    pub name: String,
    pub values: Vec<Value>,
}

impl ConstantList {
    /// The list of a constant, if compiled code knows all that is in it.
    pub fn of(name: &str, value: &Dynamic) -> Option<ConstantList> {
        let array = value.as_array_ref().ok()?;
        let values: Option<Vec<Value>> = array.iter().map(Value::of).collect();
        let values = values.filter(|all| all.len() <= MOST_ELEMENTS)?;
        let fit = values.iter().all(|value| value.types().within(Types::ELEMENT));
        fit.then(|| ConstantList { name: name.into(), values })
    }
}

/// A script as the compiler reads it.
pub struct Sources {
    pub functions: Vec<Function>,
    pub constants: Constants,
    pub lists: Vec<ConstantList>,
    /// The texts that stand in its functions, as far as compiled code can name them.
    pub texts: Vec<String>,
    /// There are lists in it.
    pub has_lists: bool,
    pub form: Form,
    /// The function that decides.
    pub entry: usize,
}

impl Sources {
    /// Reads the functions of a script.
    pub fn read(
        text: &str,
        engine: &Engine,
        functions: &[Checked],
        constants: Constants,
        lists: Vec<ConstantList>,
        entry: &DecidingFunction,
    ) -> Sources {
        let mut read = Vec::new();
        for function in functions {
            let body = engine.compile(&text[function.body.clone()]);
            // A script has no `this`.
            let obstacle = body.is_err().then(|| (function.body.start, "`this`".to_string()));
            read.push(Function {
                name: function.name.clone(),
                parameters: function.parameters.clone(),
                body: body.unwrap_or_default(),
                typed: function.typed,
                obstacle,
            });
        }
        let (mut has_lists, mut texts) = (!lists.is_empty(), Vec::new());
        for function in &read {
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
        let form = entry.form;
        let entry = functions.iter().position(|f| f.body == entry.body).unwrap_or(0);
        Sources { functions: read, constants, lists, texts, has_lists, form, entry }
    }

    /// Whether the function that decides is compiled.
    pub fn compiles(&self) -> bool {
        self.functions.get(self.entry).is_some_and(|entry| entry.obstacle.is_none())
    }

    /// The function that a call with so many arguments means.
    pub fn function(&self, name: &str, arguments: usize) -> Option<usize> {
        self.functions.iter().position(|f| f.name == name && f.parameters.len() == arguments && !f.typed)
    }

    /// Whether a call in method style, with so many arguments in brackets, may mean a function of the script.
    pub fn has_method(&self, name: &str, arguments: usize) -> bool {
        self.functions.iter().any(|f| f.name == name && f.parameters.len() == arguments)
    }
}
