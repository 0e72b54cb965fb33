//! Code as Cranelift writes it, byte by byte, and what becomes of it.

use cleave_native::peephole::{Conventions, Polished, run};
use cleave_native::{Relocation, Symbol, Trampoline};

const PUSH: &[u8] = &[0x55];
const ENTER: &[u8] = &[0x48, 0x89, 0xe5];
const LEAVE: &[u8] = &[0x48, 0x89, 0xec, 0x5d];
const RETURN: &[u8] = &[0xc3];
const CALL: &[u8] = &[0xe8, 0, 0, 0, 0];
const DOWN: &[u8] = &[0x48, 0x83, 0xec, 8];
const UP: &[u8] = &[0x48, 0x83, 0xc4, 8];

/// A function with one result; all its calls are relocations.
fn polish(parts: &[&[u8]]) -> Option<Polished> {
    let code = parts.concat();
    let mut relocations = Vec::new();
    let mut at = 0;
    for part in parts {
        if *part == CALL {
            relocations.push(Relocation { offset: at + 1, symbol: Symbol::Trampoline(Trampoline::Main), addend: -4 });
        }
        at += part.len() as u32;
    }
    run(&code, &relocations, &Conventions { results: 1, arguments: Box::new(|_| 1) })
}

#[track_caller]
fn becomes(parts: &[&[u8]], wanted: &[&[u8]]) -> Polished {
    let polished = polish(parts).expect("code that is understood");
    assert_eq!(polished.code, wanted.concat(), "{:02x?}", polished.code);
    polished
}

#[test]
fn frame_pointers_go() {
    let polished = becomes(&[PUSH, ENTER, CALL, LEAVE, RETURN], &[DOWN, CALL, UP, RETURN]);
    assert_eq!(polished.frame, [(4, 16), (13, 8)]);
    assert_eq!(polished.relocations[0].offset, 5);
    // `sub rsp, 16 … movsd [rsp], xmm0 … add rsp, 16`.
    let slot = &[0xf2, 0x0f, 0x11, 4, 0x24];
    let (reserve, release) = (&[0x48, 0x83, 0xec, 16], &[0x48, 0x83, 0xc4, 16]);
    let polished = becomes(
        &[PUSH, ENTER, reserve, slot, CALL, release, LEAVE, RETURN],
        &[&[0x48, 0x83, 0xec, 24], slot, CALL, &[0x48, 0x83, 0xc4, 24], RETURN],
    );
    assert_eq!(polished.frame, [(4, 32), (18, 8), (19, 32)]);
}

#[test]
fn frame_pointers_stay_where_they_serve() {
    // `mov rax, [rbp + 16]`: an argument on the stack.
    let argument = &[0x48, 0x8b, 0x45, 16];
    let parts: &[&[u8]] = &[PUSH, ENTER, argument, LEAVE, RETURN];
    assert!(becomes(parts, parts).frame.is_empty());
    // `mov rax, rsp`.
    let parts: &[&[u8]] = &[PUSH, ENTER, &[0x48, 0x89, 0xe0], LEAVE, RETURN];
    becomes(parts, parts);
}

#[test]
fn paths_without_calls_do_nothing() {
    // `test edi, 1; je slow; mov rax, rdi`.
    let (test, slow) = (&[0xf7, 0xc7, 1, 0, 0, 0], &[0x0f, 0x84, 8, 0, 0, 0]);
    becomes(
        &[PUSH, ENTER, test, slow, &[0x48, 0x89, 0xf8], LEAVE, RETURN, CALL, LEAVE, RETURN],
        &[&[0x40, 0xf6, 0xc7, 1, 0x74, 4], &[0x48, 0x89, 0xf8], RETURN, DOWN, CALL, UP, RETURN],
    );
}

