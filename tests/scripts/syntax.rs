//! Texts that do not parse: what was found, its position, and what to write.

use saratoga::strategy::script::Script;

use crate::support::source;

/// Returns the fault of a text: its position, message, and help.
fn fault(text: &str) -> String {
    let faults = Script::new("syntax", &source(text)).err().unwrap_or_else(|| panic!("it parses: {text}"));
    let [fault] = &faults[..] else { panic!("{text}\n{faults:?}") };
    let (line, column) = fault.position();
    format!("{line}:{column}: {}; {}", fault.message, fault.help.as_deref().unwrap_or("-"))
}

/// The body of `score`, and its fault.
const IN_SCORE: &[(&str, &str)] = &[
    ("if m.is_draw { 1 else { 2 }", "2:18: `}` is missing before `else`; the `{` of line 2 is still open"),
    (
        "switch m.count { 1 => { 2, _ => 3 }",
        "2:26: `}` is missing before `,`; the `{` of line 2 is still open",
    ),
    ("let f = max({ 1, 2);\nf", "2:16: `}` is missing before `,`; the `{` of line 2 is still open"),
    (
        "  if m.is_draw {\n    1\n  if m.is_redeal { 2 } else { 3 }",
        "4:3: `}` is missing before `if`; the `{` of line 2 is still open",
    ),
    (
        "  if m.is_draw {\n    1\n    2\n  }",
        "3:5: `;` is missing between `1` and `2`; a statement ends with `;`",
    ),
    (
        "for x in view.moves {\n  if x.is_draw {\n    return 3;\n}\n1",
        "3:16: this `{` is never closed; write `}` where it is to end",
    ),
    ("let x = 1\nx", "2:9: `;` is missing between `1` and `x`; a statement ends with `;`"),
    (
        "let x = 3 4; x",
        "2:9: `;` is missing between `3` and `4`; a statement ends with `;`; values are joined by signs such as `+` and `&&`",
    ),
    (
        "if m.count = 1 { 1 } else { 2 }",
        "2:12: `=` assigns a value, and has none itself; write `==` to compare",
    ),
    (
        "let x = 1; if x = 2 { 1 } else { 2 }",
        "2:17: `=` assigns a value, and has none itself; write `==` to compare",
    ),
    (
        "if m.is_draw { 1 } elif m.count > 1 { 2 } else { 3 }",
        "2:20: there is no `elif` in the language of scripts; write `else if`",
    ),
    (
        "if m.is_draw { 1 } elseif m.count > 1 { 2 } else { 3 }",
        "2:20: there is no `elseif` in the language of scripts; write `else if`",
    ),
    (
        "if m.is_draw and m.count > 1 { 2 } else { 3 }",
        "2:14: there is no `and` in the language of scripts; write `&&`",
    ),
    ("let b = m.is_draw or m.is_redeal; 1", "2:19: there is no `or` in the language of scripts; write `||`"),
    (
        "if not m.is_draw { 2 } else { 3 }",
        "2:4: there is no `not` in the language of scripts; write `!`, as in `!m.is_draw`",
    ),
    (
        "let s = 'hearts'; 1",
        "2:9: `'hearts'` is not one character; a text stands in double quotes: `\"hearts\"`",
    ),
    (
        "let s = \"hearts; 1",
        "2:9: the text that begins here does not end; close it with another quote, on the same line",
    ),
    ("let i = 0; i++; i", "2:13: there is no `++` in the language of scripts; write `+= 1`"),
    ("let i = 0; i--; i", "2:13: there is no `--` in the language of scripts; write `-= 1`"),
    (
        "if m.card == null { 1 } else { 2 }",
        "2:14: there is no `null` in the language of scripts; write `()` for nothing",
    ),
    (
        "if m.card == nil { 1 } else { 2 }",
        "2:14: there is no `nil` in the language of scripts; write `()` for nothing",
    ),
    (
        "for o in view.moves { }\no.count",
        "3:1: there is no variable `o` here; `o` exists only inside the loop of line 2: declare a variable before the loop, and assign to it in there",
    ),
    (
        "if m.is_draw { let x = 2; print(x); }\nx",
        "3:1: there is no variable `x` here; `x` exists only inside the block that declares it, on line 2: declare it before the block, and assign to it in there",
    ),
    (
        "y = 3;\nlet y = 2; y",
        "2:1: there is no variable `y` here; `y` begins on line 3, after this: declare it before",
    ),
    ("let x = x + 1; x", "2:9: there is no variable `x` here; `x` has no value yet where it is declared"),
    ("{ let best = 2; print(best); } bets", "2:32: there is no variable `bets` here; -"),
    ("{ let x = 2; print(x); } o", "2:26: there is no variable `o` here; -"),
    ("M.count", "2:1: there is no variable `M` here; did you mean `m`?"),
    ("let best = 2; bset", "2:15: there is no variable `bset` here; did you mean `best`?"),
    ("let a = #{ f: 1 }; a.f()", "2:22: there is no method `f`; -"),
    (
        "/* one\n1",
        "2:1: the comment that begins here does not end; close it with `*/`: each `/*` within it takes one of its own",
    ),
    (
        "1 /* a /* b */",
        "2:3: the comment that begins here does not end; close it with `*/`: each `/*` within it takes one of its own",
    ),
    ("if m.card == None { 1 } else { 2 }", "2:14: there is no variable `None` here; write `()` for nothing"),
    ("if not(m.is_draw) { 1 } else { 2 }", "2:4: there is no function `not`; write `!`, as in `!m.is_draw`"),
    ("var x = 1; x", "2:1: there is no `var` in the language of scripts; write `let`"),
    ("match m.count { 1 => 2 }", "2:1: there is no `match` in the language of scripts; write `switch`"),
    ("if m.is_draw: 1", "2:13: `{` is missing before `:`; a block stands in braces: `if m.is_draw { 1 }`"),
    (
        "if m.is_draw then 1 else 2",
        "2:14: there is no `then` in the language of scripts; a block stands in braces: `if m.is_draw { 1 }`",
    ),
    (
        "if m.is_draw return 1;",
        "2:14: `{` is missing before `return`; a block stands in braces: `if m.is_draw { 1 }`",
    ),
    ("if (m.count > 1 { 1 } else { 2 }", "2:17: `)` is missing before `{`; the `(` of line 2 is still open"),
    ("let x = (1 + 2; x", "2:15: `)` is missing before `;`; the `(` of line 2 is still open"),
    ("let x = [1, 2; 1", "2:14: `]` is missing before `;`; the `[` of line 2 is still open"),
    ("let x = max(1 2); 1", "2:15: `,` is missing before `2`; values in brackets are separated by `,`"),
    ("let x = { a: 1 }; 1", "2:12: `:` stands only in a map; a map is written `#{ name: 1 }`"),
    (
        "let x = m.is_draw ? 1 : 2; x",
        "2:19: there is no `?` in the language of scripts; write `if m.is_draw { 1 } else { 2 }`, which has a value",
    ),
    ("if m.count === 1 { 1 } else { 2 }", "2:12: there is no `===` in the language of scripts; write `==`"),
    ("if m.count <> 1 { 1 } else { 2 }", "2:12: there is no `<>` in the language of scripts; write `!=`"),
    ("if m.count => 1 { 1 } else { 2 }", "2:12: there is no `=>` between values; write `>=`"),
    ("if m.count =< 1 { 1 } else { 2 }", "2:12: there is no `=<` in the language of scripts; write `<=`"),
    ("let x := 1; x", "2:7: there is no `:=` in the language of scripts; write `=`"),
    (
        "for (let i = 0; i < 3; i++) { } 1",
        "2:6: found `let` where the name of a variable must stand; write `for m in view.moves { .. }` or `for i in 0..10 { .. }`",
    ),
    (
        "for i = 0 { } 1",
        "2:7: `in` is missing before `=`; write `for m in view.moves { .. }` or `for i in 0..10 { .. }`",
    ),
    (
        "# a comment\n1",
        "2:1: there is no `#` in the language of scripts; a comment begins with `//`, and a map with `#{`",
    ),
    (
        "let x = ; 1",
        "2:9: found `;` where a value must stand; a value is, for example, `1`, `m.count` or `()`",
    ),
    ("m. ; 1", "2:4: found `;` where the name of a property must stand; write it, as in `m.count`"),
    ("break; 1", "2:1: `break` stands outside of a loop; `return` leaves a function"),
    (
        "let if = 1; 1",
        "2:5: found `if` where the name of a variable must stand; a name is a word such as `best`",
    ),
    ("let new = 1; 1", "2:5: `new` cannot be a name: the language keeps it; choose another name"),
    (
        "fn inner() { 1 } 1",
        "2:1: a function cannot be defined inside another; end the function before it with `}`: the `{` of line 1 is still open",
    ),
    (
        "1 = 2; 1",
        "2:1: nothing can be assigned to this; a value is assigned to a variable, as in `x = 1`; `==` compares",
    ),
    ("1 ) ", "2:3: `)` closes nothing; remove it, or write what it is to close"),
    ("def f(x): 1", "2:1: there is no `def` in the language of scripts; write `fn`"),
    ("let s = \"\\q\"; 1", "2:11: `\\q` means nothing in a text; write `\\\\` for `\\`"),
    (
        "switch m.count { 1: 2, _ => 3 }",
        "2:19: `=>` is missing before `:`; a case of a `switch` is written `1 => 50,`",
    ),
];

