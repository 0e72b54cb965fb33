//! Charts as SVG, written by hand: grouped bars, and lines over sizes. Text is drawn by whoever shows the file, in its
//! own sans-serif font; the background is white, so that charts can be read on dark pages, too.

use std::fmt::Write;

/// Told apart also without colours: from dark to light.
const COLOURS: [&str; 8] = ["#30408a", "#1f78b4", "#2a9d8f", "#8ab17d", "#e0a030", "#e76f51", "#a04a6a", "#999999"];
const MARGIN_LEFT: f64 = 60.0;
/// Room for title, legend, and the numbers of bars that are cut off.
const MARGIN_TOP: f64 = 96.0;
const PLOT_HEIGHT: f64 = 280.0;
const LETTER: f64 = 6.6;

/// A value of each series at each place of the axis below.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    pub title: String,
    /// What the values are.
    pub unit: String,
    pub places: Vec<String>,
    pub series: Vec<(String, Vec<Option<f64>>)>,
    /// Values above it are cut off, and written.
    pub most: Option<f64>,
}

/// Where things are drawn.
struct Frame {
    out: String,
    width: f64,
    height: f64,
    plot_width: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn y(&self, value: f64) -> f64 {
        MARGIN_TOP + PLOT_HEIGHT * (1.0 - (value - self.low) / (self.high - self.low))
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escape(text);
        let _ = writeln!(self.out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
    }

    fn slanted(&mut self, x: f64, y: f64, text: &str) {
        let text = escape(text);
        let turn = format!("transform=\"rotate(-40 {x:.1} {y:.1})\"");
        let _ = writeln!(self.out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" {turn}>{text}</text>");
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(self.out, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>");
    }
}

impl Chart {
    fn largest(&self) -> f64 {
        let values = self.series.iter().flat_map(|series| series.1.iter().flatten().copied());
        let largest = values.fold(1.0, f64::max);
        self.most.map_or(largest, |most| largest.min(most))
    }

    /// Title, axes, legend.
    fn frame(&self, place_width: f64) -> Frame {
        let plot_width = (place_width * self.places.len() as f64).max(320.0);
        let longest = self.places.iter().map(|place| place.chars().count()).max().unwrap_or(0) as f64;
        let is_slanted = longest * LETTER > place_width;
        let below = if is_slanted { 30.0 + 0.7 * longest * LETTER } else { 34.0 };
        let legend: f64 = self.series.iter().map(|series| 30.0 + LETTER * series.0.chars().count() as f64).sum();
        let title = LETTER * 1.2 * self.title.chars().count() as f64;
        let width = (MARGIN_LEFT + plot_width).max(MARGIN_LEFT + legend).max(20.0 + title) + 20.0;
        let height = MARGIN_TOP + PLOT_HEIGHT + below;
        let mut frame = Frame { out: String::new(), width, height, plot_width, low: 0.0, high: 1.08 * self.largest() };
        let _ = writeln!(
            frame.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{0}</text>",
            escape(&self.title)
        );
        let mut x = MARGIN_LEFT;
        for (index, (name, _)) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let _ = writeln!(frame.out, "<rect x=\"{x:.1}\" y=\"33\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
            frame.text(x + 16.0, 43.0, "start", name);
            x += 30.0 + LETTER * name.chars().count() as f64;
        }
        let step = tick(frame.high);
        let mut value = 0.0;
        while value <= frame.high {
            let y = frame.y(value);
            frame.line((MARGIN_LEFT, y), (MARGIN_LEFT + plot_width, y), "stroke=\"#dddddd\"");
            let decimals = usize::from(step < 1.0) + usize::from(step < 0.1);
            frame.text(MARGIN_LEFT - 6.0, y + 4.0, "end", &format!("{value:.decimals$}"));
            value += step;
        }
        // The baseline of ratios.
        if self.unit.contains('÷') {
            let y = frame.y(1.0);
            let style = "stroke=\"#333333\" stroke-dasharray=\"5 3\"";
            frame.line((MARGIN_LEFT, y), (MARGIN_LEFT + plot_width, y), style);
        }
        let (x, y) = (16.0, MARGIN_TOP + PLOT_HEIGHT / 2.0);
        let turn = format!("text-anchor=\"middle\" transform=\"rotate(-90 {x} {y})\"");
        let _ = writeln!(frame.out, "<text x=\"{x}\" y=\"{y}\" {turn}>{}</text>", escape(&self.unit));
        for (index, place) in self.places.iter().enumerate() {
            let x = MARGIN_LEFT + place_width * (index as f64 + 0.5);
            let y = MARGIN_TOP + PLOT_HEIGHT + 16.0;
            if is_slanted { frame.slanted(x, y, place) } else { frame.text(x, y, "middle", place) }
        }
        frame
    }

    /// A group of bars at each place.
    pub fn bars(&self) -> String {
        let bar = if self.series.len() * self.places.len() > 60 { 9.0 } else { 16.0 };
        let place_width = bar * self.series.len() as f64 + 18.0;
        let mut frame = self.frame(place_width);
        for (index, (name, values)) in self.series.iter().enumerate() {
            for (place, value) in values.iter().enumerate() {
                let x = MARGIN_LEFT + place_width * place as f64 + 9.0 + bar * index as f64;
                let Some(value) = *value else {
                    frame.text(x + bar / 2.0, frame.y(0.0) - 3.0, "middle", "×");
                    continue;
                };
                let shown = value.min(frame.high);
                let (top, bottom) = (frame.y(shown), frame.y(0.0));
                let (width, height) = (bar - 1.0, bottom - top);
                let label = escape(&format!("{}, {name}: {value:.2}", self.places[place]));
                let _ = writeln!(
                    frame.out,
                    "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\">\
                     <title>{label}</title></rect>",
                    COLOURS[index % COLOURS.len()]
                );
                if bar > 12.0 || value > shown {
                    let (x, y) = (x + bar / 2.0 + 3.0, top - 3.0);
                    let turn = format!("font-size=\"10\" transform=\"rotate(-90 {x:.1} {y:.1})\"");
                    let _ = writeln!(frame.out, "<text x=\"{x:.1}\" y=\"{y:.1}\" {turn}>{value:.2}</text>");
                }
            }
        }
        finish(frame)
    }

    /// A line for each series.
    pub fn lines(&self) -> String {
        let place_width = 56.0;
        let mut frame = self.frame(place_width);
        for (index, (name, values)) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let mut before = None;
            for (place, value) in values.iter().enumerate() {
                let Some(value) = *value else { continue };
                let at = (MARGIN_LEFT + place_width * (place as f64 + 0.5), frame.y(value.min(frame.high)));
                if let Some(before) = before {
                    frame.line(before, at, &format!("stroke=\"{colour}\" stroke-width=\"2\""));
                }
                let label = escape(&format!("{}, {name}: {value:.2}", self.places[place]));
                let _ = writeln!(
                    frame.out,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"><title>{label}</title></circle>",
                    at.0, at.1
                );
                before = Some(at);
            }
        }
        finish(frame)
    }
}

fn finish(mut frame: Frame) -> String {
    let bottom = frame.y(0.0);
    frame.line((MARGIN_LEFT, bottom), (MARGIN_LEFT + frame.plot_width, bottom), "stroke=\"#333333\"");
    debug_assert!(frame.width > 0.0 && frame.height > 0.0);
    frame.out.push_str("</svg>\n");
    frame.out
}

/// A round distance between marks, so that there are five to ten of them.
fn tick(high: f64) -> f64 {
    let rough = high / 8.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|step| step * power >= rough);
    step.unwrap_or(10.0) * power
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round() {
        for (high, step) in [(1.08, 0.2), (2.0, 0.25), (4.3, 1.0), (0.9, 0.2), (30.0, 5.0)] {
            assert!((tick(high) - step).abs() < 1e-9, "{high}: {}", tick(high));
        }
    }

    #[test]
    fn bars_and_lines() {
        let chart = Chart {
            title: "a < b & \"c\"".into(),
            unit: "time".into(),
            places: vec!["x".into(), "y".into()],
            series: vec![("one".into(), vec![Some(0.5), None]), ("two".into(), vec![Some(9.0), Some(1.0)])],
            most: Some(3.0),
        };
        let bars = chart.bars();
        assert_eq!(bars.matches("<rect").count(), 1 + 2 + 3, "background, legend, bars:\n{bars}");
        assert!(bars.contains("a &lt; b &amp; &quot;c&quot;") && bars.contains(">9.00</text>"));
        let lines = chart.lines();
        assert_eq!(lines.matches("<circle").count(), 3);
    }
}
