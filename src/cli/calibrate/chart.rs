//! Measured against nominal ratings, drawn.

use plotters::prelude::*;

use crate::levels::{LOWEST, LevelTable, STEP};

/// Width and height, in pixels.
const SIZE: (u32, u32) = (640, 560);

/// The measured ratings of a table with their intervals, as SVG.
///
/// # Errors
/// When the chart cannot be drawn.
pub fn measured(table: &LevelTable) -> anyhow::Result<String> {
    let ends = |value: u32| f64::from(value);
    let (low, high) = (ends(LOWEST - STEP), ends(table.highest() + STEP));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .caption(format!("{}: measured against nominal", table.profile), ("sans-serif", 18))
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(low..high, low..high)?;
        chart.configure_mesh().x_desc("UCI_Elo").y_desc("measured, 95% interval").draw()?;
        chart.draw_series(LineSeries::new([(low, low), (high, high)], &BLACK))?;
        let bars = table.levels.iter().filter_map(|level| {
            let (rating, error) = (level.measured?, level.error?);
            let (low, high) = (rating - error, rating + error);
            Some(ErrorBar::new_vertical(f64::from(level.elo), low, rating, high, BLUE.filled(), 7))
        });
        chart.draw_series(bars)?;
        area.present()?;
    }
    Ok(svg)
}
