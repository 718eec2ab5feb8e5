//! The code of a program for people: as text, and as a drawing.

use cranelift::codegen::CompiledCode;
use cranelift::codegen::dominator_tree::DominatorTree;
use cranelift::codegen::entity::SecondaryMap;
use cranelift::codegen::flowgraph::ControlFlowGraph;
use cranelift::codegen::ir::{Block, Function};
use gradus_ir::Role;
use gradus_ir::drawing::{Cluster, ClusterKind, Drawing, Edge, EdgeKind, Node, Shape};
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
            nodes.push(Node { id, label, cluster, shape: Shape::Code, is_tape: false, change: None });
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
