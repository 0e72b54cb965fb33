//! The functions of `calls.sam` in Rust.

wit_bindgen::generate!({
    inline: "package local:calls; world calls {
        export add: func(a: s32, b: s32) -> s32;
        export length: func(text: string) -> s32;
        export echo: func(text: string) -> string;
        export sum: func(%list: list<s32>) -> s32;
        export numbers: func(count: s32) -> list<s32>;
    }",
});

struct Calls;

impl Guest for Calls {
    fn add(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }

    fn length(text: String) -> i32 {
        text.len() as i32
    }

    fn echo(text: String) -> String {
        text
    }

    fn sum(list: Vec<i32>) -> i32 {
        list.into_iter().fold(0, i32::wrapping_add)
    }

    fn numbers(count: i32) -> Vec<i32> {
        (1..=count).collect()
    }
}

export!(Calls);