#[test]
fn functions_that_may_end_in_a_defect_are_polished() {
    // The slow path never returns: `call; int3; ud2`.
    let (test, slow, defect) = (&[0xf7, 0xc7, 1, 0, 0, 0], &[0x0f, 0x84, 8, 0, 0, 0], &[0xcc, 0x0f, 0x0b]);
    becomes(
        &[PUSH, ENTER, test, slow, &[0x48, 0x89, 0xf8], LEAVE, RETURN, CALL, defect],
        &[&[0x40, 0xf6, 0xc7, 1, 0x74, 4], &[0x48, 0x89, 0xf8], RETURN, DOWN, CALL, UP, defect],
    );
}

#[test]
fn values_are_read_where_they_lie() {
    // `mov rax, rdi; mov ecx, [rax]; mov eax, [rdi]; mov rax, [rax + 8]; ret`: one load of the header is enough.
    becomes(
        &[&[0x48, 0x89, 0xf8], &[0x8b, 0x08], &[0x8b, 0x07], &[0x48, 0x8b, 0x40, 8], RETURN],
        &[&[0x8b, 0x0f], &[0x48, 0x8b, 0x41, 8], RETURN],
    );
    // `mov eax, r10d` and a comparison that has a form of its own for eax, which r10 has not:
    // `mov eax, r10d; cmp eax, 4096; mov eax, 1; ja +1; ret; ret`.
    let one = &[0xb8, 1, 0, 0, 0];
    becomes(
        &[&[0x44, 0x89, 0xd0], &[0x3d, 0, 0x10, 0, 0], one, &[0x0f, 0x87, 1, 0, 0, 0], RETURN, RETURN],
        &[&[0x41, 0x81, 0xfa, 0, 0x10, 0, 0], one, &[0x77, 1], RETURN, RETURN],
    );
    // The same of `test eax, 4096`.
    becomes(
        &[&[0x44, 0x89, 0xd0], &[0xa9, 0, 0x10, 0, 0], one, &[0x0f, 0x84, 1, 0, 0, 0], RETURN, RETURN],
        &[&[0x41, 0xf7, 0xc2, 0, 0x10, 0, 0], one, &[0x74, 1], RETURN, RETURN],
    );
    // A store in between: what was loaded may be another value now.
    let parts: &[&[u8]] = &[&[0x8b, 0x0f], &[0x89, 0x0e], &[0x8b, 0x07], RETURN];
    becomes(parts, parts);
    // A copy whose source changes is needed: `mov rax, rdi; mov edi, 5; mov [rsi], edi`.
    let parts: &[&[u8]] = &[&[0x48, 0x89, 0xf8], &[0xbf, 5, 0, 0, 0], &[0x89, 0x3e], RETURN];
    becomes(parts, parts);
    // The upper half is cleared: `mov eax, edi` is no copy for those who read all of it.
    let parts: &[&[u8]] = &[&[0x89, 0xf8], &[0x48, 0x01, 0xc6], &[0x48, 0x89, 0xf0], RETURN];
    becomes(parts, parts);
}

#[test]
fn comparisons_read_memory() {
    // `mov ecx, 0x10000000; mov ecx, [rcx]; cmp eax, ecx; ja +1; ret; ret`.
    becomes(
        &[&[0xb9, 0, 0, 0, 0x10], &[0x8b, 0x09], &[0x39, 0xc8], &[0x0f, 0x87, 1, 0, 0, 0], RETURN, RETURN],
        &[&[0x3b, 0x04, 0x25, 0, 0, 0, 0x10], &[0x77, 1], RETURN, RETURN],
    );
    // The value is read once more: `mov ecx, [rdi]; cmp eax, ecx; mov rax, rcx; ret`.
    let parts: &[&[u8]] = &[&[0x8b, 0x0f], &[0x39, 0xc8], &[0x48, 0x89, 0xc8], RETURN];
    becomes(parts, parts);
}

