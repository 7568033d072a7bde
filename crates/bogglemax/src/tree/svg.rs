//! Trees as SVG, by a layered layout of our own: leaves stand side by side, parents over the middle
//! of their children.

use std::fmt::Write;

use super::Tree;
use super::draw::{Picture, Shape, ShapeKind, thousands};

const MARGIN: f64 = 28.0;
const HEADER: f64 = 64.0;
const LEGEND: f64 = 44.0;
const LEGEND_WIDTH: f64 = 560.0;
const LAYER: f64 = 66.0;
const GAP: f64 = 14.0;
const BOX_HEIGHT: f64 = 26.0;
const RADIUS: f64 = 14.0;
/// Room to the right of a node for its bound.
const BOUND_WIDTH: f64 = 7.5;

const STYLE: &str = "\
text{font-family:Helvetica,Arial,sans-serif;font-size:13px;fill:#1f2933;text-anchor:middle}\
.edge{fill:none;stroke:#9aa5b1;stroke-width:1.2}\
.sum{fill:#e6f0fa;stroke:#2f6fab;stroke-width:1.3}\
.scoring{fill:#cfe8d5;stroke:#2e7d4f;stroke-width:1.3}\
.choice{fill:#fff4de;stroke:#c98a1b;stroke-width:1.3}\
.letter{font-weight:bold}\
.bound{font-size:11px;fill:#7b8794;text-anchor:start}\
.more{font-style:italic;font-size:12px;fill:#7b8794}\
.title{font-size:17px;font-weight:bold;text-anchor:start}\
.small{font-size:12px;fill:#52606d;text-anchor:start}";

/// Where a shape stands: the middle of it.
#[derive(Clone, Copy, Default)]
struct Place {
    x: f64,
    y: f64,
}

impl Tree {
    /// The tree as a picture in SVG, cut to about `most_nodes` nodes. Needs no other program.
    pub fn svg(&self, most_nodes: usize) -> String {
        let picture = Picture::of(self, most_nodes);
        let (places, tree_width, height) = layout(&picture.shapes);
        let header = (9.6 * picture.title.chars().count() as f64).max(LEGEND_WIDTH);
        let width = tree_width.max(header) + 2.0 * MARGIN;
        let shift = (width - 2.0 * MARGIN - tree_width) / 2.0;
        let places: Vec<Place> = places.iter().map(|p| Place { x: p.x + shift, ..*p }).collect();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text class=\"title\" x=\"{MARGIN}\" y=\"30\">{}</text>\n\
             <text class=\"small\" x=\"{MARGIN}\" y=\"52\">{}</text>\n",
            picture.title, picture.subtitle
        );
        for (shape, place) in picture.shapes.iter().zip(&places) {
            if let Some(parent) = shape.parent {
                draw_edge(&mut svg, places[parent], *place);
            }
        }
        for (shape, place) in picture.shapes.iter().zip(&places) {
            draw_shape(&mut svg, shape, *place);
        }
        draw_legend(&mut svg, height - LEGEND / 2.0 - 4.0);
        svg.push_str("</svg>\n");
        svg
    }
}

/// Places of all shapes, and the width and height of the picture.
///
/// Shapes come in breadth-first order, so walking them backwards meets children before parents.
fn layout(shapes: &[Shape]) -> (Vec<Place>, f64, f64) {
    let mut room = vec![0.0; shapes.len()];
    for (i, shape) in shapes.iter().enumerate().rev() {
        let below: f64 = shape.children.iter().map(|&c| room[c]).sum();
        room[i] = below.max(full_width(shape) + GAP);
    }
    let mut places = vec![Place::default(); shapes.len()];
    let mut left = vec![MARGIN; shapes.len()];
    let mut bottom: f64 = 0.0;
    for (i, shape) in shapes.iter().enumerate() {
        let below: f64 = shape.children.iter().map(|&c| room[c]).sum();
        let mut x = left[i] + (room[i] - below) / 2.0;
        for &child in &shape.children {
            left[child] = x;
            x += room[child];
        }
        places[i].y = shape.parent.map_or(HEADER + MARGIN, |p| places[p].y + LAYER);
        bottom = bottom.max(places[i].y);
    }
    for (i, shape) in shapes.iter().enumerate().rev() {
        places[i].x = match (shape.children.first(), shape.children.last()) {
            (Some(&first), Some(&last)) => (places[first].x + places[last].x) / 2.0,
            _ => left[i] + room[i] / 2.0 - bound_width(shape) / 2.0,
        };
    }
    (places, room[0], bottom + LAYER / 2.0 + LEGEND)
}

