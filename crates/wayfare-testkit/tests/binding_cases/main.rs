//! The suite of cases that the library and every binding run (`bindings/cases`, whose README says what each word
//! means): levels and questions as data, and the answers that this library gives.
//!
//! Here the library runs it. `cargo xtask bless` (or `WAYFARE_BLESS=1`) writes its answers into the files; else they
//! are compared. A binding compares its own answers with what the files hold, so that all of them agree to the bit.

mod answer;
mod arguments;
mod crowds;
mod level;
mod session;
mod steps;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/cases")
}

/// Writes JSON as people read it: a line for each step, and none of more than one level elsewhere.
fn written(case: &Value) -> String {
    let Some(fields) = case.as_object() else { return String::new() };
    let lines = fields.iter().map(|(name, value)| match (name.as_str(), value.as_array()) {
        ("steps", Some(steps)) => {
            let steps: Vec<String> = steps.iter().map(|step| format!("    {step}")).collect();
            format!("  \"steps\": [\n{}\n  ]", steps.join(",\n"))
        }
        _ => format!("  \"{name}\": {value}"),
    });
    format!("{{\n{}\n}}\n", lines.collect::<Vec<_>>().join(",\n"))
}

#[test]
fn the_library_answers_the_cases_of_the_bindings() {
    let mut names: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|kind| kind == "json"));
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    let blessing = std::env::var_os("WAYFARE_BLESS").is_some();
    let (mut count, mut faults) = (0, Vec::new());
    for path in names {
        let text = fs::read_to_string(&path).unwrap();
        let mut case: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if let (true, Some(scene)) = (blessing, case["scene"].as_str()) {
            case["level"] = level::of_scene(scene);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut session = session::Session::new(&case);
        let Some(steps) = case.get_mut("steps").and_then(Value::as_array_mut) else { panic!("{name} has no steps") };
        for (number, step) in steps.iter_mut().enumerate() {
            let answer = steps::run(&mut session, step);
            count += 1;
            if blessing {
                step["answer"] = answer.to_json();
            } else if let Some(fault) = answer.fault(&step["answer"]) {
                faults.push(format!("{name}, step {number} ({}): {fault}", step["do"]));
            }
        }
        if blessing {
            fs::write(&path, written(&case)).unwrap();
        }
    }
    assert!(faults.is_empty(), "{}\nIf this is meant, `cargo xtask bless` accepts it.", faults.join("\n"));
    assert!(count > 100, "{count} steps");
}
