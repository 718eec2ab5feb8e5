//! The code of a program for people: as text, and as a drawing.

use cranelift::codegen::CompiledCode;
use cranelift::codegen::dominator_tree::DominatorTree;
use cranelift::codegen::entity::SecondaryMap;
use cranelift::codegen::flowgraph::ControlFlowGraph;
use cranelift::codegen::ir::{Block, Function};
use gradus_ir::drawing::{Cluster, ClusterKind, Drawing, Edge, EdgeKind, Node, Shape};
use gradus_ir::{Role, Span};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Each function of a program as Cranelift IR and as machine code.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    text: String,
    drawing: Drawing,
}

impl Listing {
    /// The text: each function as Cranelift IR, then as machine code.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The drawing: each function as a cluster of its blocks, with their Cranelift IR.
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// Adds a function before it is compiled.
    pub(super) fn function(&mut self, name: &str, f: &Function) {
        let _ = writeln!(self.text, "; {name}: Cranelift IR\n{}", f.display());
        self.draw(name, f);
    }

    /// Adds the machine code of a function.
    pub(super) fn code(&mut self, name: &str, code: &CompiledCode) {
        if let Some(text) = &code.vcode {
            let _ = writeln!(self.text, "; {name}: machine code, {} bytes\n{text}", code.code_info().total_size);
        }
    }

    /// Writes names for the addresses of these places, which differ in each process.
    pub(super) fn name_places(&mut self, places: &[(u64, u64, String)]) {
        let places: BTreeMap<u64, (u64, &str)> = places.iter().map(|(at, bytes, name)| (*at, (*bytes, &**name))).collect();
        self.text = named(&self.text, &places);
        self.drawing.nodes.iter_mut().for_each(|node| node.label = named(&node.label, &places));
    }

    fn draw(&mut self, name: &str, f: &Function) {
        let Drawing { clusters, nodes, edges, .. } = &mut self.drawing;
        let cluster = clusters.len();
        let kind = ClusterKind::Graph { role: Role::Primal, is_entry: false };
        clusters.push(Cluster { id: format!("{cluster}"), label: name.to_owned(), parent: None, kind, change: None });
        let blocks: Vec<Block> = f.layout.blocks().collect();
        let mut numbers: SecondaryMap<Block, usize> = SecondaryMap::new();
        for &block in &blocks {
            numbers[block] = nodes.len();
            let params = f.dfg.block_params(block).iter().map(|&v| format!("{v}: {}", f.dfg.value_type(v)));
            let mut label = format!("{block}({}):", params.collect::<Vec<_>>().join(", "));
            for inst in f.layout.block_insts(block) {
                let _ = write!(label, "\n{}", f.dfg.display_inst(inst));
            }
            let id = format!("n{}", nodes.len());
            let (text, span) = (String::new(), Span::NONE);
            nodes.push(Node { id, label, text, span, cluster, shape: Shape::Code, is_tape: false, change: None });
        }
        let cfg = ControlFlowGraph::with_function(f);
        let dominators = DominatorTree::with_function(f, &cfg);
        for &block in &blocks {
            for next in cfg.succ_iter(block) {
                let is_back = dominators.block_dominates(next, block);
                let kind = if is_back { EdgeKind::Back } else { EdgeKind::Control };
                edges.push(Edge { is_ranked: !is_back, ..Edge::new(numbers[block], numbers[next], kind) });
            }
        }
    }
}

/// A text with names in the place of numbers that are addresses: Cranelift writes them as `0x7f00_1234_5678`, assemblers in decimals.
fn named(text: &str, places: &BTreeMap<u64, (u64, &str)>) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while let Some(start) = rest.find(is_part) {
        let (before, word) = rest.split_at(start);
        let (word, after) = word.split_at(word.find(|c| !is_part(c)).unwrap_or(word.len()));
        let digits = word.replace('_', "");
        let number = match digits.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        };
        let place = number.and_then(|n| places.range(..=n).next_back().map(|(at, place)| (n - at, place)));
        out.push_str(before);
        match place {
            Some((0, (_, name))) => out.push_str(name),
            Some((beyond, (bytes, name))) if beyond < *bytes => _ = write!(out, "{name}+{beyond}"),
            _ => out.push_str(word),
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_names() {
        let places = BTreeMap::from([(0x7f00_0000_1000, (16, "zero0")), (0x7f00_0000_1010, (1, "shape0"))]);
        let text = "v1 = iconst.i64 0x7f00_0000_1000  ; v1 = 139637976731664\nmovabsq $139637976731656, %rax; v2 = 0x11_0000";
        let known = "v1 = iconst.i64 zero0  ; v1 = shape0\nmovabsq $zero0+8, %rax; v2 = 0x11_0000";
        assert_eq!(named(text, &places), known);
    }
}
