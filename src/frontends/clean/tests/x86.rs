//! The subset of x86 instructions in ABC.

use cleave_clean::x86::*;

const RAX: Register = 0;
const RCX: Register = 1;
const RBX: Register = 3;
const R10: Register = 10;

fn one(code: &[u8]) -> Option<Action> {
    decode(code).map(|actions| {
        assert_eq!(actions.len(), 1);
        actions[0]
    })
}

#[test]
fn loads() {
    let sum = |base, index| Address { base, index: Some((index, 0)), offset: 0 };
    let load = |from, width, signed, to_half| Some(Action::Load { to: RAX, from, width, signed, to_half });
    assert_eq!(one(&[0x48, 0x8b, 0x04, 0x03]), load(sum(RBX, RAX), Width::Eight, false, false));
    assert_eq!(one(&[0x8b, 0x04, 0x18]), load(sum(RAX, RBX), Width::Four, false, false));
    assert_eq!(one(&[0x48, 0x63, 0x04, 0x03]), load(sum(RBX, RAX), Width::Four, true, false));
    assert_eq!(one(&[0x0f, 0xb6, 0x04, 0x18]), load(sum(RAX, RBX), Width::One, false, false));
    assert_eq!(one(&[0x48, 0x0f, 0xbf, 0x04, 0x18]), load(sum(RAX, RBX), Width::Two, true, false));
    assert_eq!(one(&[0x0f, 0xbe, 0x04, 0x18]), load(sum(RAX, RBX), Width::One, true, true));
    let far = Address { base: RBX, index: None, offset: -8 };
    assert_eq!(one(&[0x48, 0x8b, 0x43, 0xf8]), load(far, Width::Eight, false, false));
    let element = Address { base: RBX, index: Some((RAX, 3)), offset: 0x100 };
    assert_eq!(one(&[0x48, 0x8b, 0x84, 0xc3, 0, 1, 0, 0]), load(element, Width::Eight, false, false));
}

#[test]
fn stores_and_copies() {
    let to = Address { base: RBX, index: Some((R10, 0)), offset: 0 };
    let store = |width| Some(Action::Store { to, from: RAX, width });
    assert_eq!(one(&[0x4a, 0x89, 0x04, 0x13]), store(Width::Eight));
    assert_eq!(one(&[0x42, 0x89, 0x04, 0x13]), store(Width::Four));
    assert_eq!(one(&[0x66, 0x42, 0x89, 0x04, 0x13]), store(Width::Two));
    assert_eq!(one(&[0x42, 0x88, 0x04, 0x13]), store(Width::One));
    let element = Address { base: R10, index: Some((RBX, 3)), offset: 0 };
    let wide = Action::Store { to: element, from: RAX, width: Width::Eight };
    assert_eq!(one(&[0x49, 0x89, 0x04, 0xda]), Some(wide));
    assert_eq!(one(&[0x48, 0x8b, 0xd9]), Some(Action::Copy { to: RBX, from: RCX, width: Width::Eight }));
    assert_eq!(one(&[0x89, 0xcb]), Some(Action::Copy { to: RBX, from: RCX, width: Width::Four }));
}

#[test]
fn reals() {
    let place = Address { base: RBX, index: Some((RAX, 0)), offset: 0 };
    assert_eq!(one(&[0xf2, 0x0f, 0x10, 0x04, 0x03]), Some(Action::LoadReal { to: 0, from: place }));
    assert_eq!(one(&[0xf2, 0x0f, 0x11, 0x04, 0x03]), Some(Action::StoreReal { to: place, from: 0 }));
    assert_eq!(one(&[0xf3, 0x0f, 0x5a, 0x04, 0x03]), Some(Action::LoadWidened { to: 0, from: place }));
    let narrow = decode(&[0xf2, 0x0f, 0x5a, 0xc0, 0xf3, 0x0f, 0x11, 0x04, 0x03]);
    assert_eq!(narrow, Some(vec![Action::Narrow { to: 0, from: 0 }, Action::StoreNarrow { to: place, from: 0 }]));
}

#[test]
fn what_is_not_known() {
    for code in [&[0x90][..], &[0x48, 0x8b], &[0xdd, 0x04, 0x18], &[0x8b, 0x05, 0, 0, 0, 0], &[0x66, 0x8b, 0x03]] {
        assert_eq!(decode(code), None, "{code:x?}");
    }
    assert_eq!(decode(&[0x88, 0x23]), None, "a second byte");
}
