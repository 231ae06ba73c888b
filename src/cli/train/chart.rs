//! The losses of a fit, drawn.

use plotters::prelude::*;

/// Width and height, in pixels.
const SIZE: (u32, u32) = (640, 400);

/// The losses over the epochs, as SVG; `floor` is the least there can be.
///
/// # Errors
/// When the chart cannot be drawn.
pub fn losses(losses: &[[f64; 2]], floor: f64) -> anyhow::Result<String> {
    let values = || losses.iter().flatten().copied().chain([floor]);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let margin = ((high - low) / 20.0).max(1e-6);
    let epochs = losses.len() as f64;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(1.0..epochs.max(2.0), low - margin..high + margin)?;
        chart.configure_mesh().x_desc("epoch").y_desc("cross entropy").draw()?;
        let curve = |column: usize| {
            losses.iter().enumerate().map(move |(epoch, pair)| (epoch as f64 + 1.0, pair[column]))
        };
        for (column, name, colour) in [(0, "samples", BLUE), (1, "held out", RED)] {
            chart
                .draw_series(LineSeries::new(curve(column), &colour))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
        }
        chart
            .draw_series(LineSeries::new([(1.0, floor), (epochs.max(2.0), floor)], &BLACK))?
            .label("least possible")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], BLACK));
        chart.configure_series_labels().border_style(BLACK).draw()?;
        area.present()?;
    }
    Ok(svg)
}
