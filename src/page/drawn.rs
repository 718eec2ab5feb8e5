//! A drawing for the page: its picture, and what the script needs to know of the parts of the picture.

use super::places::{Place, Places};
use crate::{Error, svg};
use gradus_ir::drawing::Drawing;
use serde::Serialize;

/// A picture with its parts, each list in the order of the groups in the picture.
#[derive(Clone, Serialize)]
pub struct Drawn {
    svg: String,
    /// The cluster that each cluster lies in.
    clusters: Vec<Option<usize>>,
    nodes: Vec<Node>,
    /// For each edge its nodes, and the clusters at whose borders it starts and ends.
    edges: Vec<[Option<usize>; 4]>,
}

#[derive(Clone, Serialize)]
struct Node {
    cluster: usize,
    /// The line of the text that defines it.
    text: String,
    place: Option<Place>,
}

impl Drawn {
    /// Lays a drawing out; none if it is larger than a limit.
    pub fn new(drawing: &Drawing, places: &Places, limit: usize) -> Result<Option<Drawn>, Error> {
        if svg::size(drawing) > limit {
            return Ok(None);
        }
        let nodes = drawing.nodes.iter();
        Ok(Some(Drawn {
            svg: svg::draw(drawing)?,
            clusters: drawing.clusters.iter().map(|c| c.parent).collect(),
            nodes: nodes.map(|n| Node { cluster: n.cluster, text: n.text.clone(), place: places.of(n.span) }).collect(),
            edges: drawing.edges.iter().map(|e| [Some(e.from), Some(e.to), e.from_border, e.to_border]).collect(),
        }))
    }
}
