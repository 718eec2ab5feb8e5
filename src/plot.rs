//! Plots as the texts of SVG files: lines on logarithmic axes, and what other plots are drawn with.

use crate::Error;
use crate::compare::units;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

const SIZE: (u32, u32) = (1000, 420);
/// The colour of text and axes.
pub(crate) const INK: RGBColor = RGBColor(70, 70, 70);
/// The function itself, then the ways; told apart by those who see colours otherwise too (Okabe and Ito 2008).
pub(crate) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 0, 0),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// A line: its name, and a cost for each value. What is not positive has no place on logarithmic axes.
pub type Line = (String, Vec<(f64, f64)>);

/// What is drawn on.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// How drawing fails.
pub(crate) type Failed<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

/// Time and memory of a run over an argument of this name, side by side, as the text of an SVG file; `call` is the title.
///
/// # Errors
/// [`Error::Internal`] where a plot cannot be drawn.
pub fn svg(call: &str, name: &str, time: &[Line], memory: &[Line]) -> Result<String, Error> {
    picture(SIZE, call, |area| {
        let (left, right) = area.split_horizontally(SIZE.0 / 2);
        panel(&left, "time of a run", name, time, &units::time)?;
        panel(&right, "memory of a run: closures, boxes, tapes", name, memory, &|b| units::bytes(b.round() as usize))
    })
}

/// A picture as the text of an SVG file.
pub(crate) fn picture(
    size: (u32, u32),
    title: &str,
    draw: impl for<'a> FnOnce(&Area<'a>) -> Result<(), Failed<'a>>,
) -> Result<String, Error> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = area.fill(&WHITE).and_then(|()| {
            draw(&area.titled(title, ("sans-serif", 18).into_font().color(&INK))?)?;
            area.present()
        });
        drawn.map_err(|e: Failed| Error::Internal(format!("a plot cannot be drawn: {e}")))?;
    }
    Ok(text)
}

/// One cost over the values.
fn panel<'a>(area: &Area<'a>, title: &str, name: &str, lines: &[Line], show: &dyn Fn(f64) -> String) -> Result<(), Failed<'a>> {
    let points = || lines.iter().flat_map(|(_, points)| points.iter().copied());
    let (across, up) = (decades(points().map(|p| p.0)), decades(points().map(|p| p.1)));
    let small = ("sans-serif", 13).into_font().color(&INK);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 15).into_font().color(&INK))
        .margin(12)
        .margin_right(36)
        .x_label_area_size(40)
        .y_label_area_size(64)
        .build_cartesian_2d(across.log_scale(), up.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.15))
        .axis_style(INK)
        .label_style(small.clone())
        .x_desc(name)
        .x_label_formatter(&|&v| if (1e-3..1e5).contains(&v) { v.to_string() } else { format!("{v:e}") })
        .y_label_formatter(&|v| show(*v))
        .draw()?;
    for ((label, points), &colour) in lines.iter().zip(COLOURS.iter().cycle()).filter(|((_, points), _)| !points.is_empty()) {
        let line = LineSeries::new(points.iter().copied(), colour.stroke_width(2)).point_size(3);
        chart
            .draw_series(line)?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .label_font(small)
        .draw()
}

/// The powers of ten around some numbers; around 1 where there are none.
pub(crate) fn decades(numbers: impl Iterator<Item = f64>) -> Range<f64> {
    let ends = numbers.fold(None, |ends: Option<(f64, f64)>, v| {
        let (low, high) = ends.unwrap_or((v, v));
        Some((low.min(v), high.max(v)))
    });
    let (low, high) = ends.unwrap_or((1.0, 1.0));
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    10_f64.powf(low)..10_f64.powf(high.max(low + 1.0))
}

#[cfg(test)]
mod tests {
    #[test]
    fn decades() {
        assert_eq!(super::decades([30.0, 2000.0].into_iter()), 10.0..10000.0);
        assert_eq!(super::decades([10.0].into_iter()), 10.0..100.0);
        assert_eq!(super::decades([].into_iter()), 1.0..10.0);
    }
}