fn label(shape: &Shape) -> String {
    match &shape.kind {
        ShapeKind::Sum { letter, points: 0, .. } if letter.is_empty() => "Σ".to_owned(),
        ShapeKind::Sum { letter, points: 0, .. } => letter.clone(),
        ShapeKind::Sum { letter, points, .. } => format!("{letter} +{points}").trim_start().to_owned(),
        ShapeKind::Choice { cell, .. } => cell.to_string(),
        ShapeKind::More(hidden) => format!("… {} more", thousands(*hidden)),
    }
}

fn width(shape: &Shape) -> f64 {
    match shape.kind {
        ShapeKind::Choice { .. } => 2.0 * RADIUS,
        ShapeKind::More(_) => 7.0 * label(shape).chars().count() as f64,
        ShapeKind::Sum { .. } => (9.0 * label(shape).chars().count() as f64 + 12.0).max(BOX_HEIGHT),
    }
}

fn bound_width(shape: &Shape) -> f64 {
    match shape.kind {
        ShapeKind::Sum { bound, .. } | ShapeKind::Choice { bound, .. } => {
            BOUND_WIDTH * thousands(bound.into()).len() as f64 + 4.0
        }
        ShapeKind::More(_) => 0.0,
    }
}

fn full_width(shape: &Shape) -> f64 {
    width(shape) + bound_width(shape)
}

fn draw_edge(svg: &mut String, from: Place, to: Place) {
    let (top, bottom) = (from.y + 13.0, to.y - 13.0);
    let bend = (top + bottom) / 2.0;
    let _ = writeln!(
        svg,
        "<path class=\"edge\" d=\"M{:.1} {top:.1}C{:.1} {bend:.1} {:.1} {bend:.1} {:.1} {bottom:.1}\"/>",
        from.x, from.x, to.x, to.x
    );
}

fn draw_shape(svg: &mut String, shape: &Shape, at: Place) {
    let (half, text) = (width(shape) / 2.0, label(shape));
    let bound = match shape.kind {
        ShapeKind::Sum { points, bound, .. } => {
            let class = if points > 0 { "scoring" } else { "sum" };
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{BOX_HEIGHT}\" rx=\"5\"/>\
                 <text class=\"letter\" x=\"{:.1}\" y=\"{:.1}\" dy=\"0.35em\">{text}</text>",
                at.x - half,
                at.y - BOX_HEIGHT / 2.0,
                2.0 * half,
                at.x,
                at.y
            );
            bound
        }
        ShapeKind::Choice { bound, .. } => {
            let _ = writeln!(
                svg,
                "<circle class=\"choice\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{RADIUS}\"/><text x=\"{:.1}\" y=\"{:.1}\" dy=\"0.35em\">{text}</text>",
                at.x, at.y, at.x, at.y
            );
            bound
        }
        ShapeKind::More(_) => {
            let _ = writeln!(
                svg,
                "<text class=\"more\" x=\"{:.1}\" y=\"{:.1}\" dy=\"0.35em\">{text}</text>",
                at.x, at.y
            );
            return;
        }
    };
    let _ = writeln!(
        svg,
        "<text class=\"bound\" x=\"{:.1}\" y=\"{:.1}\" dy=\"0.35em\">{}</text>",
        at.x + half + 3.0,
        at.y,
        thousands(bound.into())
    );
}

fn draw_legend(svg: &mut String, y: f64) {
    let top = y - 9.0;
    let _ = writeln!(
        svg,
        "<circle class=\"choice\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"9\"/><text class=\"small\" x=\"{:.1}\" y=\"{y:.1}\" dy=\"0.35em\">choice on a cell</text>\
         <rect class=\"sum\" x=\"{:.1}\" y=\"{top:.1}\" width=\"18\" height=\"18\" rx=\"4\"/><text class=\"small\" x=\"{:.1}\" y=\"{y:.1}\" dy=\"0.35em\">letter chosen</text>\
         <rect class=\"scoring\" x=\"{:.1}\" y=\"{top:.1}\" width=\"18\" height=\"18\" rx=\"4\"/><text class=\"small\" x=\"{:.1}\" y=\"{y:.1}\" dy=\"0.35em\">letter chosen, with points (in grey: bounds)</text>",
        MARGIN + 9.0,
        MARGIN + 24.0,
        MARGIN + 136.0,
        MARGIN + 160.0,
        MARGIN + 252.0,
        MARGIN + 276.0
    );
}
