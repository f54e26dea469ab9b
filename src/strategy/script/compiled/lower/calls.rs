//! Lowers calls of the script's own functions: inlined, as memos, or as calls of the machine.

use super::super::super::limits::MAX_CALL_DEPTH;
use super::super::super::module::Function;
use super::super::super::value::{Types, Value};
use super::super::hir::{Inference, Kind, Node};
use super::builder::{Binding, Builder, Built, Instance, Memo, assigned_in};

impl<'a> Builder<'a> {
    /// Lowers a call of the script's own function.
    pub(super) fn call(&mut self, index: usize, arguments: Vec<Node>) -> Built<Node> {
        let sources = self.sources;
        let function = &sources.module.functions[index];
        self.costs_lists(arguments.iter().filter(|argument| matches!(argument.kind, Kind::Read(_))).count());
        if self.is_generic() {
            return Ok(Node::new(Kind::Call(index, 0), arguments));
        }
        let depth = self.inlining.len();
        if depth >= MAX_CALL_DEPTH {
            return Ok(Node::FAULT);
        }
        if sources.unsupported[index].is_some() {
            self.costs(8);
            return Ok(Node::new(Kind::Interpret(index, depth), arguments));
        }
        if function.statements().is_empty() {
            self.costs(3);
            return Ok(Node::UNIT.preceded(arguments));
        }
        let recursive = self.inlining.contains(&index) || self.called == Some(index);
        if recursive || self.size > self.most_inlined {
            return Ok(self.call_instance(index, arguments));
        }
        // The depth of a called function is known only when it is called, and a memo must not go too deep.
        let known = |node: &Node| match node.kind {
            Kind::Const(_) | Kind::ViewProperty(_) | Kind::Memo(_) => Some(node.kind.clone()),
            _ => None,
        };
        let known: Option<Vec<Kind>> = arguments.iter().map(known).collect();
        let known = known.filter(|_| self.called.is_none());
        if let Some(known) = &known
            && let Some(id) = self.memos.iter().position(|m| m.function == index && m.arguments == *known)
        {
            self.costs(self.memos[id].cost);
            let deepest = depth + self.memos[id].call_depth;
            self.call_depth = self.call_depth.max(deepest);
            return Ok(if deepest > MAX_CALL_DEPTH { Node::FAULT } else { Node::leaf(Kind::Memo(id)) });
        }
        let outer_cost = std::mem::take(&mut self.cost);
        let outer_depth = std::mem::replace(&mut self.call_depth, depth + 1);
        self.inlining.push(index);
        let node = self.inline(index, arguments);
        self.inlining.truncate(depth);
        let call_depth = self.call_depth - depth;
        self.call_depth = self.call_depth.max(outer_depth);
        let cost = std::mem::replace(&mut self.cost, outer_cost);
        self.costs(cost);
        let node = node?;
        match known {
            Some(arguments)
                if node.size() > 3 && !node.any(&mut |kind| !kind.is_pure()) && !self.gives_list(&node) =>
            {
                let loops = node.any(&mut |kind| match kind {
                    Kind::Memo(id) => self.memos[*id].loops,
                    kind => kind.is_of_length(),
                });
                self.memos.push(Memo { function: index, arguments, node, cost, call_depth, loops });
                Ok(Node::leaf(Kind::Memo(self.memos.len() - 1)))
            }
            _ => Ok(node),
        }
    }

    /// Returns whether the value may be a list. Lists exist only during one score, while memos last for a decision.
    fn gives_list(&self, node: &Node) -> bool {
        if !node.any(&mut Kind::is_of_lists) {
            return false;
        }
        let memos: Vec<&Node> = self.memos.iter().map(|memo| &memo.node).collect();
        let mut types = Inference::new(self.slots, self.labels, memos.len());
        types.run(&[node], &memos);
        types.of(node).has(Types::LIST)
    }

    fn call_instance(&mut self, index: usize, arguments: Vec<Node>) -> Node {
        self.costs(4);
        let constants = arguments.iter().map(|a| a.value().filter(|v| *v == Value::VIEW)).collect();
        let instance = Instance { function: index, constants };
        let number = self.instances.iter().position(|known| *known == instance).unwrap_or_else(|| {
            self.instances.push(instance);
            self.instances.len() - 1
        });
        Node::new(Kind::Call(number, self.inlining.len() + 1), arguments)
    }

    pub(super) fn inline(&mut self, index: usize, arguments: Vec<Node>) -> Built<Node> {
        let function: &'a Function = &self.sources.module.functions[index];
        let assigned = assigned_in(function.statements());
        let (mut before, mut bound) = (Vec::new(), Vec::new());
        for (name, argument) in function.parameters.iter().zip(arguments) {
            let (lasting, fixed) = (self.is_lasting(&argument), !assigned.contains(name));
            if lasting && let Kind::Memo(_) = argument.kind {
                before.push(argument.clone());
            }
            let value = if lasting && fixed { argument } else { self.save(argument, &mut before) };
            bound.push(match value.kind {
                Kind::Read(slot) if !fixed => Binding::Variable(slot),
                _ => Binding::Fixed(value),
            });
        }
        Ok(self.body(index, bound)?.preceded(before))
    }
}
