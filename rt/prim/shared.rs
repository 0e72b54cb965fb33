//! stub
use crate::system::{Context, Outcome};
pub fn share<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64), C> { Ok((0, 0)) }
pub fn open<C: Context>(_c: &mut C, _name: u32, _mode: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
pub fn read_char<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64, i64, i64), C> { Ok((0, 0, 0, 0)) }
pub fn read_int<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64, i64, i64), C> { Ok((0, 0, 0, 0)) }
pub fn read_real<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, f64, i64, i64), C> { Ok((0, 0.0, 0, 0)) }
pub fn read_string<C: Context>(_c: &mut C, _sp: u32, _file: i64, _position: i64, _count: i64) -> Outcome<(u32, i64, i64), C> { Ok((0, 0, 0)) }
pub fn read_line<C: Context>(_c: &mut C, _sp: u32, _file: i64, _position: i64) -> Outcome<(u32, i64, i64), C> { Ok((0, 0, 0)) }
pub fn seek<C: Context>(_c: &mut C, _file: i64, _position: i64, _offset: i64, _mode: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
pub fn end<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<i64, C> { Ok(0) }
pub fn position<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<i64, C> { Ok(0) }
