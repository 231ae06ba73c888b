//! The files of the page, embedded in the binary.

/// A file of the page.
#[derive(Debug)]
pub struct File {
    /// Where it is asked for.
    path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// What is in it.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A script under `/app/`.
macro_rules! script {
    ($name:literal) => {
        File { path: concat!("/app/", $name), kind: SCRIPT, text: include_str!($name) }
    };
}

const FILES: &[File] = &[
    File { path: "/", kind: HTML, text: include_str!("index.html") },
    File { path: "/learn", kind: HTML, text: include_str!("learn.html") },
    File { path: "/style.css", kind: STYLE, text: include_str!("style.css") },
    script!("analyse.js"),
    script!("animate.js"),
    script!("app.js"),
    script!("board.js"),
    script!("dom.js"),
    script!("form.js"),
    script!("graph.js"),
    script!("learn.js"),
    script!("net.js"),
    script!("panels.js"),
    script!("pits.js"),
    script!("play.js"),
    script!("replay.js"),
    script!("room.js"),
    script!("setup.js"),
    script!("tables.js"),
    script!("watch.js"),
    script!("words.js"),
];

/// The file that is asked for by `path`.
pub fn find(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a file loads is there.
    #[test]
    fn all_scripts_are_embedded() {
        for file in FILES {
            for part in file.text.split(['"', '\'']).filter(|part| part.ends_with(".js")) {
                let path = part.replace("./", "/app/");
                assert!(find(&path).is_some(), "{} wants {part}", file.path);
            }
        }
    }
}
