//! What to say of a variant of the library that stands alone: behind which class it belongs, and where that is.

use cleave_samlang_library::MODULES;

/// The class of today's library that has a variant, its module, and whether the variant has fields.
fn library_variant(variant: &str) -> Option<(&'static str, &'static str, bool)> {
    MODULES.iter().find_map(|&(module, text)| {
        text.lines().find_map(|line| {
            let rest = line.strip_prefix("class ")?;
            let name = rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
            let (_, variants) = rest.split_once('(')?;
            let mut words = variants.split(|letter: char| !letter.is_ascii_alphanumeric());
            let is_there = !variants.starts_with("val ") && words.any(|word| word == variant);
            let has_fields = variants.contains(&format!("{variant}("));
            (is_there && variant != name).then_some((name, module, has_fields))
        })
    })
}

/// Today's library has such a module.
pub fn is_module(name: &str) -> bool {
    MODULES.iter().any(|module| module.0 == name)
}

/// What to say of a class or a variant of the library that stands alone, where these classes are imported.
pub fn alone(text: &str, imported: &[&str]) -> Option<(String, String)> {
    let (class, module, has_fields) = library_variant(text)?;
    let fields = if has_fields { "…" } else { "" };
    let message = format!("the variant `{text}` stands behind its class");
    let with = match imported.contains(&class) {
        true => String::new(),
        false => format!(", with `import {{ {class} }} from {module}`"),
    };
    Some((message, format!("write `{class}.{text}({fields})`{with}")))
}