#[test]
fn statements_that_do_not_parse() {
    let mut wrong = String::new();
    for (statements, told) in IN_SCORE {
        let found = fault(&format!("fn score(view, m) {{\n{statements}\n}}"));
        if found != *told {
            wrong += &format!("    ({statements:?}, {found:?}),\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn outlines_that_do_not_parse() {
    let mut wrong = String::new();
    for (text, told) in [
        (
            "fn score { 1 }",
            "1:10: the parameters of `score` are missing before `{`; write `fn score(view, m) { .. }`",
        ),
        (
            "fn choose { () }",
            "1:11: the parameters of `choose` are missing before `{`; write `fn choose(view) { .. }`",
        ),
        (
            "fn own { 1 }\nfn score(view, m) { 1 }",
            "1:8: the parameters of `own` are missing before `{`; write `fn own() { .. }`, with the names of its parameters in the brackets",
        ),
        (
            "fn score(view, m) = 1;",
            "1:19: the body of `score` is missing before `=`; it stands in braces: `{ 1 }`",
        ),
        (
            "fn score(view, m) -> int { 1 }",
            "1:19: there is no `->` in the language of scripts; a function does not say what it returns",
        ),
        (
            "function score(view, m) { 1 }",
            "1:1: there is no `function` in the language of scripts; write `fn`",
        ),
        ("def score(view, m): 1", "1:1: there is no `def` in the language of scripts; write `fn`"),
        ("fn score(view, m) {\n    1\n", "1:19: this `{` is never closed; write `}` where it is to end"),
        (
            "fn score(view, m) {\n    if m.is_draw {\n        return 1;\n    own();\n}\n",
            "2:18: this `{` is never closed; write `}` where it is to end",
        ),
        (
            "fn score(view, m) {\n    if m.is_draw {\n        return 1;\n    own()\n}\nfn own() { 2 }\n",
            "6:1: a function cannot be defined inside another; end the function before it with `}`: the `{` of line 2 is still open",
        ),
        ("fn score(view, m) { 1 } }", "1:25: `}` closes nothing; remove it, or write what it is to close"),
        ("fn score(view, m) { 1", "1:19: this `{` is never closed; write `}` where it is to end"),
        ("fn score(view, m) { max(1, 2", "1:24: this `(` is never closed; write `)` where it is to end"),
        (
            "fn score(view m) { 1 }",
            "1:15: `,` is missing before `m`; values in brackets are separated by `,`",
        ),
        (
            "fn score(view, view) { 1 }",
            "1:16: two parameters are called `view`; give one of them another name",
        ),
    ] {
        let found = fault(text);
        if found != told {
            wrong += &format!("    ({text:?}, {found:?}),\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
