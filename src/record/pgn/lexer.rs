//! The tokens of PGN.

/// What a text is made of. Numeric glyphs, comments to the end of a line and
/// escaped lines are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`.
    Tag(String, String),
    /// `{…}`, with the comments inside it.
    Comment(String),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// Anything else without blanks: move, number or result.
    Word(String),
    /// What is none of these.
    Wrong(&'static str),
}

/// Yields tokens with their lines.
pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: u64,
    at_start: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, at_start: true }
    }

    /// Takes the first `length` bytes, and counts the lines in them.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count() as u64;
        self.rest = rest;
        taken
    }

    /// Takes what comes before the end of the line.
    fn take_line(&mut self) -> &'a str {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    /// Passes over blanks; whether a line begins behind them.
    fn skip_blanks(&mut self, begins: bool) -> bool {
        let taken = self.take(self.rest.len() - self.rest.trim_start().len());
        if taken.is_empty() { begins } else { taken.ends_with('\n') }
    }

    fn comment(&mut self) -> Token {
        let mut depth = 0_u64;
        for (at, c) in self.rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Token::Comment(self.take(at + 1)[1..at].to_owned());
            }
        }
        self.take(self.rest.len());
        Token::Wrong("a comment without its end")
    }
}

impl Iterator for Lexer<'_> {
    type Item = (u64, Token);

    fn next(&mut self) -> Option<Self::Item> {
        let mut begins = self.at_start;
        self.at_start = false;
        loop {
            begins = self.skip_blanks(begins);
            let line = self.line;
            let token = match self.rest.chars().next()? {
                '[' => tag(self.take_line()),
                '{' => self.comment(),
                ';' => {
                    self.take_line();
                    continue;
                }
                '%' if begins => {
                    self.take_line();
                    continue;
                }
                '(' | ')' => match self.take(1) {
                    "(" => Token::Open,
                    _ => Token::Close,
                },
                '}' | ']' | '"' => {
                    self.take(1);
                    Token::Wrong("a bracket or quotation mark without its beginning")
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || "{}()[];\"".contains(c);
                    let end = self.rest.find(ends).unwrap_or(self.rest.len());
                    let word = self.take(end);
                    if word.starts_with('$') {
                        continue;
                    }
                    Token::Word(word.to_owned())
                }
            };
            return Some((line, token));
        }
    }
}

/// Reads a line with a tag.
fn tag(line: &str) -> Token {
    let parse = || {
        let inside = line.trim_end().strip_prefix('[')?.strip_suffix(']')?.trim();
        let (name, value) = inside.split_once(char::is_whitespace)?;
        let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
        Some(Token::Tag(name.to_owned(), unescaped(value)))
    };
    parse().unwrap_or(Token::Wrong("a tag is [Name \"value\"] on a line of its own"))
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.next_if(|&next| c == '\\' && matches!(next, '\\' | '"'));
        plain.push(escaped.unwrap_or(c));
    }
    plain
}
