//! The plots of a study: those of its findings, and one for each sweep.

use super::findings::{Figure, Finding};
use super::record::{Record, Times};
use crate::Error;
use crate::compare::{Estimate, units};
use crate::plot::{Area, COLOURS, Failed, INK, Line, decades, picture, svg};
use plotters::prelude::*;

/// A plot: its name, and the text of its SVG file.
pub struct Plot {
    /// The name of its finding, or one that begins with `sweep-`.
    pub name: String,
    /// The text of its file.
    pub svg: String,
}

/// All plots.
pub fn all(records: &[Record], findings: &[Finding]) -> Result<Vec<Plot>, Error> {
    let mut plots = Vec::new();
    for finding in findings {
        let title = finding.name.replacen('-', ", order ", 1);
        let svg = match &finding.figure {
            Some(Figure::Intervals { axis, rows }) if !rows.is_empty() => intervals(&title, axis, rows)?,
            Some(Figure::Points { axes, points }) if !points.is_empty() => scatter(&title, axes, points)?,
            _ => continue,
        };
        plots.push(Plot { name: finding.name.clone(), svg });
    }
    plots.extend(sweeps(records)?);
    Ok(plots)
}

const WIDTH: u32 = 900;
/// The height of a row of intervals, and of what is around all rows.
const ROW: u32 = 16;
const AROUND: u32 = 110;

/// Figures with their intervals, one below the other.
fn intervals(title: &str, axis: &str, rows: &[(String, Estimate)]) -> Result<String, Error> {
    let count = rows.len() as i32;
    let ends = || rows.iter().flat_map(|(_, e)| [e.low, e.high]).filter(|v| v.is_finite() && *v > 0.0);
    let (low, high) = (ends().fold(0.9, f64::min) / 1.05, ends().fold(1.1, f64::max) * 1.05);
    let label = |row: &i32| match usize::try_from(count - 1 - row) {
        Ok(i) => rows.get(i).map(|(name, _)| name.clone()).unwrap_or_default(),
        Err(_) => String::new(),
    };
    picture((WIDTH, AROUND + ROW * rows.len() as u32), title, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(36)
            .x_label_area_size(40)
            .y_label_area_size(210)
            .build_cartesian_2d((low..high).log_scale(), -1..count)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(INK.mix(0.12))
            .axis_style(INK)
            .label_style(("sans-serif", 12).into_font().color(&INK))
            .x_desc(axis)
            .x_label_formatter(&|v| units::ratio(*v))
            .y_labels(rows.len() + 2)
            .y_label_formatter(&label)
            .draw()?;
        chart.draw_series([PathElement::new([(1.0, -1), (1.0, count)], INK.stroke_width(1))])?;
        for (i, (_, e)) in rows.iter().enumerate() {
            let (y, colour) = (
                count - 1 - i as i32,
                if e.low > 1.0 {
                    COLOURS[2]
                } else if e.high < 1.0 {
                    COLOURS[1]
                } else {
                    INK
                },
            );
            chart.draw_series([PathElement::new([(e.low.max(low), y), (e.high.min(high), y)], colour.stroke_width(2))])?;
            chart.draw_series([Circle::new((e.value, y), 3, colour.filled())])?;
        }
        Ok(())
    })
}

/// Points, with the line where both coordinates are the same.
fn scatter(title: &str, axes: &[String; 2], points: &[(f64, f64)]) -> Result<String, Error> {
    let range = decades(points.iter().flat_map(|p| [p.0, p.1]));
    picture((560, 520), title, |area: &Area| -> Result<(), Failed> {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(36)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(range.clone().log_scale(), range.clone().log_scale())?;
        let bytes = |b: &f64| units::bytes(b.round() as usize);
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(INK.mix(0.12))
            .axis_style(INK)
            .label_style(("sans-serif", 12).into_font().color(&INK))
            .x_desc(&axes[0])
            .y_desc(&axes[1])
            .x_label_formatter(&bytes)
            .y_label_formatter(&bytes)
            .draw()?;
        chart.draw_series([PathElement::new([(range.start, range.start), (range.end, range.end)], INK.stroke_width(1))])?;
        let dots = points.iter().map(|&(x, y)| {
            let colour = if y < x {
                COLOURS[1]
            } else if y > x {
                COLOURS[2]
            } else {
                INK
            };
            Circle::new((x, y), 4, colour.mix(0.6).filled())
        });
        chart.draw_series(dots)?;
        Ok(())
    })
}

/// Time and memory of each program and order over the argument that is swept: the function itself, and the ways without variations.
fn sweeps(records: &[Record]) -> Result<Vec<Plot>, Error> {
    let mut plots: Vec<Plot> = Vec::new();
    let mut done: Vec<(&str, usize, &str)> = Vec::new();
    for record in records {
        let Some(point) = &record.point else { continue };
        let sweep = (&*record.program, record.order, &*point.argument);
        if done.contains(&sweep) {
            continue;
        }
        done.push(sweep);
        let at = |r: &Record| r.point.as_ref().filter(|p| p.argument == point.argument).map(|p| p.value);
        let points: Vec<(f64, &Record)> = records
            .iter()
            .filter(|r| (&*r.program, r.order) == (sweep.0, sweep.1))
            .filter_map(|r| Some((at(r).filter(|&v| v > 0.0)?, r)))
            .collect();
        let mut names: Vec<&str> = Vec::new();
        for row in points.iter().flat_map(|(_, r)| &r.rows).filter(|row| row.same.is_none()) {
            if !names.contains(&&*row.way.strategy) {
                names.push(&row.way.strategy);
            }
        }
        let lines = |cost: fn(&Times) -> f64| -> Vec<Line> {
            let line = |name: &&str| {
                let of = |&(x, r): &(f64, &Record)| Some((x, cost(r.base(name)?.1))).filter(|p| p.1 > 0.0);
                ((*name).to_owned(), points.iter().filter_map(of).collect())
            };
            names.iter().map(line).collect()
        };
        if points.len() > 1 {
            let call = format!("{}, order {}", record.call, record.order);
            let svg = svg(&call, &point.argument, &lines(|t| t.quartiles[1]), &lines(|t| t.kept() as f64))?;
            plots.push(Plot { name: format!("sweep-{}-{}-{}", sweep.0, sweep.2, sweep.1), svg });
        }
    }
    Ok(plots)
}