#[test]
fn results_are_written_where_they_belong() {
    // `lea rcx, [rdi + 12]; mov rax, rcx; ret`.
    becomes(&[&[0x48, 0x8d, 0x4f, 12], &[0x48, 0x89, 0xc8], RETURN], &[&[0x48, 0x8d, 0x47, 12], RETURN]);
    // `mov rcx, [rcx]; mov rax, rcx; ret`.
    becomes(&[&[0x48, 0x8b, 0x09], &[0x48, 0x89, 0xc8], RETURN], &[&[0x48, 0x8b, 0x01], RETURN]);
    // `xor rcx, rcx; mov rax, rcx; ret` names the register twice; `sub` likewise; `add ecx, edi` reads it.
    for code in [&[0x48, 0x31, 0xc9][..], &[0x48, 0x29, 0xc9], &[0x01, 0xf9]] {
        let parts: &[&[u8]] = &[code, &[0x48, 0x89, 0xc8], RETURN];
        becomes(parts, parts);
    }
    // `mov ecx, [rdi]; mov [rsi], ecx; mov rax, rcx; ret`: somebody reads it before.
    let parts: &[&[u8]] = &[&[0x8b, 0x0f], &[0x89, 0x0e], &[0x48, 0x89, 0xc8], RETURN];
    becomes(parts, parts);
    // `mov rsi, rdi; add esi, 12; cmp esi, [rdx]; ja +1; ret; ret`: one address.
    becomes(
        &[&[0x48, 0x89, 0xfe], &[0x83, 0xc6, 12], &[0x3b, 0x32], &[0x77, 1], RETURN, RETURN],
        &[&[0x8d, 0x77, 12], &[0x3b, 0x32], &[0x77, 1], RETURN, RETURN],
    );
}

/// `mov eax, 1; cmp edi, eax; cmovb eax, edi; lea rcx, [table]; movsxd rdx, [rcx + rax * 4]; add rcx, rdx; jmp rcx`,
/// the table, and three ends of which it names two.
const SWITCH: &[&[u8]] = &[
    &[0xb8, 1, 0, 0, 0],
    &[0x39, 0xc7],
    &[0x0f, 0x42, 0xc7],
    &[0x48, 0x8d, 0x0d, 9, 0, 0, 0],
    &[0x48, 0x63, 0x14, 0x81],
    &[0x48, 0x01, 0xd1],
    &[0xff, 0xe1],
    &[8, 0, 0, 0, 15, 0, 0, 0],
];

#[test]
fn tables_follow_their_targets() {
    // `mov eax, 7` jumps to the end after the table's second target, in the long form.
    let ends: &[&[u8]] = &[&[0xb8, 7, 0, 0, 0], &[0xeb, 5], &[0xb8, 9, 0, 0, 0], RETURN];
    let polished = polish(&[SWITCH, ends].concat()).expect("a table that is understood");
    let start = SWITCH.concat().len();
    let table = &polished.code[start - 8..start];
    let target = |at: usize| start - 8 + u32::from_le_bytes(table[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(polished.code[target(0)..][..6], [0xb8, 7, 0, 0, 0, 0xc3]);
    assert_eq!(polished.code[target(4)..], [0xb8, 9, 0, 0, 0, 0xc3]);
}

#[test]
fn what_is_not_understood_stays() {
    // `loop`.
    assert!(polish(&[&[0xe2, 0xfe], RETURN]).is_none());
    // A jump into the middle of an instruction.
    assert!(polish(&[&[0xeb, 1], &[0xb8, 7, 0, 0, 0], RETURN]).is_none());
    // The end is missing.
    assert!(polish(&[&[0xb8, 7, 0, 0, 0]]).is_none());
    // A table whose length nobody tells.
    assert!(polish(&[&SWITCH[2..], &[RETURN]].concat()).is_none());
}

#[test]
fn constants_keep_their_places() {
    // `jmp +0; movsd xmm0, [constant]; ret`, filled up to 16 bytes, and the constant.
    let load = &[0xf2, 0x0f, 0x10, 0x05, 3, 0, 0, 0];
    let value = &1.5f64.to_le_bytes()[..];
    let polished = polish(&[&[0xe9, 0, 0, 0, 0], load, RETURN, &[0, 0], value]).expect("code with a constant");
    assert_eq!(polished.code[..9], [&load[..4], &[8, 0, 0, 0], RETURN].concat());
    assert_eq!(polished.code[16..], *value);
}
