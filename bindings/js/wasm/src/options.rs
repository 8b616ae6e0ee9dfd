//! Options objects, read name by name: an option that there is not, or of another type, is an error that says so.

use crate::fault::{Answer, Fault};
use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

/// Settings whose fields have the names that an options object uses.
pub(crate) trait Named {
    /// Sets one field; `false` for a name that there is not.
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool>;

    /// The options that may be objects of options.
    fn groups(&self) -> &'static [&'static str] {
        &[]
    }
}

/// What was given for one option.
pub(crate) struct Given<'a> {
    name: &'a str,
    value: &'a JsValue,
}

impl<'a> Given<'a> {
    pub(crate) fn new(name: &'a str, value: &'a JsValue) -> Self {
        Self { name, value }
    }

    pub(crate) fn wrong(&self, wanted: &str) -> Fault {
        let found = match (self.value.as_string(), self.value.as_f64()) {
            (Some(text), _) => format!("{text:?}"),
            (_, Some(number)) => number.to_string(),
            _ if self.value.is_null() => "null".to_owned(),
            _ if self.is_list() => "a list".to_owned(),
            _ if self.value.is_object() => "an object".to_owned(),
            _ => self.value.js_typeof().as_string().unwrap_or_default(),
        };
        Fault::argument(format_args!("{} must be {wanted}, but is {found}", self.name))
    }

    pub(crate) fn number(&self) -> Answer<f64> {
        self.value.as_f64().ok_or_else(|| self.wrong("a number"))
    }

    pub(crate) fn float(&self) -> Answer<f32> {
        Ok(self.number()? as f32)
    }

    /// A whole number, 0 or more.
    pub(crate) fn count(&self) -> Answer<u32> {
        let value = self.number()?;
        let is_count = value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0;
        if is_count { Ok(value as u32) } else { Err(self.wrong("a whole number from 0 to 4294967295")) }
    }

    pub(crate) fn truth(&self) -> Answer<bool> {
        self.value.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    /// One of several words, as its place among them.
    pub(crate) fn word(&self, words: &[&str]) -> Answer<usize> {
        let given = self.value.as_string();
        let place = given.and_then(|given| words.iter().position(|word| *word == given));
        place.ok_or_else(|| self.wrong(&format!("one of {}", words.join(", "))))
    }

    pub(crate) fn text(&self) -> Answer<String> {
        self.value.as_string().ok_or_else(|| self.wrong("a string"))
    }

    /// `N` numbers: an array or a typed array.
    pub(crate) fn floats<const N: usize>(&self) -> Answer<[f32; N]> {
        let wanted = || self.wrong(&format!("an array of {N} numbers"));
        if !self.value.is_object() {
            return Err(wanted());
        }
        let list = Array::from(self.value);
        if list.length() as usize != N {
            return Err(wanted());
        }
        let mut numbers = [0.0; N];
        for (place, value) in numbers.iter_mut().zip(list.iter()) {
            *place = value.as_f64().ok_or_else(wanted)? as f32;
        }
        Ok(numbers)
    }

    fn is_group(&self) -> bool {
        self.value.is_object() && !self.is_list()
    }

    /// Whether it is an array, plain or typed.
    pub(crate) fn is_list(&self) -> bool {
        Array::is_array(self.value) || js_sys::ArrayBuffer::is_view(self.value)
    }

    /// The options inside this one, if it is an object.
    pub(crate) fn group(&self) -> Answer<&JsValue> {
        if self.is_group() { Ok(self.value) } else { Err(self.wrong("an object")) }
    }
}

/// Reads all options of an object. An option that is undefined counts as not given; objects in objects are named by both,
/// with a dot.
pub(crate) fn apply(options: &JsValue, to: &mut dyn Named) -> Answer<()> {
    apply_group(options, "", to)
}

fn apply_group(options: &JsValue, prefix: &str, to: &mut dyn Named) -> Answer<()> {
    if options.is_undefined() {
        return Ok(());
    }
    let given = Given::new("options", options);
    let object: &Object = given.group()?.unchecked_ref();
    let pair = |entry| {
        let entry = Array::from(&entry);
        (entry.get(0).as_string().unwrap_or_default(), entry.get(1))
    };
    let mut entries: Vec<(String, JsValue)> = Object::entries(object).iter().map(pair).collect();
    if entries.is_empty() && !is_plain(object) {
        let of = prefix.trim_end_matches('.');
        let what = if of.is_empty() { "the options" } else { of };
        let wanted = "must be a plain object: options are read from an object's own properties, and it has none";
        return Err(Fault::argument(format_args!("{what} {wanted}")));
    }
    // The name of a method decides which options it has, its quality sets several of them: they come first, wherever they
    // were written.
    entries.sort_by_key(|(key, _)| match key.as_str() {
        "name" => 0,
        "quality" => 1,
        _ => 2,
    });
    for (key, value) in entries.into_iter().filter(|(_, value)| !value.is_undefined()) {
        let name = format!("{prefix}{key}");
        let given = Given::new(&name, &value);
        if to.set(&name, &given)? {
            continue;
        }
        if !given.is_group() || !to.groups().contains(&name.as_str()) {
            return Err(Fault::new("settings", format_args!("there is no option {name:?}")));
        }
        apply_group(&value, &format!("{name}."), to)?;
    }
    Ok(())
}

/// Whether an object was written as `{}`, on this page or another.
fn is_plain(object: &Object) -> bool {
    let of = Object::get_prototype_of(object);
    of.is_null() || Object::get_prototype_of(&of).is_null()
}
