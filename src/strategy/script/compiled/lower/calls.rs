//! Lowers calls of the script's own functions: inlined, as memos, or as calls of the machine.

use super::super::super::limits::MAX_CALL_DEPTH;
use super::super::super::module::Function;
use super::super::super::value::{Types, Value};
use super::super::hir::{self, Inference, Node};
use super::assigned::assigned_in;
use super::builder::{Binding, Builder, Built, Instance, Known, Memo};

impl<'a> Builder<'a> {
    /// Lowers a call of the script's own function.
    pub(super) fn call(&mut self, index: usize, arguments: Vec<Node>) -> Built<Node> {
        let sources = self.sources;
        let function = &sources.module.functions[index];
        self.costs_lists(arguments.iter().filter(|argument| matches!(argument, Node::Read(_))).count());
        if self.is_generic() {
            return Ok(Node::Call(index, arguments, 0));
        }
        if self.inlining.len() >= MAX_CALL_DEPTH {
            return Ok(Node::Fault);
        }
        if sources.obstacles[index].is_some() {
            self.costs(8);
            return Ok(Node::Interpret(index, arguments, self.inlining.len()));
        }
        if function.statements().is_empty() {
            self.costs(3);
            return Ok(Node::Seq(arguments.into_iter().chain([Node::UNIT]).collect()));
        }
        let recursive = self.inlining.contains(&index) || self.called == Some(index);
        if recursive || self.size > self.most_inlined {
            return Ok(self.call_instance(index, arguments));
        }
        // The depth of a called function is known only when it is called, and a memo must not go too deep.
        let known: Option<Vec<Known>> = arguments.iter().map(known).collect();
        let known = known.filter(|_| self.called.is_none());
        let depth = self.inlining.len();
        if let Some(known) = &known
            && let Some(id) = self.memos.iter().position(|m| m.function == index && m.arguments == *known)
        {
            self.costs(self.memos[id].cost);
            let deepest = depth + self.memos[id].call_depth;
            self.call_depth = self.call_depth.max(deepest);
            return Ok(if deepest > MAX_CALL_DEPTH { Node::Fault } else { Node::Memo(id) });
        }
        let cost = std::mem::take(&mut self.cost);
        let call_depth = std::mem::replace(&mut self.call_depth, depth + 1);
        self.inlining.push(index);
        let node = self.inline(index, arguments);
        self.inlining.truncate(depth);
        let own_call_depth = self.call_depth - depth;
        self.call_depth = self.call_depth.max(call_depth);
        let own = std::mem::replace(&mut self.cost, cost);
        self.costs(own);
        let node = node?;
        match known {
            Some(arguments) if node.size() > 3 && hir::is_pure(&node) && !self.gives_list(&node) => {
                let loops = self.has_loops(&node);
                self.memos.push(Memo {
                    function: index,
                    arguments,
                    node,
                    cost: own,
                    call_depth: own_call_depth,
                    loops,
                });
                Ok(Node::Memo(self.memos.len() - 1))
            }
            _ => Ok(node),
        }
    }

    fn has_loops(&self, node: &Node) -> bool {
        let mut found = false;
        node.walk(&mut |node| {
            found |= match node {
                Node::Memo(id) => self.memos[*id].loops,
                _ => node.is_of_length(),
            }
        });
        found
    }

    /// Returns whether the value may be a list. Lists exist only during one score, while memos last for a decision.
    fn gives_list(&self, node: &Node) -> bool {
        let mut lists = false;
        node.walk(&mut |node| lists |= node.is_of_lists());
        if !lists {
            return false;
        }
        let memos: Vec<&Node> = self.memos.iter().map(|memo| &memo.node).collect();
        let mut types = Inference::new(self.slots, self.labels, memos.len());
        types.run(&[node], &memos);
        types.of(node).has(Types::LIST)
    }

    fn call_instance(&mut self, index: usize, arguments: Vec<Node>) -> Node {
        self.costs(4);
        let constants = arguments.iter().map(|a| a.constant().filter(|v| *v == Value::VIEW)).collect();
        let instance = Instance { function: index, constants };
        let number = self.instances.iter().position(|known| *known == instance).unwrap_or_else(|| {
            self.instances.push(instance);
            self.instances.len() - 1
        });
        Node::Call(number, arguments, self.inlining.len() + 1)
    }

    pub(super) fn inline(&mut self, index: usize, arguments: Vec<Node>) -> Built<Node> {
        let function: &'a Function = &self.sources.module.functions[index];
        let assigned = assigned_in(function.statements());
        let (mut before, mut bound) = (Vec::new(), Vec::new());
        for (name, argument) in function.parameters.iter().zip(arguments) {
            let lasting = match &argument {
                Node::Const(_) | Node::ViewProperty(_) => true,
                Node::Memo(id) if !self.memos[*id].loops => {
                    before.push(argument.clone());
                    true
                }
                Node::Read(slot) => self.classes.contains_key(slot) || self.is_never_assigned(*slot),
                _ => false,
            };
            if lasting && !assigned.contains(name) {
                bound.push(Binding::Fixed(argument));
                continue;
            }
            let slot = self.new_slot();
            before.push(Node::Let(slot, Box::new(argument)));
            let fixed = !assigned.contains(name);
            bound.push(if fixed { Binding::Fixed(Node::Read(slot)) } else { Binding::Variable(slot) });
        }
        let body = self.body(index, bound)?;
        if before.is_empty() {
            return Ok(body);
        }
        before.push(body);
        Ok(Node::Seq(before))
    }
}

fn known(node: &Node) -> Option<Known> {
    match node {
        Node::Const(value) => Some(Known::Const(*value)),
        Node::ViewProperty(property) => Some(Known::ViewProperty(*property)),
        Node::Memo(id) => Some(Known::Memo(*id)),
        _ => None,
    }
}
