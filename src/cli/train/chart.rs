//! The losses of a fit and the table of pits, drawn.

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

/// A cell of the picture of a table, in pixels.
const CELL: (u32, u32) = (44, 26);
/// The margin with the names of pits, and that with the counts, in pixels.
const MARGIN: (u32, u32) = (56, 48);

/// A table of numbers as SVG: a row for each name, a column for each count from
/// 1 on. Red is good, blue bad.
///
/// # Errors
/// When it cannot be drawn.
pub fn table(title: &str, rows: &[(String, Vec<f32>)]) -> anyhow::Result<String> {
    let columns = rows.first().map_or(0, |row| row.1.len()) as u32;
    let size = (MARGIN.0 + columns * CELL.0 + 12, MARGIN.1 + rows.len() as u32 * CELL.1 + 12);
    let most = rows.iter().flat_map(|row| &row.1).fold(1.0f32, |most, v| most.max(v.abs()));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let place = |column: u32, row: u32| {
            ((MARGIN.0 + column * CELL.0) as i32, (MARGIN.1 + row * CELL.1) as i32)
        };
        area.draw(&Text::new(title.to_owned(), (8, 6), ("sans-serif", 14)))?;
        for column in 0..columns {
            let (x, y) = place(column, 0);
            let last = if column + 1 == columns { "+" } else { "" };
            let text = format!("{}{last}", column + 1);
            area.draw(&Text::new(text, (x + 16, y - 16), ("sans-serif", 12)))?;
        }
        for (row, (name, values)) in rows.iter().enumerate() {
            let (_, y) = place(0, row as u32);
            area.draw(&Text::new(name.clone(), (8, y + 7), ("sans-serif", 12)))?;
            for (column, &value) in values.iter().enumerate() {
                let (x, y) = place(column as u32, row as u32);
                let paler = (255.0 * (1.0 - (value.abs() / most).sqrt() * 0.8)) as u8;
                let colour = if value > 0.0 {
                    RGBColor(255, paler, paler)
                } else {
                    RGBColor(paler, paler, 255)
                };
                let corner = (x + CELL.0 as i32 - 1, y + CELL.1 as i32 - 1);
                area.draw(&Rectangle::new([(x, y), corner], colour.filled()))?;
                let text = format!("{value:+.0}");
                area.draw(&Text::new(text, (x + 6, y + 7), ("sans-serif", 12)))?;
            }
        }
        area.present()?;
    }
    Ok(svg)
}
